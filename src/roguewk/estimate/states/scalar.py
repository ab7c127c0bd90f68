"""Scalar states that move linearly: exact bounds from the history summed up at Chebyshev points.

The level at a pull is `u x0 + v` with `u = beta A^t`. With `F(x0) = sum b(u x0 + v)` and `S = sum r u` over the pulls,
the estimate solves `F' = S`, and the trajectory divergence is `D(x || est) = F(est) - F(x) - F'(x) (est - x)`.
A pull so late that `A^t` has wiped out x0 neither informs on it nor depends on it, and adds nothing.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.estimate.states.chebyshev import chebyshev_grid, interpolate, points_needed, root
from roguewk.estimate.states.radius import Radius, Reach, build_reach, divergence_limit, grows
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant, Learned
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
    prune,
    retract,
    reward_bounds,
    set_horizon,
)
from roguewk.problem.dynamics import build_dynamics, dispersion, mean_of_level
from roguewk.problem.family.compiled import log_partition
from roguewk.problem.problem import Problem

_TRACK = record_type(("power", "offset", "score", "estimate", "lower", "upper"), ("count",))


class ScalarStates(NamedTuple):
    """Reward bounds of ROGUEwK-UCB for arms with one coordinate."""

    arms: Constant[Any]  # (arm,) records, see problem.dynamics
    tracks: Learned[Any]  # (arm,) records: what is known of x0 and how the state depends on it
    grid: Constant[Vector]  # (2, point) on [-1, 1], mapped onto each arm's X
    levels: Learned[Vector]  # (arm, point) F
    slopes: Learned[Vector]  # (arm, point) dF/dz, z the place on the grid
    reach: Reach


def build_scalar_states(problem: Problem, radius: Radius, arms_in_all: int) -> ScalarStates:
    """A fresh estimate for this problem."""
    count = max(map(points_needed, problem.arms))
    tracks = np.zeros(len(problem.arms), dtype=_TRACK)
    arms, reach = build_dynamics(problem.arms).arms, build_reach(problem.arms, radius, arms_in_all)
    levels, slopes = np.zeros((2, len(problem.arms), count))
    part = ScalarStates(arms, tracks, chebyshev_grid(count), levels, slopes, reach)
    _begin(part)
    return part


def _begin(part: ScalarStates) -> None:
    part.levels[:] = 0.0
    part.slopes[:] = 0.0
    for a in range(part.tracks.size):
        track, arm = part.tracks[a], part.arms[a]
        track.power, track.offset, track.score, track.count = 1.0, 0.0, 0.0, 0
        track.estimate, track.lower, track.upper = 0.5 * (arm.low + arm.high), arm.low, arm.high


@set_horizon.body(ScalarStates)
def _set_horizon(part: ScalarStates, horizon: float) -> None:
    set_horizon(part.reach, horizon)


@check_state.body(ScalarStates)
def _check_state(part: ScalarStates, room: Room) -> None:
    check_within(part.tracks["count"], 0, room.round, "a number of rewards")


@reward_bounds.body(ScalarStates)
def _reward_bounds(part: ScalarStates, now: Now, out: Vector) -> None:
    for a in range(part.tracks.size):
        if grows(part.reach, a) and part.tracks[a].count > 0 and matters(part, a, part.tracks[a].power):
            _confine_to(part, a, now.t)
        out[a] = best_reward(part, a)


@compiled
def matters(part: ScalarStates, a: int, power: float) -> bool:
    """Whether x0 still makes a difference where the state depends on it by this factor."""
    arm = part.arms[a]
    return abs(arm.beta * power) * 0.5 * (arm.high - arm.low) >= FORGOTTEN


@compiled
def _confine_to(part: ScalarStates, a: int, t: int) -> None:
    """Set the confidence interval that round t allows."""
    track, arm = part.tracks[a], part.arms[a]
    limit = divergence_limit(part.reach, a, track.count, t) * dispersion(arm)
    if _across(part, a) > limit:
        confine(part, a, limit)
    else:
        track.lower, track.upper = arm.low, arm.high


@compiled
def best_reward(part: ScalarStates, a: int) -> float:
    """The largest mean reward that an initial state in the confidence interval can promise now."""
    track, arm = part.tracks[a], part.arms[a]
    x0 = track.upper if arm.beta * track.power > 0.0 else track.lower
    return mean_of_level(arm, arm.alpha + arm.beta * (track.power * x0 + track.offset))


@likely_states.body(ScalarStates)
def _likely_states(part: ScalarStates, out: Vector) -> None:
    for a in range(part.tracks.size):
        track = part.tracks[a]
        out[a, 0] = track.power * track.estimate + track.offset


@advance.body(ScalarStates)
def _advance(part: ScalarStates, now: Now, arm: int, memo: Vector) -> None:
    for a in range(part.tracks.size):
        track, known = part.tracks[a], part.arms[a]
        pulled = 0.0
        if a == arm:
            pulled = 1.0
            memo[0], memo[1] = known.beta * track.power, known.alpha + known.beta * track.offset + memo[SHIFT]
        track.offset = known.A * track.offset + known.B * pulled + known.K
        track.power *= known.A
        if abs(track.power) < 1e-100:  # numbers below 1e-308 would be slow
            track.power = 0.0


@retract.body(ScalarStates)
def _retract(part: ScalarStates, arm: int, memo: Vector, since: int) -> None:
    known = part.arms[arm]
    part.tracks[arm].offset -= known.B * known.A ** float(since - 1)


@learn_reward.body(ScalarStates)
def _learn_reward(part: ScalarStates, round_: int, arm: int, memo: Vector, reward: float) -> None:
    track = part.tracks[arm]
    track.count += 1
    told = absorb(part, arm, memo[0], memo[1], reward)
    if told and not grows(part.reach, arm) and matters(part, arm, track.power):
        _confine_to(part, arm, round_)


@amend_reward.body(ScalarStates)
def _amend_reward(part: ScalarStates, arm: int, memo: Vector, told: float, true: float) -> None:
    if amend_score(part, arm, memo[0], true - told) and not grows(part.reach, arm):
        _confine_to(part, arm, part.tracks[arm].count)


@prune.body(ScalarStates)
def _prune(part: ScalarStates) -> None:
    for a in range(part.tracks.size):
        if not matters.py_func(part, a, part.tracks[a].power):  # type: ignore[attr-defined]  # not compiled
            part.levels[a] = part.slopes[a] = 0.0


@compiled
def _across(part: ScalarStates, a: int) -> float:
    """The largest divergence in X: D is convex in the estimate, so it is found between the ends."""
    level, slope = part.levels[a], part.slopes[a]
    last = level.size - 1
    rise = level[last] - level[0]
    return max(rise - 2.0 * slope[0], 2.0 * slope[last] - rise)


@compiled
def absorb(part: ScalarStates, a: int, u: float, v: float, reward: float) -> bool:
    """Add a reward seen at level `u x0 + v` to the sums; False when x0 no longer mattered."""
    arm, track = part.arms[a], part.tracks[a]
    middle, half = 0.5 * (arm.low + arm.high), 0.5 * (arm.high - arm.low)
    if abs(u) * half < FORGOTTEN:
        return False
    for i in range(part.grid.shape[1]):
        level = u * (middle + half * part.grid[0, i]) + v
        b, mean = log_partition(arm.family, level)
        part.levels[a, i] += b
        part.slopes[a, i] += u * half * mean
    track.score += reward * u * half
    return True


@compiled
def amend_score(part: ScalarStates, a: int, u: float, more: float) -> bool:
    """Let a reward seen at level `u x0 + v` have been so much more; False when x0 no longer mattered, or matters."""
    half = 0.5 * (part.arms[a].high - part.arms[a].low)
    if abs(u) * half < FORGOTTEN:
        return False
    part.tracks[a].score += more * u * half
    return matters(part, a, part.tracks[a].power)


@compiled_apart
def confine(part: ScalarStates, a: int, limit: float) -> None:
    """Set the estimate of x0 and the ends of `{x0 in X: D(x0 || estimate) <= limit}`."""
    arm, track = part.arms[a], part.tracks[a]
    grid, level, slope = part.grid, part.levels[a], part.slopes[a]
    last = grid.shape[1] - 1
    middle, half = 0.5 * (arm.low + arm.high), 0.5 * (arm.high - arm.low)
    if slope[0] >= track.score:
        best = -1.0
    elif slope[last] <= track.score:
        best = 1.0
    else:
        i = 1
        while slope[i] < track.score:
            i += 1
        best = root(grid, level, slope, (-track.score, 0.0, 1.0, 0.0), grid[0, i - 1], grid[0, i])
    track.estimate = middle + half * best
    if limit <= 0.0:
        track.lower = track.upper = track.estimate
        return
    at_best, _ = interpolate(grid, level, slope, best)
    form = (at_best - limit, -1.0, -best, 1.0)  # D(z || best) - limit
    track.lower, track.upper = arm.low, arm.high
    if at_best - level[0] - slope[0] * (best + 1.0) > limit:
        track.lower = middle + half * root(grid, level, slope, form, -1.0, best)
    if at_best - level[last] - slope[last] * (best - 1.0) > limit:
        track.upper = middle + half * root(grid, level, slope, form, best, 1.0)
