"""Play the arm with the largest Whittle index at its likeliest state (Whittle 1988).

An index is the price of a pull at which this arm, alone and for ever, might as well rest; see `relax/index.py`. Where a
round may be left idle, it is when no index is above what it brings then.

Where dynamics are learned, indices are those of what is believed, tabulated anew at growing intervals. As the planner
does, it prefers an arm whose level is little known by how often that can still be used (`relax/curiosity.py`).
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.allocate.believed_arms import (
    PlannedArms,
    build_planned_arms,
    credit,
    is_built,
    plan_for,
    state_now,
    to_build,
)
from roguewk.estimate.states.build import LIKELIEST
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Scratch
from roguewk.part.desk import Desk, baseline_now, largest, rounds_left
from roguewk.part.parameter import DYNAMICS, LEARNED
from roguewk.part.part import ALLOCATE, Part
from roguewk.part.status import Status
from roguewk.part.verbs import allocate, likely_states, look
from roguewk.problem.problem import Problem
from roguewk.relax.index import Indices, OwnIndices, build_indices, build_own_indices, reindex
from roguewk.relax.lattice import check_plannable
from roguewk.relax.retabulate import Bench, build_bench
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


class LearningWhittle(NamedTuple):
    """The same where dynamics are learned: tables that are filled anew, and what they are filled from."""

    planned: PlannedArms
    grid: OwnIndices
    bench: Bench
    spare: Standing
    may_idle: bool


def _build(problem: Problem, dynamics: str) -> Whittle | LearningWhittle:
    arms, coordinates = len(problem.arms), max(arm.dimension for arm in problem.arms)
    standing = Standing(np.zeros((arms, coordinates)), np.zeros(arms))
    if dynamics == LEARNED:
        return LearningWhittle(
            build_planned_arms(problem), build_own_indices(arms), build_bench(), standing, problem.idle
        )
    return Whittle(build_indices(problem.arms), standing, problem.idle)


@look.body(Whittle)
def _look(part: Whittle, rewards: Any, costs: Any, desk: Desk, now: Now) -> None:
    likely_states(rewards, part.spare.states)
    for a in range(part.spare.indices.size):
        part.spare.indices[a] = read(part.grid.grids[a], part.grid.values[a], part.spare.states[a])


@look.body(LearningWhittle)
def _look_and_learn(part: LearningWhittle, rewards: Any, costs: Any, desk: Desk, now: Now) -> None:
    plan_for(part.planned, rewards, now, desk.clock[0].round)
    arms = part.spare.indices.size
    for a in range(arms):
        if not is_built(part.planned, a):
            reindex(part.grid, part.bench, a, to_build(part.planned, a))
        part.spare.states[a, 0] = state_now(part.planned, a)
        index = read(part.grid.grids[a], part.grid.values[a], part.spare.states[a])
        part.spare.indices[a] = index + credit(part.planned.arms, a, rounds_left(desk) / arms)


@compiled
def _play_largest(part: Any, desk: Desk) -> int:
    desk.shares[:] = 0.0
    desk.prices[:] = 0.0
    best = largest(part.spare.indices, desk.available)
    if best < 0:
        return Status.NOTHING
    if part.may_idle and part.spare.indices[best] <= baseline_now(desk):
        return Status.WAITING
    desk.shares[best] = 1.0
    return Status.PLANNED


@allocate.body(Whittle)
def _allocate(part: Whittle, desk: Desk, now: Now) -> int:
    return _play_largest(part, desk)


@allocate.body(LearningWhittle)
def _allocate_and_learn(part: LearningWhittle, desk: Desk, now: Now) -> int:
    return _play_largest(part, desk)


WHITTLE = Part(
    role=ALLOCATE,
    name="whittle",
    summary="the largest Whittle index, whatever it costs",
    build=_build,
    parameters={"dynamics": DYNAMICS},
    check=check_plannable,
    needs=frozenset({"states"}),
    fixes=LIKELIEST,
)
PARTS = (WHITTLE,)
