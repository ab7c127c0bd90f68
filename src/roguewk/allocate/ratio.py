"""Play the arm with the most reward for its cost, for certain; it never leaves a round idle.

Arms that cost nothing come first; of equals, the one with the larger reward bound.
"""

import math
from typing import NamedTuple

from roguewk.allocate.scarcest import AS_ONE, needs_resource, per_cost, scarcest_cost
from roguewk.kernel.luck import Now
from roguewk.part.desk import Desk
from roguewk.part.part import ALLOCATE, Part
from roguewk.part.status import Status
from roguewk.part.verbs import allocate
from roguewk.problem.problem import Problem


class Ratio(NamedTuple):
    """The allocation of fractional KUBE, omega-UCB and budgeted Thompson sampling."""

    resources: int


def _build(problem: Problem) -> Ratio:
    return Ratio(len(problem.resources))


@allocate.body(Ratio)
def _allocate(part: Ratio, desk: Desk, now: Now) -> int:
    desk.shares[:] = 0.0
    desk.prices[:] = 0.0
    best, most = -1, -math.inf
    for a in range(desk.shares.size):
        if desk.available[a]:
            value = per_cost(desk.reward_bounds[a], scarcest_cost(desk.cost_bounds[a], desk.rates))
            tie = best >= 0 and value == most and desk.reward_bounds[a] > desk.reward_bounds[best]
            if best < 0 or value > most or tie:
                best, most = a, value
    if best < 0:
        return Status.NOTHING
    desk.shares[best] = 1.0
    return Status.RATIO


PER_COST = Part(
    role=ALLOCATE,
    name="ratio",
    summary=f"the most reward for its cost; {AS_ONE}",
    needs=frozenset({"costs"}),
    build=_build,
    check=needs_resource("ratio"),
)
PARTS = (PER_COST,)
