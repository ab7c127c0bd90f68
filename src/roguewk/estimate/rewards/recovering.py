"""Rewards `f_a(z)` that depend on the rounds z since the last pull, at most z_max, each f_a a Gaussian process.

Pike-Burke and Grunewalder 2019. The prior has mean 0 and covariance `amplitude^2 exp(-(z - z')^2 / (2 lengthscale^2))`;
as z is a whole number, the posterior is kept exactly on the grid 1..z_max. An observation at z changes it by

    mean += k (reward - mean_z) / (k_z + noise^2),   covariance -= k k' / (k_z + noise^2),   k = covariance(., z).

The covariance does not depend on the reward: the one that bounds are made of counts pulls, the one that the mean is
made of the rewards that came. An arm that was never pulled has z = z_max. The value of an arm is
`mean + scale alpha_t sqrt(variance)`, `alpha_t = sqrt(2 log((m z_max)^depth (t + depth - 1)^2))` as commonly quoted.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant, Learned
from roguewk.kernel.verbs import verb
from roguewk.part.parameter import above_zero, counted, not_negative, optional
from roguewk.part.part import REWARDS, Part
from roguewk.part.room import Room, check_within
from roguewk.part.verbs import advance, check_state, learn_reward, reward_bounds
from roguewk.problem.constants import reward_noise
from roguewk.problem.problem import Problem


class RecoveringRewards(NamedTuple):
    """A Gaussian process for each arm; place i of a grid is z = i + 1."""

    means: Learned[Vector]  # (arm, z)
    seen: Learned[Vector]  # (arm, z, z) covariance given the rewards that came
    covariances: Learned[Vector]  # (arm, z, z) covariance given the rewards of all pulls
    rested: Learned[Any]  # (arm,) z now, less 1
    noises: Constant[Vector]  # (arm,) variance of a reward around its mean
    scale: float
    depth: int


class Recoveries(NamedTuple):
    """What is known of every f_a."""

    means: Vector  # (arm, z)
    covariances: Vector  # (arm, z, z)
    rested: Any  # (arm,) place in the grid now
    width: float  # of the confidence bounds, in standard deviations


@verb
def recovery_curves(part: Any, round_: int) -> Any:
    """Return `Recoveries`, to be looked at only."""


def _build(
    problem: Problem, z_max: int, lengthscale: float, amplitude: float, noise: float | None, scale: float, depth: int
) -> RecoveringRewards:
    arms, z = len(problem.arms), np.arange(z_max)
    kernel = amplitude**2 * np.exp(-((z[:, None] - z) ** 2) / (2 * lengthscale**2))
    noises = [reward_noise(arm) if noise is None else noise for arm in problem.arms]
    return RecoveringRewards(
        np.zeros((arms, z_max)),
        np.tile(kernel, (arms, 1, 1)),
        np.tile(kernel, (arms, 1, 1)),
        np.full(arms, z_max - 1),
        np.square(noises),
        scale,
        depth,
    )


@compiled
def _width(part: RecoveringRewards, round_: int) -> float:
    arms, z_max = part.means.shape
    return part.scale * math.sqrt(2.0 * part.depth * math.log(arms * z_max) + 4.0 * math.log(round_ + part.depth))


@compiled_apart
def _observe(mean: Vector, covariance: Vector, z: int, noise: float, surprise: float) -> None:
    """Take in an observation at z that differs by `surprise` from the mean there."""
    by = 1.0 / (covariance[z, z] + noise)
    row = covariance[z]
    for i in range(mean.size):
        mean[i] += row[i] * by * surprise
    for i in range(mean.size):
        if i != z:
            factor = row[i] * by
            for k in range(mean.size):
                covariance[i, k] -= factor * row[k]
    rest = noise * by  # the row itself comes last: k_z k / (k_z + noise) is taken off it
    for k in range(mean.size):
        row[k] *= rest


@check_state.body(RecoveringRewards)
def _check_state(part: RecoveringRewards, room: Room) -> None:
    check_within(part.rested, 0, part.means.shape[1] - 1, "how long an arm has rested")


@reward_bounds.body(RecoveringRewards)
def _reward_bounds(part: RecoveringRewards, now: Now, out: Vector) -> None:
    width = _width(part, now.t)
    for a in range(out.size):
        z = part.rested[a]
        out[a] = part.means[a, z] + width * math.sqrt(max(part.covariances[a, z, z], 0.0))


@recovery_curves.body(RecoveringRewards)
def _recovery_curves(part: RecoveringRewards, round_: int) -> Recoveries:
    return Recoveries(part.means, part.covariances, part.rested, _width(part, round_))


@advance.body(RecoveringRewards)
def _advance(part: RecoveringRewards, now: Now, arm: int, memo: Vector) -> None:
    last = part.means.shape[1] - 1
    for a in range(part.rested.size):
        z = part.rested[a]
        if a == arm:
            memo[0] = z
            _observe(part.means[a], part.covariances[a], z, part.noises[a], 0.0)
            part.rested[a] = 0
        else:
            part.rested[a] = min(z + 1, last)


@learn_reward.body(RecoveringRewards)
def _learn_reward(part: RecoveringRewards, round_: int, arm: int, memo: Vector, reward: float) -> None:
    z = min(max(int(memo[0]), 0), part.means.shape[1] - 1)
    _observe(part.means[arm], part.seen[arm], z, part.noises[arm], reward - part.means[arm, z])


RECOVERING = Part(
    role=REWARDS,
    name="recovering",
    summary="a Gaussian process over the rounds since the last pull: mean + scale alpha_t sqrt(variance)",
    build=_build,
    parameters={
        "z_max": counted(30, 1, 200, "rounds after which an arm has recovered"),
        "lengthscale": above_zero(5.0, "rounds over which the mean reward changes"),
        "amplitude": above_zero(1.0, "standard deviation of mean rewards in the prior"),
        "noise": optional(
            above_zero(0.5, "standard deviation of a reward; by default 0.5, sigma, or the largest of counts")
        ),
        "scale": not_negative(1.0, "multiplies alpha_t"),
        "depth": counted(2, 1, 4, "rounds that are planned at a time"),
    },
    gives=frozenset({"curves"}),
)
PARTS = (RECOVERING,)
