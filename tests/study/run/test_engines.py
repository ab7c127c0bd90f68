"""Engines: the work is done where it should be and gives the same bytes; whatever breaks is told in one sentence."""

import contextlib
import os
import re
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
    NOTE,
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
    skip_trials,
    wait_for_note,
)

# Ends its process the first time that it plays replicate 3, once it has left a note.
DIE = NOTE + "; flag = pathlib.Path({flag!r}); flag.exists() or (flag.touch(), os.kill(os.getpid(), 9))"


@pytest.fixture(scope="module", autouse=True)
def _compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Machine code is there before workers ask for it: without trials, each would make its own."""
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "small.toml").write_text(SMALL)
    rw.run_study(folder / "small.toml", folder / "out", engine="threads")


@pytest.fixture
def _no_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without trials, each of which is one more process that has to start, and not what is tested here."""
    skip_trials(monkeypatch)


@pytest.fixture
def dying(tmp_path: Path) -> tuple[Path, Path]:
    """A study whose first worker dies, with what it brings if none does in a folder; and where workers leave notes."""
    flag = tmp_path / "flag"
    path, notes = noting(tmp_path, DIE.replace("{flag!r}", repr(str(flag))))
    flag.touch()
    rw.run_study(path, tmp_path / "straight", engine="threads")
    flag.unlink()
    (notes / str(os.getpid())).unlink()
    return path, notes


@pytest.mark.usefixtures("_no_trials")
def test_a_worker_that_dies_does_not_change_the_tables(dying: tuple[Path, Path], tmp_path: Path) -> None:
    rw.run_study(dying[0], tmp_path / "out", workers=2)
    assert (tmp_path / "flag").exists()
    assert content(tmp_path / "out") == content(tmp_path / "straight")


def test_a_dask_worker_that_dies_does_not_change_the_tables(dying: tuple[Path, Path], tmp_path: Path) -> None:
    need("dask")
    done = run_apart(dying[0], tmp_path / "out", engine="dask", workers=2)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "flag").exists()
    assert content(tmp_path / "out") == content(tmp_path / "straight")


def test_a_single_ray_worker_is_a_process_of_its_own_and_when_it_dies_another_gives_the_same_bytes(
    dying: tuple[Path, Path], tmp_path: Path
) -> None:
    """Both at once, as Ray takes long to start."""
    need("ray")
    path, notes = dying
    done = run_apart(path, tmp_path / "out", engine="ray", workers=1)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "flag").exists()
    workers = [each.name for each in notes.iterdir()]
    assert len(workers) == 2  # never more than one at a time
    assert done.stdout.strip() not in workers  # its own id
    assert content(tmp_path / "out") == content(tmp_path / "straight")


@pytest.mark.usefixtures("_no_trials")
def test_a_single_worker_is_a_process_of_its_own_and_gives_the_same_bytes(tmp_path: Path) -> None:
    path, notes = noting(tmp_path)
    rw.run_study(path, tmp_path / "straight", engine="threads")
    here = notes / str(os.getpid())
    assert list(notes.iterdir()) == [here]
    here.unlink()
    rw.run_study(path, tmp_path / "out", workers=1)
    (worker,) = notes.iterdir()
    assert worker != here
    assert content(tmp_path / "out") == content(tmp_path / "straight")


def test_the_end_of_a_cluster_is_told_in_one_sentence(tmp_path: Path) -> None:
    path, notes = noting(tmp_path, WAIT)
    with (
        dask_cluster(tmp_path) as (address, scheduler, _),
        begin(path, tmp_path / "out", "--engine", "dask", "--address", address, trials=False) as process,
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
    told, code = interrupted(path, tmp_path / "out", notes, "--engine", engine, "--workers", workers, trials=False)
    sentence = r"roguewk: stopped; (\d+) of 14 cells are kept: give the same command again to go on\n"
    found = re.fullmatch(sentence, told)
    assert found, told
    kept = int(found[1])
    assert len(content(tmp_path / "out")) in (kept, kept + 1)  # one may have been written in that moment
    assert code == 130


def test_a_policy_that_ends_its_process_is_named_and_does_not_end_the_command(tmp_path: Path) -> None:
    with begin(own(tmp_path, "os._exit(3)"), tmp_path / "out", "--workers", "1", trials=False) as process:
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
