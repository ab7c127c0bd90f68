"""A folder is one command's at a time, and nobody's after its process is gone, however that went."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import roguewk as rw
from roguewk.show.folder import results_folder
from roguewk.show.lock import NAME, locked

HOLD = """
import pathlib, sys
from roguewk.show.lock import locked
with locked(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(folder: Path) -> "subprocess.Popen[str]":
    """A process that has the folder until its input ends."""
    command = [sys.executable, "-c", HOLD, str(folder)]
    process = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_the_second_process_hears_who_has_the_folder(tmp_path: Path) -> None:
    with holder(tmp_path) as first:
        with pytest.raises(rw.InputError) as caught, locked(tmp_path):
            pass
        first.communicate()
    assert f"'{tmp_path}' is in use by process {first.pid} on {os.uname().nodename}: wait until" in str(caught.value)
    with locked(tmp_path):
        pass
    assert not list(tmp_path.iterdir())


def test_what_a_killed_process_leaves_is_taken_over(tmp_path: Path) -> None:
    with holder(tmp_path) as first:
        first.send_signal(signal.SIGKILL)
    assert (tmp_path / NAME).read_text().startswith(f"process {first.pid} ")
    with locked(tmp_path):
        assert (tmp_path / NAME).read_text().startswith(f"process {os.getpid()} ")
    assert not (tmp_path / NAME).exists()


def test_a_child_that_was_forked_does_not_have_the_lock_of_its_parent(tmp_path: Path) -> None:
    with locked(tmp_path):
        child = os.fork()
        if not child:
            try:
                with locked(tmp_path):
                    os._exit(1)
            except rw.InputError:
                os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        assert (tmp_path / NAME).exists()


def test_whoever_has_a_folder_may_ask_for_it_again(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    with locked(tmp_path):
        with locked(tmp_path / "link"):
            assert (tmp_path / NAME).exists()
        assert (tmp_path / NAME).exists()
    assert not (tmp_path / NAME).exists()


def test_a_file_system_without_locks_is_no_reason_to_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("roguewk.show.lock._lock", refuse)
    with locked(tmp_path):
        pass
    assert not list(tmp_path.iterdir())


def test_a_results_folder_is_locked_and_goes_again_if_the_work_fails(tmp_path: Path) -> None:
    def fail() -> None:
        with results_folder(str(tmp_path / "a" / "b")) as folder:
            assert (folder / NAME).exists()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert not list(tmp_path.iterdir())
    with holder(tmp_path) as first:
        with pytest.raises(rw.InputError, match=f"in use by process {first.pid}"), results_folder(str(tmp_path)):
            pass
        first.communicate()
