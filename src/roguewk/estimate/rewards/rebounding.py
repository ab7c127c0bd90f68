"""Rewards `base - slope s` of arms that satiate, `s' = retention (s + pulled)`, learned from a trial of each arm.

Leqi, Kilinc-Karzan, Lipton and Montgomery 2021. Each arm is pulled n times in a row, from rest; then base, slope and
retention are those of least squares. Before the k-th pull in a row `s_k = retention (1 - retention^k) / (1 -
retention)`, so at a given retention base and slope are a straight line's, and the retention is the best of a grid in
[0, 1); slopes below 0 are taken as 0. The paper regresses every reward on the one before, which is the same where
rewards have no noise of their own; rewards of 0 or 1 have so much that the whole path has to be fitted, and even so the
estimates of a short trial are poor. None of the problem's dynamics are used. Rewards of the trial may come late; those
of later rounds are not learned from. An arm of which no reward came promises nothing.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled_apart
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant, Learned
from roguewk.kernel.verbs import verb
from roguewk.part.parameter import optional_whole
from roguewk.part.part import REWARDS, Part
from roguewk.part.room import LATEST, Room, check_within
from roguewk.part.verbs import advance, check_state, learn_reward, reward_bounds, set_horizon
from roguewk.problem.problem import Problem

GRID = np.linspace(0.0, 0.98, 50)  # retentions
CERTAIN = 1.0 / 3.0  # of the pulls that the budgets surely allow: at most so many in trials
CLEARER = 1e-9  # of the sum of squares: a retention must fit that much better than a smaller one
BASE, SLOPE, RETENTION, SATIATION = range(4)  # columns of what `rebounds` writes
LATER = -1.0  # the memo of a pull after the trial


class Retentions(NamedTuple):
    """Those that are tried."""

    values: Constant[Vector]  # (retention,)


class ReboundingRewards(NamedTuple):
    """Trials, and what they say."""

    grid: Retentions
    tries: Learned[Any]  # (1,) pulls of each arm in its trial
    pulls: Learned[Any]  # (arm,) of the trial so far
    totals: Learned[Vector]  # (arm, 3): number, sum and sum of squares of the trial's rewards
    sums: Learned[Vector]  # (arm, retention, 3): sums of s, of s squared, of s times reward
    satiation: Learned[Vector]  # (arm, retention): s now
    line: Learned[Vector]  # (arm, 2): base and slope
    chosen: Learned[Any]  # (arm,) place of its retention in the grid
    given: int  # tries as the user wants them, 0 to have them worked out
    certain: float  # tries that the budgets surely allow


@verb
def rebounds(part: Any, out: Any) -> None:
    """Write base, slope and retention of each arm, and s now, to `out`, (arm, 4)."""


def _build(problem: Problem, tries: int | None) -> ReboundingRewards:
    arms, size = len(problem.arms), GRID.size
    budgets = (problem.budgets / problem.scales).tolist()  # in pulls of the largest cost
    pulls, chosen = np.zeros((2, arms), dtype=np.int64)
    return ReboundingRewards(
        Retentions(GRID),
        np.zeros(1, dtype=np.int64),
        pulls,
        np.zeros((arms, 3)),
        np.zeros((arms, size, 3)),
        np.zeros((arms, size)),
        np.zeros((arms, 2)),
        chosen,
        tries or 0,
        CERTAIN * min([*budgets, float(problem.horizon)]) / arms,
    )


@set_horizon.body(ReboundingRewards)
def _set_horizon(part: ReboundingRewards, horizon: float) -> None:
    for a in range(part.pulls.size):
        if part.pulls[a] > 0:
            return  # a trial is from rest: it cannot be made longer afterwards
    part.tries[0] = part.given
    if part.given == 0:
        part.tries[0] = max(int(min(horizon ** (2.0 / 3.0) / part.pulls.size, part.certain)), 1)


@compiled_apart
def _fit(part: ReboundingRewards, a: int) -> None:
    """Least squares over the grid of retentions."""
    count, total, squares = part.totals[a, 0], part.totals[a, 1], part.totals[a, 2]
    mean = total / count
    spread = squares - total * mean
    part.line[a, BASE], part.line[a, SLOPE], part.chosen[a] = mean, 0.0, 0
    best = 0.0  # of the spread that is explained
    for k in range(part.grid.values.size):
        s, s_squared, s_reward = part.sums[a, k, 0], part.sums[a, k, 1], part.sums[a, k, 2]
        width = s_squared - s * s / count
        together = s * mean - s_reward
        if width <= 1e-9 * s_squared or together <= 0.0:
            continue
        explained = together * together / width
        if explained > best + CLEARER * spread:
            best = explained
            slope = together / width
            part.line[a, BASE], part.line[a, SLOPE], part.chosen[a] = mean + slope * s / count, slope, k


@check_state.body(ReboundingRewards)
def _check_state(part: ReboundingRewards, room: Room) -> None:
    check_within(part.tries, 0, LATEST, "the pulls of a trial")
    check_within(part.pulls, 0, room.round, "the pulls of a trial so far")
    check_within(part.chosen, 0, part.grid.values.size - 1, "the retention that was chosen")


@reward_bounds.body(ReboundingRewards)
def _reward_bounds(part: ReboundingRewards, now: Now, out: Vector) -> None:
    for a in range(out.size):
        out[a] = np.inf
        if part.pulls[a] >= part.tries[0]:
            out[a] = part.line[a, BASE] - part.line[a, SLOPE] * part.satiation[a, part.chosen[a]]


@rebounds.body(ReboundingRewards)
def _rebounds(part: ReboundingRewards, out: Vector) -> None:
    for a in range(part.pulls.size):
        k = part.chosen[a]
        out[a, BASE], out[a, SLOPE] = part.line[a, BASE], part.line[a, SLOPE]
        out[a, RETENTION], out[a, SATIATION] = part.grid.values[k], part.satiation[a, k]


@advance.body(ReboundingRewards)
def _advance(part: ReboundingRewards, now: Now, arm: int, memo: Vector) -> None:
    for a in range(part.pulls.size):
        pulled = 1.0 if a == arm else 0.0
        for k in range(part.grid.values.size):
            part.satiation[a, k] = part.grid.values[k] * (part.satiation[a, k] + pulled)
    memo[0] = LATER
    if arm >= 0 and part.pulls[arm] < part.tries[0]:
        memo[0] = part.pulls[arm]
        part.pulls[arm] += 1


@learn_reward.body(ReboundingRewards)
def _learn_reward(part: ReboundingRewards, round_: int, arm: int, memo: Vector, reward: float) -> None:
    if memo[0] == LATER:
        return
    part.totals[arm, 0] += 1.0
    part.totals[arm, 1] += reward
    part.totals[arm, 2] += reward * reward
    for k in range(part.grid.values.size):
        retention = part.grid.values[k]
        s = retention * (1.0 - retention ** memo[0]) / (1.0 - retention)
        part.sums[arm, k, 0] += s
        part.sums[arm, k, 1] += s * s
        part.sums[arm, k, 2] += s * reward
    _fit(part, arm)


REBOUNDING = Part(
    role=REWARDS,
    name="rebounding",
    summary="base - slope x satiation, by least squares on a trial of each arm",
    build=_build,
    parameters={
        "tries": optional_whole(
            "pulls of each arm in a row at the start; by default T^(2/3) / m, at most a third of what budgets allow"
        )
    },
    gives=frozenset({"rebounds"}),
)
PARTS = (REBOUNDING,)
