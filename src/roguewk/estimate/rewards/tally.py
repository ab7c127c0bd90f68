"""Counts and sums of all rewards seen, which most reward estimates are made of.

Means are over the rewards that have arrived, radii over the pulls: an arm whose rewards never come is not pulled for
ever.
"""

from typing import Any, NamedTuple, TypeVar

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Learned
from roguewk.part.room import Room, check_within
from roguewk.part.verbs import advance, amend_reward, check_state, learn_reward, retract
from roguewk.problem.constants import reward_noise
from roguewk.problem.problem import Problem

PartClass = TypeVar("PartClass", bound=type)


class Tally(NamedTuple):
    """What was seen of each arm."""

    sums: Learned[Vector]  # (arm,)
    squares: Learned[Vector]  # (arm,)
    seen: Learned[Vector]  # (arm,)
    pulls: Learned[Vector]  # (arm,)


def build_tally(problem: Problem) -> Tally:
    """Nothing seen yet."""
    return Tally(*np.zeros((4, len(problem.arms))))


def reward_ranges(problem: Problem) -> Vector:
    """(arm,) the width that takes the place of the unit interval: 1, or twice the noise of other rewards."""
    return np.array([2.0 * reward_noise(arm) for arm in problem.arms])


def tallied(part_class: PartClass) -> PartClass:
    """Declare that these parts learn by keeping a `tally`."""
    advance.body(part_class)(_count)
    retract.body(part_class)(_discount)
    learn_reward.body(part_class)(_add)
    amend_reward.body(part_class)(_amend)
    return part_class


def _count(part: Any, now: Now, arm: int, memo: Vector) -> None:
    if arm >= 0:
        part.tally.pulls[arm] += 1.0


def _discount(part: Any, arm: int, memo: Vector, since: int) -> None:
    part.tally.pulls[arm] -= 1.0


def _add(part: Any, round_: int, arm: int, memo: Vector, reward: float) -> None:
    part.tally.seen[arm] += 1.0
    part.tally.sums[arm] += reward
    part.tally.squares[arm] += reward * reward


def _amend(part: Any, arm: int, memo: Vector, told: float, true: float) -> None:
    part.tally.sums[arm] += true - told
    part.tally.squares[arm] += true * true - told * told


@check_state.body(Tally)
def _check_state(part: Tally, room: Room) -> None:
    check_within(part.seen, 0, room.round, "a number of rewards")
    check_within(part.pulls, 0, room.round, "a number of pulls")


@compiled
def mean_of(tally: Tally, a: int) -> float:
    """The mean of what arrived; 1 when nothing did."""
    return tally.sums[a] / tally.seen[a] if tally.seen[a] > 0.0 else 1.0


@compiled
def variance_of(tally: Tally, a: int) -> float:
    """The variance of what arrived, divided by their number; 0 when nothing did."""
    if tally.seen[a] == 0.0:
        return 0.0
    mean = tally.sums[a] / tally.seen[a]
    return max(tally.squares[a] / tally.seen[a] - mean * mean, 0.0)
