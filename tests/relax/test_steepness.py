"""How steep functions of one's own are, also where a grid sees nothing."""

import math

import numpy as np
import pytest

import roguewk as rw
from roguewk.relax.steepness import steepest_rewards


def tired(x: float, pulled: float) -> float:
    return 0.5 * x - 0.5 * pulled


def gentle(x: float) -> float:
    return 0.5 + 0.3 * math.sin(2.0 * x)


def steep(x: float) -> float:
    return 0.5 + 0.4 * math.tanh(15_000.0 * (x + 0.3))


def jump(x: float) -> float:
    return 0.9 if x < -0.5 else 0.1


def narrow(x: float) -> float:
    """A peak where pulling for ever leads, far narrower than a grid."""
    return 0.9 if abs(x + 1.0) < 1e-7 else 0.1


def arm(g: object) -> rw.Arm:
    return rw.Arm("own", h=tired, g=g, state=(-2, 0.5))  # type: ignore[arg-type]  # a function each time


@pytest.mark.parametrize(("g", "slope"), [(gentle, 0.6), (steep, 6000.0)])
def test_the_slope_of_a_smooth_function_is_found_and_settles(g: object, slope: float) -> None:
    found = steepest_rewards(arm(g), np.array([0.0]))
    assert found.settled
    assert found.slope == pytest.approx(slope, rel=0.01)


@pytest.mark.parametrize("g", [jump, narrow])
def test_a_jump_never_settles(g: object) -> None:
    found = steepest_rewards(arm(g), np.array([0.0]))
    assert not found.settled
    assert found.slope > 1e6


@pytest.mark.parametrize(("g", "certified"), [(gentle, True), (steep, True), (jump, False), (narrow, False)])
def test_a_bound_is_certified_only_where_it_bounds(g: object, certified: bool) -> None:
    """Found once: a bound of 29.5 said to have converged, where pulling always earned 45."""
    world = rw.World(rw.Problem([arm(g)], [], 60), [0.0], [[]])
    bound = rw.upper_bound(world)
    earned = rw.simulate(world, "ucb1", replicates=1).frame()["expected_reward"][0]  # there is only one arm
    if certified:
        assert "certified" not in bound.status
        assert bound.value >= earned
    else:
        assert bound.status.startswith("not certified: g of arm 'own' jumps")
        assert math.isnan(bound.gap)
        assert earned <= bound.value < 60
