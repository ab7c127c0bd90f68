"""Upper Wilson bounds on mean rewards, `z^2 = 2 rho log(t + 1)`, also scaled by the variance as in omega*-UCB.

As in UCB1, radii are over pulls; where no reward has come, the mean is taken to be 1/2, so that an arm whose rewards
never come does not stay at the bound 1. rho = 1/4 is what practice uses; that theory asks for rho >= 1 is as commonly
quoted.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.estimate.rewards.tally import Tally, build_tally, mean_of, tallied, variance_of
from roguewk.estimate.wilson import LOWER, UPPER, variance_share, wilson_end
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.part.parameter import not_negative
from roguewk.part.part import REWARDS, Part, unit_rewards
from roguewk.part.verbs import reward_bounds, reward_floors
from roguewk.problem.problem import Problem


@tallied
class WilsonRewards(NamedTuple):
    """The reward estimates of omega-UCB and omega*-UCB."""

    tally: Tally
    rho: float
    by_variance: bool


def _build_plain(problem: Problem, rho: float) -> WilsonRewards:
    return WilsonRewards(build_tally(problem), rho, False)


def _build_star(problem: Problem, rho: float) -> WilsonRewards:
    return WilsonRewards(build_tally(problem), rho, True)


@compiled
def _end(part: WilsonRewards, round_: int, side: float, a: int) -> float:
    """An end for an arm that was pulled."""
    mean = mean_of(part.tally, a) if part.tally.seen[a] > 0.0 else 0.5
    z2 = 2.0 * part.rho * math.log(round_ + 1.0)
    if part.by_variance:
        z2 *= variance_share(mean, variance_of(part.tally, a), part.tally.seen[a])
    return wilson_end(mean, part.tally.pulls[a], z2, side)


@reward_bounds.body(WilsonRewards)
def _reward_bounds(part: WilsonRewards, now: Now, out: Vector) -> None:
    for a in range(out.size):
        out[a] = _end(part, now.t, UPPER, a) if part.tally.pulls[a] > 0.0 else np.inf


@reward_floors.body(WilsonRewards)
def _reward_floors(part: WilsonRewards, now: Now, out: Vector) -> None:
    for a in range(out.size):
        out[a] = _end(part, now.t, LOWER, a) if part.tally.seen[a] > 0.0 else 0.0


_RHO = not_negative(0.25, "rho of the rewards' Wilson bounds, z^2 = 2 rho log(t + 1)")
WILSON_REWARDS = Part(
    role=REWARDS,
    name="wilson",
    summary="upper Wilson bound, z^2 = 2 rho log(t + 1)",
    build=_build_plain,
    parameters={"rho": _RHO},
    first_pulls=True,
    check=unit_rewards("wilson", "the reward estimate 'ucb1'"),
    gives=frozenset({"floors"}),
)
OMEGA_STAR_REWARDS = Part(
    role=REWARDS,
    name="omega-star",
    summary="upper Wilson bound, scaled by the variance seen",
    build=_build_star,
    parameters={"rho": _RHO},
    first_pulls=True,
    check=unit_rewards("omega-star", "the reward estimate 'ucb1'"),
    gives=frozenset({"floors"}),
)
PARTS = (WILSON_REWARDS, OMEGA_STAR_REWARDS)
