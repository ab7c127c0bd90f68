"""The best possible learner, by dynamic programming over everything that can be seen.

It knows that one of a few worlds is the true one, all equally likely, and chooses by what it has seen so far. No policy
can expect more on average over these worlds, and what one that knows the truth has beyond that, nobody can learn.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np

from benchmarks.reference.ahead import means, moved
from roguewk.kernel.arrays import Vector
from roguewk.world.world import World

DIGITS = 7  # that tell two situations apart


def chances(world: World, arm: int) -> dict[float, float]:
    """How likely each cost of an arm is."""
    return {cost: chance for chance, cost in world.costs[arm][0].atoms or ()}


def best_learner(worlds: Sequence[World]) -> float:
    """What it earns on average over worlds of one problem: one resource, rewards of 0 or 1, costs of few values."""
    problem = worlds[0].problem
    arms, limit = problem.arms, float(problem.budgets[0]) * (1 + 1e-9)
    costs = [[chances(world, a) for world in worlds] for a in range(len(arms))]

    def outcomes(a: int, states: Vector) -> list[tuple[Vector, float, float]]:
        """The chance in each world, the cost, and the mean reward then, of what a pull may show."""
        mean = means(arms[a], states[:, a, None])
        seen = [(mean, 1.0), (1 - mean, 0.0)] if np.ptp(mean) > 0 else [(np.ones(len(worlds)), float(mean[0]))]
        every = sorted({cost for each in costs[a] for cost in each})
        paid = [(np.array([each.get(cost, 0.0) for each in costs[a]]), cost) for cost in every]
        return [(likely * chance, cost, reward) for chance, cost in paid for likely, reward in seen]

    @cache
    def best(left: int, spent: float, believed: tuple[float, ...], places: tuple[float, ...]) -> float:
        if left == 0:
            return 0.0
        weights, states = np.array(believed), np.array(places).reshape(len(worlds), -1)

        def after(pulled: int, belief: Vector, cost: float) -> float:
            to = np.column_stack([moved(arm, states[:, a, None], float(a == pulled)) for a, arm in enumerate(arms)])
            known, there = (tuple(np.round(v, DIGITS).tolist()) for v in (belief / belief.sum(), to.ravel()))
            return best(left - 1, round(spent + cost, DIGITS), known, there)

        values = [after(-1, weights, 0.0)] if problem.idle else []
        for a in range(len(arms)):
            value = 0.0
            for likely, cost, reward in outcomes(a, states):
                chance = float(weights @ likely)
                if chance > 0 and spent + cost <= limit:
                    value += chance * (reward + after(a, weights * likely, cost))
            values.append(value)
        return max(values)

    starts = np.array([[x[0] for x in world.x0] for world in worlds])
    return best(problem.horizon, 0.0, (1 / len(worlds),) * len(worlds), tuple(starts.ravel().tolist()))
