"""Upper bounds on mean rewards of bandits with knapsacks: `mean + sqrt(C mean / n) + C / n`, at most 1.

As in UCB1, radii are over pulls; where no reward has come, the mean is taken to be 1/2, so that an arm whose rewards
never come does not stay at the bound 1.
"""

from typing import NamedTuple

import numpy as np

from roguewk.estimate.rad import as_number, confidence_for, confidence_parameter, rad
from roguewk.estimate.rewards.tally import Tally, build_tally, mean_of, tallied
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Learned
from roguewk.part.part import REWARDS, Part, unit_rewards
from roguewk.part.verbs import reward_bounds, reward_floors, set_horizon
from roguewk.problem.problem import Problem


@tallied
class RadRewards(NamedTuple):
    """The reward estimate of UCB-BwK, PrimalDualBwK and BalancedExploration."""

    tally: Tally
    confidence: Learned[Vector]  # (1,) C
    given: float  # C, or WORKED_OUT
    resources: int


def _build(problem: Problem, confidence: float | None) -> RadRewards:
    return RadRewards(build_tally(problem), np.zeros(1), as_number(confidence), len(problem.resources))


@set_horizon.body(RadRewards)
def _set_horizon(part: RadRewards, horizon: float) -> None:
    part.confidence[0] = confidence_for(part.given, part.tally.sums.size, part.resources, horizon)


@reward_bounds.body(RadRewards)
def _reward_bounds(part: RadRewards, now: Now, out: Vector) -> None:
    for a in range(out.size):
        n = part.tally.pulls[a]
        mean = mean_of(part.tally, a) if part.tally.seen[a] > 0.0 else 0.5
        out[a] = min(mean + rad(mean, n, part.confidence[0]), 1.0) if n > 0.0 else np.inf


@reward_floors.body(RadRewards)
def _reward_floors(part: RadRewards, now: Now, out: Vector) -> None:
    for a in range(out.size):
        n, mean = part.tally.seen[a], mean_of(part.tally, a)
        out[a] = max(mean - rad(mean, n, part.confidence[0]), 0.0) if n > 0.0 else 0.0


RAD_REWARDS = Part(
    role=REWARDS,
    name="rad",
    summary="mean + sqrt(C mean / n) + C / n, at most 1",
    build=_build,
    parameters={"confidence": confidence_parameter("the rewards")},
    first_pulls=True,
    check=unit_rewards("rad", "the reward estimate 'ucb1'"),
    gives=frozenset({"floors"}),
)
PARTS = (RAD_REWARDS,)
