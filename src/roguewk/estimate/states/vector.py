"""States of several coordinates that move linearly: estimates and bounds from the stored pulls.

The level at a pull is `u.x0 + v` with `u = (A^t)' beta`. With `F(x) = sum b(u.x + v)`, the trajectory divergence is
`D(x || est) = F(est) - F(x) - F'(x).(est - x)` and its gradient `H(x) (x - est)`, `H = F''`. Pulls later than the
forgetting horizon say nothing of x0 and are not stored.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.estimate.states.ball import Pulls, farthest, most_likely
from roguewk.estimate.states.radius import (
    Radius,
    Reach,
    build_reach,
    divergence_limit,
    grows,
    holds_everything,
)
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant, Learned, Scratch, copy_into
from roguewk.kernel.records import record_type
from roguewk.part.desk import SHIFT
from roguewk.part.room import Room, check_within
from roguewk.part.verbs import (
    FORGOTTEN,
    advance,
    amend_reward,
    check_state,
    learn_reward,
    likely_states,
    retract,
    reward_bounds,
    set_horizon,
)
from roguewk.problem.constants import forgetting_horizon
from roguewk.problem.dynamics import Dynamics, build_dynamics, dispersion, mean_of_level, without_push
from roguewk.problem.problem import Problem

_TRACK = record_type((), ("count", "stored"))


class VectorStates(NamedTuple):
    """Reward bounds of ROGUEwK-UCB for arms with several coordinates."""

    arms: Constant[Any]  # (arm,) records, see problem.dynamics
    vectors: Constant[Vector]  # (arm, coordinate, column), see problem.dynamics
    tracks: Learned[Any]  # (arm,) records
    motion: Learned[Vector]  # (arm, coordinate, coordinate + 1): A^t and the offset
    estimates: Learned[Vector]  # (arm, coordinate)
    pulls: Learned[Vector]  # (arm, pull, coordinate + 3): u, then v, arrived, reward
    spare: Scratch[Vector]  # working memory, (row, coordinate)
    reach: Reach


def build_vector_states(problem: Problem, radius: Radius, arms_in_all: int) -> VectorStates:
    """A fresh estimate for this problem."""
    arms, vectors = build_dynamics(problem.arms)
    size, k = vectors.shape[:2]
    tracks = np.zeros(size, dtype=_TRACK)
    memory = int(min(max(forgetting_horizon(arm, FORGOTTEN) for arm in problem.arms), problem.horizon))
    tables = np.zeros((size, k, k + 1)), np.zeros((size, k)), np.zeros((size, memory, k + 3)), np.zeros((2 * k + 8, k))
    part = VectorStates(arms, vectors, tracks, *tables, build_reach(problem.arms, radius, arms_in_all))
    _begin(part)
    return part


def _begin(part: VectorStates) -> None:
    size, k = part.estimates.shape
    part.pulls[:] = 0.0
    part.motion[:] = 0.0
    for a in range(size):
        part.tracks[a].count = part.tracks[a].stored = 0
        for i in range(k):
            part.motion[a, i, i] = 1.0
            part.estimates[a, i] = 0.5 * (part.vectors[a, i, k + 3] + part.vectors[a, i, k + 4])


@set_horizon.body(VectorStates)
def _set_horizon(part: VectorStates, horizon: float) -> None:
    set_horizon(part.reach, horizon)


@compiled
def pulls_of(part: VectorStates, a: int) -> Pulls:
    """The stored pulls of an arm with its box and working memory."""
    dimension, k = part.arms[a].dimension, part.estimates.shape[1]
    return Pulls(
        part.pulls[a, : part.tracks[a].stored], part.vectors[a, :dimension, k + 3 :], part.spare, part.arms[a].family
    )


@compiled
def reach_of(part: VectorStates, a: int, t: int) -> float:
    """The largest trajectory divergence allowed in round t."""
    count = part.tracks[a].count
    if holds_everything(part.reach, a, count, t):
        return np.inf
    return divergence_limit(part.reach, a, count, t) * dispersion(part.arms[a])


@check_state.body(VectorStates)
def _check_state(part: VectorStates, room: Room) -> None:
    check_within(part.tracks["count"], 0, room.round, "a number of rewards")
    check_within(part.tracks["stored"], 0, part.pulls.shape[1], "a number of pulls")


@reward_bounds.body(VectorStates)
def _reward_bounds(part: VectorStates, now: Now, out: Vector) -> None:
    for a in range(part.tracks.size):
        out[a] = best_reward_of_vector(part, a, reach_of(part, a, now.t))


@compiled
def best_reward_of_vector(part: VectorStates, a: int, limit: float) -> float:
    """The largest mean reward that an initial state in the confidence set can promise now."""
    arm, k = part.arms[a], part.estimates.shape[1]
    direction, best = part.spare[0], part.spare[1]
    level = arm.alpha
    matters = 0.0
    for i in range(arm.dimension):
        level += part.vectors[a, i, k + 2] * part.motion[a, i, k]
        direction[i] = 0.0
        for row in range(arm.dimension):
            direction[i] += part.vectors[a, row, k + 2] * part.motion[a, row, i]
        matters += abs(direction[i]) * (part.vectors[a, i, k + 4] - part.vectors[a, i, k + 3])
    if matters < FORGOTTEN:
        copy_into(best[: arm.dimension], part.estimates[a, : arm.dimension])
    else:
        farthest(pulls_of(part, a), part.estimates[a], direction, limit, best)
    for i in range(arm.dimension):
        level += direction[i] * best[i]
    return mean_of_level(arm, level)


@likely_states.body(VectorStates)
def _likely_states(part: VectorStates, out: Vector) -> None:
    k = part.estimates.shape[1]
    for a in range(part.tracks.size):
        for i in range(part.arms[a].dimension):
            out[a, i] = part.motion[a, i, k]
            for j in range(part.arms[a].dimension):
                out[a, i] += part.motion[a, i, j] * part.estimates[a, j]


@advance.body(VectorStates)
def _advance(part: VectorStates, now: Now, arm: int, memo: Vector) -> None:
    for a in range(part.tracks.size):
        if a == arm:
            memo[0] = _store(part, a, memo[SHIFT])
        _move_motion(part, a, 1.0 if a == arm else 0.0)


@retract.body(VectorStates)
def _retract(part: VectorStates, arm: int, memo: Vector, since: int) -> None:
    without_push(
        Dynamics(part.arms, part.vectors), arm, part.motion[arm, :, part.estimates.shape[1]], since, part.spare
    )


@compiled
def _store(part: VectorStates, a: int, shift: float) -> int:
    """Note the level of this pull, which contexts shift, as a function of x0; the slot, or -1 when x0 is forgotten."""
    arm, track, k = part.arms[a], part.tracks[a], part.estimates.shape[1]
    slot = track.stored
    if slot == part.pulls.shape[1]:
        return -1
    row = part.pulls[a, slot]
    row[:] = 0.0
    row[k] = arm.alpha + shift
    matters = 0.0
    for i in range(arm.dimension):
        row[k] += part.vectors[a, i, k + 2] * part.motion[a, i, k]
        for j in range(arm.dimension):
            row[i] += part.vectors[a, j, k + 2] * part.motion[a, j, i]
        matters += abs(row[i]) * (part.vectors[a, i, k + 4] - part.vectors[a, i, k + 3])
    if matters < FORGOTTEN:
        return -1
    track.stored += 1
    return slot


@compiled
def _move_motion(part: VectorStates, a: int, pulled: float) -> None:
    arm, k = part.arms[a], part.estimates.shape[1]
    motion, spare = part.motion[a], part.spare[0]
    for column in range(k + 1):
        if arm.dimension <= column < k:
            continue
        for i in range(arm.dimension):
            spare[i] = part.vectors[a, i, k] * pulled + part.vectors[a, i, k + 1] if column == k else 0.0
            for j in range(arm.dimension):
                spare[i] += part.vectors[a, i, j] * motion[j, column]
            if abs(spare[i]) < 1e-100:  # numbers below 1e-308 would be slow
                spare[i] = 0.0
        copy_into(motion[: arm.dimension, column], spare[: arm.dimension])


@learn_reward.body(VectorStates)
def _learn_reward(part: VectorStates, round_: int, arm: int, memo: Vector, reward: float) -> None:
    k = part.estimates.shape[1]
    part.tracks[arm].count += 1
    slot = int(memo[0])
    if 0 <= slot < part.pulls.shape[1]:
        part.pulls[arm, slot, k + 1], part.pulls[arm, slot, k + 2] = 1.0, reward
        if grows(part.reach, arm) or not holds_everything(part.reach, arm, part.tracks[arm].count, round_):
            most_likely(pulls_of(part, arm), part.estimates[arm])


@amend_reward.body(VectorStates)
def _amend_reward(part: VectorStates, arm: int, memo: Vector, told: float, true: float) -> None:
    k, slot = part.estimates.shape[1], int(memo[0])
    if 0 <= slot < part.pulls.shape[1]:
        part.pulls[arm, slot, k + 2] = true
        most_likely(pulls_of(part, arm), part.estimates[arm])
