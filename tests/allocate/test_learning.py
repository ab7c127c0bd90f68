"""The planner beside the best possible learner, who knows which few worlds there may be and thinks of everything."""

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from benchmarks.reference.learner import best_learner

import roguewk as rw

REPLICATES = 400


def forgetful(name: str, rested: float, worn: float, start: float | None = 0.0) -> rw.Arm:
    """An arm that brings less just after a pull, and is rested again a round later."""
    level, low = (float(np.log(p / (1 - p))) for p in (rested, worn))
    return rw.Arm(name, A=1e-9, B=low - level, alpha=level, state=(low - level - 1, 0.0), known_start=start)


def of_costs(costs: Sequence[rw.Cost], budget: float, horizon: int, idle: bool) -> list[rw.World]:
    """Two arms, each of which may have each of these costs."""
    arms = [forgetful("call", 0.7, 0.4), forgetful("mail", 0.5, 0.4)]
    problem = rw.Problem(arms, [rw.Resource("staff", budget, 1.0)], horizon, idle)
    return [rw.World(problem, [0.0, 0.0], [[c] for c in pair]) for pair in itertools.product(costs, repeat=2)]


COINS = [rw.Cost.bernoulli(p) for p in (0.1, 0.7)]
FIXED = [rw.Cost.fixed(c) for c in (0.1, 0.3, 0.9)]
CASES = {
    "coins": (of_costs(COINS, 3.0, 10, True), 0.86),
    "coins, all rounds played": (of_costs(COINS, 3.0, 10, False), 0.97),
    "fixed costs": (of_costs(FIXED, 2.0, 12, True), 0.8),
    "fixed costs, all rounds played": (of_costs(FIXED, 2.0, 12, False), 0.98),
}


def on_average(worlds: Sequence[rw.World], policy: str) -> tuple[float, float]:
    """What a policy expects to earn on average over the worlds, and its standard error."""
    each = [rw.simulate(world, policy, REPLICATES, seed=8).totals[policy]["expected"] for world in worlds]
    return float(np.mean(each)), float(np.sqrt(np.mean([e.var() / REPLICATES for e in each]) / len(each)))


@pytest.mark.parametrize("idle", [True, False])
def test_who_knows_the_world_is_the_best_learner_of_one(idle: bool) -> None:
    for world in of_costs([COINS[1], FIXED[0]], 1.5, 6, idle):
        assert best_learner([world]) == pytest.approx(rw.exact(world).value, abs=1e-7)


@pytest.mark.parametrize("name", CASES)
def test_the_planner_learns_nearly_as_well_as_can_be(name: str) -> None:
    worlds, share = CASES[name]
    best = best_learner(worlds)
    earned, error = on_average(worlds, "roguewk-plan")
    assert share * best <= earned <= best * (1 + 1e-6) + 3 * error  # states are rounded in the search
