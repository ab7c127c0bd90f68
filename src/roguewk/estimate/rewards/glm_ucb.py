"""GLM-UCB reward bounds: `mu(theta_a) + rho(t) ||e_a||`, in the norm of the inverse of `M = sum e e'`.

Filippi, Cappé, Garivier and Szepesvári 2010. Without context an arm's features are its own unit vector `e_a`: M counts
pulls, the norm is `1 / sqrt(n)`, and the likeliest theta has `mu(theta_a) = mean`, kept within |theta| <= `largest`.
mu is that of the arm's family: logistic for rewards in [0, 1], the identity for Gaussian ones, exp for counts. Only
where rewards are in [0, 1] does `largest` limit theta; elsewhere X does.

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
from roguewk.problem.arm import Arm
from roguewk.problem.problem import Problem

KAPPA = math.sqrt(3.0 + 2.0 * math.log(3.0))  # after a pull of each arm the smallest eigenvalue of M is 1


@tallied
class GlmRewards(NamedTuple):
    """Means of all rewards seen."""

    tally: Tally
    radii: Learned[Vector]  # (arm,) rho / sqrt(log t)
    ranges: Constant[Vector]  # (arm,)
    limits: Constant[Vector]  # (arm, [smallest and largest mean, k / c])
    tuning: float  # of the radius as quoted; negative to have it worked out


def _build(problem: Problem, tuning: float | None, largest: float) -> GlmRewards:
    ranges = reward_ranges(problem)
    limits = np.array([_limits(arm, min(largest, 700.0)) for arm in problem.arms])
    return GlmRewards(build_tally(problem), np.zeros(ranges.size), ranges, limits, -1.0 if tuning is None else tuning)


def _limits(arm: Arm, largest: float) -> tuple[float, float, float]:
    """The means that count, and how much steeper mu is at its steepest than at its flattest."""
    family = arm.reward_family
    if family.rewards.unit:
        margin = family.mean_of_level(-largest)
        return margin, 1.0 - margin, family.steepest(-largest, largest) / family.variance(margin)
    low, high = (0.0, 0.0) if arm.custom else arm.level_range()
    flattest = min(family.variance(family.mean_of_level(level)) for level in (low, high))
    return -math.inf, math.inf, family.steepest(low, high) / flattest


@set_horizon.body(GlmRewards)
def _set_horizon(part: GlmRewards, horizon: float) -> None:
    d = float(part.ranges.size)
    for a in range(part.ranges.size):
        quoted = (
            2.0
            * part.limits[a, 2]
            * KAPPA
            * part.ranges[a]
            * math.sqrt(2.0 * d * math.log(2.0 * d * horizon * horizon))
        )
        part.radii[a] = part.tuning * quoted if part.tuning >= 0.0 else part.ranges[a] * math.sqrt(0.5)


@reward_bounds.body(GlmRewards)
def _reward_bounds(part: GlmRewards, now: Now, out: Vector) -> None:
    growth = math.sqrt(math.log(max(now.t, 1)))
    for a in range(out.size):
        n = part.tally.pulls[a]
        if n == 0.0:
            out[a] = np.inf
            continue
        mean = min(max(mean_of(part.tally, a), part.limits[a, 0]), part.limits[a, 1])
        out[a] = mean + part.radii[a] * growth / math.sqrt(n)


GLM_UCB = Part(
    role=REWARDS,
    name="glm-ucb",
    summary="mu(theta) + rho(t) / sqrt(n), with the arms themselves as features",
    build=_build,
    parameters={
        "tuning": optional_amount("multiplies rho as quoted; by default rho is sigma sqrt(2 log t)"),
        "largest": above_zero(4.0, "bound on |theta|, in log-odds, for rewards in [0, 1]"),
    },
    first_pulls=True,
)
PARTS = (GLM_UCB,)
