"""GLM-UCB reward bounds: `mu(theta_a) + rho(t) ||e_a||`, in the norm of the inverse of `M = sum e e'`.

Filippi, Cappé, Garivier and Szepesvári 2010. Without context an arm's features are its own unit vector `e_a`: M counts
pulls, the norm is `1 / sqrt(n)`, and the likeliest theta has `mu(theta_a) = mean`, kept within |theta| <= `largest`.
mu is logistic for rewards of 0 or 1 and the identity for Gaussian ones.

As commonly quoted, `rho(t) = 2 k kappa R / c sqrt(2 d log t log(2 d T / delta))` with `kappa = sqrt(3 + 2 log 3)`, k
and c the largest and the smallest slope of mu within `largest`, R the range of rewards, d the number of arms and
delta = 1/T. That is hundreds of times the range and never lets go of exploring. So `tuning` multiplies it, and by
default it is what makes `rho(t) = sigma sqrt(2 log t)`, sigma being 1/2 for rewards of 0 or 1.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.estimate.rewards.tally import Tally, build_tally, mean_of, reward_ranges, tallied
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant, Learned
from roguewk.part.parameter import above_zero, optional_amount
from roguewk.part.part import REWARDS, Part
from roguewk.part.verbs import reward_bounds, set_horizon
from roguewk.problem.problem import Problem

KAPPA = math.sqrt(3.0 + 2.0 * math.log(3.0))  # after a pull of each arm the smallest eigenvalue of M is 1
STEEPEST = 0.25  # slope of the logistic function


@tallied
class GlmRewards(NamedTuple):
    """Means of all rewards seen."""

    tally: Tally
    radii: Learned[Vector]  # (arm,) rho / sqrt(log t)
    coins: Constant[Vector]  # (arm,) whether the link is logistic
    ranges: Constant[Vector]  # (arm,)
    margin: float  # by which the mean of a coin stays away from 0 and 1
    tuning: float  # of the radius as quoted; negative to have it worked out


def _build(problem: Problem, tuning: float | None, largest: float) -> GlmRewards:
    ranges = reward_ranges(problem)
    coins = np.array([float(arm.sigma is None) for arm in problem.arms])
    margin = 1.0 / (1.0 + math.exp(min(largest, 700.0)))
    return GlmRewards(
        build_tally(problem), np.zeros(ranges.size), coins, ranges, margin, -1.0 if tuning is None else tuning
    )


@set_horizon.body(GlmRewards)
def _set_horizon(part: GlmRewards, horizon: float) -> None:
    d = float(part.ranges.size)
    flattest = part.margin * (1.0 - part.margin)
    for a in range(part.ranges.size):
        steep = STEEPEST / flattest if part.coins[a] > 0.0 else 1.0
        quoted = 2.0 * steep * KAPPA * part.ranges[a] * math.sqrt(2.0 * d * math.log(2.0 * d * horizon * horizon))
        part.radii[a] = part.tuning * quoted if part.tuning >= 0.0 else part.ranges[a] * math.sqrt(0.5)


@reward_bounds.body(GlmRewards)
def _reward_bounds(part: GlmRewards, now: Now, out: Vector) -> None:
    growth = math.sqrt(math.log(max(now.t, 1)))
    for a in range(out.size):
        n = part.tally.pulls[a]
        if n == 0.0:
            out[a] = np.inf
            continue
        mean = mean_of(part.tally, a)
        if part.coins[a] > 0.0:
            mean = min(max(mean, part.margin), 1.0 - part.margin)
        out[a] = mean + part.radii[a] * growth / math.sqrt(n)


GLM_UCB = Part(
    role=REWARDS,
    name="glm-ucb",
    summary="mu(theta) + rho(t) / sqrt(n), with the arms themselves as features",
    build=_build,
    parameters={
        "tuning": optional_amount("multiplies rho as quoted; by default rho is sigma sqrt(2 log t)"),
        "largest": above_zero(4.0, "bound on |theta|, in log-odds, for rewards of 0 or 1"),
    },
    first_pulls=True,
)
PARTS = (GLM_UCB,)
