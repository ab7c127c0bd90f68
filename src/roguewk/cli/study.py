"""The command `roguewk study`."""

import argparse
import contextlib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from roguewk.problem.errors import InputError
from roguewk.study.hooks import Hooks

if TYPE_CHECKING:
    from roguewk.study.plan.cells import Cell
    from roguewk.study.plan.model import Study
    from roguewk.study.results import Results
    from roguewk.study.run.runner import Work

# Those that are options of rw.run_study by the same names.
RUN_OPTIONS = ("engine", "workers", "address", "replicates", "seed", "yes", "prune", "retry_failed", "trust")


def add_study(commands: Any) -> None:
    """Tell the parser of it."""
    study = commands.add_parser("study", help="run a study file: grids of worlds and policies; a report in a folder")
    study.add_argument(
        "file", metavar="FILE", nargs="?", help="a TOML file, the folder of a study, or paper, which comes with roguewk"
    )
    study.add_argument(
        "--out", metavar="DIR", help="folder (default: the file's name and -study); go on if it is there"
    )
    study.add_argument("--engine", default="local", help="local (processes, the default), threads, dask, ray or spark")
    study.add_argument("--workers", type=int, metavar="N", help="default: all there are; results do not depend on it")
    study.add_argument("--address", metavar="A", help="of the Dask scheduler, or of the Ray or Spark cluster")
    study.add_argument("--replicates", type=int, metavar="N", help="instead of the study's")
    study.add_argument("--seed", type=int, metavar="N", help="instead of the study's")
    study.add_argument("--dry-run", action="store_true", help="only check the file and say how long it would take")
    study.add_argument("--yes", action="store_true", help="also run huge sweeps, and in the folder of another study")
    study.add_argument("--trust", action="store_true", help="run code that came with the folder of a study")
    study.add_argument("--prune", action="store_true", help="delete cells that the study no longer has")
    study.add_argument("--retry-failed", action="store_true", help="work cells with failed runs out again")
    study.add_argument("--schema", action="store_true", help="print the JSON Schema of study files, for editors")
    study.add_argument("--quiet", action="store_true", help="print only the folder's name")
    study.set_defaults(run=_study)


def _study(options: argparse.Namespace) -> None:
    if options.schema:
        from roguewk.cli.common import print_json
        from roguewk.study.plan.schema import study_schema

        print_json(study_schema())
        return
    if options.file is None:
        raise InputError("no study is named: give a TOML file, or paper")
    given = {key: getattr(options, key) for key in RUN_OPTIONS}
    with contextlib.ExitStack() as shown:
        told = _Told(options, shown)
        from roguewk.study.study import plan_study, run_study  # which takes a while itself

        if options.dry_run:
            plan_study(options.file, options.out, hooks=told, **given)
            return
        results = run_study(options.file, options.out, hooks=told, **given)
    folder = results.store.folder
    if options.quiet:
        print(folder)
        return
    from roguewk.study.digest import show_study

    show_study(results)
    print(f"\nreport, figures and tables are in {folder}; open {folder / 'report.html'}")


class _Told(Hooks):
    """What is shown while a study runs; `shown` holds the line at the bottom of the terminal, one at a time."""

    def __init__(self, options: argparse.Namespace, shown: contextlib.ExitStack) -> None:
        from roguewk.show.terminal import busy

        self.options, self.shown = options, shown
        self.tell: Callable[[int, int, float], None] | None = None
        shown.enter_context(busy(f"checking the study {options.file}", options.quiet, always=True))

    def sized(self, study: "Study", cells: "Sequence[Cell]") -> None:
        """How large the study is."""
        from roguewk.show.terminal import busy

        self.shown.close()
        if not self.options.quiet:
            _tell_size(study, cells)
        what = "looking for finished cells, and trying for how long others are played"
        self.shown.enter_context(busy(what, self.options.quiet, always=True))

    def planned(self, work: "Work") -> None:
        """How long it will take."""
        from roguewk.show.terminal import cell_progress

        self.work = work
        self.shown.close()
        if not self.options.quiet:
            _tell_time(work, self.options.address)
        if not self.options.dry_run:
            self.tell = self.shown.enter_context(cell_progress(self.options.quiet))

    def progress(self, done: int, total: int, share: float) -> None:
        """A bar, or a line now and then."""
        if self.tell is not None:
            self.tell(done, total, share)

    def finished(self, results: "Results") -> None:
        """Write the report while the folder is still locked."""
        from roguewk.show.terminal import busy
        from roguewk.study.report.write import write_results

        self.shown.close()
        try:
            with busy("drawing figures and writing the report", self.options.quiet, always=True):
                write_results(results)
        except OSError as error:
            raise InputError(
                f"the report cannot be written to '{results.store.folder}' ({error.strerror}), so tables and figures "
                f"there are old or missing; {self.work.kept}: make room, then give the same command again"
            ) from None


def _tell_size(study: "Study", cells: "Sequence[Cell]") -> None:
    """Before anything is compiled or played, which may take a while."""
    from roguewk.show.terminal import show
    from roguewk.show.words import count
    from roguewk.study.plan.cells import BOUND, RUNS, TRACE
    from roguewk.study.stats.compare import fewest_replicates

    found = Counter(cell.kind for cell in cells)
    names = {RUNS: "of runs", TRACE: "of single runs", BOUND: "bounds"}
    kinds = ", ".join(f"{found[kind]:,} {name}" for kind, name in names.items() if found[kind])
    show(
        f"{study.title}: {count(len(study.worlds), 'world')}, {count(len(study.policies), 'policy', 'policies')}, "
        f"{count(study.replicates, 'replicate')}: {count(found.total(), 'cell')} ({kinds})"
    )
    needed = fewest_replicates(study)
    if study.replicates < needed:
        show(
            f"so few replicates can decide nothing between {count(len(study.policies), 'policy', 'policies')}: give at "
            f"least {needed} to learn which earns more",
            hanging="  ",
        )
    for (world, policy), reason in study.skipped.items():
        show(f"skipped: {policy!r} in {world!r}, as {reason}", hanging="  ")


def _tell_time(work: "Work", address: str | None) -> None:
    from roguewk.show.terminal import duration, show
    from roguewk.show.words import count

    there = f"{work.found:,} are there already; " if work.found else ""
    if work.found < work.total:
        place = "" if address is None else f" at {address}"
        time = f"{duration(work.lasts)} on {count(work.workers, 'worker')}{place}"
        show(f"{there}{count(work.total - work.found, 'cell')} to do, about {time}")
    else:
        show("all of them are there already")
