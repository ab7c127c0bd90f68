"""KUBE's draw: fill a knapsack of what is left of the budget with pulls, and draw one of them (Tran-Thanh et al. 2012).

The arm with the most reward for its cost as often as it fits, then the next one with what is left, and so on; an arm's
probability is its part of the pulls. If no pull fits that brings anything, the round is left idle where it may be.
"""

import math
from typing import NamedTuple

from roguewk.allocate.scarcest import AS_ONE, needs_resource, per_cost, scarcest_cost, scarcest_left
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.part.desk import Desk
from roguewk.part.part import ALLOCATE, Part
from roguewk.part.status import Status
from roguewk.part.verbs import allocate
from roguewk.problem.problem import Problem

SLACK = 1e-9  # of a pull: rounding must not lose one


class Kube(NamedTuple):
    """The allocation of KUBE."""

    may_idle: bool


def _build(problem: Problem) -> Kube:
    return Kube(problem.idle)


@compiled
def _densest(desk: Desk, left: float) -> int:
    """The arm with the most reward for its cost among those that fit into what is left; -1 when none does."""
    best, most = -1, -math.inf
    for a in range(desk.shares.size):
        if desk.available[a] and desk.shares[a] == 0.0:
            cost = scarcest_cost(desk.cost_bounds[a], desk.rates)
            value = per_cost(desk.reward_bounds[a], cost)
            tie = best >= 0 and value == most and desk.reward_bounds[a] > desk.reward_bounds[best]
            if cost <= left * (1.0 + SLACK) and (best < 0 or value > most or tie):
                best, most = a, value
    return best


@compiled
def _certain(desk: Desk, arm: int) -> int:
    desk.shares[:] = 0.0
    desk.shares[arm] = 1.0
    return Status.RATIO


@allocate.body(Kube)
def _allocate(part: Kube, desk: Desk, now: Now) -> int:
    desk.shares[:] = 0.0
    desk.prices[:] = 0.0
    left, total = scarcest_left(desk), 0.0
    for _ in range(desk.shares.size):
        arm = _densest(desk, left)
        if arm < 0 or desk.reward_bounds[arm] <= 0.0:
            break
        cost = scarcest_cost(desk.cost_bounds[arm], desk.rates)
        if cost == 0.0:
            return _certain(desk, arm)
        desk.shares[arm] = math.floor(left / cost + SLACK)
        total += desk.shares[arm]
        left = max(left - desk.shares[arm] * cost, 0.0)
    if total > 0.0:
        for a in range(desk.shares.size):
            desk.shares[a] /= total
        return Status.MIXED
    arm = _densest(desk, math.inf)
    if arm < 0:
        return Status.NOTHING
    return Status.WAITING if part.may_idle else _certain(desk, arm)


KUBE = Part(
    role=ALLOCATE,
    name="kube",
    summary=f"a pull drawn from a knapsack filled by reward per cost; {AS_ONE}",
    needs=frozenset({"costs"}),
    build=_build,
    check=needs_resource("kube"),
)
PARTS = (KUBE,)
