"""Processes that are started for a study leave with it."""

import contextlib
import multiprocessing
import os
import signal
import threading
from pathlib import Path
from types import SimpleNamespace

import joblib
import psutil
import pytest

import roguewk as rw
from roguewk.study.run.children import leave_with
from tests.study.run.playing import (
    LIMIT,
    WAIT,
    _is_alive,
    begin,
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


def _workers_of(pid: int) -> list[int]:
    found = []
    for each in psutil.Process(pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):  # one that ended just now
            found += [each.pid] if "LokyProcess" in " ".join(each.cmdline()) else []
    return found
