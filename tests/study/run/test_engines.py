"""Engines: the work is done where it should be and gives the same bytes; whatever breaks is told in one sentence."""

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import joblib
import pytest

import roguewk as rw
from roguewk.study.plan.cells import Task
from roguewk.study.run import clusters, engines
from roguewk.study.run.work import Done
from tests.study.run.playing import (
    LIMIT,
    SMALL,
    WAIT,
    begin,
    content,
    dask_cluster,
    interrupted,
    need,
    noting,
    own,
    run_apart,
    said,
    wait_for_note,
)


@pytest.fixture
def straight(small: Path, tmp_path: Path) -> dict[str, bytes]:
    """The cells of the small study, run in one go in this process."""
    rw.run_study(small, tmp_path / "straight", engine="threads", workers=1)
    return content(tmp_path / "straight")


DASK = """
import sys, distributed, roguewk as rw
if __name__ == "__main__":
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=':0') as cluster:
        address = cluster.scheduler_address
        rw.run_study(sys.argv[1], sys.argv[2], engine="dask", address=address)
"""


def test_a_dask_cluster_gives_the_same_bytes(small: Path, tmp_path: Path, straight: dict[str, bytes]) -> None:
    need("dask")
    command = [sys.executable, "-c", DASK, str(small), str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr
    assert content(tmp_path / "out") == straight


SUICIDE = """
import os, pathlib
class Dying:
    '''Its process is killed the first time that it plays replicate 3.'''

    def __init__(self, problem, seed):
        flag = pathlib.Path(FLAG)
        if seed == 3 and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), 9)

    def select(self):
        return 0

    def update(self, decision, reward, costs):
        pass
"""


@pytest.mark.parametrize("engine", ["local", "dask", "ray"])
def test_a_worker_that_dies_does_not_change_the_tables(tmp_path: Path, engine: str) -> None:
    need(engine)
    flag = tmp_path / "flag"
    (tmp_path / "mine.py").write_text(SUICIDE.replace("FLAG", repr(str(flag))))
    path = tmp_path / "s.toml"
    path.write_text(SMALL.replace("replicates = 6", 'replicates = 6\ncode = "mine.py"').replace('"sw-ucb"', '"Dying"'))
    flag.touch()
    rw.run_study(path, tmp_path / "straight", engine="threads")
    flag.unlink()
    done = run_apart(path, tmp_path / "out", engine=engine, workers=2)
    assert done.returncode == 0, done.stderr
    assert flag.exists()
    assert content(tmp_path / "out") == content(tmp_path / "straight")


@pytest.mark.parametrize("engine", ["local", "ray"])
def test_a_single_worker_is_a_process_of_its_own_and_gives_the_same_bytes(tmp_path: Path, engine: str) -> None:
    need(engine)
    path, notes = noting(tmp_path)
    rw.run_study(path, tmp_path / "straight", engine="threads")
    here = notes / str(os.getpid())
    assert list(notes.iterdir()) == [here]
    here.unlink()
    done = run_apart(path, tmp_path / "out", engine=engine, workers=1)
    assert done.returncode == 0, done.stderr
    (worker,) = (each.name for each in notes.iterdir())
    assert worker != done.stdout.strip()  # its own id
    assert content(tmp_path / "out") == content(tmp_path / "straight")


def test_the_end_of_a_cluster_is_told_in_one_sentence(tmp_path: Path) -> None:
    path, notes = noting(tmp_path, WAIT)
    with (
        dask_cluster(tmp_path) as (address, scheduler, _),
        begin(path, tmp_path / "out", "--engine", "dask", "--address", address) as process,
    ):
        wait_for_note(notes, process)
        scheduler.kill()
        told = said(process)
    kept = len(content(tmp_path / "out"))
    sentence = f"the Dask cluster at '{address}' is gone; {kept} of 14 cells are kept: give the same command again"
    assert (told, process.returncode) == (f"roguewk: {sentence}\n", 2)


@pytest.mark.parametrize(("engine", "workers"), [("local", "1"), ("local", "2"), ("dask", "2")])
def test_an_interrupted_command_says_one_sentence_and_leaves_no_worker(
    tmp_path: Path, engine: str, workers: str
) -> None:
    need(engine)
    path, notes = noting(tmp_path, WAIT)
    told, code = interrupted(path, tmp_path / "out", notes, "--engine", engine, "--workers", workers)
    sentence = r"roguewk: stopped; (\d+) of 14 cells are kept: give the same command again to go on\n"
    found = re.fullmatch(sentence, told)
    assert found, told
    kept = int(found[1])
    assert len(content(tmp_path / "out")) in (kept, kept + 1)  # one may have been written in that moment
    assert code == 130


def test_a_policy_that_ends_its_process_is_named_and_does_not_end_the_command(tmp_path: Path) -> None:
    with begin(own(tmp_path, "os._exit(3)"), tmp_path / "out", "--workers", "1") as process:
        told = said(process)
    kept = len(content(tmp_path / "out"))
    assert (told, process.returncode) == (
        "roguewk: workers died 3 times without finishing a cell while they worked on 'Own', perhaps for lack of memory "
        f"or as a policy ends its process; {kept} of 14 cells are kept: run it again with fewer workers, or mend the "
        "policy\n",
        2,
    )


@pytest.mark.parametrize(
    ("error", "clause"),
    [
        (KeyError("CPU"), "Ray on this machine failed (KeyError: 'CPU')"),
        (Exception(f"two\nlines {'x' * 999}"), f"Ray on this machine failed (Exception: two lines {'x' * 179} ...)"),
        (ConnectionResetError(), "the Ray cluster on this machine is gone"),
    ],
    ids=lambda each: type(each).__name__,
)
@pytest.mark.parametrize("moment", ["start", "run"])
def test_whatever_a_library_raises_is_told_in_one_sentence(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, clause: str, moment: str
) -> None:
    @contextlib.contextmanager
    def opened(workers: int | None, address: str | None) -> clusters.Opened:
        if moment == "start":
            raise error
        yield 2, {}

    class Parallel:
        def __init__(self, *_: object, **__: object) -> None:
            pass

        def __call__(self, tasks: Iterator[tuple[Any, Any, Any]]) -> Iterator[object]:
            function, arguments, _ = next(tasks)
            yield function(*arguments)
            raise error

    monkeypatch.setitem(clusters.ENGINES, "ray", opened)
    monkeypatch.setattr(joblib, "Parallel", Parallel)
    with pytest.raises(rw.InputError) as caught:
        rw.run_study(small, tmp_path / "out", engine="ray")
    kept = len(content(tmp_path / "out"))
    assert kept == (1 if moment == "start" else 2)
    assert str(caught.value) == f"{clause}; {kept} of 14 cells are kept: give the same command again"


def test_an_error_of_our_own_is_seen_with_where_it_came_from(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(task: Task) -> Done:
        raise ZeroDivisionError(task.key)

    monkeypatch.setattr(engines, "work", broken)
    with pytest.raises(ZeroDivisionError) as caught:
        rw.run_study(small, tmp_path / "out", engine="threads")
    assert "in broken" in caught.value.__notes__[0]


def test_a_finished_study_asks_no_cluster(small: Path, tmp_path: Path) -> None:
    first = rw.run_study(small, tmp_path / "out", engine="threads")
    again = rw.run_study(small, tmp_path / "out", engine="dask", address="tcp://127.0.0.1:1")
    assert again.frame().equals(first.frame())
