"""Lists of policies, parts and worlds."""

import json

import pytest

import roguewk as rw
from roguewk import cli
from roguewk.world import catalog


def test_policies_are_listed_with_what_they_are_for_and_their_papers(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["policies"]) == 0
    text = capsys.readouterr().out
    assert cli.main(["policies", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)["policies"]
    assert {each["name"]: each["summary"] for each in data} == rw.policies()
    for each in data:
        assert f" {each['name']} " in text
        assert each["reference"].split()[0].rstrip(",") in text
        assert set(each["parameters"]) >= {"doubling", "restart"}
        assert set(each["parts"]) == {"rewards", "costs", "allocate"}
    assert max(map(len, text.splitlines())) <= 80


def test_a_policy_is_shown_with_its_parts_parameters_defaults_and_meanings(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["policies", "--json"]) == 0
    for each in json.loads(capsys.readouterr().out)["policies"]:
        assert cli.main(["policies", each["name"]]) == 0
        text = capsys.readouterr().out
        for name, parameter in each["parameters"].items():
            assert f"{name}={parameter['default']}".lower() in text
            assert parameter["meaning"].split()[0] in text
        for role, part in each["parts"].items():
            assert f"{role:<10}{part}: " in text
        assert max(map(len, text.splitlines())) <= 80
    assert cli.main(["policies", "ucb2"]) != 0
    assert "unknown policy 'ucb2': did you mean 'ucb1'?" in capsys.readouterr().err


def test_parts_are_listed_by_role_with_their_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["policies", "--json"]) == 0
    parts = json.loads(capsys.readouterr().out)["parts"]
    assert cli.main(["policies", "--parts"]) == 0
    text = capsys.readouterr().out
    for role, each in parts.items():
        assert f"\n{role}\n" in f"\n{text}"
        assert all(f"    {part['name']} " in text for part in each)
    assert max(map(len, text.splitlines())) <= 80


def test_worlds_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["worlds"]) == 0
    out = capsys.readouterr().out
    assert all(f"\n{name} " in f"\n{out}" for name in catalog.names())
    assert max(map(len, out.splitlines())) <= 80
