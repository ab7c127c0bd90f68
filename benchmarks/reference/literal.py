"""Algorithm 1 word for word: its argmin and its constrained max each handed to a general solver, for any state."""

import numpy as np
from scipy.optimize import Bounds, minimize

from benchmarks.reference.algorithms import RogueUCB
from benchmarks.reference.arms import Trajectory, mean_reward
from benchmarks.reference.steps import cost_bounds, trajectory_divergence
from roguewk.kernel.arrays import Vector


def most_likely(past: Trajectory, start: Vector) -> Vector:
    """(coordinate,) line 6: the argmin of the negative log-likelihood over X."""

    def loss(x0: Vector) -> float:
        return -past.log_likelihood(x0)

    return np.asarray(minimize(loss, start, method="SLSQP", bounds=Bounds(*past.arm.box.T)).x)


def reward_bound(past: Trajectory, estimate: Vector, radius: float) -> float:
    """Line 7: the max of g over X subject to the trajectory divergence."""

    def loss(x0: Vector) -> float:
        return -float(mean_reward(past.arm, past.now(x0)))

    def room(x0: Vector) -> float:
        return radius - trajectory_divergence(past, x0, estimate) / len(past.rewards)

    found = minimize(
        loss,
        estimate,
        method="SLSQP",
        bounds=Bounds(*past.arm.box.T),
        constraints={"type": "ineq", "fun": room},
    )
    return -float(found.fun)


class LiteralRogueUCB(RogueUCB):
    """ROGUEwK-UCB with nothing known of the problem but what the paper writes."""

    def bounds(self, t: int) -> tuple[Vector, Vector]:
        n, _, costs = self.sums(t, self.T)
        g = []
        for past, constant, pulls in zip(self.past, self.radius_constants, n, strict=True):
            estimate = most_likely(past, past.arm.box.mean(axis=1))
            g.append(reward_bound(past, estimate, constant / np.sqrt(pulls)))
        return np.array(g), cost_bounds(costs / n[:, None], n, self.cost_radius)
