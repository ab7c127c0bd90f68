"""What a filter has learned, in numbers that people read."""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.estimate.dynamics.filter import GIVEN_UP, Filter
from roguewk.kernel.arrays import Vector

SHARES = (0.025, 0.5, 0.975)
HALVINGS = 40
HALF_ROOT = math.sqrt(0.5)
FAR = 8.0  # standard deviations from all means: nothing is farther
TINY = 1e-100  # so that what is known is divided by something


def _erf(values: Vector) -> Vector:
    return np.array([math.erf(value) for value in values.ravel()]).reshape(values.shape)


class Range(NamedTuple):
    """What a number likely is, and the ends between which it is with 95 %."""

    value: float
    low: float
    high: float


class Glimpse(NamedTuple):
    """What a filter believes at a moment; a copy of some of its fields."""

    of: Any  # (arm,)
    retentions: Vector  # (arm, point)
    evidence: Vector  # (arm, point)
    means: Vector  # (arm, point, feature)
    covariances: Vector  # (arm, point, pair)


def glimpse_of(rewards: Any) -> Glimpse | None:
    """What a reward estimate believes now; None if it takes dynamics as known."""
    part = getattr(rewards, "filter", None)
    if not isinstance(part, Filter):
        return None
    return Glimpse(part.of, part.retentions, part.evidence.copy(), part.means.copy(), part.covariances.copy())


class Belief(NamedTuple):
    """What is believed of an arm: levels in log-odds, log-rate or reward."""

    half_life: Range  # in rounds
    rested: Range  # level
    wear: Range  # of the level, by a use
    start: Range  # of the level, at first


def beliefs_of(part: Glimpse) -> list[Belief]:
    """(arm,) what is believed."""
    return [_belief(part, int(of)) for of in part.of]


def _belief(part: Glimpse, a: int) -> Belief:
    followed = part.evidence[a] > GIVEN_UP
    chances = np.where(followed, np.exp(part.evidence[a]), 0.0)
    chances /= chances.sum()
    means, variances = part.means[a], np.maximum(part.covariances[a][:, [0, 3, 5]], 0.0)
    rested, start, push = (_mixed(chances, means[:, i], variances[:, i]) for i in range(3))
    half_lives = -math.log(2.0) / np.log(part.retentions[a])
    wear = Range(0.0 - push.value, 0.0 - push.high, 0.0 - push.low)  # no -0 where a use takes nothing
    return Belief(_quantiles(chances, half_lives), rested, wear, start)


def _mixed(chances: Vector, means: Vector, variances: Vector) -> Range:
    """Median and ends of a mixture of Gaussians, by halving the interval in which each is."""
    possible = means[chances > 0]
    if not variances[chances > 0].any() and np.ptp(possible) == 0.0:
        return Range(*[float(possible[0])] * 3)  # it is told
    deviations = np.sqrt(variances) + TINY
    low, high = (np.full(3, end) for end in ((means - FAR * deviations).min(), (means + FAR * deviations).max()))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        below = (1.0 + _erf((middle[:, np.newaxis] - means) / deviations * HALF_ROOT)) / 2 @ chances < SHARES
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    lower, median, upper = middle.tolist()
    return Range(median, lower, upper)


def _quantiles(chances: Vector, half_lives: Vector) -> Range:
    """Between the points of the grid, whose chances are spread evenly around them."""
    middles = np.cumsum(chances) - chances / 2
    kept = chances > 0
    low, middle, high = np.exp(np.interp(SHARES, middles[kept], np.log(half_lives[kept])))
    return Range(float(middle), float(low), float(high))
