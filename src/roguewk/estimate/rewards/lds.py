"""Rewards foretold from the last `s` rounds: a ridge regression for each arm and each sequence of arms before it.

As we understand Gornet, Hosseinzadeh and Sinopoli (2022): rewards are readings of a linear system that all arms share,
so the next reward of an arm is about linear in the last s rewards, with coefficients that depend on which arms these
were of. With `phi = (1, r(t-1), .., r(t-s))` and `V = ridge I + sum phi phi'` of the arm and the sequence, the bound is
`theta . phi + scale B sqrt(2 log t) sqrt(phi' V^-1 phi)`. The 1, for rewards whose mean is not 0, and the radius, which
is that of UCB1, are our choice; B is 1 for rewards of 0 or 1 and twice the sigma of Gaussian ones. A longer memory
foretells better, but there are (m + 1)^s m regressions: s is 1 or 2.

theta is of what has arrived, the radius of pulls. A round that was idle, or whose reward has not come when the next is
decided, has no arm in the sequence and 0 among the regressors: late rewards are regressed on, never regressed with.
Rewards more than 256 rounds late are left out.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.estimate.rewards.tally import reward_ranges
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant, Learned, Scratch
from roguewk.part.parameter import counted, not_negative, within
from roguewk.part.part import REWARDS, Part
from roguewk.part.room import Room, check_within
from roguewk.part.verbs import advance, check_state, learn_reward, reward_bounds
from roguewk.problem.errors import InputError
from roguewk.problem.problem import Problem

SLOTS = 256  # rounds that are remembered
MOST = 1_000_000  # numbers
ROUND, ARM, ARRIVED, SEQUENCE = range(4)


class LdsRewards(NamedTuple):
    """The regressions, and the rounds whose rewards may still come or be regressed with."""

    known: Learned[Vector]  # (arm, sequence, regressor, regressor) V of what has arrived
    tried: Learned[Vector]  # (arm, sequence, regressor, regressor) V of pulls
    totals: Learned[Vector]  # (arm, sequence, regressor) sum phi r
    rounds: Learned[Any]  # (slot, [round, arm, arrived, sequence])
    values: Learned[Vector]  # (slot, regressor) the reward takes the place of the 1
    spare: Scratch[Vector]  # ([phi, V^-1 phi, V ..], regressor)
    scales: Constant[Vector]  # (arm,)
    ridge: float


def _build(problem: Problem, s: int, ridge: float, scale: float) -> LdsRewards:
    m, size = len(problem.arms), s + 1
    sequences = (m + 1) ** s
    if m * sequences * size * (2 * size + 1) > MOST:
        raise InputError(
            f"'lds-ucb' with s = {s} and {m} arms has {m * sequences} regressions: take a smaller s, fewer arms,"
            " or 'sw-ucb-gm'"
        )
    known, tried = np.tile(ridge * np.eye(size), (2, m, sequences, 1, 1))
    return LdsRewards(
        known, tried, np.zeros((m, sequences, size)), np.full((SLOTS, 4), -1), np.zeros((SLOTS, size)),
        np.zeros((2 + size, size)), scale * reward_ranges(problem), ridge,
    )  # fmt: skip


@check_state.body(LdsRewards)
def _check_state(part: LdsRewards, room: Room) -> None:
    rounds, arms = part.rounds, part.totals.shape[0]
    check_within(rounds[:, ROUND], -1, room.round, "a round that is remembered")
    check_within(rounds[:, ARM], -1, arms - 1, "the arm of a round that is remembered")
    check_within(rounds[:, SEQUENCE], -1, part.totals.shape[1] - 1, "the sequence of a round that is remembered")
    idle = (rounds[:, ARRIVED] == 1) & ((rounds[:, ARM] < 0) | (rounds[:, SEQUENCE] < 0))
    check_within(idle, 0, 0, "a reward of an idle round")


@compiled
def _recall(part: LdsRewards, round_: int) -> int:
    """Write the regressors of this round to the spare place; return its sequence of arms."""
    arms, size = part.totals.shape[0], part.totals.shape[2]
    sequence = 0
    part.spare[0, 0] = 1.0
    for i in range(1, size):
        slot = (round_ - i) % SLOTS
        there = part.rounds[slot, ROUND] == round_ - i and part.rounds[slot, ARRIVED] == 1
        sequence = sequence * (arms + 1) + (part.rounds[slot, ARM] if there else arms)
        part.spare[0, i] = part.values[slot, 0] if there else 0.0
    return sequence


@compiled
def _solve(matrix: Vector, spare: Vector, ridge: float) -> None:
    """Leave `V^-1 phi` in the spare place, by elimination. V itself is kept, since its sums hardly round."""
    size = spare.shape[1]
    for i in range(size):
        spare[1, i] = spare[0, i]
        for j in range(size):
            spare[2 + i, j] = matrix[i, j]
    for i in range(size):
        spare[2 + i, i] = max(spare[2 + i, i], ridge)  # no less than that but for rounding
        for k in range(i + 1, size):
            factor = spare[2 + k, i] / spare[2 + i, i]
            spare[1, k] -= factor * spare[1, i]
            for j in range(i, size):
                spare[2 + k, j] -= factor * spare[2 + i, j]
    for i in range(size - 1, -1, -1):
        for j in range(i + 1, size):
            spare[1, i] -= spare[2 + i, j] * spare[1, j]
        spare[1, i] /= spare[2 + i, i]


@compiled
def _add(matrix: Vector, spare: Vector) -> None:
    """Let `V` grow by `phi phi'`."""
    for i in range(spare.shape[1]):
        for j in range(spare.shape[1]):
            matrix[i, j] += spare[0, i] * spare[0, j]


@reward_bounds.body(LdsRewards)
def _reward_bounds(part: LdsRewards, now: Now, out: Vector) -> None:
    sequence, spare = _recall(part, now.round), part.spare
    explore = 2.0 * math.log(max(now.t, 1))
    for a in range(out.size):
        _solve(part.tried[a, sequence], spare, part.ridge)
        spread = 0.0
        for i in range(spare.shape[1]):
            spread += spare[0, i] * spare[1, i]
        _solve(part.known[a, sequence], spare, part.ridge)
        out[a] = part.scales[a] * math.sqrt(explore * max(spread, 0.0))
        for i in range(spare.shape[1]):
            out[a] += spare[1, i] * part.totals[a, sequence, i]


@advance.body(LdsRewards)
def _advance(part: LdsRewards, now: Now, arm: int, memo: Vector) -> None:
    sequence, slot = _recall(part, now.round), now.round % SLOTS
    part.rounds[slot, ROUND], part.rounds[slot, ARM] = now.round, arm
    part.rounds[slot, ARRIVED], part.rounds[slot, SEQUENCE] = 0, sequence
    for i in range(1, part.spare.shape[1]):
        part.values[slot, i] = part.spare[0, i]
    if arm >= 0:
        _add(part.tried[arm, sequence], part.spare)


@learn_reward.body(LdsRewards)
def _learn_reward(part: LdsRewards, round_: int, arm: int, memo: Vector, reward: float) -> None:
    slot = round_ % SLOTS
    if part.rounds[slot, ROUND] != round_:
        return
    sequence = part.rounds[slot, SEQUENCE]
    part.rounds[slot, ARRIVED], part.values[slot, 0] = 1, reward
    part.spare[0, 0] = 1.0
    for i in range(1, part.spare.shape[1]):
        part.spare[0, i] = part.values[slot, i]
    _add(part.known[arm, sequence], part.spare)
    for i in range(part.spare.shape[1]):
        part.totals[arm, sequence, i] += part.spare[0, i] * reward


LDS_UCB = Part(
    role=REWARDS,
    name="lds-ucb",
    summary="rewards regressed on those of the last s rounds, by arm and arms before it",
    build=_build,
    parameters={
        "s": counted(1, 1, 2, "rounds that the regressions look back"),
        "ridge": within(1.0, 1e-9, 1e9, "how strongly the coefficients are held to 0"),
        "scale": not_negative(1.0, "multiplies the confidence radius"),
    },
    first_pulls=True,
)
PARTS = (LDS_UCB,)
