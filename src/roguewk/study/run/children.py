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
    with _postponed():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _postponed() -> Iterator[None]:
    """Hear of Ctrl-C at the end, also if another thread, such as one of NumPy's, was told of it.

    A process that was only half started would die with a traceback.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    heard: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if heard:
            before(signal.SIGINT, None)


@contextlib.contextmanager
def stopping_once() -> Iterator[None]:
    """Let the first Ctrl-C stop what is done in here, and no other disturb it as it clears up.

    People are impatient, and some programs send it twice; each more would print where it hit.
    """
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if threading.current_thread() is not threading.main_thread() or not usual:
        yield
        return

    def stop(number: int, frame: Any) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


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
