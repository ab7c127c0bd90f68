"""Run a study: work out the cells that are not there yet, and keep each as soon as it is done."""

import contextlib
import itertools
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from roguewk.problem.errors import InputError
from roguewk.study.plan.cells import BOUND, Cell, Task, make_task, plan_cells
from roguewk.study.plan.model import Study
from roguewk.study.run.clusters import workers_here
from roguewk.study.run.engines import EngineError, Run, is_lost_worker, started
from roguewk.study.run.forecast import TrialError, forecast
from roguewk.study.run.store import Store
from roguewk.study.run.work import Done

STARTING = 1.5  # seconds until a worker has imported what it needs
A_PICTURE, A_PAGE = 0.12, 1.0  # seconds that drawing takes
MOST_LOSSES = 3  # of workers without a cell finished in between
Progress = Callable[[int, int, float], None]  # cells done, cells in all, share of the work that is done


@dataclass
class Work:
    """The cells of a study that are still to be done, the longest first, by key."""

    study: Study
    store: Store
    total: int  # how many cells the study has
    finished: set[str]  # the cells that were there before
    missing: dict[str, Cell]
    seconds: dict[str, float]  # that each will take
    remaining: float  # seconds that one worker would take for all that is missing
    workers: int  # how many cells are worked on at once
    around: float  # seconds that starting the workers and drawing the report will take
    took: float = 0.0  # seconds that the work itself took, summed over workers

    @property
    def found(self) -> int:
        """How many of them were there before."""
        return len(self.finished)

    @property
    def lasts(self) -> float:
        """Seconds until the report is there: no cell is shared by workers, so it is at least that of the longest."""
        longest = max((self.seconds[key] for key in self.missing), default=0.0)
        return self.around + max(self.remaining / max(self.workers, 1), longest)

    @property
    def kept(self) -> str:
        """How much is done, in words."""
        return _kept(self.total - len(self.missing), self.total)

    def keep(self, done: Done) -> None:
        """Store a finished cell."""
        try:
            self.store.write(done.key, done.content)
        except OSError as error:
            raise InputError(
                f"a cell cannot be written to '{self.store.folder}' ({error.strerror}); {self.kept}: make room, then "
                "give the same command again"
            ) from None
        del self.missing[done.key]  # first, as Ctrl-C may come any moment
        self.took += done.seconds
        self.remaining -= self.seconds[done.key]


def _kept(done: int, total: int) -> str:
    return f"{done:,} of {total:,} cells are kept"


def plan_work(
    study: Study,
    store: Store,
    retry_failed: bool = False,
    dry: bool = False,
    count: Callable[[], int] = workers_here,
    cells: Sequence[Cell] | None = None,
    threads: bool = False,
) -> Work:
    """Find out what is missing, and how long it will take; a `dry` plan leaves the folder as it is.

    `count` says how many workers there are; it is asked before anything is played, and only if something is missing.
    `cells` are those of the study, if they are known already; `threads` have everything that processes must load.
    """
    cells = plan_cells(study) if cells is None else cells
    finished = store.finished((cell.key for cell in cells), retry_failed)
    missing = [cell for cell in cells if cell.key not in finished]
    kept = _kept(len(finished), len(cells))
    try:
        workers = count() if missing else 0
        expected, bound, loading = forecast(study, missing)
    except EngineError as error:
        raise InputError(f"{error}; {kept}: give the same command again") from error
    except TrialError as error:
        raise InputError(f"{error}; {kept}: mend the code of the study") from None
    pictures = len(study.plot.figures) * len(study.plot.kinds)
    seconds = {cell.key: each for cell, each in zip(missing, expected, strict=True)}
    # Long cells last would leave the other workers with nothing to do.
    ordered = sorted(missing, key=lambda cell: -seconds[cell.key])
    work = Work(
        study,
        store,
        len(cells),
        finished,
        {each.key: each for each in ordered},
        seconds,
        sum(expected),
        workers,
        (0.0 if threads else STARTING + loading) + A_PAGE + A_PICTURE * pictures,
    )
    if bound is not None and not dry:
        work.keep(bound)
    return work


def do_work(
    work: Work, engine: str, workers: int | None, address: str | None, progress: Progress | None = None
) -> None:
    """Work out what is missing; lost workers are replaced, and finished cells are kept whatever happens."""
    if not work.missing:
        return
    whole, losses = max(work.remaining, 1e-9), 0

    def tell() -> None:
        if progress is not None:
            progress(work.total - len(work.missing), work.total, 1 - work.remaining / whole)

    try:
        with warnings.catch_warnings(), started(engine, workers, address) as run:
            warnings.filterwarnings("ignore", module="joblib")  # what stops the work is told in a sentence of our own
            while work.missing:
                before = len(work.missing)
                taken: list[Cell] = []
                try:
                    _run_through(work, run, taken, tell)
                except Exception as error:  # every engine has its own for a worker that died
                    if not is_lost_worker(error):
                        raise
                    losses = losses + 1 if len(work.missing) == before else 0
                    if losses == MOST_LOSSES:
                        raise InputError(_of_losses(work, taken, losses)) from None
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"stopped; {work.kept}: give the same command again to go on") from None
    except EngineError as error:
        raise InputError(f"{error}; {work.kept}: give the same command again") from error


def _run_through(work: Work, run: Run, taken: list[Cell], tell: Callable[[], None]) -> None:
    """Work out what is missing, as far as no worker dies; `taken` are the cells that were handed to the engine."""

    def tasks() -> Iterator[Task]:
        for cell in list(work.missing.values()):
            taken.append(cell)
            yield make_task(work.study, cell)

    with contextlib.closing(run(tasks())) as finished:
        for done in finished:
            work.keep(done)
            tell()


def _of_losses(work: Work, taken: list[Cell], losses: int) -> str:
    """What to say of workers that always die; cells are begun in the order in which they were taken."""
    begun = itertools.islice((cell for cell in taken if cell.key in work.missing), max(1, work.workers))
    policies = dict.fromkeys(work.study.policies[cell.policy].label for cell in begun if cell.kind != BOUND)
    names = " and ".join(map(repr, policies))
    at = f" while they worked on {names}" if names else ""
    return (
        f"workers died {losses} times without finishing a cell{at}, perhaps for lack of memory or as a policy ends its "
        f"process; {work.kept}: run it again with fewer workers, or mend the policy"
    )
