"""Opening each of the engines: processes or threads here, a cluster of Dask, Ray or Spark here or at an address."""

import contextlib
import logging
import os
import socket
import sys
from collections.abc import Callable, Iterator
from multiprocessing import resource_tracker
from typing import Any

from roguewk.problem.errors import InputError
from roguewk.study.run.children import SECONDS_TO_LEAVE, deaf, start_mutely, stopping_once

SECONDS_TO_ANSWER = 10
LONGEST_REASON = 200  # characters
Settings = dict[str, Any]  # for joblib.Parallel
Opened = Iterator[tuple[int, Settings]]  # how many tasks run at once


def shortened(reason: str) -> str:
    """What a library says, in one line."""
    words = " ".join(reason.split())
    return words if len(words) <= LONGEST_REASON else f"{words[:LONGEST_REASON]} ..."


def workers_here() -> int:
    """How many cells this machine can work on at once."""
    return os.cpu_count() or 1


def here(workers: int | None) -> int:
    """How many of this machine's workers are meant."""
    return workers or workers_here()


@contextlib.contextmanager
def _local(workers: int | None, address: str | None) -> Opened:
    from roguewk.study.run.backends import Processes

    backend, jobs = Processes(), here(workers)
    with stopping_once():
        try:
            # As many as the pool takes at once: over what waits outside of it, its manager stumbles when it is ended.
            yield jobs, {"backend": backend, "pre_dispatch": 2 * jobs}
        finally:
            backend.terminate()


@contextlib.contextmanager
def _threads(workers: int | None, address: str | None) -> Opened:
    yield here(workers), {"backend": "threading"}


@contextlib.contextmanager
def _dask(workers: int | None, address: str | None) -> Opened:
    """A cluster at an address, or one of processes with a thread each on this machine."""
    try:
        import distributed
    except ModuleNotFoundError:
        raise InputError("Dask is not installed: run pip install 'roguewk[dask]'") from None
    from joblib._dask import DaskDistributedBackend

    from roguewk.study.run.backends import queueing

    with contextlib.ExitStack() as stack:
        stack.enter_context(_silenced())
        where: Any = address or stack.enter_context(_dask_here(here(workers)))
        try:
            client = distributed.Client(where, timeout=SECONDS_TO_ANSWER)
        except (OSError, ValueError) as error:
            if address is None:
                raise
            reason = shortened(str(error))
            raise InputError(f"no Dask scheduler answers at {address!r} ({reason}): check the address") from None
        stack.enter_context(_closed(lambda: _leave(client)))
        threads = sum(client.nthreads().values())
        if not threads and address is None:
            raise RuntimeError("no worker started")
        if not threads:
            raise InputError(f"the Dask cluster at {address!r} has no worker: start one")
        jobs = min(workers or threads, threads)
        # Its backend takes all threads there are; fewer are busy when fewer tasks are sent at once.
        sent = jobs if jobs < threads else 2 * threads
        yield jobs, {"backend": queueing(DaskDistributedBackend)(client=client), "pre_dispatch": sent}


def _leave(client: Any) -> None:
    """Close a Dask client once: one that could not be closed would try again as Python ends, and say so."""
    try:
        client.close()
    finally:
        client.status = "closed"


@contextlib.contextmanager
def _dask_here(workers: int) -> Iterator[Any]:
    import distributed

    class Nanny(distributed.Nanny):  # type: ignore[misc]  # distributed has no types
        async def close(self, timeout: float = SECONDS_TO_LEAVE, reason: str = "nanny-close") -> str:
            return str(await super().close(timeout, reason))

    start_mutely(resource_tracker.ensure_running)
    with deaf():
        cluster = distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address=":0",
            silence_logs=logging.CRITICAL,
            worker_class=Nanny,
        )
    with _closed(cluster.close):
        yield cluster


@contextlib.contextmanager
def _silenced() -> Iterator[None]:
    """Keep Dask from writing to the terminal: whatever matters is told in a sentence of our own."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client", "tornado", "asyncio")]
    levels = [each.level for each in loggers]
    for each in loggers:
        each.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for each, level in zip(loggers, levels, strict=True):
            each.setLevel(level)


@contextlib.contextmanager
def _ray(workers: int | None, address: str | None) -> Opened:
    """A Ray cluster at an address, or one on this machine."""
    try:
        import ray
    except ModuleNotFoundError:
        raise InputError("Ray is not installed: run pip install 'roguewk[ray]'") from None
    from roguewk.study.run.backends import Actors

    options: Settings = {"num_cpus": here(workers), "include_dashboard": False} if address is None else {}
    try:
        _knock(address)
        ray.init(address, log_to_driver=False, logging_level="ERROR", **options)
    except (ConnectionError, ValueError, RuntimeError, OSError) as error:
        if address is None:
            raise
        reason = shortened(str(error))
        raise InputError(f"no Ray cluster answers at {address!r} ({reason}): check the address") from None
    with _closed(ray.shutdown):
        there = int(ray.cluster_resources().get("CPU", 1))
        yield min(workers or there, there), {"backend": Actors()}


@contextlib.contextmanager
def _spark(workers: int | None, address: str | None) -> Opened:
    """The Spark master at an address, or Spark on this machine."""
    try:
        from joblibspark import register_spark
        from pyspark.sql import SparkSession
    except ModuleNotFoundError:
        raise InputError("Spark is not installed: run pip install 'roguewk[spark]'") from None
    from joblib.parallel import BACKENDS

    from roguewk.study.run.backends import queueing

    if address is None:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # else it takes whatever python3 comes first
    try:
        session = SparkSession.builder.master(address or f"local[{here(workers)}]").getOrCreate()
    except Exception as error:  # whatever Java says
        if address is None:
            raise
        reason = shortened(str(error))
        raise InputError(f"no Spark master answers at {address!r} ({reason}): check the address") from None
    with _closed(session.stop):
        jobs = workers or int(session.sparkContext.defaultParallelism)
        register_spark()
        yield jobs, {"backend": queueing(BACKENDS["spark"])()}


@contextlib.contextmanager
def _closed(close: Callable[[], object]) -> Iterator[None]:
    """Close something at the end; if that fails, the work is done or lost already."""
    try:
        yield
    finally:
        with contextlib.suppress(Exception):
            close()


def _knock(address: str | None) -> None:
    """See whether anyone answers at HOST:PORT; Ray itself would wait for minutes."""
    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), SECONDS_TO_ANSWER).close()


ENGINES = {"local": _local, "threads": _threads, "dask": _dask, "ray": _ray, "spark": _spark}
