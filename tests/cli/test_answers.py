"""The commands that answer a question."""

import json
from pathlib import Path

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


def test_bound_fits_a_terminal_of_eighty_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "minutes of those who call and of those who visit, all of them together, in two towns"
    (tmp_path / "w.toml").write_text(
        f'horizon = 9\n[[resource]]\nname = "{name}"\nbudget = 3\n'
        '[[arm]]\nname = "call"\nrested = 0.6\nwear = 0.5\nhalf_life = 2\ncosts = [1]\n'
    )
    assert cli.main(["bound", str(tmp_path / "w.toml")]) == 0
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 80
    assert f"One more unit of '{name}' would add" in printed.replace("\n", " ")


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
    assert "constant" not in out


def test_bound_says_where_round_prices_do_not_vary(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "w.toml").write_text(
        'horizon = 9\n[[context]]\nname = "place"\nvalues = ["in", "out"]\nchances = [0.5, 0.5]\n'
        '[[resource]]\nname = "staff"\nbudget = 3\n[[arm]]\nname = "call"\nrested = 0.6\nwear = 0.5\nhalf_life = 2\n'
        "when = { out = -0.4 }\ncosts = [1]\n"
    )
    sentence = "not worked out where there are contexts: this is the bound of constant ones."
    assert cli.main(["bound", str(tmp_path / "w.toml")]) == 0
    assert sentence not in capsys.readouterr().out.replace("\n", " ")
    assert cli.main(["bound", str(tmp_path / "w.toml"), "--varying"]) == 0
    assert sentence in capsys.readouterr().out.replace("\n", " ")
    assert cli.main(["bound", str(tmp_path / "w.toml"), "--varying", "--json"]) == 0
    assert sentence in capsys.readouterr().err
