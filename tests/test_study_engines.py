"""Engines: the work is done where it should be and gives the same bytes; whatever breaks is told in one sentence."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import joblib
import psutil
import pytest

import roguewk as rw
from roguewk.cli import main
from roguewk.study.plan.cells import Task
from roguewk.study.run import clusters, engines, runner
from roguewk.study.run.engines import count_workers
from roguewk.study.run.work import Done
from test_study_run import RUN, SMALL, content

COMMAND = """
import signal, sys
from roguewk.cli import main
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells let what runs behind them ignore it
    sys.exit(main(sys.argv[1:]))
"""
OWN = """
import os, pathlib, time

class Own:
    def __init__(self, problem, seed):
        if seed == 3:
            HABIT

    def select(self):
        return 0

    def update(self, decision, reward, costs):
        pass
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path


@pytest.fixture
def straight(small: Path, tmp_path: Path) -> dict[str, bytes]:
    """The cells of the small study, run in one go in this process."""
    rw.run_study(small, tmp_path / "straight", engine="threads", workers=1)
    return content(tmp_path / "straight")


def own(folder: Path, habit: str) -> Path:
    """The small study with a policy of one's own that does something in replicate 3, which no trial plays."""
    (folder / "mine.py").write_text(OWN.replace("HABIT", habit))
    path = folder / "own.toml"
    path.write_text(SMALL.replace("replicates = 6", 'replicates = 6\ncode = "mine.py"').replace('"sw-ucb"', '"Own"'))
    return path


