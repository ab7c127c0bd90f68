"""Draw an arm with probability `exp(value / temperature) / sum`: the better ones more often."""

import math
from typing import NamedTuple

from roguewk.kernel.luck import Now
from roguewk.part.desk import Desk, largest
from roguewk.part.parameter import above_zero
from roguewk.part.part import ALLOCATE, Part
from roguewk.part.status import Status
from roguewk.part.verbs import allocate
from roguewk.problem.problem import Problem


class Softmax(NamedTuple):
    """Boltzmann's distribution over the arms at hand."""

    temperature: float


def _build(problem: Problem, temperature: float) -> Softmax:
    return Softmax(temperature)


@allocate.body(Softmax)
def _allocate(part: Softmax, desk: Desk, now: Now) -> int:
    desk.shares[:] = 0.0
    desk.prices[:] = 0.0
    best = largest(desk.reward_bounds, desk.available)
    if best < 0:
        return Status.NOTHING
    total = 0.0
    for a in range(desk.shares.size):
        if desk.available[a]:
            # Of the best arm this is exp(0): the sum is at least 1 and nothing overflows.
            desk.shares[a] = math.exp((desk.reward_bounds[a] - desk.reward_bounds[best]) / part.temperature)
            total += desk.shares[a]
    for a in range(desk.shares.size):
        desk.shares[a] /= total
    return Status.MIXED


SOFTMAX = Part(
    role=ALLOCATE,
    name="softmax",
    summary="an arm drawn with probability exp(value / temperature) / sum",
    build=_build,
    parameters={"temperature": above_zero(0.1, "differences in value that matter, in units of reward")},
)
PARTS = (SOFTMAX,)
