"""Lower bounds on mean costs: `mean - sqrt(log(12 m d T^2) / (2 n))`, kept inside [0, 1].

The clipping keeps the bound below the truth, and no arm can then earn budget for another.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.estimate.verbs import advance, cost_bounds, cost_doubts, forget, learn_costs, set_horizon
from roguewk.problem.arms import Vector
from roguewk.problem.model import Problem


class HoeffdingCosts(NamedTuple):
    """The published bound."""

    sums: Vector  # (arm, resource)
    counts: Vector  # (arm,)
    radius: Vector  # (1,) at n = 1
    scale: float  # of the radius; 1 is the published one


class NoCosts(NamedTuple):
    """Costs are ignored."""

    resources: int


def build_hoeffding_costs(problem: Problem, scale: float) -> HoeffdingCosts:
    """A fresh estimate for this problem."""
    arms, resources = len(problem.arms), len(problem.resources)
    return HoeffdingCosts(np.zeros((arms, resources)), np.zeros(arms), np.zeros(1), scale)


@forget.body(HoeffdingCosts)
def _forget(part: HoeffdingCosts) -> None:
    part.sums[:] = 0.0
    part.counts[:] = 0.0


@set_horizon.body(HoeffdingCosts)
def _set_horizon(part: HoeffdingCosts, horizon: float) -> None:
    arms, resources = part.sums.shape
    part.radius[0] = math.sqrt(0.5 * math.log(12.0 * arms * max(resources, 1) * horizon * horizon))


@cost_bounds.body(HoeffdingCosts)
def _cost_bounds(part: HoeffdingCosts, round_: int, out: Vector) -> None:
    for a in range(part.sums.shape[0]):
        n = max(part.counts[a], 1e-300)  # nothing seen: the radius is immense, the bound 0
        radius = part.scale * part.radius[0] / math.sqrt(n)
        for j in range(part.sums.shape[1]):
            out[a, j] = min(max(part.sums[a, j] / n - radius, 0.0), 1.0)


@cost_doubts.body(HoeffdingCosts)
def _cost_doubts(part: HoeffdingCosts, out: Vector) -> None:
    out[:] = 0.0  # they are lower bounds


@advance.body(HoeffdingCosts)
def _advance(part: HoeffdingCosts, round_: int, arm: int, memo: Vector) -> None:
    pass


@learn_costs.body(HoeffdingCosts)
def _learn_costs(part: HoeffdingCosts, round_: int, arm: int, costs: Vector) -> None:
    part.counts[arm] += 1.0
    for j in range(part.sums.shape[1]):
        part.sums[arm, j] += costs[j]


@forget.body(NoCosts)
def _no_forget(part: NoCosts) -> None:
    pass


@set_horizon.body(NoCosts)
def _no_horizon(part: NoCosts, horizon: float) -> None:
    pass


@cost_bounds.body(NoCosts)
def _no_bounds(part: NoCosts, round_: int, out: Vector) -> None:
    out[:] = 0.0


@advance.body(NoCosts)
def _no_advance(part: NoCosts, round_: int, arm: int, memo: Vector) -> None:
    pass


@learn_costs.body(NoCosts)
def _no_learning(part: NoCosts, round_: int, arm: int, costs: Vector) -> None:
    pass
