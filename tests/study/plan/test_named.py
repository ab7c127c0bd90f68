"""Settings of what has a name in a world file: budgets that renew, caps, gaps, contexts."""

from pathlib import Path

import pytest

import roguewk as rw
from roguewk.study.plan.worlds import settled_world
from tests.study.plan.files import refused, study

LIMITED = """
horizon = "4 weeks"
rounds_per_day = 1
[[resource]]
name = "staff minutes"
budget = 30
every = "7 days"
[[resource]]
name = "euros"
budget = 90
[[limit]]
name = "calls"
arms = "call"
at_most = 3
every = "7 days"
[[limit]]
arms = "visit"
at_most = 5
gap = "2 days"
[[limit]]
arms = ["call", "visit"]
gap = 3
[[context]]
name = "place"
values = ["home", "out"]
chances = [0.7, 0.3]
[[context]]
name = "weekday"
cycle = ["work", "free"]
each = "1 day"
[[arm]]
name = "call"
rested = 0.6
wear = 0.5
half_life = 3
costs = [2, 1]
[[arm]]
name = "visit"
rested = 0.7
wear = 0.9
half_life = 9
costs = [6, 3]
"""
POLICY = '\n[[policy]]\npolicy = "ucb1"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "w.toml").write_text(LIMITED)
    return tmp_path


def problems(folder: Path, *settings: str) -> list[rw.Problem]:
    text = "\n".join(['[[world]]\nworld = "w.toml"', *settings, POLICY])
    return [each.world.problem for each in study(folder, text).worlds]


def caps(problem: rw.Problem) -> dict[str, float]:
    return {each.name: each.budget for each in problem.resources if each.counts is not None}


def test_caps_are_swept_by_name_or_all_at_once(folder: Path) -> None:
    assert [caps(each)["calls"] for each in problems(folder, "at_most.calls = [2, 3]")] == [2, 3]
    assert [caps(each) for each in problems(folder, "at_most = [1]")] == [{"calls": 1, "visit": 1}]
    (one,) = problems(folder, "at_most.visit = 4", "at_most.calls = 2")
    assert caps(one) == {"calls": 2, "visit": 4}


def test_periods_and_what_carries_over_are_swept_of_budgets_and_caps(folder: Path) -> None:
    found = problems(folder, 'every."staff minutes" = ["7 days", 14]', 'carry_over."staff minutes" = [true, false]')
    assert [(each.resources[0].every, each.resources[0].carry_over) for each in found] == [
        *(("7 days", True), ("7 days", False), (14, True), (14, False))
    ]
    (one,) = problems(folder, "every = 14", "carry_over.calls = true")
    assert [each.every for each in one.resources] == [14, None, 14, None]
    assert [each.carry_over for each in one.resources] == [False, False, True, False]
    (one,) = problems(folder, 'every.visit = "7 days"', "at_most.visit = 2")
    assert caps(one) == {"calls": 3, "visit per 7 days": 2}
    (one,) = problems(folder, 'every.euros = "14 days"')
    assert one.resources[1].every == "14 days"


def test_gaps_are_found_by_their_arms_or_their_place(folder: Path) -> None:
    for key in ("visit", "1"):
        found = problems(folder, f'gap.{key} = ["1 day", "3 days"]')
        assert [[gap.least for gap in each.gaps] for each in found] == [["1 day", 3], ["3 days", 3]]
    for key in ('"call or visit"', "2"):
        (one,) = problems(folder, f"gap.{key} = 1")
        assert [gap.least for gap in one.gaps] == ["2 days", 1]
    (one,) = problems(folder, "gap = 4")
    assert [gap.least for gap in one.gaps] == [4, 4]


def test_contexts_and_the_length_of_days_are_swept(folder: Path) -> None:
    found = problems(folder, "chances.place = [[0.5, 0.5], [0.9, 0.1]]")
    assert [each.contexts[0].chances for each in found] == [(0.5, 0.5), (0.9, 0.1)]
    assert [each.contexts[0].chances for each in problems(folder, "known = [true, false]")] == [(0.7, 0.3), None]
    assert [each.contexts[1].each for each in problems(folder, "each.weekday = [1, 2]")] == [1, 2]
    assert [each.horizon for each in problems(folder, "rounds_per_day = [1, 2]")] == [28, 56]


def test_worlds_of_the_catalogue_have_them_too() -> None:
    found = settled_world("mobile_health", {"gap.1": 2}, Path(), "world 'it'")
    assert found.problem.gaps[0].least == 2


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("at_most.cals = 2", "unknown cap of world 'w.toml': 'cals': did you mean 'calls'?"),
        ("gap.9 = 2", "unknown gap of world 'w.toml': '9': known are visit, call or visit"),
        (
            "chances.place = [0.5, 0.5]",
            "chances.place of world number 1 is [0.5, 0.5], and a list is swept: write it as",
        ),
        (
            "chances.weekday = [[0.5, 0.5]]",
            "unknown context that is drawn of world 'w.toml': 'weekday': known are place",
        ),
        ("budget.calls = 2", "budget.calls of world 'w.toml' is of a cap on pulls, not of a budget: set at_most.calls"),
        ("carry_over.euros = true", "carry_over of resource 'euros' is true and its budget never renews"),
        ("at_most.calls = 0", "at_most of 'calls' is 0: give a whole number of at least 1"),
    ],
)
def test_what_is_wrong_is_said(folder: Path, setting: str, words: str) -> None:
    assert words in refused(folder, f'[[world]]\nworld = "w.toml"\n{setting}\n{POLICY}')


def test_without_any_a_setting_of_all_is_refused(folder: Path) -> None:
    told = refused(folder, f'[[world]]\nworld = "paper"\nat_most = 2\n{POLICY}')
    assert told.endswith("at_most is set, and world 'paper' has no cap: add one to its world file")
    told = refused(folder, f'[[world]]\nworld = "paper"\nevery = 20\n{POLICY}')
    assert "has no budget or cap that renews: set every.resource 1, every.resource 2, every.resource 3" in told


@pytest.mark.parametrize("key", ["limit", "context.place"])
def test_of_an_unknown_setting_all_known_ones_are_named(folder: Path, key: str) -> None:
    told = refused(folder, f'[[world]]\nworld = "w.toml"\n{key} = 2\n{POLICY}')
    for known in ("rounds_per_day", "idle.reward", "budget.NAME", "at_most.NAME", "gap.NAME", "chances.NAME", "wear"):
        assert known in told
    assert " more" not in told


def test_the_baseline_stays_where_idle_rounds_are_allowed_and_false_is_refused(folder: Path) -> None:
    (folder / "idle.toml").write_text(
        LIMITED.replace("rounds_per_day = 1\n", "rounds_per_day = 1\n[idle]\nreward = 0.3\n", 1)
    )
    text = f'[[world]]\nworld = "idle.toml"\nidle = [true]\n{POLICY}'
    found = study(folder, text).worlds[0].world
    assert found.baseline is not None
    assert found.baseline.reward == 0.3
    told = refused(folder, text.replace("[true]", "[true, false]"))
    assert told.endswith("leave idle out, or sweep idle.reward")
    assert "idle of world 'idle.toml' is false" in told
