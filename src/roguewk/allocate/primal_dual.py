"""Multiplicative prices (PrimalDualBwK, Badanidiyuru, Kleinberg and Slivkins 2018); it never leaves a round idle.

Time is a resource too, and all costs are scaled as if every budget were the smallest one, B. Play the arm with the most
reward for `v . c`; then `v_j *= (1 + eps)^(c_j)` with its costs c. Theory asks for `eps = sqrt(log(d) / B)`, time being
one of the d resources.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.allocate.scarcest import needs_resource, per_cost
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant, Learned, Scratch
from roguewk.part.desk import Desk, epoch_length
from roguewk.part.parameter import optional_amount
from roguewk.part.part import ALLOCATE, Part
from roguewk.part.status import Status
from roguewk.part.verbs import allocate, settle
from roguewk.problem.problem import Problem

WORKED_OUT = -1.0


class Units(NamedTuple):
    """What makes all budgets equal."""

    scales: Constant[Vector]  # (resource,) of costs
    round: float  # what a round costs


class PrimalDual(NamedTuple):
    """The allocation of PrimalDualBwK."""

    units: Units
    logs: Learned[Vector]  # (resource + 1,) logarithms of the prices, time last
    weights: Scratch[Vector]  # (resource + 1,) prices this round, the largest 1
    eps: float  # growth of prices, or WORKED_OUT


def _build(problem: Problem, eps: Any) -> PrimalDual:
    least = min(1.0, float(problem.rates.min()))
    logs, weights = np.zeros((2, len(problem.resources) + 1))
    return PrimalDual(Units(least / problem.rates, least), logs, weights, WORKED_OUT if eps is None else eps)


@compiled
def _growth(part: PrimalDual, desk: Desk) -> float:
    """The logarithm of 1 + eps."""
    if part.eps >= 0.0:
        return math.log1p(part.eps)
    budget = max(part.units.round * epoch_length(desk), 1.0)
    return math.log1p(math.sqrt(math.log(part.logs.size) / budget))


@allocate.body(PrimalDual)
def _allocate(part: PrimalDual, desk: Desk, now: Now) -> int:
    desk.shares[:] = 0.0
    time = desk.rates.size
    top = -math.inf
    for j in range(time + 1):
        top = max(top, part.logs[j])
    for j in range(time + 1):
        part.weights[j] = math.exp(part.logs[j] - top)
    best, most = -1, -math.inf
    for a in range(desk.shares.size):
        if desk.available[a]:
            cost = part.weights[time] * part.units.round
            for j in range(time):
                cost += part.weights[j] * part.units.scales[j] * desk.cost_bounds[a, j]
            value = per_cost(desk.reward_bounds[a], cost)
            if best < 0 or value > most or (value == most and desk.reward_bounds[a] > desk.reward_bounds[best]):
                best, most = a, value
    # At these prices in units of reward the best arm just pays for itself.
    worth = max(most, 0.0) if abs(most) < math.inf else 0.0
    for j in range(time):
        desk.prices[j] = worth * part.weights[j] * part.units.scales[j]
    if best < 0:
        return Status.NOTHING
    desk.shares[best] = 1.0
    return Status.RATIO


@settle.body(PrimalDual)
def _settle(part: PrimalDual, desk: Desk, arm: int) -> None:
    time, growth = desk.rates.size, _growth(part, desk)
    part.logs[time] += growth * part.units.round
    if arm >= 0:
        for j in range(time):
            part.logs[j] += growth * part.units.scales[j] * desk.cost_bounds[arm, j]


PRIMAL_DUAL = Part(
    role=ALLOCATE,
    name="primal-dual",
    summary="the most reward for its cost at prices that grow with what is used, time included",
    needs=frozenset({"costs"}),
    build=_build,
    parameters={"eps": optional_amount("growth of prices; by default sqrt(log(d + 1) / B) for the smallest budget B")},
    check=needs_resource("primal-dual"),
)
PARTS = (PRIMAL_DUAL,)
