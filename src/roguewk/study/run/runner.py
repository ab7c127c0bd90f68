"""Run a study: work out the cells that are not there yet, and keep each as soon as it is done."""

import contextlib
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from roguewk.problem.errors import InputError
from roguewk.study.plan.cells import Cell, make_task, plan_cells
from roguewk.study.plan.model import Study
from roguewk.study.run.engines import is_lost_worker, started
from roguewk.study.run.forecast import forecast
from roguewk.study.run.store import Store
from roguewk.study.run.work import Done

MOST_LOSSES = 3  # of workers without a cell finished in between
Progress = Callable[[int, int, float], None]  # cells done, cells in all, share of the work that is done


@dataclass
class Work:
    """The cells of a study that are still to be done, the longest first, by key."""

    study: Study
    store: Store
    kinds: Counter[str]  # how many cells there are of each kind
    finished: set[str]  # the cells that were there before
    missing: dict[str, Cell]
    seconds: dict[str, float]  # that each will take
    remaining: float  # seconds that one worker would take for all that is missing
    took: float = 0.0  # seconds that the work itself took, summed over workers

    @property
    def total(self) -> int:
        """How many cells the study has."""
        return self.kinds.total()

    @property
    def found(self) -> int:
        """How many of them were there before."""
        return len(self.finished)

    @property
    def kept(self) -> str:
        """How much is done, in words."""
        return f"{self.total - len(self.missing):,} of {self.total:,} cells are kept"

    def keep(self, done: Done) -> None:
        """Store a finished cell."""
        try:
            self.store.write(done.key, done.content)
        except OSError as error:
            raise InputError(
                f"a cell cannot be written to '{self.store.folder}' ({error.strerror}); {self.kept}: make room, then "
                "give the same command again"
            ) from None
        self.took += done.seconds
        self.remaining -= self.seconds[done.key]
        del self.missing[done.key]


def plan_work(study: Study, store: Store, retry_failed: bool = False, dry: bool = False) -> Work:
    """Find out what is missing, and how long it will take; a `dry` plan leaves the folder as it is."""
    cells = plan_cells(study)
    finished = store.finished((cell.key for cell in cells), retry_failed)
    missing = [cell for cell in cells if cell.key not in finished]
    expected, bound = forecast(study, missing)
    seconds = {cell.key: each for cell, each in zip(missing, expected, strict=True)}
    # Long cells last would leave the other workers with nothing to do.
    ordered = sorted(missing, key=lambda cell: -seconds[cell.key])
    work = Work(
        study,
        store,
        Counter(cell.kind for cell in cells),
        finished,
        {each.key: each for each in ordered},
        seconds,
        sum(expected),
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
    with warnings.catch_warnings(), started(engine, workers, address) as run:
        warnings.filterwarnings("ignore", module="joblib")  # whatever stops the work is told in a sentence of our own
        while work.missing:
            before = len(work.missing)
            tasks = (make_task(work.study, cell) for cell in list(work.missing.values()))
            try:
                with contextlib.closing(run(tasks)) as finished:
                    for done in finished:
                        work.keep(done)
                        if progress is not None:
                            progress(work.total - len(work.missing), work.total, 1 - work.remaining / whole)
            except Exception as error:  # every engine has its own for a worker that died
                if not is_lost_worker(error):
                    raise
                losses = losses + 1 if len(work.missing) == before else 0
                if losses == MOST_LOSSES:
                    raise InputError(
                        f"workers died {losses} times without finishing a cell, perhaps for lack of memory; "
                        f"{work.kept}: run it again with fewer workers"
                    ) from None
