"""The commands that answer a question."""

import json

import pytest

import roguewk as rw
from roguewk import cli


def test_idle_rounds_can_be_allowed_from_the_command_line(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    sentences = []
    for word in ("--idle", "--no-idle"):
        assert cli.main(["check", world, word, "--json"]) == 0
        sentences.append(json.loads(capsys.readouterr().out)["checks"][-1]["sentence"])
    assert "Idle rounds are allowed" in sentences[0]
    assert "Idle rounds are allowed" not in sentences[1]


def test_check_reports_every_assumption(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", world]) == 0
    assert capsys.readouterr().out.strip() == str(rw.check_assumptions(rw.load_world(world)))


def test_bound_says_what_no_policy_can_earn_more_than(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bound", "catalog:paper:budget=100", "--idle", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["value"] == rw.upper_bound(rw.catalog.paper(budget=100), idle=True).value
    assert set(found) == {"value", "prices", "round_price", "gap", "status", "idle"}
    assert cli.main(["bound", "catalog:paper:budget=100", "--idle"]) == 0
    assert "more than 273.98" in capsys.readouterr().out


def test_bound_may_let_round_prices_vary(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["bound", "catalog:slow_recovery:horizon=30"]
    values = []
    for word in ([], ["--varying"]):
        assert cli.main([*words, *word, "--json"]) == 0
        values.append(json.loads(capsys.readouterr().out))
    assert values[1]["value"] < values[0]["value"]
    assert len(values[1]["round_prices"]) == 30
    assert values[1]["gap"] is None
    assert cli.main([*words, "--varying"]) == 0
    out, err = capsys.readouterr()
    assert "on average" in out
    assert "nan" not in out
    assert "roguewk: looking for the prices of budgets and rounds ...\n" in err
