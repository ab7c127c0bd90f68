"""Thompson sampling: a number drawn from what is believed of each mean reward, given the rewards that have arrived.

`thompson-beta`: a Beta prior for coins, Beta(1, 1) by default. `thompson-gauss`: a normal prior with the weight of
`prior_weight` rewards around `prior_mean`, so that n rewards make it `N((w m + sum r) / (w + n), sigma^2 / (w + n))`;
sigma is known for Gaussian rewards and 1/2 for those of 0 or 1. A prior as vague as the default has an arm without
rewards play about every other round, by its draw: no arm is infinitely good. Agrawal and Goyal 2013 have mean 0,
weight 1 and sigma 1, which is `prior_mean=0, prior_weight=1, scale=2` here.

The probabilities of a decision are given the numbers drawn: the arm with the largest has them all.
"""

import math
from typing import NamedTuple

from roguewk.estimate.rewards.tally import Tally, build_tally, reward_ranges, tallied
from roguewk.kernel.arrays import Vector
from roguewk.kernel.draws import beta, standard_normal
from roguewk.kernel.luck import REWARD_DRAW, Now
from roguewk.kernel.memory import Constant
from roguewk.part.parameter import above_zero, not_negative, within
from roguewk.part.part import REWARDS, Part, coin_rewards
from roguewk.part.verbs import reward_bounds
from roguewk.problem.problem import Problem


@tallied
class BetaRewards(NamedTuple):
    """What was seen of coins, and what was believed before."""

    tally: Tally
    prior_ones: float
    prior_zeros: float


@tallied
class NormalRewards(NamedTuple):
    """What was seen of rewards of known spread, and what was believed before."""

    tally: Tally
    sigmas: Constant[Vector]  # (arm,)
    prior_mean: float
    prior_weight: float


def _build_beta(problem: Problem, prior_ones: float, prior_zeros: float) -> BetaRewards:
    return BetaRewards(build_tally(problem), prior_ones, prior_zeros)


def _build_normal(problem: Problem, prior_mean: float, prior_weight: float, scale: float) -> NormalRewards:
    return NormalRewards(build_tally(problem), 0.5 * scale * reward_ranges(problem), prior_mean, prior_weight)


@reward_bounds.body(BetaRewards)
def _draw_beta(part: BetaRewards, now: Now, out: Vector) -> None:
    for a in range(out.size):
        ones = part.tally.sums[a]
        zeros = part.tally.seen[a] - ones
        out[a] = beta(part.prior_ones + ones, part.prior_zeros + zeros, now, REWARD_DRAW + 2 * a)


@reward_bounds.body(NormalRewards)
def _draw_normal(part: NormalRewards, now: Now, out: Vector) -> None:
    for a in range(out.size):
        weight = part.prior_weight + part.tally.seen[a]
        mean = (part.prior_weight * part.prior_mean + part.tally.sums[a]) / weight
        out[a] = mean + part.sigmas[a] / math.sqrt(weight) * standard_normal(now, REWARD_DRAW, a)


THOMPSON_BETA = Part(
    role=REWARDS,
    name="thompson-beta",
    summary="a draw from the Beta posterior of each coin",
    build=_build_beta,
    parameters={
        "prior_ones": above_zero(1.0, "rewards of 1 that the prior is worth"),
        "prior_zeros": above_zero(1.0, "rewards of 0 that the prior is worth"),
    },
    check=coin_rewards("thompson-beta", "'thompson-gauss'"),
    draws=True,
)
THOMPSON_GAUSS = Part(
    role=REWARDS,
    name="thompson-gauss",
    summary="a draw from the normal posterior of each mean",
    build=_build_normal,
    parameters={
        "prior_mean": within(0.5, -1e9, 1e9, "mean reward expected before any is seen"),
        "prior_weight": above_zero(0.01, "rewards that the prior is worth"),
        "scale": not_negative(1.0, "multiplies sigma"),
    },
    draws=True,
)
PARTS = (THOMPSON_BETA, THOMPSON_GAUSS)
