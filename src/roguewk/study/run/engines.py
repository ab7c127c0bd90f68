"""Where cells are worked out: through joblib, in processes or threads here, or on a cluster of Dask, Ray or Spark."""

import contextlib
import itertools
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any

from roguewk.problem.errors import InputError, known, text, whole
from roguewk.study.plan.cells import Task
from roguewk.study.run.work import Done, work

SECONDS_TO_ANSWER = 10
SECONDS_TO_LEAVE = 0.5
IN_BATCHES = ("ray", "spark")  # their backends give results only when all of a call are there
TASKS_AT_ONCE = 8  # for each worker, in such a call
ELSEWHERE = ("dask", "ray", "spark")
LOST = frozenset({"BrokenProcessPool", "TerminatedWorkerError", "KilledWorker", "RayActorError", "WorkerCrashedError"})
Opened = Iterator[tuple[int, dict[str, Any]]]  # how many tasks run at once, and joblib's settings
Run = Callable[[Iterable[Task]], Generator[Done, None, None]]


def check_engine(engine: str, workers: int | None, address: str | None) -> None:
    """Whether these go together."""
    known(text(engine, "engine"), ENGINES, "engine")
    if workers is not None:
        whole(workers, "workers", 1, 10_000)
    if address is not None and engine not in ELSEWHERE:
        able = ", ".join(ELSEWHERE)
        raise InputError(f"an address is given, but engine {engine!r} is on this machine: take one of {able}")


@contextlib.contextmanager
def started(engine: str, workers: int | None, address: str | None) -> Iterator[Run]:
    """A function from tasks to finished cells, in any order."""
    import joblib

    check_engine(engine, workers, address)
    with ENGINES[engine](workers, address) as (jobs, settings), joblib.parallel_config(n_jobs=jobs, **settings):

        def run(tasks: Iterable[Task]) -> Generator[Done, None, None]:
            if engine not in IN_BATCHES:
                parallel = joblib.Parallel(return_as="generator_unordered")
                yield from parallel(joblib.delayed(work)(task) for task in tasks)
                return
            with joblib.Parallel() as parallel:
                waiting = iter(tasks)
                while some := list(itertools.islice(waiting, jobs * TASKS_AT_ONCE)):
                    yield from parallel(joblib.delayed(work)(task) for task in some)

        yield run


def is_lost_worker(error: BaseException) -> bool:
    """Whether an error means that a worker died, by whatever name the libraries give it."""
    return not LOST.isdisjoint(kind.__name__ for kind in type(error).__mro__)


def workers_here() -> int:
    """How many cells this machine can work on at once."""
    return os.cpu_count() or 1


def _here(workers: int | None) -> int:
    return workers or workers_here()


def _leave_with(parent: int) -> None:
    """Let a worker end when the process that started it is gone; joblib's would wait for minutes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS_TO_LEAVE)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextlib.contextmanager
def _local(workers: int | None, address: str | None) -> Opened:
    from joblib.externals.loky import get_reusable_executor

    try:
        yield _here(workers), {"backend": "loky", "initializer": _leave_with, "initargs": (os.getpid(),)}
    finally:
        get_reusable_executor().shutdown(kill_workers=True)  # they would keep their memory for minutes


@contextlib.contextmanager
def _threads(workers: int | None, address: str | None) -> Opened:
    yield _here(workers), {"backend": "threading"}


@contextlib.contextmanager
def _dask(workers: int | None, address: str | None) -> Opened:
    """A cluster at an address, or one of processes with a thread each on this machine."""
    try:
        import distributed
    except ModuleNotFoundError:
        raise InputError("Dask is not installed: run pip install 'roguewk[dask]'") from None
    with contextlib.ExitStack() as stack:
        if address is None:
            where: Any = stack.enter_context(
                distributed.LocalCluster(n_workers=_here(workers), threads_per_worker=1, dashboard_address=None)
            )
        else:
            where = address
        try:
            client = stack.enter_context(distributed.Client(where, timeout=SECONDS_TO_ANSWER))
        except (OSError, ValueError) as error:
            reason = " ".join(str(error).split())
            raise InputError(f"no Dask scheduler answers at {address!r} ({reason}): check the address") from None
        threads = sum(client.nthreads().values())
        if not threads:
            raise InputError(f"the Dask cluster at {address!r} has no worker: start one")
        yield workers or threads, {"backend": "dask"}


@contextlib.contextmanager
def _ray(workers: int | None, address: str | None) -> Opened:
    """A Ray cluster at an address, or one on this machine."""
    try:
        import ray
        from ray.util.joblib import register_ray
    except ModuleNotFoundError:
        raise InputError("Ray is not installed: run pip install 'roguewk[ray]'") from None
    options: dict[str, Any] = {"num_cpus": _here(workers), "include_dashboard": False} if address is None else {}
    try:
        _knock(address)
        ray.init(address, log_to_driver=False, logging_level="ERROR", **options)
    except (ConnectionError, ValueError, RuntimeError, OSError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"no Ray cluster answers at {address!r} ({reason}): check the address") from None
    try:
        register_ray()
        yield workers or int(ray.cluster_resources().get("CPU", 1)), {"backend": "ray"}
    finally:
        ray.shutdown()


@contextlib.contextmanager
def _spark(workers: int | None, address: str | None) -> Opened:
    """The Spark master at an address, or Spark on this machine."""
    try:
        from joblibspark import register_spark
        from pyspark.sql import SparkSession
    except ModuleNotFoundError:
        raise InputError("Spark is not installed: run pip install 'roguewk[spark]'") from None
    if address is None:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # else it takes whatever python3 comes first
    try:
        session = SparkSession.builder.master(address or f"local[{_here(workers)}]").getOrCreate()
    except Exception as error:  # whatever Java says
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"Spark does not start at {address!r} ({reason}): check the address") from None
    try:
        register_spark()
        yield workers or int(session.sparkContext.defaultParallelism), {"backend": "spark"}
    finally:
        session.stop()


def _knock(address: str | None) -> None:
    """See whether anyone answers at HOST:PORT; Ray itself would wait for minutes."""
    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), SECONDS_TO_ANSWER).close()


ENGINES = {"local": _local, "threads": _threads, "dask": _dask, "ray": _ray, "spark": _spark}
