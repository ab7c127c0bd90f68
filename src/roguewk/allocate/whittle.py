"""Play the arm with the largest Whittle index at its likeliest state (Whittle 1988).

An index is the price of a pull at which this arm, alone and for ever, might as well rest; see `relax/index.py`. Where a
round may be left idle, it is when no index is above 0.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.estimate.states.build import LIKELIEST
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Scratch
from roguewk.part.desk import Desk, largest
from roguewk.part.part import ALLOCATE, Part
from roguewk.part.status import Status
from roguewk.part.verbs import allocate, likely_states, look
from roguewk.problem.problem import Problem
from roguewk.relax.index import Indices, build_indices
from roguewk.relax.lattice import check_plannable
from roguewk.relax.worth import read


class Standing(NamedTuple):
    """What is worked out anew every round."""

    states: Scratch[Vector]  # (arm, coordinate) likeliest
    indices: Scratch[Vector]  # (arm,)


class Whittle(NamedTuple):
    """The allocation of whittle and of whittle-known."""

    grid: Indices
    spare: Standing
    may_idle: bool


def _build(problem: Problem) -> Whittle:
    arms, coordinates = len(problem.arms), max(arm.dimension for arm in problem.arms)
    standing = Standing(np.zeros((arms, coordinates)), np.zeros(arms))
    return Whittle(build_indices(problem.arms), standing, problem.idle)


@look.body(Whittle)
def _look(part: Whittle, rewards: Any, costs: Any, desk: Desk, now: Now) -> None:
    likely_states(rewards, part.spare.states)
    for a in range(part.spare.indices.size):
        part.spare.indices[a] = read(part.grid.grids[a], part.grid.values[a], part.spare.states[a])


@allocate.body(Whittle)
def _allocate(part: Whittle, desk: Desk, now: Now) -> int:
    desk.shares[:] = 0.0
    desk.prices[:] = 0.0
    best = largest(part.spare.indices, desk.available)
    if best < 0:
        return Status.NOTHING
    if part.may_idle and part.spare.indices[best] <= 0.0:
        return Status.WAITING
    desk.shares[best] = 1.0
    return Status.PLANNED


WHITTLE = Part(
    role=ALLOCATE,
    name="whittle",
    summary="the largest Whittle index, from known dynamics, whatever it costs",
    build=_build,
    check=check_plannable,
    needs=frozenset({"states"}),
    fixes=LIKELIEST,
)
PARTS = (WHITTLE,)
