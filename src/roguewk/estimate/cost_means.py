"""Mean costs as they are, drawn a little towards those of the other arms, and how far they may be off.

One pull says little: a cost that is mostly 0 and sometimes large may happen to be large at first. So the doubt about a
mean after `n` pulls is `sqrt(variance / n) + 1 / n`, with a variance that two imagined pulls of a coin keep from being
trusted too early. Costs are in [0, 1].
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.estimate.verbs import advance, cost_bounds, cost_doubts, forget, learn_costs, set_horizon
from roguewk.kernel.compile import compiled
from roguewk.problem.arms import Vector
from roguewk.problem.model import Problem

DRAWN = 0.5  # pulls that the common mean weighs in the mean of an arm
IMAGINED = 2.0  # pulls of a coin in the variance


class MeanCosts(NamedTuple):
    """The cost estimate of the planner."""

    sums: Vector  # (arm, resource)
    squares: Vector  # (arm, resource)
    counts: Vector  # (arm,)


def build_mean_costs(problem: Problem) -> MeanCosts:
    """A fresh estimate for this problem."""
    shape = len(problem.arms), len(problem.resources)
    return MeanCosts(np.zeros(shape), np.zeros(shape), np.zeros(shape[0]))


@compiled
def _common_mean(part: MeanCosts, j: int) -> float:
    """The mean over the arms that were tried, and one half once."""
    total, count = 0.5, 1
    for a in range(part.counts.size):
        if part.counts[a] > 0.0:
            total += part.sums[a, j] / part.counts[a]
            count += 1
    return total / count


@cost_bounds.body(MeanCosts)
def _cost_bounds(part: MeanCosts, round_: int, out: Vector) -> None:
    for j in range(out.shape[1]):
        common = _common_mean(part, j)
        for a in range(out.shape[0]):
            out[a, j] = (part.sums[a, j] + DRAWN * common) / (part.counts[a] + DRAWN)


@cost_doubts.body(MeanCosts)
def _cost_doubts(part: MeanCosts, out: Vector) -> None:
    for j in range(out.shape[1]):
        common = _common_mean(part, j)
        for a in range(out.shape[0]):
            n = part.counts[a]
            spread = max(part.squares[a, j] - part.sums[a, j] ** 2 / max(n, 1.0), 0.0)
            variance = (spread + IMAGINED * common * (1.0 - common)) / (n + IMAGINED)
            out[a, j] = math.sqrt(variance / (n + DRAWN)) + 1.0 / (n + DRAWN)


@forget.body(MeanCosts)
def _forget(part: MeanCosts) -> None:
    part.sums[:] = 0.0
    part.squares[:] = 0.0
    part.counts[:] = 0.0


@set_horizon.body(MeanCosts)
def _set_horizon(part: MeanCosts, horizon: float) -> None:
    pass


@advance.body(MeanCosts)
def _advance(part: MeanCosts, round_: int, arm: int, memo: Vector) -> None:
    pass


@learn_costs.body(MeanCosts)
def _learn_costs(part: MeanCosts, round_: int, arm: int, costs: Vector) -> None:
    part.counts[arm] += 1.0
    for j in range(costs.size):
        part.sums[arm, j] += costs[j]
        part.squares[arm, j] += costs[j] * costs[j]
