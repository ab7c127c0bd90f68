"""A study of 300,000 runs: overhead beside the engine's own time, memory, reading and plotting; and Dask."""

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

import roguewk as rw
from benchmarks.clock import line, seconds
from roguewk.study.plan.read import study_from_text
from roguewk.study.run.runner import do_work, plan_work
from roguewk.study.run.store import Store

POLICIES = (
    *("roguewk-ucb", "roguewk-ucb-tuned", "ucb1", "sw-ucb", "sw-ucb-gm"),
    *("kl-ucb", "thompson-beta", "rogue-ucb", "ucb-bwk", "primal-dual-bwk"),
)
STUDY = f"""
replicates = 1000
[[world]]
world = "paper"
budget = {list(range(10, 301, 10))}
[[policy]]
policy = {list(POLICIES)}
"""


def report() -> None:
    """The whole study once, then a part of it on Dask."""
    workers = os.cpu_count() or 1
    print(f"A study of 30 budgets, {len(POLICIES)} policies and 1,000 replicates, T = 1,000, {workers} workers")
    with tempfile.TemporaryDirectory() as folder:
        _whole(Path(folder), workers)
        _reading(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        _memory(Path(folder))
    _dask()
    command = [sys.executable, "-m", "roguewk", "--help"]
    spent = seconds(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))
    line("roguewk --help", f"{spent:.2f} s", "wanted: 0.5 s")


def _whole(folder: Path, workers: int) -> None:
    study = study_from_text(STUDY, "bench", folder)
    plan_work(study, Store(folder), dry=True)  # compiles
    begin = time.perf_counter()
    store = Store(folder)
    store.claim(study)
    work = plan_work(study, store)
    planned = time.perf_counter()
    do_work(work, "local", workers, None)
    played = time.perf_counter()
    rw.write_results(rw.open_results(folder))
    ended = time.perf_counter()
    engine = work.took / workers
    line("start to finish, tables, figures and report included", f"{ended - begin:.1f} s", "wanted: 120 s")
    line(
        "of which planning, playing, writing", f"{planned - begin:.1f}, {played - planned:.1f}, {ended - played:.1f} s"
    )
    line("the engine itself, by worker", f"{engine:.1f} s")
    line("overhead while planning and playing", f"{(played - begin) / engine - 1:.1%}", "wanted: 15 %")
    line("overhead with the report", f"{(ended - begin) / engine - 1:.1%}")


def _reading(folder: Path) -> None:
    code = "import sys, roguewk as rw; rw.write_results(rw.open_results(sys.argv[1]))"
    spent = seconds(lambda: subprocess.run([sys.executable, "-c", code, str(folder)], check=True), 1)
    line("opening a finished study, plotting it, from the start", f"{spent:.1f} s", "wanted: 10 s")


def _memory(folder: Path) -> None:
    """Of the command and its workers, from the start to the report; pages that they share count once."""
    path, peak = folder / "bench.toml", 0
    path.write_text(STUDY)
    command = [sys.executable, "-m", "roguewk", "study", str(path), "--out", str(folder / "out"), "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            peak = max(peak, _held(process.pid))
            time.sleep(0.2)
    line("memory of the command and its workers together", f"{peak / 1e9:.2f} GB", "wanted: 1 GB")


def _held(pid: int) -> int:
    held = 0
    with contextlib.suppress(psutil.Error):
        parent = psutil.Process(pid)
        for each in (parent, *parent.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                held += each.memory_full_info().pss
    return held


def _dask() -> None:
    import distributed

    spent, engine = {}, {}
    for count in (1, 2):
        cluster = distributed.LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=":0")
        with cluster, tempfile.TemporaryDirectory() as folder:
            study = study_from_text(STUDY.replace("1000", "300"), "bench", Path(folder))
            address = cluster.scheduler_address
            warm = study_from_text(STUDY.replace("1000", "1"), "bench", Path(folder))
            rw.run_study(warm, f"{folder}/warm", engine="dask", address=address)  # loads the machine code
            store = Store(Path(folder) / "out")
            store.folder.mkdir()
            store.claim(study)
            work = plan_work(study, store)
            begin = time.perf_counter()
            do_work(work, "dask", None, address)
            spent[count] = time.perf_counter() - begin
            engine[count] = work.took / count
    line("Dask, 300 replicates: one worker, two workers", f"{spent[1]:.1f}, {spent[2]:.1f} s")
    line("the engine itself, by worker", f"{engine[1]:.1f}, {engine[2]:.1f} s")
    line("two over one", f"{spent[1] / spent[2]:.2f} times", "wanted: 1.7")


if __name__ == "__main__":
    report()
