"""Empirical Bernstein bounds on mean costs (Maurer and Pontil 2009, theorem 4), kept inside [0, 1].

`mean - scale (sqrt(2 V L / n) + 7 L / (3 (n - 1)))`, V the sample variance and `L = log(12 m d T^2)`, the logarithm of
the published Hoeffding bound, so that the two promise the same. Costs that hardly vary are known much sooner.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.estimate.costs.moments import cost_mean, cost_variance
from roguewk.estimate.costs.tally import CostTally, build_cost_tally, cost_tallied
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Learned
from roguewk.part.parameter import not_negative
from roguewk.part.part import COSTS, Part
from roguewk.part.verbs import cost_bounds, cost_ceilings, set_horizon
from roguewk.problem.problem import Problem


@cost_tallied
class BernsteinCosts(NamedTuple):
    """Bounds that know the variance."""

    tally: CostTally
    level: Learned[Vector]  # (1,) L
    scale: float  # of the radius; 1 is the published one


def _build(problem: Problem, cost_scale: float) -> BernsteinCosts:
    return BernsteinCosts(build_cost_tally(problem), np.zeros(1), cost_scale)


@set_horizon.body(BernsteinCosts)
def _set_horizon(part: BernsteinCosts, horizon: float) -> None:
    arms, resources = part.tally.sums.shape
    part.level[0] = math.log(12.0 * arms * max(resources, 1) * horizon * horizon)


@compiled
def _radius(part: BernsteinCosts, a: int, j: int) -> float:
    """Half the width for more than one cost seen."""
    n, level = part.tally.counts[a], part.level[0]
    deviation = math.sqrt(2.0 * cost_variance(part.tally, a, j) * level / (n - 1.0))
    return part.scale * (deviation + 7.0 * level / (3.0 * (n - 1.0)))


@cost_bounds.body(BernsteinCosts)
def _cost_bounds(part: BernsteinCosts, now: Now, out: Vector) -> None:
    for a in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[a, j] = 0.0
            if part.tally.counts[a] > 1.0:
                out[a, j] = min(max(cost_mean(part.tally, a, j) - _radius(part, a, j), 0.0), 1.0)


@cost_ceilings.body(BernsteinCosts)
def _cost_ceilings(part: BernsteinCosts, now: Now, out: Vector) -> None:
    for a in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[a, j] = 1.0
            if part.tally.counts[a] > 1.0:
                out[a, j] = min(cost_mean(part.tally, a, j) + _radius(part, a, j), 1.0)


BERNSTEIN = Part(
    role=COSTS,
    name="bernstein",
    summary="mean - sqrt(2 V log(12 m d T^2) / n) - 7 log(12 m d T^2) / 3(n - 1), in [0, 1]",
    build=_build,
    parameters={"cost_scale": not_negative(1.0, "multiplies the radius for the costs")},
    gives=frozenset({"costs", "doubts", "ceilings"}),
)
PARTS = (BERNSTEIN,)
