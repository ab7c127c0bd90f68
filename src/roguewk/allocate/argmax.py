"""Play the arm with the largest value, whatever it costs; now and then any arm, if that is wanted."""

from typing import NamedTuple

from roguewk.kernel.luck import Now
from roguewk.part.desk import Desk, largest
from roguewk.part.parameter import not_negative, within
from roguewk.part.part import ALLOCATE, CONTEXTS, Part
from roguewk.part.status import Status
from roguewk.part.verbs import allocate
from roguewk.problem.problem import Problem


class Argmax(NamedTuple):
    """The allocation of UCB1, and of policies that explore at random."""

    explore: float
    explore_decay: float


def _build(problem: Problem, explore: float = 0.0, explore_decay: float = 0.0) -> Argmax:
    return Argmax(explore, explore_decay)


@allocate.body(Argmax)
def _allocate(part: Argmax, desk: Desk, now: Now) -> int:
    desk.shares[:] = 0.0
    desk.prices[:] = 0.0
    best = largest(desk.reward_bounds, desk.available)
    if best < 0:
        return Status.NOTHING
    chance = max(part.explore, min(part.explore_decay / (now.t + 1.0), 1.0))
    desk.shares[best] = 1.0 - chance
    if chance == 0.0:
        return Status.LARGEST
    for a in range(desk.shares.size):
        if desk.available[a]:
            desk.shares[a] += chance / desk.available.sum()
    return Status.MIXED


ARGMAX = Part(
    ALLOCATE, "argmax", "the arm with the largest value, whatever it costs", _build, gives=frozenset({CONTEXTS})
)
EXPLORE = Part(
    role=ALLOCATE,
    name="explore",
    summary="the arm with the largest value, and now and then any arm",
    build=_build,
    parameters={
        "explore": within(0.0, 0.0, 1.0, "chance of a round in which any arm is played, all alike"),
        "explore_decay": not_negative(0.0, "the same, as a chance of explore_decay / t in round t"),
    },
    gives=frozenset({CONTEXTS}),
)
PARTS = (ARGMAX, EXPLORE)
