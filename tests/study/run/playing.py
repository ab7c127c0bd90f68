"""Studies, commands and clusters to try engines with."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from roguewk.study.run import engines, runner

RUN = """
import os, sys
import roguewk as rw
if __name__ == "__main__":
    print(os.getpid())
    rw.run_study(sys.argv[1], sys.argv[2], **eval(sys.argv[3]))
"""

# How long cells will take is found out in a process of its own, which is not what engines are tried for.
WITHOUT_TRIALS = """
from roguewk.study.run import runner
runner.forecast = lambda _, cells: ([1.0] * len(cells), None, 0.0)
"""


def skip_trials(patch: pytest.MonkeyPatch) -> None:
    """The same in this process."""
    patch.setattr(runner, "forecast", lambda _, cells: ([1.0] * len(cells), None, 0.0))


LIMIT = 300  # seconds after which whatever is waited for will not come


@contextlib.contextmanager
def begun(command: list[str], stdout: int = subprocess.PIPE) -> Iterator[subprocess.Popen[str]]:
    """A command in a process group of its own, none of which is left at the end."""
    options = {"stdout": stdout, "stderr": subprocess.STDOUT, "text": True, "start_new_session": True}
    with subprocess.Popen(command, **options) as process:  # type: ignore[call-overload]  # too many options to see through
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for something that has to happen."""
    end = time.monotonic() + LIMIT
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.002)


SMALL = """
replicates = 6
[[world]]
world = "paper"
budget = [20, 40]
horizon = 100
[[policy]]
policy = ["roguewk-ucb", "ucb1", "sw-ucb"]
"""


def content(folder: Path) -> dict[str, bytes]:
    """Every cell of a study. What a killed process was just writing has a hidden name and is no cell."""
    return {each.name: each.read_bytes() for each in (folder / "cells").iterdir() if not each.name.startswith(".")}


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


def own(folder: Path, habit: str, seed: int = 3) -> Path:
    """The small study with a policy of one's own that does something in a replicate; of these, trials play 0 alone."""
    (folder / "mine.py").write_text(OWN.replace("HABIT", habit).replace("SEED", str(seed)))
    path = folder / "own.toml"
    path.write_text(SMALL.replace("replicates = 6", 'replicates = 6\ncode = "mine.py"').replace('"sw-ucb"', '"Own"'))
    return path


def run_apart(path: Path, out: Path, **options: object) -> subprocess.CompletedProcess[str]:
    """Run a study in a process of its own: engines leave threads and sockets behind."""
    command = [sys.executable, "-c", WITHOUT_TRIALS + RUN, str(path), str(out), repr(options)]
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)


def need(engine: str) -> None:
    """Skip a test of an engine whose library is not there; not every Python has one."""
    library = {"dask": "distributed"}.get(engine, engine)
    if engine in engines.NAMES:
        pytest.importorskip(library, reason=f"{library} is not installed: pip install 'roguewk[{engine}]'")


def _is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


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


def begin(
    path: Path, out: Path, *options: str, trials: bool = True
) -> contextlib.AbstractContextManager[subprocess.Popen[str]]:
    """The command."""
    code = COMMAND if trials else WITHOUT_TRIALS + COMMAND
    return begun([sys.executable, "-c", code, "study", str(path), "--out", str(out), "--quiet", *options])


def said(process: subprocess.Popen[str]) -> str:
    """All that a command says until it ends, but for what it compiles, which is not every time."""
    told, _ = process.communicate(timeout=LIMIT)
    return re.sub(r"roguewk: compiling [^\n]*?, (only this once|in every process anew) \.{3,}( \d+ s\n)?", "", told)


def wait_for_note(notes: Path, process: subprocess.Popen[str]) -> None:
    wait_until(lambda: process.poll() is not None or any(notes.iterdir()))
    assert process.poll() is None, process.communicate()


def interrupted(path: Path, out: Path, notes: Path, *options: str, trials: bool = True) -> tuple[str, int]:
    """What a command says when it is interrupted as soon as there is a note, and its code; no worker is left."""
    with begin(path, out, *options, trials=trials) as process:
        wait_for_note(notes, process)
        os.killpg(process.pid, signal.SIGINT)
        told = said(process)
        assert not any(_is_alive(int(each.name)) for each in notes.iterdir())
    return told, process.returncode
