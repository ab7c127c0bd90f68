"""The command `roguewk study`: what it prints, writes, refuses, and how it stops."""

import errno
import json
import os
import pkgutil
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import roguewk as rw
from roguewk import cli
from roguewk.study.plan.code import load_code

STUDY = """
title = "A small study"
replicates = 8
[[world]]
world = "paper"
budget = [20, 40]
horizon = 100
[[policy]]
policy = ["roguewk-ucb", "ucb1"]
"""
ONE_PICTURE = """
[plot]
figures = ["reward"]
kinds = ["svg"]
"""
MAIN = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have had it ignored
from roguewk.cli import main
if __name__ == "__main__":
    sys.exit(main())
"""
FILES = {"study.json", "study.toml", "runs.parquet", "summary.csv", "comparisons.csv", "bounds.csv", "report.html"}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(STUDY + ONE_PICTURE)


def run(*words: str) -> int:
    return cli.main(["study", "small.toml", "--engine", "threads", *words])


def test_a_study_says_what_it_does_and_fills_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    Path("small.toml").write_text(STUDY)
    assert run() == 0
    out, err = capsys.readouterr()
    assert (
        "A small study: 2 worlds, 2 policies, 8 replicates: 10 cells (4 of runs, 4 of single runs, 2 bounds)"
        in " ".join(out.split())
    )
    assert re.search(r"10 cells to do, about \d+ s on \d+ workers?", out)
    assert "open small-study/report.html" in out
    assert max(map(len, out.splitlines())) <= 80
    assert "10 of 10 cells" in err
    assert {each.name for each in Path("small-study").iterdir()} == {*FILES, "cells", "figures"}
    assert Path("small-study/study.toml").read_text() == STUDY
    assert {path.suffix for path in Path("small-study/figures").iterdir()} == {".png", ".svg", ".pdf"}
    runs = pd.read_parquet("small-study/runs.parquet")
    pd.testing.assert_frame_equal(runs, rw.open_results("small-study").frame())
    assert not list(Path("small-study").rglob("*.tmp"))


def test_what_is_under_way_is_said_before_it_is_done_also_where_nobody_watches(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    for place in ("study.study.load_study", "study.study.plan_work", "study.report.write.write_results"):
        real = pkgutil.resolve_name(f"roguewk.{place}")

        def tell(*given: Any, real: Any = real, **more: Any) -> Any:
            told = [line for line in capsys.readouterr().err.splitlines() if line.endswith(" ...")]
            seen.append(told[-1])
            return real(*given, **more)

        monkeypatch.setattr(f"roguewk.{place}", tell)
    assert run() == 0
    assert seen == [
        "roguewk: checking the study small.toml ...",
        "roguewk: looking for finished cells, and trying for how long others are played ...",
        "roguewk: drawing figures and writing the report ...",
    ]


def test_the_same_command_goes_on_and_gives_the_same_files(capsys: pytest.CaptureFixture[str]) -> None:
    def files() -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in Path("small-study").rglob("*") if path.is_file()}

    assert run("--quiet") == 0
    assert capsys.readouterr().out == "small-study\n"
    before = files()
    for cell in list(Path("small-study/cells").iterdir())[:4]:
        cell.unlink()
    assert run() == 0
    assert "6 are there already; 4 cells to do" in capsys.readouterr().out
    assert files() == before
    assert run() == 0
    assert "all of them are there already" in capsys.readouterr().out
    assert files() == before


def test_the_folder_of_a_study_can_be_run_without_its_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--quiet") == 0
    Path("small.toml").unlink()
    next(Path("small-study/cells").iterdir()).unlink()
    assert cli.main(["study", "small-study", "--engine", "threads"]) == 0
    assert "9 are there already; 1 cell to do" in capsys.readouterr().out


def test_code_that_came_with_a_folder_is_run_only_with_trust(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.py").write_text(
        "import pathlib\n"
        "pathlib.Path('marker').touch()\n"
        "class Mine:\n"
        "    def __init__(self, problem, seed): pass\n"
        "    def select(self): return 0\n"
        "    def update(self, decision, reward, costs): pass\n"
    )
    Path("small.toml").write_text('code = "mine.py"\n' + STUDY.replace('"ucb1"]', '"Mine"]') + ONE_PICTURE)
    assert run("--quiet") == 0
    Path("marker").unlink()
    load_code.cache_clear()  # as in another process
    shutil.rmtree("small-study/cells")
    capsys.readouterr()
    for words in ((), ("--dry-run",)):
        assert cli.main(["study", "small-study", "--engine", "threads", *words]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert "read `code` in its study.json, then say --trust" in err
        assert err.splitlines()[:-1] == ["roguewk: checking the study small-study ..."]
    assert not Path("marker").exists()
    assert cli.main(["study", "small-study", "--engine", "threads", "--trust", "--quiet"]) == 0
    assert Path("marker").exists()
    assert len(rw.open_results("small-study").cells) == 10


def test_a_folder_that_another_command_fills_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("small-study").mkdir()
    hold = "import pathlib, sys; from roguewk.show.lock import locked\nwith locked(pathlib.Path('small-study')): "
    command = [sys.executable, "-c", hold + "print(flush=True), sys.stdin.read()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        assert run("--quiet") == 2
        out, err = capsys.readouterr()
        assert cli.main(["explain", "catalog:paper", "--rounds", "3", "--out", "small-study"]) == 2
        also = capsys.readouterr().err
        other.communicate()
    assert out == ""
    for said in (err, also):
        assert f"roguewk: 'small-study' is in use by process {other.pid} on " in said
        assert said.count("\n") == 1
    assert not list(Path("small-study").iterdir())


def test_cells_that_a_study_no_longer_has_can_be_deleted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--quiet") == 0
    Path("small.toml").write_text(STUDY.replace("[20, 40]", "[40]") + ONE_PICTURE)
    assert run("--quiet") == 0
    assert len(list(Path("small-study/cells").iterdir())) == 10
    assert run("--quiet", "--prune") == 0
    assert len(list(Path("small-study/cells").iterdir())) == 5
    assert len(rw.open_results("small-study").cells) == 5


def test_the_folder_of_another_study_is_taken_over_only_if_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--quiet") == 0
    Path("other").mkdir()
    Path("other/small.toml").write_text(STUDY.replace("[20, 40]", "[20, 30]") + ONE_PICTURE)
    words = ["study", "other/small.toml", "--engine", "threads", "--quiet"]
    assert cli.main(words) == 2
    assert "holds the study of" in capsys.readouterr().err
    assert cli.main([*words, "--yes"]) == 0


def test_too_few_replicates_are_told_beforehand(capsys: pytest.CaptureFixture[str]) -> None:
    words = "so few replicates can decide nothing between 2 policies: give at least 6"
    assert run("--dry-run", "--replicates", "5") == 0
    assert words in " ".join(capsys.readouterr().out.split())
    assert run("--dry-run", "--replicates", "6") == 0
    assert words not in " ".join(capsys.readouterr().out.split())


def test_a_folder_that_is_no_studys_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("empty").mkdir()
    assert cli.main(["study", "empty"]) == 2
    assert "'empty' is a folder, and not that of a study: give a TOML file" in capsys.readouterr().err


def test_a_disk_that_is_full_when_the_report_is_written_is_told_with_what_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def write(results: rw.Results) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("roguewk.study.report.write.write_results", write)
    assert run() == 2
    assert capsys.readouterr().err.endswith(
        "roguewk: the report cannot be written to 'small-study' (No space left on device), so tables and figures there "
        "are old or missing; 10 of 10 cells are kept: make room, then give the same command again\n"
    )


def test_a_dry_run_leaves_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--dry-run", "--replicates", "1000", "--seed", "7") == 0
    assert "1,000 replicates: 10 cells" in capsys.readouterr().out
    assert [each.name for each in Path().iterdir()] == ["small.toml"]


def test_replicates_and_seed_can_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--replicates", "3", "--seed", "5", "--out", "there", "--quiet") == 0
    runs = rw.open_results("there").frame()
    direct = rw.simulate(rw.catalog.paper(budget=20, horizon=100), "ucb1", replicates=3, seed=5).frame()
    mine = runs[(runs["policy"] == "ucb1") & (runs["world_budget"] == 20)]
    assert mine["reward"].tolist() == direct["reward"].tolist()


def test_the_schema_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["study", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "roguewk study"


def test_pairs_that_are_skipped_and_runs_that_fail_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.py").write_text(
        "class Flaky:\n"
        "    def __init__(self, problem, seed): self.seed = seed\n"
        "    def select(self): return 1 // (self.seed - 2) * 0\n"
        "    def update(self, decision, reward, costs): pass\n"
    )
    head = 'unfit = "skip"\ncode = "mine.py"\n[[world]]\nworld = "gaussian"\nhorizon = 50\n'
    policies = '[[policy]]\npolicy = ["ucb1", "bob", "Flaky"]\n'
    Path("small.toml").write_text(head + policies)
    assert run("--replicates", "7") == 0
    out = capsys.readouterr().out
    assert "skipped: 'bob' in 'gaussian horizon=50'" in out
    assert re.search(r"Flaky .* 1 *$", out, re.M)
    summary = pd.read_csv("small-study/summary.csv").set_index("policy")
    assert summary["failed"].to_dict() == {"ucb1": 0, "Flaky": 1}
    assert "ZeroDivisionError" in Path("small-study/report.html").read_text()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("nowhere.toml",), "there is no such file"),
        ((), "no study is named: give a TOML file, or paper"),
        (("small.toml", "--engine", "dsk"), "unknown engine 'dsk': did you mean 'dask'?"),
        (("small.toml", "--engine", "dask", "--address", "tcp://127.0.0.1:1"), "no Dask scheduler answers"),
        (("small.toml", "--workers", "0"), "workers is 0"),
        (("small.toml", "--replicates", "0"), "replicates is 0"),
        (("small.toml", "--out", "small.toml"), "is a file: give the name of a folder"),
        (("small.toml", "--out", "."), "holds other files"),
    ],
)
def test_what_is_wrong_is_told_in_one_sentence(
    words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roguewk.study.run.clusters.SECONDS_TO_ANSWER", 1)
    assert cli.main(["study", *words, "--quiet"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert err.count("\n") == 1


def test_what_is_finished_stays_when_the_cluster_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--quiet") == 0
    before = {path: path.read_bytes() for path in Path("small-study").rglob("*.parquet")}
    Path("small.toml").write_text(STUDY.replace("[20, 40]", "[20, 40, 60]") + ONE_PICTURE)
    assert cli.main(["study", "small.toml", "--engine", "dask", "--address", "nonsense", "--quiet"]) == 2
    assert before.items() <= {path: path.read_bytes() for path in Path("small-study").rglob("*.parquet")}.items()


def in_terminal(command: list[str], react: Callable[[str, subprocess.Popen[bytes]], None]) -> tuple[int, str]:
    """Run a command in a terminal of its own; `react` sees what it has shown so far."""
    parent, child = pty.openpty()
    process = subprocess.Popen(command, stdin=child, stdout=child, stderr=child, start_new_session=True)
    os.close(child)
    shown = ""
    while process.poll() is None or select.select([parent], [], [], 0)[0]:
        if select.select([parent], [], [], 0.05)[0]:
            try:
                shown += os.read(parent, 65536).decode(errors="replace")
            except OSError:  # the other end is closed
                break
        react(shown, process)
    os.close(parent)
    return process.wait(), shown


def test_ctrl_c_says_what_is_kept_and_the_same_command_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    Path("long.toml").write_text(
        STUDY.replace("replicates = 8", "replicates = 3000").replace("[20, 40]", str([*range(20, 320, 10)]))
    )
    command = [sys.executable, "-c", MAIN, "study", "long.toml", "--workers", "2"]
    sent: list[int] = []

    def react(shown: str, process: subprocess.Popen[bytes]) -> None:
        if not sent and re.search(r"[1-9]\d* of 150 cells", shown):
            sent.append(1)
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to all processes

    code, shown = in_terminal(command, react)
    assert sent
    assert code == 130, shown
    assert "Traceback" not in shown
    assert re.search(r"stopped; \d+ of 150 cells are kept: give the same command again to go on", shown), shown
    kept = len(list(Path("long-study/cells").glob("*.parquet")))
    assert 0 < kept < 150
    assert not Path("long-study/report.html").exists()
    finished = rw.run_study("long.toml", "long-study", engine="threads")
    assert len(finished.cells) == 150
