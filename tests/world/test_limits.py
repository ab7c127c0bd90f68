"""World files with limits: what they mean, that nothing is lost on the way, and what is refused."""

import copy
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given, settings

import roguewk as rw
from roguewk.problem.plain import problem_from_data, problem_to_data
from roguewk.world.files import parse_toml
from roguewk.world.plain import world_from_data, world_to_data
from tests.problem.limited import problems, worlds

TEXT = """
horizon = "8 weeks"
rounds_per_day = 2
[[resource]]
name = "hours"
budget = 10
every = "7 days"
carry_over = true
[[resource]]
name = "euros"
budget = 90
every = 28
[[limit]]
arms = ["call", "visit"]
at_most = 3
every = "7 days"
gap = "36 hours"
[[limit]]
name = "visits"
arms = "visit"
at_most = 5
[[limit]]
gap = 1
[[arm]]
name = "call"
rested = 0.6
wear = 0.5
half_life = 3
costs = { hours = { uniform = [0.2, 0.4] }, euros = 1 }
[[arm]]
name = "visit"
rested = 0.8
wear = 0.9
half_life = 9
costs = [2, { choices = [1, 5] }]
"""


def test_days_are_rounds_and_limits_are_resources_and_gaps() -> None:
    problem = world_from_data(parse_toml(TEXT, "here")).problem
    assert problem.horizon == 112
    assert [resource.name for resource in problem.resources] == ["hours", "euros", "call or visit per 7 days", "visits"]
    assert problem.periods.tolist() == [14, 28, 14, 112]
    assert problem.hard.tolist() == [True] * 4
    assert problem.totals.tolist() == [80.0, 360.0, 24.0, 5.0]
    assert [problem.gap_rounds(gap) for gap in problem.gaps] == [3, 1]
    assert [gap.arms for gap in problem.gaps] == [("call", "visit"), None]
    assert problem.scaled_most.tolist() == [[0.2, 0.2, 1.0, 0.0], [1.0, 1.0, 1.0, 1.0]]
    assert [resource.name for resource in problem.told] == ["hours", "euros"]


def all_but_arms(problem: rw.Problem) -> dict[str, Any]:
    """What a problem says of its limits; arms are written in other words."""
    return {field.name: getattr(problem, field.name) for field in fields(problem) if field.name != "arms"}


@settings(max_examples=80, deadline=None, derandomize=True, database=None)
@given(world=worlds())
def test_a_world_with_limits_is_read_as_it_was_written(world: rw.World) -> None:
    text = world.to_toml()
    again = world_from_data(parse_toml(text, "here"))
    assert all_but_arms(again.problem) == all_but_arms(world.problem)
    assert again.costs == world.costs
    assert again.to_toml() == text
    assert all_but_arms(world_from_data(world_to_data(world)).problem) == all_but_arms(world.problem)


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(problem=problems(unknown=True))
def test_a_problem_with_limits_is_read_as_it_was_written(problem: rw.Problem) -> None:
    if problem.told:
        largest: Any = [[0.5] * len(problem.told)] * len(problem.arms)
        problem = replace(problem, largest_costs=largest)
    again = problem_from_data(problem_to_data(problem))
    assert all_but_arms(again) == all_but_arms(problem)
    assert problem_to_data(again) == problem_to_data(problem)


def changed(*edits: tuple[Any, ...]) -> dict[str, Any]:
    data = copy.deepcopy(parse_toml(TEXT, "here"))
    for *path, key, value in edits:
        place: Any = data
        for step in path:
            place = place[step]
        if value is None:
            del place[key]
        else:
            place[key] = value
    return data


