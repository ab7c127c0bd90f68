"""Mean rewards as they are, after a first pull of each arm."""

from typing import NamedTuple

import numpy as np

from roguewk.estimate.rewards.tally import Tally, build_tally, mean_of, tallied
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.part.part import REWARDS, Part
from roguewk.part.verbs import reward_bounds
from roguewk.problem.problem import Problem


@tallied
class MeanRewards(NamedTuple):
    """Means of all rewards seen."""

    tally: Tally


def _build(problem: Problem) -> MeanRewards:
    return MeanRewards(build_tally(problem))


@reward_bounds.body(MeanRewards)
def _reward_bounds(part: MeanRewards, now: Now, out: Vector) -> None:
    for a in range(out.size):
        out[a] = mean_of(part.tally, a) if part.tally.pulls[a] > 0.0 else np.inf


MEAN_REWARDS = Part(REWARDS, "mean", "mean rewards", _build, first_pulls=True)
PARTS = (MEAN_REWARDS,)
