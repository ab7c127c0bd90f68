"""Lower bounds on mean costs: `mean - scale sqrt(log(12 m d T^2) / (2 n))`, kept inside [0, 1] (He and Mintz).

The clipping keeps the bound below the truth, and no arm can then earn budget for another.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.estimate.costs.tally import CostTally, build_cost_tally, cost_tallied
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Learned
from roguewk.part.parameter import not_negative
from roguewk.part.part import COSTS, Part
from roguewk.part.verbs import cost_bounds, set_horizon
from roguewk.problem.problem import Problem


@cost_tallied
class HoeffdingCosts(NamedTuple):
    """The published bound."""

    tally: CostTally
    radius: Learned[Vector]  # (1,) at n = 1
    scale: float  # of the radius; 1 is the published one


def build_hoeffding_costs(problem: Problem, cost_scale: float) -> HoeffdingCosts:
    """A fresh estimate for this problem."""
    return HoeffdingCosts(build_cost_tally(problem), np.zeros(1), cost_scale)


@set_horizon.body(HoeffdingCosts)
def _set_horizon(part: HoeffdingCosts, horizon: float) -> None:
    arms, resources = part.tally.sums.shape
    part.radius[0] = math.sqrt(0.5 * math.log(12.0 * arms * max(resources, 1) * horizon * horizon))


@cost_bounds.body(HoeffdingCosts)
def _cost_bounds(part: HoeffdingCosts, now: Now, out: Vector) -> None:
    for a in range(out.shape[0]):
        n = max(part.tally.counts[a], 1e-300)  # nothing seen: the radius is immense, the bound 0
        radius = part.scale * part.radius[0] / math.sqrt(n)
        for j in range(out.shape[1]):
            out[a, j] = min(max(part.tally.sums[a, j] / n - radius, 0.0), 1.0)


HOEFFDING = Part(
    role=COSTS,
    name="hoeffding",
    summary="mean - sqrt(log(12 m d T^2) / 2n), in [0, 1]",
    build=build_hoeffding_costs,
    parameters={"cost_scale": not_negative(1.0, "multiplies the published radius for the costs")},
    gives=frozenset({"costs", "doubts"}),
)
PARTS = (HOEFFDING,)
