"""Sums of `reward / probability of the pull` since the last reset: unbiased for every arm, however it is drawn.

Resets come every `batch` rounds, or never. A reward that comes after its batch is over is left out.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Learned, copy_into
from roguewk.part.batches import BATCHES, batch_length
from roguewk.part.desk import CHANCE
from roguewk.part.part import REWARDS, Part, unit_rewards
from roguewk.part.room import Room, check_within
from roguewk.part.verbs import check_state, learn_reward, reward_bounds
from roguewk.problem.problem import Problem


class ImportanceRewards(NamedTuple):
    """The reward estimate of EXP3 and Rexp3."""

    sums: Learned[Vector]  # (arm,)
    begin: Learned[Any]  # (1,) first round of the batch, -1 before there is one
    batch: int  # 0 for one that never ends


def _build(problem: Problem, batch: int | None, variation: float | None) -> ImportanceRewards:
    return ImportanceRewards(np.zeros(len(problem.arms)), np.full(1, -1), batch_length(problem, batch, variation))


@check_state.body(ImportanceRewards)
def _check_state(part: ImportanceRewards, room: Room) -> None:
    check_within(part.begin, -1, room.round, "the beginning of the batch")


@reward_bounds.body(ImportanceRewards)
def _reward_bounds(part: ImportanceRewards, now: Now, out: Vector) -> None:
    begin = part.begin[0]
    if begin < 0 or (part.batch > 0 and now.round >= begin + part.batch):
        part.begin[0] = now.round
        part.sums[:] = 0.0
    copy_into(out, part.sums)


@learn_reward.body(ImportanceRewards)
def _learn_reward(part: ImportanceRewards, round_: int, arm: int, memo: Vector, reward: float) -> None:
    if round_ >= part.begin[0] and memo[CHANCE] > 0.0:
        part.sums[arm] += reward / memo[CHANCE]


IMPORTANCE = Part(
    role=REWARDS,
    name="importance",
    summary="sums of rewards over the probabilities of their pulls",
    build=_build,
    parameters=BATCHES,
    check=unit_rewards("importance", "'d-ucb' or 'sw-ucb-gm'"),
)
PARTS = (IMPORTANCE,)
