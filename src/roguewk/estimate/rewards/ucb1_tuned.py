"""UCB1-Tuned reward bounds: `mean + scale sqrt(log t / n min(1/4, V))` with `V = variance + sqrt(2 log t / n)`.

Auer, Cesa-Bianchi and Fischer 2002, section 4; there is no theory for it, and practice uses scale 1. Gaussian rewards
are measured in units of twice their sigma, which takes the place of the unit range.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.estimate.rewards.tally import Tally, build_tally, mean_of, reward_ranges, tallied, variance_of
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant
from roguewk.part.parameter import not_negative
from roguewk.part.part import REWARDS, Part
from roguewk.part.verbs import reward_bounds
from roguewk.problem.problem import Problem

LARGEST_VARIANCE = 0.25  # of anything in the unit interval


@tallied
class TunedRewards(NamedTuple):
    """Means and variances of all rewards seen."""

    tally: Tally
    ranges: Constant[Vector]  # (arm,)
    scale: float


def _build(problem: Problem, scale: float) -> TunedRewards:
    return TunedRewards(build_tally(problem), reward_ranges(problem), scale)


@reward_bounds.body(TunedRewards)
def _reward_bounds(part: TunedRewards, now: Now, out: Vector) -> None:
    log = math.log(max(now.t, 1))
    for a in range(out.size):
        n, range_ = part.tally.pulls[a], part.ranges[a]
        if n == 0.0:
            out[a] = np.inf
            continue
        variance = variance_of(part.tally, a) / (range_ * range_) + math.sqrt(2.0 * log / n)
        radius = math.sqrt(log / n * min(LARGEST_VARIANCE, variance))
        out[a] = mean_of(part.tally, a) + part.scale * range_ * radius


UCB1_TUNED = Part(
    role=REWARDS,
    name="ucb1-tuned",
    summary="mean + sqrt(log t / n min(1/4, variance + sqrt(2 log t / n)))",
    build=_build,
    parameters={"scale": not_negative(1.0, "multiplies the confidence radius")},
    first_pulls=True,
)
PARTS = (UCB1_TUNED,)
