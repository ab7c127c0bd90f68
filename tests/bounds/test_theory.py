"""Claims of the paper that do not hold, as docs/paper.md states them."""

import numpy as np

import roguewk as rw
from roguewk.problem.constants import arm_constants


def test_a_reachable_schedule_beats_proposition_1() -> None:
    arm = rw.Arm("free", A=0.2, B=0.0, K=0.8, alpha=0.2, beta=0.8, state=(-2.0, 1.0))
    horizon, x, earned = 1000, -2.0, 0.0
    start = 1 / (1 + np.exp(-(0.2 + 0.8 * x)))
    for _ in range(horizon):
        earned += 1 / (1 + np.exp(-(0.2 + 0.8 * x)))
        x = 0.2 * x + 0.8
    constants = arm_constants(arm)
    allowed = horizon * start + constants.L_g * constants.diameter / (1 - constants.L_h)
    assert earned > 3 * allowed
    world = rw.World(rw.Problem([arm], [], horizon), [-2.0], [[]])
    played = rw.simulate(world, "roguewk-ucb", replicates=1).frame()["expected_reward"][0]
    np.testing.assert_allclose(played, earned)


def test_the_theorems_radius_never_binds_on_the_papers_world() -> None:
    problem = rw.catalog.paper().problem
    for a, arm in enumerate(problem.arms):
        level = np.sort(arm.alpha + arm.weights[0] * arm.box[0])
        p, q = 1 / (1 + np.exp(-level))
        worst = max(p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q)) for p, q in ((p, q), (q, p)))
        assert worst < 3
        assert rw.theorem_radius(problem, a, n=problem.horizon) > worst
