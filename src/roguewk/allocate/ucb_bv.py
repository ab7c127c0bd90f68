"""The indices of UCB-BV (Ding et al. 2013), for mean rewards r and mean costs c; it never leaves a round idle.

With `e = sqrt(log t / n)` after t rounds and n pulls: `r / c + (1 + 1/lambda) e / (lambda - e)` for a known lower bound
lambda on mean costs, and `r / c + (1 + 1/(lambda - e)) e / lambda` with lambda the smallest mean cost seen. Where e
reaches lambda the index is infinite: the arm pulled least is played. Costs are scaled into [0, 1] and assumed positive.
"""

import math
from typing import NamedTuple

from roguewk.allocate.scarcest import AS_ONE, needs_resource, per_cost, scarcest_cost
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.part.desk import Desk
from roguewk.part.parameter import choice, within
from roguewk.part.part import ALLOCATE, Part
from roguewk.part.status import Status
from roguewk.part.verbs import allocate
from roguewk.problem.problem import Problem


class UcbBv(NamedTuple):
    """The allocation of UCB-BV1 and UCB-BV2."""

    least_cost: float
    known: bool


def _build(problem: Problem, rule: str, least_cost: float) -> UcbBv:
    return UcbBv(least_cost, rule == "known")


@compiled
def _least_cost(desk: Desk) -> float:
    least = math.inf
    for a in range(desk.shares.size):
        least = min(least, scarcest_cost(desk.cost_bounds[a], desk.rates))
    return least


@compiled
def _index(part: UcbBv, desk: Desk, a: int, e: float, least: float) -> float:
    if e >= least:
        return math.inf
    ratio = per_cost(desk.reward_bounds[a], scarcest_cost(desk.cost_bounds[a], desk.rates))
    if part.known:
        return ratio + (1.0 + 1.0 / least) * e / (least - e)
    return ratio + (1.0 + 1.0 / (least - e)) * e / least


@allocate.body(UcbBv)
def _allocate(part: UcbBv, desk: Desk, now: Now) -> int:
    desk.shares[:] = 0.0
    desk.prices[:] = 0.0
    least = part.least_cost if part.known else _least_cost(desk)
    best, most = -1, -math.inf
    for a in range(desk.shares.size):
        if desk.available[a]:
            e = math.sqrt(math.log(max(now.t, 1)) / max(desk.pulls[a], 1))
            value = _index(part, desk, a, e, least)
            rarer = best >= 0 and value == most == math.inf and desk.pulls[a] < desk.pulls[best]
            if best < 0 or value > most or rarer:
                best, most = a, value
    if best < 0:
        return Status.NOTHING
    desk.shares[best] = 1.0
    return Status.UNKNOWN if most == math.inf else Status.RATIO


UCB_BV = Part(
    role=ALLOCATE,
    name="ucb-bv",
    summary=f"the largest index of UCB-BV, reward per cost with a bonus; {AS_ONE}",
    needs=frozenset({"costs"}),
    build=_build,
    parameters={
        "rule": choice("estimated", ("known", "estimated"), "lower bound on the mean costs"),
        "least_cost": within(0.1, 1e-6, 1.0, "lambda, what the mean cost of an arm is at least, if that is known"),
    },
    check=needs_resource("ucb-bv"),
)
PARTS = (UCB_BV,)
