"""Mean rewards less a penalty for recent use: `mean - penalty 0.5^(rounds since the last pull / half_life)`.

Only the last pull counts (Yancey and Settles 2020). An arm that was never pulled has no penalty, and one whose rewards
have not come a mean of 1.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.estimate.rewards.tally import Tally, build_tally, mean_of, tallied
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Learned
from roguewk.part.parameter import above_zero, not_negative
from roguewk.part.part import REWARDS, Part
from roguewk.part.room import LATEST, Room, check_within
from roguewk.part.verbs import advance, check_state, reward_bounds
from roguewk.problem.problem import Problem

NEVER = -1


@tallied
class RecencyRewards(NamedTuple):
    """Means of all rewards seen, and when each arm was last pulled."""

    tally: Tally
    last: Learned[Any]  # (arm,) round of the last pull
    penalty: float
    half_life: float


def _build(problem: Problem, penalty: float, half_life: float) -> RecencyRewards:
    return RecencyRewards(build_tally(problem), np.full(len(problem.arms), NEVER), penalty, half_life)


@check_state.body(RecencyRewards)
def _check_state(part: RecencyRewards, room: Room) -> None:
    check_within(part.last, -LATEST, room.round, "the round of a pull")


@reward_bounds.body(RecencyRewards)
def _reward_bounds(part: RecencyRewards, now: Now, out: Vector) -> None:
    for a in range(out.size):
        out[a] = mean_of(part.tally, a)
        if part.last[a] != NEVER:
            out[a] -= part.penalty * 0.5 ** ((now.round - part.last[a]) / part.half_life)


@advance.body(RecencyRewards)
def _advance(part: RecencyRewards, now: Now, arm: int, memo: Vector) -> None:
    if arm >= 0:
        part.tally.pulls[arm] += 1.0
        part.last[arm] = now.round


RECENCY = Part(
    role=REWARDS,
    name="recency",
    summary="mean - penalty 0.5^(rounds since the last pull / half_life)",
    build=_build,
    parameters={
        "penalty": not_negative(0.017, "what a pull takes off its arm at once, in units of reward"),
        "half_life": above_zero(15.0, "rounds after which half of the penalty is gone"),
    },
    first_pulls=True,
)
PARTS = (RECENCY,)
