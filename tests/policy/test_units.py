"""Whether money is counted in euros or in cents, the same is decided."""

import dataclasses

import numpy as np
import pytest

import roguewk as rw
from roguewk.policy.registry import all_recipes

# Their papers define them on costs in [0, 1], so `largest_cost` is their unit and has to be told.
ON_UNIT_COSTS = {"bound", "liu-window", "rad", "wilson", "omega-star", "beta-sample", "hoeffding"}
ON_UNIT_ALLOCATIONS = {"ucb-bv", "dual-descent", "lagrange", "primal-dual", "balanced"}
SURELY_ALLOWED = {"rebounding", "randomised"}  # they count the pulls that `largest_cost` surely allows
FREE = [
    name
    for name, recipe in all_recipes().items()
    if recipe.costs.name not in ON_UNIT_COSTS
    and recipe.allocate.name not in ON_UNIT_ALLOCATIONS
    and name not in SURELY_ALLOWED
]
WORLDS = {
    "paper": rw.catalog.paper(budget=100, horizon=300),
    "coins": rw.World(
        rw.Problem(
            [rw.everyday_arm(name, rested=0.5 + 0.1 * a, wear=0.6, half_life=3 + a) for a, name in enumerate("abc")],
            [rw.Resource("money", 30.0), rw.Resource("time", 60.0)],
            300,
            idle=True,
        ),
        [0.0, 0.0, 0.0],
        [[rw.Cost.bernoulli(0.1 + 0.2 * a), rw.Cost.uniform(0.0, 0.3 + 0.2 * a)] for a in range(3)],
    ),
    "must play": rw.catalog.paper(budget=60, horizon=200).with_problem(idle=False),
}


def smaller(cost: rw.Cost, by: float) -> rw.Cost:
    """The same cost in a unit that is so many times as large."""
    if cost.kind == "bernoulli":
        return rw.Cost.choices([by, 0.0], [cost.numbers[0], 1 - cost.numbers[0]])
    return dataclasses.replace(cost, numbers=tuple(by * number for number in cost.numbers))


def rescaled(world: rw.World, by: float, largest_cost: float | None) -> rw.World:
    """The world with every cost and budget in another unit."""
    problem = world.problem
    resources = [
        dataclasses.replace(each, budget=by * each.budget, largest_cost=largest_cost) for each in problem.resources
    ]
    costs = [[smaller(cost, by) for cost in row] for row in world.costs]
    return rw.World(rw.Problem(problem.arms, resources, problem.horizon, problem.idle), world.x0, costs)


def check_same(name: str, world: rw.World, others: dict[float, rw.World]) -> None:
    """Units differ by powers of two, so that not even rounding differs."""
    try:
        runs = rw.simulate(world, name, 3, seed=9, curves=True, threads=1)
    except rw.InputError:
        pytest.skip("does not fit this world")
    for by, other in others.items():
        curves = rw.simulate(other, name, 3, seed=9, curves=True, threads=1).curves[name]
        assert np.array_equal(curves.arms, runs.curves[name].arms)
        assert np.array_equal(curves.costs, by * runs.curves[name].costs)


@pytest.mark.parametrize("kind", WORLDS)
@pytest.mark.parametrize("name", all_recipes())
def test_decisions_do_not_depend_on_the_unit_of_costs(name: str, kind: str) -> None:
    world = rescaled(WORLDS[kind], 0.5, None)  # coins are choices from here on
    check_same(name, world, {by: rescaled(world, by, None) for by in (2.0**-13, 2.0**-5, 2.0**13)})


@pytest.mark.parametrize("kind", WORLDS)
@pytest.mark.parametrize("name", FREE)
def test_a_largest_cost_that_is_far_too_large_changes_nothing(name: str, kind: str) -> None:
    world = rescaled(WORLDS[kind], 0.5, 1.0)
    check_same(name, world, {by: rescaled(world, by, 1.0) for by in (2.0**-13, 2.0**-7)})
