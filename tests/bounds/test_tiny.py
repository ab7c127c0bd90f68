"""Bounds of tiny worlds are their exact values."""

import math

import numpy as np
import pytest

import roguewk as rw
from roguewk.bounds.tiny import tiny_value


def tiny(cost: rw.Cost, horizon: int, *, idle: bool = False, arms: int = 2, budget: float = 2.0) -> rw.World:
    rng = np.random.default_rng(3)
    listed = [
        rw.everyday_arm(f"arm {a}", rested=float(rng.uniform(0.3, 0.9)), wear=float(rng.uniform(0.3, 2)), half_life=2)
        for a in range(arms)
    ]
    problem = rw.Problem(listed, [rw.Resource("staff", budget)], horizon, idle)
    return rw.World(problem, [0.0] * arms, [[cost]] * arms)


@pytest.mark.parametrize("idle", [True, False])
@pytest.mark.parametrize("cost", [rw.Cost.fixed(0.5), rw.Cost.bernoulli(0.4)], ids=["fixed", "coins"])
def test_the_bound_of_a_tiny_world_is_its_exact_value(cost: rw.Cost, idle: bool) -> None:
    world = tiny(cost, 6, idle=idle)
    bound = rw.upper_bound(world)
    exact = rw.exact(world).value
    assert bound.value >= exact - 1e-12
    assert bound.value == pytest.approx(exact, abs=1e-9) or bound.status == "converged"
    assert tiny_value(world, idle).value == pytest.approx(exact)


def test_seven_rounds_that_must_be_played_have_no_bound_a_thousand_times_too_high() -> None:
    world = tiny(rw.Cost.fixed(0.3), 7, budget=1.0)
    bound = rw.upper_bound(world)
    assert bound.value == pytest.approx(rw.exact(world).value, rel=0.05)


def test_costs_of_many_values_are_taken_to_be_their_smallest() -> None:
    world = tiny(rw.Cost.uniform(0.3, 0.9), 6)
    cheap = tiny(rw.Cost.fixed(0.3), 6)
    assert tiny_value(world, False).value == rw.exact(cheap).value
    earned = rw.simulate(world, "clairvoyant", replicates=400).frame()["expected_reward"].mean()
    assert earned <= rw.upper_bound(world).value


def test_larger_worlds_are_left_to_prices() -> None:
    assert tiny_value(tiny(rw.Cost.fixed(0.5), 40), True).value == math.inf
    assert tiny_value(tiny(rw.Cost.bernoulli(0.5), 9, arms=4), True).value == math.inf


def test_no_bound_is_below_what_is_earned_where_arms_come_and_go_and_rounds_must_play() -> None:
    arm = rw.Arm("a", A=0.9, B=-2.0, alpha=2.0, available=0.1, known_start="rested")
    world = rw.World(rw.Problem([arm], [], horizon=100), [0.0], [[]])
    earned = rw.simulate(world, "ucb1", replicates=100).frame()["expected_reward"].mean()
    assert earned > 4
    assert rw.upper_bound(world).value > earned
    with pytest.raises(rw.InputError, match="come and go"):
        rw.exact(world)


def test_cheaper_costs_are_no_bound_where_every_round_must_play_at_a_loss() -> None:
    arm = rw.Arm("a", A=0.5, B=-0.1, alpha=-1.0, family="gaussian", sigma=1.0)
    problem = rw.Problem([arm], [rw.Resource("r", 0.5, 10.0)], 3)
    world = rw.World(problem, [0.0], [[rw.Cost.uniform(0.0, 10.0)]])
    earned = rw.simulate(world, "ucb1", replicates=200).frame()["expected_reward"].mean()
    assert rw.upper_bound(world).value > earned > -0.3
