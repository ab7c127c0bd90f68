"""What one reward tells of the level of an arm, which is believed to be normal: the mean and variance after it.

Sums around the likeliest level `m + s`, at distances of its own width w there, stand for integrals. Rewards that are 0
or 1, or judged as if they were, have the likelihood `exp(y level) / (1 + exp(level))`. At equal distances all of it
but the denominator is a geometric progression, whose ratios are two more: a sum takes four exponentials.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.problem.family.compiled import likelihood, mean_of_level, variance
from roguewk.problem.family.registry import family_code

NEWTON = 6  # steps to the likeliest level
# Standard deviations that a sum may be away from the likeliest level: after a shorter step it is far nearer. That of
# coins reaches far beyond what counts; seven nodes of Gauss and Hermite have to be where the density is.
CENTRED, CENTRED_WELL = 0.5, 0.01
COIN, SHARE = family_code("bernoulli"), family_code("bounded")
REACH = 6  # widths to either side of the likeliest level, for coins
WIDEST = 20.0  # log-odds: of levels that are less known than that the progressions might overflow
# Gauss and Hermite, seven nodes, for a standard normal.
NODES = (
    -3.750439717725742,
    -2.366759410734541,
    -1.154405394739968,
    0.0,
    1.154405394739968,
    2.366759410734541,
    3.750439717725742,
)
SHARES = (
    0.000548268855972,
    0.030757123967586,
    0.240123178605013,
    0.457142857142857,
    0.240123178605013,
    0.030757123967586,
    0.000548268855972,
)
# Variance, in squares of sigma, of a level of which nothing is left to learn: smaller ones have no reciprocal.
CERTAIN = 1e-24
LEAST = 1e-12  # squares of a width
ROOT = math.sqrt(2.0 * math.pi)


class Moments(NamedTuple):
    """Mean and variance of a level."""

    mean: float
    variance: float


class Update(NamedTuple):
    """What a reward does to a level: how far its mean moves, its variance after it, and how likely it was.

    A shift and not the mean after it: of a level that is all but known the difference of two means would be rounding
    errors alone, which divided by its variance are anything.
    """

    shift: float
    variance: float
    evidence: float


@compiled_apart
def after_reward(arm: Any, before: Moments, reward: float) -> Update:
    """What a reward tells of a level."""
    if before.variance <= CERTAIN * arm.sigma * arm.sigma:
        told = likelihood(arm.family, mean_of_level(arm.family, before.mean), reward, arm.sigma)
        return Update(0.0, before.variance, told)
    if arm.exact:
        noise = arm.sigma * arm.sigma
        total, off = before.variance + noise, reward - before.mean
        told = -0.5 * (off * off / total + math.log(total / noise))
        return Update(before.variance / total * off, before.variance * noise / total, told)
    if (arm.family == COIN or arm.family == SHARE) and before.variance < WIDEST * WIDEST:
        # No coin moves a level by more than its variance.
        near = before.variance < CENTRED * CENTRED
        shift = 0.0 if near else _likeliest(arm, before, reward, CENTRED)
        # A level and its opposite are alike for a reward and its opposite: of a negative one the odds are no infinity.
        if before.mean + shift <= 0.0:
            return _after_coin(before, shift, reward)
        after = _after_coin(Moments(-before.mean, before.variance), -shift, 1.0 - reward)
        return Update(-after.shift, after.variance, after.evidence)
    return _after_any(arm, before, _likeliest(arm, before, reward, CENTRED_WELL), reward)


@compiled
def _likeliest(arm: Any, before: Moments, reward: float, centred: float) -> float:
    """How far the likeliest level after a reward is from the mean before it, roughly."""
    shift, near = 0.0, centred * math.sqrt(before.variance)
    for _ in range(NEWTON):
        mean = mean_of_level(arm.family, before.mean + shift)
        slope = variance(arm.family, mean)
        step = (reward - mean - shift / before.variance) / (slope + 1.0 / before.variance)
        shift += min(max(step, -2.0), 2.0)
        if abs(step) < near:
            break
    return shift


@compiled
def _after_coin(before: Moments, shift: float, reward: float) -> Update:
    """What a reward of 0 or 1, or between them, tells of a level whose likeliest value is negative."""
    known = 1.0 / before.variance
    odds = math.exp(before.mean + shift)
    width = 1.0 / math.sqrt(odds / ((1.0 + odds) * (1.0 + odds)) + known)
    ratio, up = math.exp(width), math.exp((reward - shift * known) * width)
    bend = math.exp(-0.5 * width * width * known)
    square, back, down = bend * bend, 1.0 / ratio, 1.0 / up
    total = 1.0 / (1.0 + odds)
    first = second = 0.0
    above, below, odds_above, odds_below = 1.0, 1.0, odds, odds
    for i in range(1, REACH + 1):
        above, odds_above = above * up * bend, odds_above * ratio
        below, odds_below = below * down * bend, odds_below * back
        bend *= square
        right, left = above / (1.0 + odds_above), below / (1.0 + odds_below)
        total, first, second = total + right + left, first + i * (right - left), second + i * i * (right + left)
    off = first / total
    spread = min(width * width * max(second / total - off * off, LEAST), before.variance)
    told = (before.mean + shift) * reward - 0.5 * shift * shift * known
    return Update(shift + width * off, spread, told + math.log(total * width * math.sqrt(known) / ROOT))


@compiled
def _after_any(arm: Any, before: Moments, shift: float, reward: float) -> Update:
    """What a reward of any family tells of a level."""
    peaked = variance(arm.family, mean_of_level(arm.family, before.mean + shift)) + 1.0 / before.variance
    width = 1.0 / math.sqrt(peaked)
    highest = -np.inf
    total = first = second = 0.0  # of the nodes, which are around 0
    for i in range(len(NODES)):
        off = shift + width * NODES[i]
        told = likelihood(arm.family, mean_of_level(arm.family, before.mean + off), reward, arm.sigma)
        log = told - 0.5 * off * off / before.variance + 0.5 * NODES[i] * NODES[i]
        if log > highest:  # so far all nodes are measured by the highest
            shrink = math.exp(highest - log)
            total, first, second, highest = total * shrink, first * shrink, second * shrink, log
        weight = SHARES[i] * math.exp(log - highest)
        total, first, second = total + weight, first + weight * NODES[i], second + weight * NODES[i] * NODES[i]
    off = first / total
    spread = width * width * max(second / total - off * off, LEAST)
    # Rewards of which the likelihood is log-concave, as it is in all families, never make a level less known.
    spread = min(spread, before.variance)
    return Update(shift + width * off, spread, highest + math.log(total * width / math.sqrt(before.variance)))
