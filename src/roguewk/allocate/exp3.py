"""EXP3 shares of K arms: `(1 - gamma) exp(gamma / K G_a) / sum exp(gamma / K G) + gamma / K` for values G.

Auer, Cesa-Bianchi, Freund and Schapire 2002 (SIAM J. Comput. 32): `gamma = min(1, sqrt(K log K / ((e - 1) T)))` for T
rounds, of the horizon or of a batch. Arms that are not available have no share; the others divide all of it.
"""

import math
from typing import NamedTuple

from roguewk.kernel.luck import Now
from roguewk.part.batches import BATCHES, batch_length
from roguewk.part.desk import Desk, epoch_length, largest
from roguewk.part.parameter import optional, within
from roguewk.part.part import ALLOCATE, Part
from roguewk.part.status import Status
from roguewk.part.verbs import allocate
from roguewk.problem.problem import Problem


class Exp3(NamedTuple):
    """The allocation of EXP3 and Rexp3."""

    gamma: float  # negative to have it worked out
    batch: int


def _build(problem: Problem, gamma: float | None, batch: int | None, variation: float | None) -> Exp3:
    return Exp3(-1.0 if gamma is None else gamma, batch_length(problem, batch, variation))


@allocate.body(Exp3)
def _allocate(part: Exp3, desk: Desk, now: Now) -> int:
    desk.shares[:] = 0.0
    desk.prices[:] = 0.0
    best = largest(desk.reward_bounds, desk.available)
    if best < 0:
        return Status.NOTHING
    arms, gamma = desk.shares.size, part.gamma
    if gamma < 0.0:
        length = float(part.batch) if part.batch > 0 else epoch_length(desk)
        gamma = min(1.0, math.sqrt(arms * math.log(arms) / ((math.e - 1.0) * length)))
    total, count = 0.0, 0
    for a in range(arms):
        if desk.available[a]:
            # Relative to the largest, no exponent is above 0.
            desk.shares[a] = math.exp(gamma / arms * (desk.reward_bounds[a] - desk.reward_bounds[best]))
            total += desk.shares[a]
            count += 1
    for a in range(arms):
        if desk.available[a]:
            desk.shares[a] = (1.0 - gamma) * desk.shares[a] / total + gamma / count
    return Status.MIXED


EXP3 = Part(
    role=ALLOCATE,
    name="exp3",
    summary="shares that grow exponentially with the values, mixed with equal ones",
    build=_build,
    parameters={
        "gamma": optional(
            within(0.0, 0.0, 1.0, "chance of a round in which any arm is played; worked out from the rounds")
        ),
        **BATCHES,
    },
)
PARTS = (EXP3,)