REFUSED: dict[str, tuple[list[tuple[Any, ...]], str]] = {
    "unknown arm": ([("limit", 0, "arms", ["calls"])], "did you mean 'call'?"),
    "unknown arm of a gap": ([("limit", 2, "arms", "visits")], "unknown arm of a gap: 'visits': did you mean 'visit'?"),
    "gap of no whole rounds": (
        [("limit", 0, "gap", "1 hour")],
        "gap is '1 hour', which is 0.0833333 rounds: give whole rounds, such as \"1 round\"",
    ),
    "day without a round": (
        [("rounds_per_day", 0.5), ("limit", 0, "gap", "1 day")],
        "gap is '1 day', which is 0.5 rounds: give whole rounds, such as \"2 days\"",
    ),
    "days without their rounds": (
        [("rounds_per_day", None)],
        "horizon is '8 weeks' and nothing says how long a round is: give rounds_per_day",
    ),
    "gap without rounds": (
        [("rounds_per_day", None), ("horizon", 112), ("resource", 0, "every", 14), ("limit", 0, "every", 14)],
        "gap is '36 hours' and nothing says how long a round is: give rounds_per_day",
    ),
    "none at most": ([("limit", 1, "at_most", 0)], "at_most of 'visits' is 0: give a whole number of at least 1"),
    "half a pull": ([("limit", 1, "at_most", 1.5)], "at_most of 'visits' is 1.5: give a whole number of at least 1"),
    "carry over of what never renews": (
        [("resource", 0, "every", None)],
        "carry_over of resource 'hours' is true and its budget never renews: say `every` so many rounds",
    ),
    "period beyond the horizon": (
        [("resource", 0, "every", "60 days")],
        "every of resource 'hours' is 120 rounds, and the horizon 112: give a period within the horizon",
    ),
    "no duration": ([("resource", 0, "every", "often")], "give a whole number of rounds, or a text such as"),
    "negative period": ([("resource", 1, "every", -1)], "every of resource 'euros' is -1: give a whole number"),
    "nothing limited": ([("limit", 2, "gap", None)], "limit number 3 limits nothing: add `at_most = 2`"),
    "period of nothing": ([("limit", 2, "every", 7)], "limit number 3 has 'every' and no 'at_most'"),
    "unknown key": ([("limit", 1, "most", 3)], "unknown key of limit 'visits': 'most': did you mean"),
    "no table": ([("limit", 0, 7)], "limit number 1 is 7: write each as a table [[limit]]"),
    "two of a name": ([("limit", 1, "name", "hours")], "'hours' is the name of two resources: give each its own"),
    "costs of a cap": ([("arm", 1, "costs", [2, 1, 1])], "arm 'visit' has 3 costs for 2 resources"),
    "no time at all": ([("rounds_per_day", 0)], "rounds_per_day is 0: give a positive number"),
}


@pytest.mark.parametrize("what", list(REFUSED))
def test_limits_that_cannot_be_are_refused_in_a_sentence(what: str) -> None:
    edits, sentence = REFUSED[what]
    with pytest.raises(rw.InputError) as caught:
        world_from_data(changed(*edits), "world.toml")
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_world_takes_and_loses_limits_with_its_other_parts() -> None:
    world = world_from_data(parse_toml(TEXT, "here"))
    told = world.problem.told
    free = world.with_problem(resources=[replace(each, every=None, carry_over=False) for each in told], gaps=[])
    assert not free.problem.limited
    assert [len(row) for row in free.costs] == [2, 2]
    back = free.with_problem(resources=world.problem.resources, gaps=world.problem.gaps)
    assert back.problem == world.problem
    assert back.costs == world.costs
    assert world.with_budget([20.0, 50.0]).problem.budgets.tolist() == [20.0, 50.0, 3.0, 5.0]


def test_known_costs_stay_known_where_a_cap_goes() -> None:
    problem = rw.Problem([rw.Arm("a", alpha=0.0)], [rw.Resource("r", 3.0), rw.at_most(2)], 9, known_costs=[[0.3]])
    world = rw.World(problem, [0.0], [[0.3]])
    assert world.problem.known_costs == ((0.3, 1.0),)
    assert world.with_problem(resources=problem.told).problem.known_costs == ((0.3,),)


def test_a_problem_of_pulls_that_are_counted_says_so_on_its_line() -> None:
    problem = world_from_data(parse_toml(TEXT, "here")).problem
    assert repr(problem) == (
        "<problem of 2 arms ('call', 'visit'), 112 rounds, all played, 3 rounds and 1 round apart, and budgets"
        " 'hours' 10 every 7 days, 'euros' 90 every 14 days, 'call or visit per 7 days' 3 every 7 days, 'visits' 5>"
    )
