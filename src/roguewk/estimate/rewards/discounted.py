"""Discounted UCB: `X + 2 B sqrt(xi log(sum N) / N)` with N, X the number and the mean of rewards, weighed by age.

Garivier and Moulines 2011: a round that lies s rounds back has the weight discount^s. B is 1 for rewards of 0 or 1 and
twice the sigma of Gaussian ones. They ask for xi above 1/2 and simulate 0.6; their discount is
`1 - sqrt(changes / T) / (4 B)` for the number of times that the mean rewards change, here with B = 1. (Without the 2,
and with `alpha / 2` for xi, as some implementations have it, is xi = alpha / 8 here.)

N counts pulls and X what has arrived; a late reward has the weight of its age. With no weight left, an arm is tried.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.estimate.rewards.tally import reward_ranges
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant, Learned
from roguewk.part.parameter import above_zero, not_negative, optional, within
from roguewk.part.part import REWARDS, Part
from roguewk.part.room import Room, check_within
from roguewk.part.verbs import advance, check_state, learn_reward, reward_bounds, set_horizon
from roguewk.problem.problem import Problem


class DiscountedRewards(NamedTuple):
    """Discounted counts and sums."""

    sums: Learned[Vector]  # (arm,)
    seen: Learned[Vector]  # (arm,)
    pulls: Learned[Vector]  # (arm,)
    last: Learned[Any]  # (1,) the last round
    discount: Learned[Vector]  # (1,)
    ranges: Constant[Vector]  # (arm,)
    xi: float
    changes: float  # 0 if the discount is given


def _build(problem: Problem, discount: float | None, xi: float, changes: float) -> DiscountedRewards:
    sums, seen, pulls = np.zeros((3, len(problem.arms)))
    last, weight = np.zeros(1, dtype=np.int64), np.full(1, 1.0 if discount is None else discount)
    return DiscountedRewards(
        sums, seen, pulls, last, weight, reward_ranges(problem), xi, changes if discount is None else 0.0
    )


@set_horizon.body(DiscountedRewards)
def _set_horizon(part: DiscountedRewards, horizon: float) -> None:
    if part.changes > 0.0:
        part.discount[0] = max(1.0 - 0.25 * math.sqrt(part.changes / horizon), 0.0)


@check_state.body(DiscountedRewards)
def _check_state(part: DiscountedRewards, room: Room) -> None:
    check_within(part.last, 0, room.round, "the last round")
    check_within(part.discount, 0, 1, "the discount")


@reward_bounds.body(DiscountedRewards)
def _reward_bounds(part: DiscountedRewards, now: Now, out: Vector) -> None:
    log = math.log(max(part.pulls.sum(), 1.0))
    for a in range(out.size):
        n = part.pulls[a]
        mean = part.sums[a] / part.seen[a] if part.seen[a] > 0.0 else 1.0
        out[a] = mean + 2.0 * part.ranges[a] * math.sqrt(part.xi * log / n) if n > 0.0 else np.inf


@advance.body(DiscountedRewards)
def _advance(part: DiscountedRewards, now: Now, arm: int, memo: Vector) -> None:
    discount = part.discount[0]
    for a in range(part.pulls.size):
        part.sums[a] *= discount
        part.seen[a] *= discount
        part.pulls[a] *= discount
    if arm >= 0:
        part.pulls[arm] += 1.0
    part.last[0] = now.round


@learn_reward.body(DiscountedRewards)
def _learn_reward(part: DiscountedRewards, round_: int, arm: int, memo: Vector, reward: float) -> None:
    weight = part.discount[0] ** float(part.last[0] - round_)
    part.seen[arm] += weight
    part.sums[arm] += weight * reward


D_UCB = Part(
    role=REWARDS,
    name="d-ucb",
    summary="discounted mean + 2 sqrt(xi log(sum n) / n), n discounted too",
    build=_build,
    parameters={
        "discount": optional(within(1.0, 0.0, 1.0, "weight of a round relative to the next; worked out of `changes`")),
        "xi": not_negative(0.6, "width of the radius: theory asks for more than 1/2"),
        "changes": above_zero(1.0, "how often the mean rewards change, for the discount"),
    },
)
PARTS = (D_UCB,)
