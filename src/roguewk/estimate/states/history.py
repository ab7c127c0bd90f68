"""Scalar states with functions h and g of the user's own: bounds from the history itself, replayed for each candidate.

Nothing is assumed of h but that it contracts, so pulls older than the forgetting horizon are not kept: they no longer
tell candidates apart. The confidence set is searched on a grid of candidates and its ends refined by bisection; with a
monotone g (any h that can be inverted is monotone) the bound is exact; otherwise the best candidate is refined between
its neighbours, and a peak narrower than the grid may be missed.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.estimate.states.radius import (
    Radius,
    Reach,
    build_reach,
    divergence_limit,
    grows,
    holds_everything,
)
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant, Learned, copy_into
from roguewk.kernel.records import record_type
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
from roguewk.problem.constants import arm_constants, forgetting_horizon
from roguewk.problem.dynamics import build_dynamics, mean_reward_scalar, move_scalar
from roguewk.problem.errors import InputError
from roguewk.problem.family.compiled import divergence, level_of_mean, surprise
from roguewk.problem.problem import Problem

GRID = 65  # candidates; after them come the estimate, the ends of the set, and the edges of its pieces
ESTIMATE, LOWER, UPPER, EDGES = GRID, GRID + 1, GRID + 2, GRID + 3
COUNT = EDGES + 8
MISFIT, REWARD = 0, 1  # what a search makes small or large
GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)

_TRACK = record_type((), ("count", "elapsed", "confined"))


class HistoryStates(NamedTuple):
    """Reward bounds of ROGUEwK-UCB for scalar arms of any kind."""

    arms: Constant[Any]  # (arm,) records, see problem.dynamics
    memory: Constant[Any]  # (arm,) the number of rounds worth keeping
    tracks: Learned[Any]  # (arm,) records
    log: Learned[Vector]  # (arm, round, [pulled, arrived, reward])
    candidates: Learned[Vector]  # (arm, candidate, [x0, state now, in the set])
    reach: Reach


def build_history_states(problem: Problem, radius: Radius, arms_in_all: int) -> HistoryStates:
    """A fresh estimate for this problem."""
    size = len(problem.arms)
    memory = np.zeros(size, dtype=np.int64)
    for a, arm in enumerate(problem.arms):
        slope = arm_constants(arm).L_h
        if slope >= 1:
            raise InputError(f"h of arm {arm.name!r} does not contract (its slope on X reaches {slope:g}): mend h or X")
        memory[a] = min(forgetting_horizon(arm, FORGOTTEN), problem.horizon)
    tracks, candidates = np.zeros(size, dtype=_TRACK), np.zeros((size, COUNT, 3))
    log, reach = np.zeros((size, int(memory.max()), 3)), build_reach(problem.arms, radius, arms_in_all)
    part = HistoryStates(build_dynamics(problem.arms).arms, memory, tracks, log, candidates, reach)
    _begin(part)
    return part


def _begin(part: HistoryStates) -> None:
    part.log[:] = 0.0
    for a in range(part.tracks.size):
        arm = part.arms[a]
        part.tracks[a].count = part.tracks[a].elapsed = part.tracks[a].confined = 0
        table = part.candidates[a]
        for i in range(GRID):
            table[i, 0] = arm.low + (arm.high - arm.low) * i / (GRID - 1)
        table[ESTIMATE, 0], table[LOWER, 0], table[UPPER, 0] = 0.5 * (arm.low + arm.high), arm.low, arm.high
        for i in range(EDGES, COUNT):
            table[i, 0] = arm.low
        copy_into(table[:, 1], table[:, 0])
        table[:, 2] = 1.0


@set_horizon.body(HistoryStates)
def _set_horizon(part: HistoryStates, horizon: float) -> None:
    set_horizon(part.reach, horizon)


@check_state.body(HistoryStates)
def _check_state(part: HistoryStates, room: Room) -> None:
    check_within(part.tracks["count"], 0, room.round, "a number of rewards")
    check_within(part.tracks["elapsed"], room.since, room.since, "the age of a history")


@reward_bounds.body(HistoryStates)
def _reward_bounds(part: HistoryStates, now: Now, out: Vector) -> None:
    for a in range(part.tracks.size):
        track = part.tracks[a]
        if grows(part.reach, a) and track.count > 0 and track.elapsed <= part.memory[a]:
            _confine_to(part, a, now.t)
        out[a] = best_reward_of_history(part, a)


@compiled
def _confine_to(part: HistoryStates, a: int, t: int) -> None:
    """Set the confidence set that round t allows; it begins as all of X, and nothing is done while it surely is."""
    track = part.tracks[a]
    if track.confined or not holds_everything(part.reach, a, track.count, t):
        track.confined = 1
        confine_history(part, a, divergence_limit(part.reach, a, track.count, t))


@compiled
def best_reward_of_history(part: HistoryStates, a: int) -> float:
    """The largest mean reward that a candidate in the confidence set can promise now."""
    arm, table = part.arms[a], part.candidates[a]
    best = mean_reward_scalar(arm, table[ESTIMATE, 1])
    if part.tracks[a].elapsed > part.memory[a]:
        return best
    for i in range(LOWER, COUNT):
        if table[i, 2] > 0.0:
            best = max(best, mean_reward_scalar(arm, table[i, 1]))
    peak = -1
    for i in range(GRID):
        if table[i, 2] > 0.0:
            here = mean_reward_scalar(arm, table[i, 1])
            if here > best:
                best, peak = here, i
    if 0 < peak < GRID - 1:  # g is not monotone
        low = peak - 1 if table[peak - 1, 2] > 0.0 else peak
        high = peak + 1 if table[peak + 1, 2] > 0.0 else peak
        best = max(best, -_score(part, a, _refine(part, a, table[low, 0], table[high, 0], REWARD), REWARD))
    return best


@likely_states.body(HistoryStates)
def _likely_states(part: HistoryStates, out: Vector) -> None:
    for a in range(part.tracks.size):
        out[a, 0] = part.candidates[a, ESTIMATE, 1]


@advance.body(HistoryStates)
def _advance(part: HistoryStates, now: Now, arm: int, memo: Vector) -> None:
    for a in range(part.tracks.size):
        track, known, table = part.tracks[a], part.arms[a], part.candidates[a]
        pulled = 1.0 if a == arm else 0.0
        if track.elapsed < part.memory[a]:
            part.log[a, track.elapsed, 0] = pulled
            for i in range(table.shape[0]):
                table[i, 1] = move_scalar(known, table[i, 1], pulled)
        else:
            table[ESTIMATE, 1] = move_scalar(known, table[ESTIMATE, 1], pulled)
        if a == arm:
            memo[0] = track.elapsed
        track.elapsed += 1


@retract.body(HistoryStates)
def _retract(part: HistoryStates, arm: int, memo: Vector, since: int) -> None:
    table, slot, elapsed = part.candidates[arm], int(memo[0]), part.tracks[arm].elapsed
    if 0 <= slot < elapsed <= part.memory[arm]:  # later, little is left of it
        part.log[arm, slot, 0] = 0.0
        for i in range(table.shape[0]):
            table[i, 1] = _state_now(part, arm, table[i, 0])


@learn_reward.body(HistoryStates)
def _learn_reward(part: HistoryStates, round_: int, arm: int, memo: Vector, reward: float) -> None:
    track = part.tracks[arm]
    track.count += 1
    slot = int(memo[0])
    if 0 <= slot < part.memory[arm]:
        part.log[arm, slot, 1], part.log[arm, slot, 2] = 1.0, reward
        if not grows(part.reach, arm):
            _confine_to(part, arm, round_)


@amend_reward.body(HistoryStates)
def _amend_reward(part: HistoryStates, arm: int, memo: Vector, told: float, true: float) -> None:
    slot = int(memo[0])
    if 0 <= slot < part.memory[arm]:
        part.log[arm, slot, 2] = true
        if not grows(part.reach, arm):
            _confine_to(part, arm, part.tracks[arm].count)


@compiled
def _level(arm: Any, x: float) -> float:
    """The natural parameter of the rewards in state `x`; unlike a mean it never rounds to 0 or 1."""
    if arm.g == 0:
        return arm.alpha + arm.beta * x
    return level_of_mean(arm.family, mean_reward_scalar(arm, x))


@compiled_apart
def _misfit(part: HistoryStates, a: int, x: float) -> float:
    """Minus the log-likelihood of the initial state `x`."""
    arm, log = part.arms[a], part.log[a]
    total = 0.0
    for s in range(min(part.tracks[a].elapsed, part.memory[a])):
        if log[s, 1] > 0.0:
            total += surprise(arm.family, _level(arm, x), log[s, 2], arm.sigma)
        x = move_scalar(arm, x, log[s, 0])
    return total


@compiled_apart
def _distance(part: HistoryStates, a: int, x: float, estimate: float) -> float:
    """Trajectory divergence of the candidate `x` from the estimate."""
    arm, log = part.arms[a], part.log[a]
    total = 0.0
    for s in range(min(part.tracks[a].elapsed, part.memory[a])):
        if log[s, 1] > 0.0:
            total += divergence(arm.family, _level(arm, x), _level(arm, estimate), arm.sigma)
        x = move_scalar(arm, x, log[s, 0])
        estimate = move_scalar(arm, estimate, log[s, 0])
    return total


@compiled_apart
def _state_now(part: HistoryStates, a: int, x: float) -> float:
    """Where the initial state `x` has led."""
    for s in range(part.tracks[a].elapsed):
        x = move_scalar(part.arms[a], x, part.log[a, s, 0])
    return x


@compiled
def _score(part: HistoryStates, a: int, x: float, what: int) -> float:
    """The misfit of the initial state `x`, or minus the reward it promises now."""
    if what == MISFIT:
        return _misfit(part, a, x)
    return -mean_reward_scalar(part.arms[a], _state_now(part, a, x))


@compiled_apart
def _refine(part: HistoryStates, a: int, low: float, high: float, what: int) -> float:
    """The best initial state between two others, by golden sections."""
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = _score(part, a, left, what), _score(part, a, right, what)
    for _ in range(50):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = _score(part, a, left, what)
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = _score(part, a, right, what)
    return 0.5 * (low + high)


@compiled_apart
def _most_likely(part: HistoryStates, a: int) -> float:
    """The best candidate, refined between its neighbours."""
    table = part.candidates[a]
    best, least = 0, np.inf
    for i in range(GRID):
        value = _misfit(part, a, table[i, 0])
        if value < least:
            best, least = i, value
    refined = _refine(part, a, table[max(best - 1, 0), 0], table[min(best + 1, GRID - 1), 0], MISFIT)
    return refined if _misfit(part, a, refined) < least else table[best, 0]


@compiled_apart
def _end(part: HistoryStates, a: int, estimate: float, limit: float, inside: float, outside: float) -> float:
    """Where the set ends between a point inside and one outside."""
    for _ in range(60):
        middle = 0.5 * (inside + outside)
        if _distance(part, a, middle, estimate) <= limit:
            inside = middle
        else:
            outside = middle
    return inside


@compiled_apart
def confine_history(part: HistoryStates, a: int, limit: float) -> None:
    """Set the estimate of x0, the candidates in `{D(x0 || estimate) <= limit}` and its ends."""
    table = part.candidates[a]
    estimate = _most_likely(part, a)
    first = last = estimate
    for i in range(GRID):
        inside = _distance(part, a, table[i, 0], estimate) <= limit
        table[i, 2] = 1.0 if inside else 0.0
        if inside:
            first, last = min(first, table[i, 0]), max(last, table[i, 0])
    step = table[1, 0] - table[0, 0]
    if first > table[0, 0]:
        first = _end(part, a, estimate, limit, first, max(first - step, table[0, 0]))
    if last < table[GRID - 1, 0]:
        last = _end(part, a, estimate, limit, last, min(last + step, table[GRID - 1, 0]))
    _place(part, a, ESTIMATE, estimate)
    _place(part, a, LOWER, first)
    _place(part, a, UPPER, last)
    slot = EDGES
    for i in range(GRID - 1):
        if table[i, 2] != table[i + 1, 2] and slot < COUNT:
            near, far = (i, i + 1) if table[i, 2] > 0.0 else (i + 1, i)
            _place(part, a, slot, _end(part, a, estimate, limit, table[near, 0], table[far, 0]))
            slot += 1
    for i in range(slot, COUNT):
        table[i, 2] = 0.0


@compiled_apart
def _place(part: HistoryStates, a: int, i: int, x0: float) -> None:
    """Put a candidate of the set at `x0` and find its state now."""
    track, table = part.tracks[a], part.candidates[a]
    table[i, 0], table[i, 2] = x0, 1.0
    # Beyond the memory every candidate has reached the same state.
    table[i, 1] = table[ESTIMATE, 1] if track.elapsed > part.memory[a] else _state_now(part, a, x0)