def run_apart(path: Path, out: Path, **options: object) -> subprocess.CompletedProcess[str]:
    """Run a study in a process of its own: engines leave threads and sockets behind."""
    command = [sys.executable, "-c", RUN, str(path), str(out), repr(options)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


DASK = """
import sys, distributed, roguewk as rw
if __name__ == "__main__":
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        address = cluster.scheduler_address
        rw.run_study(sys.argv[1], sys.argv[2], engine="dask", address=address)
"""


def test_a_dask_cluster_gives_the_same_bytes(small: Path, tmp_path: Path, straight: dict[str, bytes]) -> None:
    command = [sys.executable, "-c", DASK, str(small), str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert content(tmp_path / "out") == straight


def test_workers_leave_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    path.write_text(SMALL.replace("horizon = 100", "horizon = 100000").replace("replicates = 6", "replicates = 3000"))
    command = [sys.executable, "-c", RUN, str(path), str(tmp_path / "out"), "{'workers': 2}"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    while len(workers := _workers_of(process.pid)) < 2:
        assert process.poll() is None
        time.sleep(0.05)
    process.kill()
    _, told = process.communicate(timeout=300)  # until the last that could write is gone
    assert b"leaked" not in told
    assert not any(map(_is_alive, workers))


def _is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _workers_of(pid: int) -> list[int]:
    children = psutil.Process(pid).children(recursive=True)
    return [each.pid for each in children if "LokyProcess" in " ".join(each.cmdline())]


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


NOTE = "pathlib.Path({folder!r}, str(os.getpid())).touch()"
WAIT = NOTE + "; [time.sleep(0.01) for _ in iter(int, 1)]"


def noting(tmp_path: Path, habit: str = NOTE) -> tuple[Path, Path]:
    """A study whose workers leave their ids in a folder; the study, and the folder."""
    notes = tmp_path / "notes"
    notes.mkdir()
    return own(tmp_path, habit.format(folder=str(notes))), notes


@contextlib.contextmanager
def dask_cluster(folder: Path) -> Iterator[tuple[str, psutil.Popen, psutil.Popen]]:
    """A scheduler and a worker with a single thread, in processes of their own: address, scheduler, worker."""
    where = folder / "scheduler.json"
    options = ["--scheduler-file", str(where), "--no-dashboard"]
    dask = [sys.executable, "-m", "dask"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = psutil.Popen([*dask, "scheduler", "--port", "0", "--host", "127.0.0.1", *options], **quiet)
    worker = psutil.Popen([*dask, "worker", "--nthreads", "1", "--no-nanny", *options], **quiet)
    try:
        while not where.exists() or not where.read_text().endswith("}"):
            assert scheduler.poll() is None
            time.sleep(0.05)
        import distributed

        address = json.loads(where.read_text())["address"]
        with distributed.Client(address) as client:
            client.wait_for_workers(1)
        yield address, scheduler, worker
    finally:
        for each in (scheduler, worker):
            each.kill()
            each.wait()


def test_a_cluster_with_a_single_thread_does_all_the_work(tmp_path: Path) -> None:
    path, notes = noting(tmp_path)
    with dask_cluster(tmp_path) as (address, _, worker):
        assert count_workers("dask", None, address) == count_workers("dask", 5, address) == 1
        done = run_apart(path, tmp_path / "out", engine="dask", address=address)
        assert done.returncode == 0, done.stderr
        assert [each.name for each in notes.iterdir()] == [str(worker.pid)]


@pytest.mark.parametrize("engine", ["local", "ray"])
def test_a_single_worker_is_a_process_of_its_own_and_gives_the_same_bytes(tmp_path: Path, engine: str) -> None:
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


def test_fewer_workers_than_a_cluster_has_get_fewer_tasks_at_once() -> None:
    import distributed

    with distributed.LocalCluster(1, threads_per_worker=3, processes=False, dashboard_address=None) as cluster:
        for workers, sent in ((1, 1), (2, 2), (3, 6), (None, 6), (9, 6)):
            with clusters.ENGINES["dask"](workers, cluster.scheduler_address) as (jobs, settings):
                assert (jobs, settings["pre_dispatch"]) == (min(workers or 3, 3), sent)


def begin(path: Path, out: Path, *options: str) -> subprocess.Popen[str]:
    """The command, in a process group of its own."""
    command = [sys.executable, "-c", COMMAND, "study", str(path), "--out", str(out), "--quiet", *options]
    return subprocess.Popen(
        command, start_new_session=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def wait_for_note(notes: Path, process: subprocess.Popen[str]) -> None:
    while not list(notes.iterdir()):
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)


def test_the_end_of_a_cluster_is_told_in_one_sentence(tmp_path: Path) -> None:
    path, notes = noting(tmp_path, WAIT)
    with dask_cluster(tmp_path) as (address, scheduler, _):
        process = begin(path, tmp_path / "out", "--engine", "dask", "--address", address)
        wait_for_note(notes, process)
        scheduler.kill()
        told, _ = process.communicate(timeout=300)
    kept = len(content(tmp_path / "out"))
    sentence = f"the Dask cluster at '{address}' is gone; {kept} of 14 cells are kept: give the same command again"
    assert (told, process.returncode) == (f"roguewk: {sentence}\n", 2)


@pytest.mark.parametrize("engine", ["local", "dask"])
def test_an_interrupted_command_says_one_sentence_and_leaves_no_worker(tmp_path: Path, engine: str) -> None:
    path, notes = noting(tmp_path, WAIT)
    process = begin(path, tmp_path / "out", "--engine", engine, "--workers", "2")
    wait_for_note(notes, process)
    os.killpg(process.pid, signal.SIGINT)
    told, _ = process.communicate(timeout=300)
    kept = len(content(tmp_path / "out"))
    sentence = f"stopped; {kept} of 14 cells are kept: give the same command again to go on"
    assert (told, process.returncode) == (f"roguewk: {sentence}\n", 130)
    assert not any(_is_alive(int(each.name)) for each in notes.iterdir())


def test_a_policy_that_ends_its_process_is_named_and_does_not_end_the_command(tmp_path: Path) -> None:
    process = begin(own(tmp_path, "os._exit(3)"), tmp_path / "out", "--workers", "1")
    told, _ = process.communicate(timeout=300)
    kept = len(content(tmp_path / "out"))
    assert (told, process.returncode) == (
        "roguewk: workers died 3 times without finishing a cell while they worked on 'Own', perhaps for lack of memory "
        f"or as a policy ends its process; {kept} of 14 cells are kept: run it again with fewer workers, or mend the "
        "policy\n",
        2,
    )


def test_a_policy_that_always_ends_its_process_is_found_out_before_anything_runs(tmp_path: Path) -> None:
    path = own(tmp_path, "os._exit(3)")
    (tmp_path / "mine.py").write_text((tmp_path / "mine.py").read_text().replace("seed == 3", "seed == 0"))
    with pytest.raises(rw.InputError, match="policy 'Own' ended the process that tried it: mend the code of the study"):
        rw.run_study(path, tmp_path / "out", engine="threads")


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


def test_the_estimate_is_for_the_workers_of_the_cluster(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engines, "count_workers", lambda *_: 3)
    options = ["--dry-run", "--engine", "dask", "--address", "127.0.0.1:1", "--out", str(tmp_path / "out")]
    assert main(["study", str(small), *options]) == 0
    assert " on 3 workers at 127.0.0.1:1" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"engine": "dsk"}, "unknown engine 'dsk': did you mean 'dask'"),
        ({"workers": 0}, "workers is 0"),
        ({"address": "tcp://127.0.0.1:1"}, "engine 'local' is on this machine"),
        ({"engine": "dask", "address": "tcp://127.0.0.1:1"}, "no Dask scheduler answers at 'tcp://127.0.0.1:1'"),
        ({"engine": "dask", "address": "nonsense"}, "no Dask scheduler answers at 'nonsense'"),
        ({"engine": "ray", "address": "127.0.0.1:1"}, "no Ray cluster answers at '127.0.0.1:1'"),
        ({"replicates": 0}, "replicates is 0"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_engines_that_are_not_there_are_told_in_one_sentence(
    small: Path, tmp_path: Path, options: dict[str, object], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "SECONDS_TO_ANSWER", 1)
    monkeypatch.setattr(runner, "forecast", lambda *_: pytest.fail("something is played first"))
    with pytest.raises(rw.InputError) as caught:
        rw.run_study(small, tmp_path / "out", **options)  # type: ignore[arg-type]  # wrong on purpose
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
