"""Lower bounds on mean costs of bandits with knapsacks: `mean - sqrt(C mean / n) - C / n`, kept inside [0, 1]."""

from typing import NamedTuple

import numpy as np

from roguewk.estimate.costs.moments import cost_mean
from roguewk.estimate.costs.tally import CostTally, build_cost_tally, cost_tallied
from roguewk.estimate.rad import as_number, confidence_for, confidence_parameter, rad
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Learned
from roguewk.part.part import COSTS, Part
from roguewk.part.verbs import cost_bounds, cost_ceilings, set_horizon
from roguewk.problem.problem import Problem


@cost_tallied
class RadCosts(NamedTuple):
    """The cost estimate of UCB-BwK, PrimalDualBwK and BalancedExploration."""

    tally: CostTally
    confidence: Learned[Vector]  # (1,) C
    given: float  # C, or WORKED_OUT


def _build(problem: Problem, cost_confidence: float | None) -> RadCosts:
    return RadCosts(build_cost_tally(problem), np.zeros(1), as_number(cost_confidence))


@set_horizon.body(RadCosts)
def _set_horizon(part: RadCosts, horizon: float) -> None:
    part.confidence[0] = confidence_for(part.given, part.tally.sums.shape[0], part.tally.sums.shape[1], horizon)


@cost_bounds.body(RadCosts)
def _cost_bounds(part: RadCosts, now: Now, out: Vector) -> None:
    for a in range(out.shape[0]):
        n = part.tally.counts[a]
        for j in range(out.shape[1]):
            mean = cost_mean(part.tally, a, j)
            out[a, j] = min(max(mean - rad(mean, n, part.confidence[0]), 0.0), 1.0) if n > 0.0 else 0.0


@cost_ceilings.body(RadCosts)
def _cost_ceilings(part: RadCosts, now: Now, out: Vector) -> None:
    for a in range(out.shape[0]):
        n = part.tally.counts[a]
        for j in range(out.shape[1]):
            mean = cost_mean(part.tally, a, j)
            out[a, j] = min(mean + rad(mean, n, part.confidence[0]), 1.0) if n > 0.0 else 1.0


RAD_COSTS = Part(
    role=COSTS,
    name="rad",
    summary="mean - sqrt(C mean / n) - C / n, in [0, 1]",
    build=_build,
    parameters={"cost_confidence": confidence_parameter("the costs")},
    gives=frozenset({"costs", "doubts", "ceilings"}),
)
PARTS = (RAD_COSTS,)
