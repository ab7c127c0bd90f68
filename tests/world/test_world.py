import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.stats

import roguewk as rw
from roguewk.problem.arm import Arm
from roguewk.problem.errors import InputError
from roguewk.problem.problem import Problem
from roguewk.problem.resource import Resource
from roguewk.world.cost import Cost
from roguewk.world.world import World

CALL = Arm("call", A=0.2, B=-0.5, K=0.8, alpha=0.2, beta=0.8)
TEXT = Arm("text", A=[[0.5, 0.0], [0.1, 0.6]], B=[-1.0, 0.0], K=[0.0, 0.0], beta=[1.0, 1.0])
STAFF = Resource("staff", 30.0, 1.0)


@pytest.mark.parametrize(
    ("cost", "judge"),
    [
        (Cost.uniform(0.1, 0.7), scipy.stats.uniform(0.1, 0.6)),
        (Cost.bernoulli(0.3), scipy.stats.bernoulli(0.3)),
        (Cost.beta(2.0, 5.0, scale=40.0), scipy.stats.beta(2.0, 5.0, scale=40.0)),
    ],
)
def test_the_mean_and_largest_cost_agree_with_scipy(cost: Cost, judge: Any) -> None:
    assert cost.mean == pytest.approx(judge.mean())
    assert cost.largest == pytest.approx(judge.support()[1])


def test_choices_weigh_their_values() -> None:
    cost = Cost.choices([1.0, 5.0, 90.0], [6, 2, 0])
    assert cost.mean == pytest.approx(np.average([1, 5], weights=[6, 2]))
    assert cost.largest == 5.0
    assert Cost.choices([1.0, 3.0]).mean == 2.0
    assert Cost.choices([0.0, 3.0, 6.0], [0.33, 0.33, 0.33]).mean == pytest.approx(3.0)  # thirds, as people write them
    assert Cost.choices(cost.numbers, cost.weights) == cost


def test_a_bernoulli_cost_scales_with_its_amount() -> None:
    assert Cost.bernoulli(0.25, 8.0).mean == 2.0
    assert Cost.bernoulli(0.25, 8.0).largest == 8.0
    assert Cost.fixed(0.0).mean == 0.0


@pytest.mark.parametrize(
    ("make", "numbers", "hint"),
    [
        (Cost.fixed, (-0.1,), "at least 0"),
        (Cost.fixed, ("free",), "give a number"),
        (Cost.fixed, (math.nan,), "finite"),
        (Cost.uniform, (0.3, 0.2), "lower end first"),
        (Cost.uniform, (0.1, -0.2), "the high end of a uniform cost"),
        (Cost.bernoulli, (1.5,), "from 0 to 1"),
        (Cost.bernoulli, (0.5, 0.0), "the amount of a bernoulli cost"),
        (Cost.beta, (0.0, 1.0), "a of a beta cost"),
        (Cost.choices, ([],), "0 choices"),
        (Cost.choices, ([1.0], [0.5, 0.5]), "as many of each"),
        (Cost.choices, ([1.0, 2.0], [0.0, 0.0]), "positive weight"),
        (Cost.choices, ([1.0, 2.0], [1e308, 1e308]), "none huge"),
        (Cost.choices, ([1.0, 2.0], [0.5, 0.6]), "0.5, 0.6, add up to 1.1: make them add up to 1, or give weights"),
    ],
)
def test_a_wrong_cost_is_refused_in_one_sentence(make: Any, numbers: Any, hint: str) -> None:
    with pytest.raises(InputError, match=hint):
        make(*numbers)


@pytest.mark.parametrize(
    ("make", "hint"),
    [
        (lambda: Resource("staff", 0.0), "budget of resource 'staff'"),
        (lambda: Resource("staff", -3), "give a positive number"),
        (lambda: Resource("staff", math.inf), "finite"),
        (lambda: Resource("", 3.0), "name of a resource"),
        (lambda: Resource("staff", 1e300, 1e-300), "budget of resource .staff. is 1e.300: choose a unit"),
        (lambda: Resource("staff", 1.0, 1e-300), "largest_cost of resource .staff. is 1e-300: choose a unit"),
        (lambda: Problem([], [STAFF], 10), "no arm"),
        (lambda: Problem(3, [STAFF], 10), "give a list of rw.Arm"),  # type: ignore[arg-type]
        (lambda: Problem("call", [STAFF], 10), "give a list of rw.Arm"),  # type: ignore[arg-type]
        (lambda: Problem([CALL], None, 10), "give a list of rw.Resource"),  # type: ignore[arg-type]
        (lambda: Problem([CALL, CALL], [STAFF], 10), "'call' is the name of two arms"),
        (lambda: Problem([CALL], [STAFF, STAFF], 10), "'staff' is the name of two resources"),
        (lambda: Problem([CALL], [STAFF], 0), "horizon is 0"),
        (lambda: Problem([CALL], [STAFF], 10.5), "horizon is 10.5"),  # type: ignore[arg-type]
        (lambda: Problem([CALL], [STAFF], 10, idle=1), "idle is 1"),  # type: ignore[arg-type]
        (lambda: Problem([CALL], [STAFF], 10).with_budget([1.0, 2.0]), "one for each resource"),
        (lambda: Problem([CALL], [STAFF], 10).with_budget(-1.0), "budget of resource 'staff'"),
        (lambda: Problem([CALL], [STAFF], 10).arm_index("cal"), "there is no arm 'cal'"),
        (lambda: Problem([CALL], [STAFF], 10).arm_index(1), "arm is 1"),
        (lambda: Problem([CALL], [STAFF], 10).check_reward(0, 0.5), "not 0 or 1"),
        (lambda: Problem([CALL], [STAFF], 10).check_reward(99, 1), "arm is 99"),
    ],
)
def test_a_wrong_problem_is_refused_in_one_sentence(make: Any, hint: str) -> None:
    with pytest.raises(InputError, match=hint):
        make()


