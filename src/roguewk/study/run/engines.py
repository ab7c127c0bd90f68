"""Where cells are worked out: through joblib, in processes or threads here, or on a cluster of Dask, Ray or Spark."""

import contextlib
import itertools
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator

from roguewk.problem.errors import InputError, known, text, whole
from roguewk.study.plan.cells import Task
from roguewk.study.run.clusters import ENGINES, Opened, here, shortened
from roguewk.study.run.work import Done, work

IN_BATCHES = ("spark",)  # its backend gives results only when all of a call are there
TASKS_AT_ONCE = 8  # for each worker, in such a call
NAMES = {"dask": "Dask", "ray": "Ray", "spark": "Spark"}  # of those that may be elsewhere
LOST = frozenset({"BrokenProcessPool", "TerminatedWorkerError", "KilledWorker", "RayActorError", "WorkerCrashedError"})
# Of a cluster that no longer answers; which one it is depends on what was under way.
GONE = frozenset({"FutureCancelledError", "CancelledError", "CommClosedError", "ClosedClientError", "ConnectionError"})
Run = Callable[[Iterable[Task]], Generator[Done, None, None]]


class EngineError(Exception):
    """The library of an engine failed; the words say how."""


def check_engine(engine: str, workers: int | None, address: str | None) -> None:
    """Whether these go together."""
    known(text(engine, "engine"), ENGINES, "engine")
    if workers is not None:
        whole(workers, "workers", 1, 10_000)
    if address is not None and text(address, "address") and engine not in NAMES:
        able = ", ".join(NAMES)
        raise InputError(f"an address is given, but engine {engine!r} is on this machine: take one of {able}")


def count_workers(engine: str, workers: int | None, address: str | None) -> int:
    """How many cells are worked on at once; a cluster at an address is asked, and has to answer."""
    check_engine(engine, workers, address)
    if address is None:
        return here(workers)
    with _opened(engine, workers, address) as (jobs, _):
        return jobs


@contextlib.contextmanager
def started(engine: str, workers: int | None, address: str | None) -> Iterator[Run]:
    """A function from tasks to finished cells, in any order; what the engine itself raises is an EngineError."""
    import joblib

    check_engine(engine, workers, address)
    with _opened(engine, workers, address) as (jobs, settings):

        def outcomes(tasks: Iterable[Task]) -> Generator[Done | Exception, None, None]:
            with _blamed(engine, address, spared=LOST):
                if engine not in IN_BATCHES:
                    parallel = joblib.Parallel(jobs, return_as="generator_unordered", **settings)
                    yield from parallel(joblib.delayed(_tried)(task) for task in tasks)
                    return
                with joblib.Parallel(jobs, **settings) as parallel:
                    waiting = iter(tasks)
                    while some := list(itertools.islice(waiting, jobs * TASKS_AT_ONCE)):
                        yield from parallel(joblib.delayed(_tried)(task) for task in some)

        def run(tasks: Iterable[Task]) -> Generator[Done, None, None]:
            with contextlib.closing(outcomes(tasks)) as found:
                for each in found:
                    if isinstance(each, Exception):
                        raise each
                    yield each

        yield run


def is_lost_worker(error: BaseException) -> bool:
    """Whether an error means that a worker died, by whatever name the libraries give it."""
    return _is_one(error, LOST)


def _is_one(error: BaseException, names: frozenset[str]) -> bool:
    return not names.isdisjoint(kind.__name__ for kind in type(error).__mro__)


def _tried(task: Task) -> Done | Exception:
    """A finished cell, or what our own code raised: whatever joblib raises, then, comes from the engine."""
    try:
        return work(task)
    except Exception as error:  # whatever it is, it is ours and not the engine's
        error.add_note(f"in a worker: {traceback.format_exc()}")
        return error


@contextlib.contextmanager
def _opened(engine: str, workers: int | None, address: str | None) -> Opened:
    with contextlib.ExitStack() as stack:
        with _blamed(engine, address):
            opened = stack.enter_context(ENGINES[engine](workers, address))
        yield opened


@contextlib.contextmanager
def _blamed(engine: str, address: str | None, spared: frozenset[str] = frozenset()) -> Iterator[None]:
    """Tell of what an engine raises in one clause; errors of the names in `spared` are left as they are."""
    try:
        yield
    except Exception as error:  # every library has errors of its own
        if isinstance(error, InputError) or _is_one(error, spared):
            raise
        name = NAMES.get(engine, f"the engine {engine!r}")
        place = "on this machine" if address is None else f"at {address!r}"
        if engine in NAMES and _is_one(error, GONE):
            raise EngineError(f"the {name} cluster {place} is gone") from error
        raise EngineError(f"{name} {place} failed ({_reason(error)})") from error


def _reason(error: BaseException) -> str:
    return shortened(f"{type(error).__name__}: {error}")
