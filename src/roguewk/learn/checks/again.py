"""How an arm wears off with use and when it works again, for the average subject.

An arm works again when nine tenths of what uses took off its mean reward have come back. With a rested level `c`, a
push `b` and `h` uses' worth of wear at the first moment at which it can be used again, that is the time in which `h`
fades to `f h`, where `mean(c + b f h) = mean(c) - (mean(c) - mean(c + b h)) / 10`.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.fitted import FittedArm
from roguewk.learn.profile import Interval
from roguewk.learn.result import Fit
from roguewk.problem.family.family import RewardFamily
from roguewk.problem.family.registry import family_named

USES = 10  # in a row
MISSING = 0.1  # of what uses took off: with so little of it left an arm works again
DRAWS = 1000
POINTS = 40  # of the recovery
QUANTILES = (0.025, 0.975)


class Dynamics(NamedTuple):
    """What an arm may be, draw by draw; the first is the estimate."""

    half_life: Vector  # (draw,)
    level: Vector  # (draw,) when rested
    push: Vector  # (draw,) what a use adds to it


class Curve(NamedTuple):
    """The mean reward of the average subject: of uses one after the other, then of one after a rest."""

    gap: float  # between the uses
    uses: int
    time: Vector  # (place,) since the first use; the first places are the uses
    mean: Vector  # (place,)
    low: Vector  # (place,)
    high: Vector  # (place,)


class Again(NamedTuple):
    """When an arm works again: after one use, and after many in a row."""

    after_one: Interval
    after_many: Interval


def _dynamics(fit: Fit, arm: FittedArm) -> Dynamics | None:
    posterior, family = arm.posterior, family_named(fit.family)
    if posterior is None:
        return None
    drawn, level = posterior.draw(DRAWS), family.level_of_mean(family.kept(arm.rested.value))
    # Where no wear is seen the estimate is none, and then any half-life will do.
    half_life, push = (arm.half_life.value, -arm.wear.value) if arm.verdict.seen else (1.0, 0.0)
    return Dynamics(
        half_life=np.append(half_life, drawn.half_lives),
        level=np.append(level, drawn.levels),
        push=np.append(push, drawn.pushes),
    )


def _left(time: float | Vector, half_life: Vector) -> Vector:
    return np.asarray(np.exp(-math.log(2.0) * time / half_life))


def _worn(dynamics: Dynamics, uses: int, gap: float, lag: float) -> Vector:
    """(use, draw) the wear at each of so many uses in a row."""
    worn = np.zeros((uses, dynamics.push.size))
    for n in range(1, uses):
        worn[n] = _left(gap, dynamics.half_life) * worn[n - 1] + _left(max(gap - lag, 0.0), dynamics.half_life)
    return worn


def _times(dynamics: Dynamics, worn: Vector, lag: float, family: RewardFamily) -> Vector:
    """(draw,) from the last use, which left `worn` (draw,), until the arm works again; nan if nothing was taken off."""
    rested = family.means_of_levels(dynamics.level)
    target = rested - MISSING * (rested - family.means_of_levels(dynamics.level + dynamics.push * worn))
    level = np.array([family.level_of_mean(family.kept(mean)) for mean in target.tolist()])
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (level - dynamics.level) / (dynamics.push * worn)
    # Where next to nothing is taken off, rounding would make anything of it.
    share = np.where((share > 0) & (share < 1), share, MISSING)
    return np.asarray(np.where(dynamics.push == 0, np.nan, lag + dynamics.half_life * np.log2(1 / share)))


def _interval(times: Vector, arm: FittedArm) -> Interval:
    """The estimate and its interval; an end is open where that of the half-life is."""
    low, high = np.nanquantile(times[1:], QUANTILES) if np.isfinite(times[1:]).any() else (0.0, math.inf)
    return Interval(
        float(times[0]),
        0.0 if arm.half_life.low <= 0 else float(low),
        math.inf if math.isinf(arm.half_life.high) else float(high),
    )


def works_again(fit: Fit, arm: int, gap: float) -> Again | None:
    """When an arm works again after one use and after USES, `gap` apart; None if no wear is seen."""
    own = fit.arms[arm]
    dynamics, lag, family = _dynamics(fit, own), float(fit.regular), family_named(fit.family)
    if dynamics is None or not own.verdict.seen:
        return None
    many = _left(lag, dynamics.half_life) * _worn(dynamics, USES, gap, lag)[-1] + 1.0
    one = np.ones_like(many)
    return Again(*(_interval(_times(dynamics, worn, lag, family), own) for worn in (one, many)))


def wear_and_recovery(fit: Fit, arm: int, gap: float, longest: float) -> Curve | None:
    """The mean reward over USES uses, `gap` apart, and the rest that follows; None if the log does not tell.

    The rest goes on until the arm works again and a little longer, but no longer than `longest`, or a few gaps. Where
    no wear is seen the mean is that of the rested arm, and the rest begins as long after the last use as uses are
    apart.
    """
    dynamics, lag, family = _dynamics(fit, fit.arms[arm]), float(fit.regular), family_named(fit.family)
    if dynamics is None:
        return None
    worn = _worn(dynamics, USES, gap, lag)
    again = works_again(fit, arm, gap)
    enough = 1.3 * again.after_many.value if again is not None else 5 * gap
    # Of times sooner after a use than usual the log tells little, and the less the less is seen.
    first = lag if fit.arms[arm].verdict.seen else max(lag, gap)
    rest = np.linspace(first, max(min(enough, longest), first + 3 * gap), POINTS)
    if fit.regular:
        rest = np.unique(np.round(rest))
    after = np.array([_left(t, dynamics.half_life) * worn[-1] + _left(t - lag, dynamics.half_life) for t in rest])
    means = family.means_of_levels(dynamics.level + dynamics.push * np.vstack([worn, after]))  # (place, draw)
    low, high = np.quantile(means[:, 1:], QUANTILES, axis=1)
    time = np.concatenate([gap * np.arange(USES), gap * (USES - 1) + rest])
    return Curve(gap, USES, time, means[:, 0], np.minimum(low, means[:, 0]), np.maximum(high, means[:, 0]))
