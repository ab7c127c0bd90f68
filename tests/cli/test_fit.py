"""The command that fits a log."""

import json
from pathlib import Path

import pandas as pd
import pytest

from roguewk import cli
from roguewk.learn.example import invented_log


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    made = invented_log(40)
    table = pd.DataFrame({"subject": made.subject, "round": made.time.astype(int), "reward": made.reward})
    table["arm"] = [made.arms[a] if a >= 0 else None for a in made.arm]
    table.to_csv(tmp_path / "log.csv", index=False)
    monkeypatch.chdir(tmp_path)
    return "log.csv"


def test_a_summary_is_printed_and_a_report_is_written(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["fit", log]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "  wears off and recovers" in lines
    assert all(len(line) <= 80 for line in lines)
    assert any(line.startswith(("The model suits the data", "Beware: ")) for line in lines)
    assert lines[-1] == "report and estimates are in roguewk-fit; open roguewk-fit/report.html"
    assert {path.name for path in Path("roguewk-fit").iterdir()} == {"report.html", "arms.csv"}
    assert "<h1>log.csv: how arms wear off and recover</h1>" in Path("roguewk-fit/report.html").read_text()
    assert pd.read_csv("roguewk-fit/arms.csv")["arm"].tolist() == ["call", "text"]


def test_the_folder_can_be_chosen_and_the_report_be_left_out(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["fit", log, "--no-report"]) == 0
    assert cli.main(["fit", log, "--json"]) == 0
    assert [path.name for path in Path().iterdir()] == [log]
    capsys.readouterr()
    assert cli.main(["fit", log, "--json", "--out", "here"]) == 0
    assert [arm["arm"] for arm in json.loads(capsys.readouterr().out)["arms"]] == ["call", "text"]
    assert Path("here/report.html").exists()


def test_a_folder_that_cannot_be_is_refused_before_anything_is_fitted(
    log: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["fit", log, "--out", log]) == 2
    assert cli.main(["fit", log, "--out", "here", "--no-report"]) == 2
    heard = capsys.readouterr()
    assert "wears off" not in heard.out
    assert heard.err.splitlines() == [
        "roguewk: --out 'log.csv' is a file: give the name of a folder",
        "roguewk: --out 'here' and --no-report are given: give one of them",
    ]
