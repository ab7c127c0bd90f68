"""Engines: the work is done where it should be and gives the same bytes; whatever breaks is told in one sentence."""

import contextlib
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import joblib
import psutil
import pytest

import roguewk as rw
from roguewk.cli import main
from roguewk.study.plan.cells import Task
from roguewk.study.run import clusters, engines, runner
from roguewk.study.run.children import leave_with
from roguewk.study.run.engines import EngineError, count_workers
from roguewk.study.run.work import Done
from tests.study.test_run import LIMIT, RUN, SMALL, begun, content, wait_until

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
        if seed == SEED:
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


def own(folder: Path, habit: str, seed: int = 3) -> Path:
    """The small study with a policy of one's own that does something in a replicate; of these, trials play 0 alone."""
    (folder / "mine.py").write_text(OWN.replace("HABIT", habit).replace("SEED", str(seed)))
    path = folder / "own.toml"
    path.write_text(SMALL.replace("replicates = 6", 'replicates = 6\ncode = "mine.py"').replace('"sw-ucb"', '"Own"'))
    return path


def run_apart(path: Path, out: Path, **options: object) -> subprocess.CompletedProcess[str]:
    """Run a study in a process of its own: engines leave threads and sockets behind."""
    command = [sys.executable, "-c", RUN, str(path), str(out), repr(options)]
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)


def need(engine: str) -> None:
    """Skip a test of an engine whose library is not there; not every Python has one."""
    library = {"dask": "distributed"}.get(engine, engine)
    if engine in engines.NAMES:
        pytest.importorskip(library, reason=f"{library} is not installed: pip install 'roguewk[{engine}]'")


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


def _is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _workers_of(pid: int) -> list[int]:
    found = []
    for each in psutil.Process(pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):  # one that ended just now
            found += [each.pid] if "LokyProcess" in " ".join(each.cmdline()) else []
    return found


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


NOTE = "pathlib.Path({folder!r}, str(os.getpid())).touch()"
WAIT = NOTE + "; [time.sleep(0.01) for _ in iter(int, 1)]"


def noting(tmp_path: Path, habit: str = NOTE, seed: int = 3) -> tuple[Path, Path]:
    """A study whose workers leave their ids in a folder; the study, and the folder."""
    notes = tmp_path / "notes"
    notes.mkdir()
    return own(tmp_path, habit.format(folder=str(notes)), seed), notes


@contextlib.contextmanager
def dask_cluster(folder: Path) -> Iterator[tuple[str, psutil.Popen, psutil.Popen]]:
    """A scheduler and a worker with a single thread, in processes of their own: address, scheduler, worker."""
    need("dask")
    import distributed

    where = folder / "scheduler.json"
    options = ["--scheduler-file", str(where), "--no-dashboard"]
    dask = [sys.executable, "-m", "dask"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = psutil.Popen([*dask, "scheduler", "--port", "0", "--host", "127.0.0.1", *options], **quiet)
    worker = psutil.Popen([*dask, "worker", "--nthreads", "1", "--no-nanny", *options], **quiet)
    try:
        wait_until(lambda: scheduler.poll() is not None or (where.exists() and where.read_text().endswith("}")))
        address = json.loads(where.read_text())["address"]
        with distributed.Client(address, timeout=LIMIT) as client:
            client.wait_for_workers(1, timeout=LIMIT)
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


def test_fewer_workers_than_a_cluster_has_get_fewer_tasks_at_once() -> None:
    need("dask")
    import distributed

    with distributed.LocalCluster(1, threads_per_worker=3, processes=False, dashboard_address=":0") as cluster:
        for workers, sent in ((1, 1), (2, 2), (3, 6), (None, 6), (9, 6)):
            with clusters.ENGINES["dask"](workers, cluster.scheduler_address) as (jobs, settings):
                assert (jobs, settings["pre_dispatch"]) == (min(workers or 3, 3), sent)


@pytest.mark.parametrize("moment", ["client", "workers"])
def test_a_dask_cluster_of_our_own_that_does_not_start_is_told_without_an_address(
    monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    need("dask")

    def client(*_: object, **__: object) -> None:
        raise OSError("timed out")

    monkeypatch.setattr(clusters, "here", lambda _: 0)  # workers
    if moment == "client":
        monkeypatch.setattr("distributed.Client", client)
    reason = "OSError: timed out" if moment == "client" else "RuntimeError: no worker started"
    with pytest.raises(EngineError) as caught, engines.started("dask", None, None):
        pytest.fail("it starts")
    assert str(caught.value) == f"Dask on this machine failed ({reason})"


def begin(path: Path, out: Path, *options: str) -> contextlib.AbstractContextManager[subprocess.Popen[str]]:
    """The command."""
    return begun([sys.executable, "-c", COMMAND, "study", str(path), "--out", str(out), "--quiet", *options])


def said(process: subprocess.Popen[str]) -> str:
    """All that a command says until it ends, but for what it compiles, which is not every time."""
    told, _ = process.communicate(timeout=LIMIT)
    return "".join(line for line in told.splitlines(keepends=True) if "only this once" not in line)


def wait_for_note(notes: Path, process: subprocess.Popen[str]) -> None:
    wait_until(lambda: process.poll() is not None or any(notes.iterdir()))
    assert process.poll() is None, process.communicate()


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


@pytest.mark.parametrize("engine", ["local", "dask"])
def test_an_interrupted_command_says_one_sentence_and_leaves_no_worker(tmp_path: Path, engine: str) -> None:
    need(engine)
    path, notes = noting(tmp_path, WAIT)
    told, code = interrupted(path, tmp_path / "out", notes, "--engine", engine, "--workers", "2")
    sentence = r"roguewk: stopped; (\d+) of 14 cells are kept: give the same command again to go on\n"
    found = re.fullmatch(sentence, told)
    assert found, told
    kept = int(found[1])
    assert len(content(tmp_path / "out")) in (kept, kept + 1)  # one may have been written in that moment
    assert code == 130


@pytest.mark.parametrize("option", ["--quiet", "--dry-run"])
def test_a_command_is_interrupted_also_while_a_policy_is_tried(tmp_path: Path, option: str) -> None:
    path, notes = noting(tmp_path, WAIT, seed=0)
    assert interrupted(path, tmp_path / "out", notes, option) == ("roguewk: stopped\n", 130)


def interrupted(path: Path, out: Path, notes: Path, *options: str) -> tuple[str, int]:
    """What a command says when it is interrupted as soon as there is a note, and its code; no worker is left."""
    with begin(path, out, *options) as process:
        wait_for_note(notes, process)
        os.killpg(process.pid, signal.SIGINT)
        told = said(process)
        assert not any(_is_alive(int(each.name)) for each in notes.iterdir())
    return told, process.returncode


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


def test_a_policy_that_always_ends_its_process_is_found_out_before_anything_runs(tmp_path: Path) -> None:
    path = own(tmp_path, "os._exit(3)", seed=0)
    sentence = "policy 'Own' ended the process that tried it; 0 of 14 cells are kept: mend the code of the study"
    with pytest.raises(rw.InputError, match=sentence):
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
    if "address" in options:
        need(str(options.get("engine")))
    monkeypatch.setattr(clusters, "SECONDS_TO_ANSWER", 1)
    monkeypatch.setattr(runner, "forecast", lambda *_: pytest.fail("something is played first"))
    with pytest.raises(rw.InputError) as caught:
        rw.run_study(small, tmp_path / "out", **options)  # type: ignore[arg-type]  # wrong on purpose
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
