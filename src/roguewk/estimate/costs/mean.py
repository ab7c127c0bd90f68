"""Mean costs as they are; 0 for an arm that was never pulled."""

import math
from typing import NamedTuple

import numpy as np

from roguewk.estimate.costs.moments import cost_guess, cost_mean, cost_variance, pulls_counted
from roguewk.estimate.costs.tally import CostTally, build_cost_tally, cost_tallied
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Learned
from roguewk.part.part import COSTS, Part
from roguewk.part.verbs import cost_bounds, cost_doubts
from roguewk.problem.problem import Problem


@pulls_counted
@cost_tallied
class MeanCosts(NamedTuple):
    """Means of all costs seen."""

    tally: CostTally
    pulls: Learned[Vector]  # (arm,)


def _build(problem: Problem) -> MeanCosts:
    return MeanCosts(build_cost_tally(problem), np.zeros(len(problem.arms)))


@cost_bounds.body(MeanCosts)
def _cost_bounds(part: MeanCosts, now: Now, out: Vector) -> None:
    for a in range(out.shape[0]):
        for j in range(out.shape[1]):
            seen = part.tally.counts[a] > 0.0
            out[a, j] = min(cost_mean(part.tally, a, j), 1.0) if seen else cost_guess(part.tally, part.pulls, a, j)


@cost_doubts.body(MeanCosts)
def _cost_doubts(part: MeanCosts, out: Vector, noises: Vector) -> None:
    for a in range(out.shape[0]):
        n = part.tally.counts[a]
        for j in range(out.shape[1]):
            noises[a, j] = cost_variance(part.tally, a, j)
            out[a, j] = math.sqrt(noises[a, j] / n) + 1.0 / n if n > 0.0 else 0.0


MEAN_COSTS = Part(
    role=COSTS,
    name="mean",
    summary="mean costs",
    build=_build,
    gives=frozenset({"costs", "doubts"}),
)
PARTS = (MEAN_COSTS,)