@pytest.mark.parametrize(
    ("x0", "costs", "hint"),
    [
        ([0.5], [[Cost.fixed(2.0)]], r"outside \[0, 1\]: raise that resource's largest_cost"),
        ([0.5], [[]], "0 costs for 1 resources"),
        ([0.5], [["x"]], "give a number or an rw.Cost"),
        ([0.5], ["x"], "costs of arm 'call'"),
        ([0.5], [], "1 arms have 1 initial states and 0 rows"),
        (3, [[Cost.fixed(0.1)]], "no list"),
        ([9.0], [[Cost.fixed(0.1)]], "outside its state set"),
        (["rested"], [[Cost.fixed(0.1)]], "x0 of arm 'call'"),
        ([True], [[Cost.fixed(0.1)]], "x0 of arm 'call'"),
        ([[0.5, 0.6]], [[Cost.fixed(0.1)]], "x0 of arm 'call' has shape"),
        ([math.nan], [[Cost.fixed(0.1)]], "x0 of arm 'call'"),
    ],
)
def test_a_wrong_world_is_refused_in_one_sentence(x0: Any, costs: Any, hint: str) -> None:
    with pytest.raises(InputError, match=hint) as caught:
        World(Problem([CALL], [STAFF], 100), x0, costs)
    assert "\n" not in str(caught.value)


def test_costs_and_budgets_keep_the_users_units_and_rates_are_scaled() -> None:
    problem = Problem([CALL], [Resource("euros", 500.0, 20.0)], 100)
    world = World(problem, [0.5], [[Cost.uniform(0.0, 20.0)]])
    assert world.mean_costs.tolist() == [[10.0]]
    assert problem.rates.tolist() == [500.0 / 20.0 / 100]


def test_without_resources_only_the_horizon_limits() -> None:
    world = World(Problem([CALL, TEXT], [], 10), [0.5, [0.0, 0.0]], [[], []])
    assert world.mean_costs.shape == (2, 0)
    assert world.problem.rates.shape == (0,)
    assert world.with_budget(3.0).problem.resources == ()


def test_a_world_with_other_budgets_or_horizon_keeps_its_truth() -> None:
    world = World(Problem([CALL, TEXT], [STAFF], 10), [0.5, [-0.5, 0.0]], [[Cost.fixed(0.1)], [Cost.fixed(0.2)]])
    other = world.with_budget([70.0]).with_problem(horizon=99, idle=True)
    assert other.problem.budgets.tolist() == [70.0]
    assert (other.problem.horizon, other.problem.idle) == (99, True)
    assert other.costs == world.costs
    assert [x.tolist() for x in other.x0] == [[0.5], [-0.5, 0.0]]


def test_the_truth_does_not_change_with_the_callers_array() -> None:
    start = np.array([-0.5, 0.0])
    world = World(Problem([TEXT], [], 10), [start], [[]])
    start[0] = 0.0
    assert world.x0[0].tolist() == [-0.5, 0.0]


def test_arms_may_come_from_a_generator() -> None:
    assert len(Problem((arm for arm in (CALL, TEXT)), [STAFF], 10).arms) == 2  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Cost("uniform", (-5.0, 0.1)), "at least 0"),
        (lambda: Cost("foo", (0.1,)), "unknown kind of cost 'foo'"),
        (lambda: Cost("beta", (0.1,)), "rw.Cost.beta"),
        (lambda: Resource("\x1b[31m", 1.0), "cannot be printed"),
        (lambda: Arm("c", A=0.5, h=lambda x, pulled: 0.1 * x, state=(-1, 1)), "both h and A"),
        (lambda: Arm("c", A=0.5, beta=3.0, g=lambda x: 0.5), "both g and beta"),
        (lambda: World(Problem([CALL], [STAFF], 10), [0.5], [[0.1]]).with_problem(foo=3), "unknown part of a problem"),
    ],
)
def test_what_contradicts_itself_is_refused(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(InputError, match=re.escape(sentence)):
        make()


@pytest.mark.parametrize("number", [0.1, np.float64(0.1)])
def test_a_number_in_place_of_a_cost_is_a_fixed_cost(number: float) -> None:
    assert World(Problem([CALL], [STAFF], 10), [0.5], [[number]]).costs == ((Cost.fixed(0.1),),)


def test_worlds_and_problems_are_shown_as_one_line_that_says_what_is_unknown() -> None:
    assert repr(rw.catalog.one_resource()) == (
        "<world of 2 arms ('dear', 'cheap'), 1000 rounds, all played, and budgets 'money' 300>"
    )
    arms = [rw.unknown_arm("tip"), rw.everyday_arm("walk", rested=0.6, wear=0.5, half_life=2)]
    assert repr(rw.Problem(arms, [], 9, idle=True)) == (
        "<problem of 2 arms ('tip', 'walk'), dynamics of 1 unknown, 9 rounds, some may be idle, and budgets none>"
    )
    assert "'item 5' and 15 more)" in repr(rw.catalog.many_arms())
