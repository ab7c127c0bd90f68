"""Processes that this one starts: deaf to Ctrl-C, which is its own business, gone when it is, and silent about it."""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from multiprocessing import connection, resource_tracker
from typing import Any

SECONDS_TO_LEAVE = 0.5


@contextlib.contextmanager
def deaf() -> Iterator[None]:
    """Threads and processes that start in here, and all that these start, do not hear of Ctrl-C, from the first on."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave_with(parent: int) -> None:
    """Let a worker end when the process that started it is gone; joblib's would wait for minutes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where nothing can be started deaf

    def watch() -> None:
        sentinel = getattr(multiprocessing.parent_process(), "sentinel", None)
        if sentinel is not None:  # on Windows, where the parent's id stays when it is gone
            connection.wait([sentinel])
        else:
            while os.getppid() == parent:
                time.sleep(SECONDS_TO_LEAVE)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def start_mutely(tracker: Callable[[], None]) -> None:
    """Start what clears up behind this process if that is killed; it would warn of what it clears up.

    Begun only when processes are, it would also let them hear of Ctrl-C.
    """
    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = ",".join([*([before] if before else []), "ignore:resource_tracker"])
    try:
        tracker()
    finally:
        del os.environ["PYTHONWARNINGS"]
        if before is not None:
            os.environ["PYTHONWARNINGS"] = before


def start_pool(workers: int, env: Mapping[str, str] | None = None) -> Any:
    """A pool of processes that is nobody else's; they start with the first work, which is best handed over deaf."""
    from joblib.externals.loky.backend.resource_tracker import ensure_running
    from joblib.externals.loky.process_executor import ProcessPoolExecutor

    start_mutely(ensure_running)
    start_mutely(resource_tracker.ensure_running)
    return ProcessPoolExecutor(workers, initializer=leave_with, initargs=(os.getpid(),), env=env)
