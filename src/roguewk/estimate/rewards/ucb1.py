"""UCB1 reward bounds: `mean + scale sqrt(2 log t / n)` (Auer, Cesa-Bianchi and Fischer 2002).

Gaussian rewards have twice their sigma in place of the unit range. Theory asks for scale 1.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.estimate.rewards.tally import Tally, build_tally, mean_of, reward_ranges, tallied
from roguewk.estimate.verbs import reward_bounds
from roguewk.kernel.luck import Now
from roguewk.problem.arms import Vector
from roguewk.problem.model import Problem
from roguewk.problem.parameter import not_negative
from roguewk.problem.part import REWARDS, Part


@tallied
class Ucb1Rewards(NamedTuple):
    """Means of all rewards seen."""

    tally: Tally
    scales: Vector  # (arm,)


def _build(problem: Problem, scale: float) -> Ucb1Rewards:
    return Ucb1Rewards(build_tally(problem), scale * reward_ranges(problem))


@reward_bounds.body(Ucb1Rewards)
def _reward_bounds(part: Ucb1Rewards, now: Now, out: Vector) -> None:
    explore = 2.0 * math.log(max(now.round, 1))
    for a in range(out.size):
        n = part.tally.pulls[a]
        out[a] = mean_of(part.tally, a) + part.scales[a] * math.sqrt(explore / n) if n > 0.0 else np.inf


UCB1 = Part(
    role=REWARDS,
    name="ucb1",
    summary="mean + sqrt(2 log t / n)",
    build=_build,
    parameters={"scale": not_negative(1.0, "multiplies the confidence radius sqrt(2 log t / n)")},
    first_pulls=True,
)
PARTS = (UCB1,)
