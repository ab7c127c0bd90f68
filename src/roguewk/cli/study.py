"""The command `roguewk study`."""

import argparse
import functools
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from roguewk.problem.errors import InputError

if TYPE_CHECKING:
    from roguewk.study.plan.cells import Cell
    from roguewk.study.plan.model import Study
    from roguewk.study.results import Results
    from roguewk.study.run.runner import Work


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
    from roguewk.show.folder import results_folder
    from roguewk.show.terminal import busy
    from roguewk.study.plan.cells import plan_cells
    from roguewk.study.run.engines import check_engine
    from roguewk.study.study import changed, find_study

    check_engine(options.engine, options.workers, options.address)
    with busy("checking the study", options.quiet):
        found, home = find_study(options.file, options.yes)
        study = changed(found, options.replicates, options.seed)
        cells = plan_cells(study)
    out = home if options.out is None else options.out
    if options.dry_run:
        _tell_size(study, cells, options)
        _tell_time(_plan(study, cells, out, options, dry=True), options)
        return
    with results_folder(out) as folder:
        _tell_size(study, cells, options)
        work = _plan(study, cells, out, options, dry=False)
        _tell_time(work, options)
        _do(work, options)
        results = _results(work)
        with busy("drawing figures and writing the report", options.quiet):
            _write(results, work)
    if options.quiet:
        print(folder)
        return
    from roguewk.study.digest import show_study

    show_study(results)
    print(f"\nreport, figures and tables are in {folder}; open {folder / 'report.html'}")


def _write(results: "Results", work: "Work") -> None:
    try:
        results.write()
    except OSError as error:
        raise InputError(
            f"the report cannot be written to '{results.store.folder}' ({error.strerror}), so tables and figures there "
            f"are old or missing; {work.kept}: make room, then give the same command again"
        ) from None


def _plan(study: "Study", cells: list["Cell"], out: str, options: argparse.Namespace, dry: bool) -> "Work":
    from roguewk.study.run.engines import count_workers
    from roguewk.study.run.runner import plan_work
    from roguewk.study.run.store import Store

    store = Store(Path(out))
    store.check(study, options.yes) if dry else store.claim(study, options.yes)
    count = functools.partial(count_workers, options.engine, options.workers, options.address)
    work = plan_work(study, store, options.retry_failed, dry, count, cells)
    if options.prune and not dry:
        store.prune({*work.seconds, *work.finished})
    return work


def _tell_size(study: "Study", cells: list["Cell"], options: argparse.Namespace) -> None:
    """Before anything is compiled or played, which may take a while."""
    from roguewk.show.terminal import show
    from roguewk.show.words import count
    from roguewk.study.plan.cells import BOUND, RUNS, TRACE
    from roguewk.study.stats.compare import fewest_replicates

    if options.quiet:
        return
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


def _tell_time(work: "Work", options: argparse.Namespace) -> None:
    from roguewk.show.terminal import duration, show
    from roguewk.show.words import count

    if options.quiet:
        return
    there = f"{work.found:,} are there already; " if work.found else ""
    if work.found < work.total:
        place = "" if options.address is None else f" at {options.address}"
        time = f"{duration(work.remaining / work.workers)} on {count(work.workers, 'worker')}{place}"
        show(f"{there}{count(work.total - work.found, 'cell')} to do, about {time}")
    else:
        show("all of them are there already")


def _do(work: "Work", options: argparse.Namespace) -> None:
    from roguewk.show.terminal import cell_progress
    from roguewk.study.run.runner import do_work

    try:
        with cell_progress(options.quiet) as progress:
            do_work(work, options.engine, options.workers, options.address, progress)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"stopped; {work.kept}: give the same command again to go on") from None


def _results(work: "Work") -> "Results":
    from roguewk.study.plan.cells import sources
    from roguewk.study.results import Results

    return Results(work.study, work.store, sources())
