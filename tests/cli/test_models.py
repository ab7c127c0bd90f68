"""The options of `roguewk fit` that say which model is fitted."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from roguewk import cli
from roguewk.learn.example import invented_log


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    made = invented_log(40, 25)
    arms = np.array([*made.arms, ""])[made.arm]
    table = {"subject": made.subject, "round": made.time.astype(int), "arm": arms, "reward": made.reward}
    pd.DataFrame(table | {"hour": np.arange(made.arm.size) % 24}).to_csv("log.csv", index=False)
    return "log.csv"


def _json(words: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    assert cli.main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_what_is_asked_for_is_among_the_effects(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["fit", log, "--covariates", "hour", "--trend", "--common", "--second", "permanent"]
    names = [effect["name"] for effect in _json(words, capsys)["effects"]]
    assert names == [
        "hour",
        "trend",
        "common wear",
        "common half-life",
        "permanent wear of call",
        "permanent wear of text",
    ]
    assert cli.main(words) == 0
    shown = capsys.readouterr().out
    assert "beside the wear of each arm by its own use\nhour: " in shown
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_models_are_compared(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(["fit", log, "--compare"], capsys)
    assert found["best"] in [row["model"] for row in found["models"]]
    assert cli.main(["fit", log, "--compare"]) == 0
    shown = capsys.readouterr().out
    assert f"Best is {found['best']}" in shown
    assert "half-life (rounds)" in shown
    assert [arm["arm"] for arm in found["arms"]] == ["call", "text"]


def test_a_comparison_is_in_the_report(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["fit", log, "--compare", "--out", "here"]) == 0
    assert capsys.readouterr().out.endswith("report and estimates are in here; open here/report.html\n")
    page = Path("here/report.html").read_text()
    assert "<h2>Which model predicts best</h2>" in page
    assert "<h2>Every arm</h2>" in page


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--compare", "--trend"], "--compare tries all models: leave out --trend, --common, --second and"),
        (["--second", "fast"], "unknown second 'fast': known are slow, permanent"),
        (["--covariates", "hours"], "unknown covariate 'hours': did you mean 'hour'?"),
    ],
)
def test_wrong_options_are_refused_in_a_sentence(
    log: str, words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["fit", log, *words]) == 2
    assert sentence in capsys.readouterr().err
