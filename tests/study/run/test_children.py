"""Processes that are started for a study leave with it."""

import contextlib
import multiprocessing
import os
import re
import signal
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import joblib
import psutil
import pytest

import roguewk as rw
from roguewk.study.run.children import deaf, leave_with
from tests.study.run.playing import (
    LIMIT,
    WAIT,
    WITHOUT_TRIALS,
    _is_alive,
    begin,
    begun,
    noting,
    said,
    wait_for_note,
    wait_until,
)


@pytest.mark.parametrize(("seed", "workers"), [(0, 1), (3, 2)], ids=["in a trial", "at work"])
def test_workers_leave_silently_with_a_parent_that_is_killed(tmp_path: Path, seed: int, workers: int) -> None:
    path, notes = noting(tmp_path, WAIT, seed)
    with begin(path, tmp_path / "out", "--workers", str(workers)) as process:
        wait_for_note(notes, process)
        wait_until(lambda: len(_workers_of(process.pid)) == workers)
        started = _workers_of(process.pid)
        process.kill()
        told = said(process)  # until the last that could write is gone
    assert told == ""
    assert not any(map(_is_alive, started))


def test_a_worker_that_is_told_of_its_parents_end_leaves_too(monkeypatch: pytest.MonkeyPatch) -> None:
    sentinel, parent = multiprocessing.Pipe(duplex=False)
    left = threading.Event()
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: SimpleNamespace(sentinel=sentinel))
    monkeypatch.setattr(os, "_exit", lambda _: left.set())
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    leave_with(os.getppid())
    assert not left.is_set()
    parent.close()
    assert left.wait(LIMIT)
    sentinel.close()


def test_a_pool_of_someone_else_is_left_alone(small: Path, tmp_path: Path) -> None:
    theirs = joblib.externals.loky.get_reusable_executor(max_workers=1, timeout=None)
    before = theirs.submit(os.getpid).result()
    rw.run_study(small, tmp_path / "out", workers=1)
    assert theirs.submit(os.getpid).result() == before
    theirs.shutdown()


# Ctrl-C comes while a thread of joblib's hands the next cell over, and again as the pool is ended.
IMPATIENT = """
import signal, sys, threading, time
from roguewk.cli import main
from roguewk.study.run import backends

submit, terminate, here = backends.Processes.submit, backends.Processes.terminate, threading.main_thread()

def slowly(self, func, callback=None):
    if threading.current_thread() is not here:
        signal.pthread_kill(here.ident, signal.SIGINT)
        time.sleep(0.5)
    return submit(self, func, callback)

def disturbed(self):
    signal.raise_signal(signal.SIGINT)
    terminate(self)

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    backends.Processes.submit, backends.Processes.terminate = slowly, disturbed
    code = main()
    signal.raise_signal(signal.SIGINT)
    sys.exit(code)
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_again_and_again_is_one_sentence(small: Path, tmp_path: Path, workers: int) -> None:
    words = ["study", str(small), "--out", str(tmp_path / "out"), "--quiet", "--workers", str(workers)]
    with begun([sys.executable, "-c", WITHOUT_TRIALS + IMPATIENT, *words]) as process:
        told = said(process)
    sentence = r"roguewk: stopped; \d of 14 cells are kept: give the same command again to go on\n"
    assert re.fullmatch(sentence, told), told
    assert process.returncode == 130


def test_ctrl_c_that_another_thread_hears_of_waits_until_a_process_is_started() -> None:
    leave = threading.Event()
    threading.Thread(target=leave.wait).start()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have its background jobs ignore it
    seen: list[str] = []

    def start() -> None:
        with deaf():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.1)  # for the other thread to hear of it
            seen.append("started")
        seen.append("went on")

    try:
        with pytest.raises(KeyboardInterrupt):
            start()
        assert seen == ["started"]
    finally:
        signal.signal(signal.SIGINT, before)
        leave.set()


def _workers_of(pid: int) -> list[int]:
    found = []
    for each in psutil.Process(pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):  # one that ended just now
            found += [each.pid] if "LokyProcess" in " ".join(each.cmdline()) else []
    return found
