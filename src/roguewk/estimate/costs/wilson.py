"""Lower Wilson bounds on mean costs, `z^2 = 2 rho log(t + 1)`, also scaled by the variance as in omega*-UCB.

Once a cost was seen that is not 0, the bound is above 0: a reward per cost never needs to be clipped. Costs that hardly
vary are far better known than a coin's, and omega* makes use of it. rho = 1/4 is what practice uses; that theory asks
for rho >= 1 is as commonly quoted.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.estimate.costs.moments import cost_guess, cost_mean, cost_variance, pulls_counted
from roguewk.estimate.costs.tally import CostTally, build_cost_tally, cost_tallied
from roguewk.estimate.wilson import LOWER, UPPER, variance_share, wilson_end
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Learned
from roguewk.part.parameter import not_negative
from roguewk.part.part import COSTS, Part
from roguewk.part.verbs import cost_bounds, cost_ceilings
from roguewk.problem.problem import Problem


@pulls_counted
@cost_tallied
class WilsonCosts(NamedTuple):
    """The cost estimates of omega-UCB and omega*-UCB."""

    tally: CostTally
    pulls: Learned[Vector]  # (arm,)
    rho: float
    by_variance: bool


def _build_plain(problem: Problem, cost_rho: float) -> WilsonCosts:
    return WilsonCosts(build_cost_tally(problem), np.zeros(len(problem.arms)), cost_rho, False)


def _build_star(problem: Problem, cost_rho: float) -> WilsonCosts:
    return WilsonCosts(build_cost_tally(problem), np.zeros(len(problem.arms)), cost_rho, True)


@compiled
def _write_ends(part: WilsonCosts, round_: int, side: float, out: Vector) -> None:
    z2 = 2.0 * part.rho * math.log(round_ + 1.0)
    for a in range(out.shape[0]):
        n = part.tally.counts[a]
        for j in range(out.shape[1]):
            mean = cost_mean(part.tally, a, j)
            share = variance_share(mean, cost_variance(part.tally, a, j), n) if part.by_variance else 1.0
            if n > 0.0:
                out[a, j] = wilson_end(mean, n, share * z2, side)
            else:
                out[a, j] = 1.0 if side == UPPER else cost_guess(part.tally, part.pulls, a, j)


@cost_bounds.body(WilsonCosts)
def _cost_bounds(part: WilsonCosts, now: Now, out: Vector) -> None:
    _write_ends(part, now.t, LOWER, out)


@cost_ceilings.body(WilsonCosts)
def _cost_ceilings(part: WilsonCosts, now: Now, out: Vector) -> None:
    _write_ends(part, now.t, UPPER, out)


_RHO = not_negative(0.25, "rho of the costs' Wilson bounds, z^2 = 2 rho log(t + 1)")
WILSON_COSTS = Part(
    role=COSTS,
    name="wilson",
    summary="lower Wilson bound, z^2 = 2 rho log(t + 1)",
    build=_build_plain,
    parameters={"cost_rho": _RHO},
    gives=frozenset({"costs", "doubts", "ceilings"}),
)
OMEGA_STAR_COSTS = Part(
    role=COSTS,
    name="omega-star",
    summary="lower Wilson bound, narrower for costs that vary less than a coin's",
    build=_build_star,
    parameters={"cost_rho": _RHO},
    gives=frozenset({"costs", "doubts", "ceilings"}),
)
PARTS = (WILSON_COSTS, OMEGA_STAR_COSTS)
