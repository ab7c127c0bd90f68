"""CUSUM-UCB: `mean + B sqrt(xi log(sum n) / n)` since the last alarm of each arm (Liu, Lee and Shroff 2018).

The first M rewards of an arm since its last alarm give a baseline u. With every further reward y,
`g+ = max(0, g+ + (y - u) / B - epsilon)` and `g- = max(0, g- + (u - y) / B - epsilon)`; when one of them reaches h, the
arm's past is forgotten. B is 1 for rewards of 0 or 1 and twice the sigma of Gaussian ones.

As commonly quoted, `h = log(T / changes)` for the number of changes, xi = 1 and M = 100; we take M = 30 by default,
since a hundred pulls of every arm are most of a short horizon. Theory also asks for exploring with a chance of about
`sqrt(changes / T log(T / changes))`, which is the allocation's `explore`.

Rewards are looked at in the order in which they come; one of a pull before an alarm that comes after it is left out.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.estimate.rewards.tally import Tally, build_tally, mean_of, reward_ranges
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant, Learned
from roguewk.part.parameter import above_zero, counted, not_negative, optional
from roguewk.part.part import REWARDS, Part
from roguewk.part.room import Room, check_within
from roguewk.part.verbs import advance, check_state, learn_reward, reward_bounds, set_horizon
from roguewk.problem.problem import LONGEST, Problem


class CusumRewards(NamedTuple):
    """What was seen of each arm since its last alarm, and its two sums of deviations."""

    tally: Tally
    baselines: Learned[Vector]  # (arm,) u
    sums: Learned[Vector]  # (arm, up or down) g
    begins: Learned[Any]  # (arm,) the first round since the last alarm
    last: Learned[Any]  # (1,) the last round
    threshold: Learned[Vector]  # (1,) h
    ranges: Constant[Vector]  # (arm,)
    samples: int  # M
    tolerance: float  # epsilon
    xi: float
    changes: float  # 0 if h is given


def _build(
    problem: Problem, samples: int, tolerance: float, threshold: float | None, xi: float, changes: float
) -> CusumRewards:
    arms = len(problem.arms)
    begins, last = np.zeros(arms, dtype=np.int64), np.zeros(1, dtype=np.int64)
    level = np.full(1, 0.0 if threshold is None else threshold)
    worked_out = changes if threshold is None else 0.0
    return CusumRewards(
        build_tally(problem), np.zeros(arms), np.zeros((arms, 2)), begins, last, level, reward_ranges(problem),
        samples, tolerance, xi, worked_out,
    )  # fmt: skip


@set_horizon.body(CusumRewards)
def _set_horizon(part: CusumRewards, horizon: float) -> None:
    if part.changes > 0.0:
        part.threshold[0] = math.log(max(horizon / part.changes, math.e))


@check_state.body(CusumRewards)
def _check_state(part: CusumRewards, room: Room) -> None:
    check_within(part.begins, 0, room.round, "the round of an alarm")
    check_within(part.last, 0, room.round, "the last round")


@reward_bounds.body(CusumRewards)
def _reward_bounds(part: CusumRewards, now: Now, out: Vector) -> None:
    explore = part.xi * math.log(max(part.tally.pulls.sum(), 1.0))
    for a in range(out.size):
        n = part.tally.pulls[a]
        out[a] = mean_of(part.tally, a) + part.ranges[a] * math.sqrt(explore / n) if n > 0.0 else np.inf


@advance.body(CusumRewards)
def _advance(part: CusumRewards, now: Now, arm: int, memo: Vector) -> None:
    part.last[0] = now.round
    if arm >= 0:
        part.tally.pulls[arm] += 1.0


@compiled
def _forget(part: CusumRewards, arm: int) -> None:
    part.tally.sums[arm] = part.tally.seen[arm] = part.tally.pulls[arm] = 0.0
    part.sums[arm, 0] = part.sums[arm, 1] = 0.0
    part.begins[arm] = part.last[0] + 1


@learn_reward.body(CusumRewards)
def _learn_reward(part: CusumRewards, round_: int, arm: int, memo: Vector, reward: float) -> None:
    if round_ < part.begins[arm]:
        return
    part.tally.seen[arm] += 1.0
    part.tally.sums[arm] += reward
    if part.tally.seen[arm] == part.samples:
        part.baselines[arm] = part.tally.sums[arm] / part.tally.seen[arm]
    if part.tally.seen[arm] <= part.samples:
        return
    off = (reward - part.baselines[arm]) / part.ranges[arm]
    part.sums[arm, 0] = max(0.0, part.sums[arm, 0] + off - part.tolerance)
    part.sums[arm, 1] = max(0.0, part.sums[arm, 1] - off - part.tolerance)
    if max(part.sums[arm, 0], part.sums[arm, 1]) >= part.threshold[0]:
        _forget(part, arm)


CUSUM_UCB = Part(
    role=REWARDS,
    name="cusum-ucb",
    summary="mean + sqrt(xi log(sum n) / n) since the last alarm of a two-sided CUSUM",
    build=_build,
    parameters={
        "samples": counted(30, 1, LONGEST, "M, rewards of an arm that make its baseline"),
        "tolerance": not_negative(0.1, "epsilon, the deviation from the baseline that is let pass"),
        "threshold": optional(
            above_zero(1.0, "h, the sum of deviations that gives an alarm; by default log(T/changes)")
        ),
        "xi": not_negative(1.0, "width of the radius"),
        "changes": above_zero(1.0, "how often the mean rewards change, for the threshold"),
    },
)
PARTS = (CUSUM_UCB,)
