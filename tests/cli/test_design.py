"""The command that designs a trial."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from roguewk import cli
from roguewk.learn.example import invented_log


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    made = invented_log(60, 30)
    arms = np.array([*made.arms, ""])[made.arm]
    table = {"subject": made.subject, "round": made.time.astype(int), "arm": arms, "reward": made.reward}
    pd.DataFrame(table).to_csv("log.csv", index=False)
    return "log.csv"


def test_schedules_are_ranked_and_the_best_is_listed_round_by_round(
    log: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["design", log, "--arm", "call", "--subjects", "80", "--rounds", "16", "--pulls", "6"]
    assert cli.main(words) == 0
    shown = capsys.readouterr().out
    assert "with 80 more subjects" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert cli.main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert " ".join(shown.split()).endswith(", ".join(map(str, told["plan"])))
    assert told["schedules"][0]["narrowing"] >= told["schedules"][-1]["narrowing"]
    assert told["round_length"] is None  # the log counts rounds


def test_the_arm_must_be_said_where_there_are_several(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["design", log]) == 2
    assert "say of which the trial is to tell" in capsys.readouterr().err


def test_how_long_a_round_of_a_clock_is_has_to_be_said(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    table = pd.read_csv(log).rename(columns={"round": "time"})
    table["time"] *= 8.0
    table.to_csv("clock.csv", index=False)
    words = ["design", "clock.csv", "--arm", "call", "--unit", "hours", "--rounds", "10", "--pulls", "4"]
    assert cli.main(words) == 2
    assert "say how long a round is, in hours, with --round-length" in capsys.readouterr().err
    assert cli.main([*words, "--round-length", "8"]) == 0
