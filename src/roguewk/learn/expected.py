"""What further subjects would tell of a half-life, before anyone has seen them.

With numbers `truth`, subjects whose outcomes are what is expected of them lower the log-likelihood of a half-life by

    1/2 min over (rested, start, push) of (e - D x)' S (e - D x) + what the log says of x at this half-life

where e are the true levels, D the derivatives of levels at this half-life, and S the information that the outcomes of
a subject have about their levels once the subject's own is integrated out, `(W^-1 + subject_sd^2 1 1')^-1`, with W the
inverse variances on the scale of levels. Near the truth this is the expected Fisher information; farther away it knows
that a half-life may not be told at all. Added to the log's own profile it is the profile to be expected.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roguewk.kernel.arrays import Vector
from roguewk.learn.model import quadrature
from roguewk.learn.posterior import Draws
from roguewk.learn.profile import CHI_SQUARE
from roguewk.problem.family.family import RewardFamily

NODES = 5  # levels of subjects at which the information is looked at
LOG_2 = math.log(2.0)


class Believed(NamedTuple):
    """What a log says of an arm, along the logarithm of the half-life; the three are rested level, start and push."""

    log_half_lives: Vector  # (point,) rising
    drops: Vector  # (point,) of the log-likelihood below its peak
    means: Vector  # (point, 3)
    precisions: Vector  # (point, free, free) of those that are not known
    free: list[int]  # which of the three these are


class Outcomes(NamedTuple):
    """What outcomes tell of the levels behind them."""

    family: RewardFamily
    dispersion: float
    subject_sd: float
    lag: float  # how long after a pull its wear begins to fade


class Reach(NamedTuple):
    """How far an interval goes below and above its peak, in log half-life; cut off at the ends of what is believed."""

    below: Vector  # (draw,)
    above: Vector  # (draw,)
    open_below: NDArray[np.bool_]  # (draw,) whether it is cut off
    open_above: NDArray[np.bool_]  # (draw,)


def derivatives(times: Vector, half_lives: Vector, lag: float) -> Vector:
    """(half-life, pull, 3) of levels in rested level, start and push, for pulls so long after the first round."""
    rates = LOG_2 / half_lives
    worn = np.zeros((half_lives.size, times.size))
    for i in range(1, times.size):
        gap = times[i] - times[i - 1]
        worn[:, i] = np.exp(-rates * gap) * worn[:, i - 1] + np.exp(-rates * max(gap - lag, 0.0))
    return np.stack([np.ones_like(worn), np.exp(-np.outer(rates, times)), worn], axis=2)


def true_levels(times: Vector, truth: Draws, lag: float) -> Vector:
    """(draw, pull) of the average subject."""
    numbers = np.column_stack([truth.levels, truth.starts, truth.pushes])
    return np.einsum("dnj,dj->dn", derivatives(times, truth.half_lives, lag), numbers)


class Squares(NamedTuple):
    """Sums of squares of one subject: the terms of the minimum over what is free."""

    design: Vector  # (draw, point, free, free)
    mixed: Vector  # (draw, point, free)
    rest: Vector  # (draw, point)


def squares_of(times: Vector, believed: Believed, truth: Draws, outcomes: Outcomes) -> Squares:
    """What one subject with pulls at these times is expected to add."""
    steps = derivatives(times, np.exp(believed.log_half_lives), outcomes.lag)  # (point, pull, 3)
    middle = np.einsum("pnj,pj->pn", steps, believed.means)[..., np.newaxis]
    columns = np.concatenate([steps[..., believed.free], middle], axis=2)  # (point, pull, free + 1)
    points, pulls, width = columns.shape
    pairs = np.einsum("pna,pnb->npab", columns, columns).reshape(pulls, -1)
    single = columns.transpose(1, 0, 2).reshape(pulls, -1)
    levels = true_levels(times, truth, outcomes.lag)
    count, free = levels.shape[0], width - 1
    total = Squares(np.zeros((count, points, free, free)), np.zeros((count, points, free)), np.zeros((count, points)))
    places, logs = quadrature(NODES)
    for place, share in zip(places, np.exp(logs - places**2) / math.sqrt(math.pi), strict=True):
        means = outcomes.family.means_of_levels(levels + math.sqrt(2.0) * outcomes.subject_sd * place)
        weights = outcomes.family.variance(means) / outcomes.dispersion * np.ones_like(levels)
        # The subject's own level takes from each sum of products the product of the sums.
        taken = outcomes.subject_sd**2 / (1.0 + outcomes.subject_sd**2 * weights.sum(axis=1))
        sums = (weights @ single).reshape(count, points, width)
        aims = (weights * levels).sum(axis=1)
        products = (weights @ pairs).reshape(count, points, width, width)
        products -= (taken[:, np.newaxis, np.newaxis] * sums)[..., np.newaxis] * sums[..., np.newaxis, :]
        aimed = ((weights * levels) @ single).reshape(count, points, width)
        aimed -= (taken * aims)[:, np.newaxis, np.newaxis] * sums
        square = (weights * levels**2).sum(axis=1) - taken * aims**2
        total.design[...] += share * products[..., :free, :free]
        total.mixed[...] += share * (aimed[..., :free] - products[..., :free, free])
        total.rest[...] += share * (square[:, np.newaxis] - 2.0 * aimed[..., free] + products[..., free, free])
    return total


def expected_drops(
    variants: Sequence[Vector], subjects: float, believed: Believed, truth: Draws, outcomes: Outcomes
) -> Vector:
    """(draw, point) the profile of the log with further subjects, who take turns in these times of pulls."""
    parts = [squares_of(times, believed, truth, outcomes) for times in variants if times.size]
    each = subjects / len(variants)
    design, mixed, rest = (each * np.sum([part[j] for part in parts], axis=0) for j in range(3))
    best = np.linalg.solve(design + believed.precisions, mixed[..., np.newaxis])[..., 0]
    drops = believed.drops + 0.5 * (rest - (mixed * best).sum(axis=2))
    return np.asarray(drops - drops.min(axis=1, keepdims=True))


def _vertex(places: Vector, drops: Vector) -> tuple[float, float]:
    """Where a profile is lowest and how low, by the parabola through the lowest point and its neighbours."""
    p = int(drops.argmin())
    if not 0 < p < drops.size - 1:
        return float(places[p]), float(drops[p])
    step = float(places[p + 1] - places[p])
    slope, bend = float(drops[p + 1] - drops[p - 1]) / 2, float(drops[p + 1] + drops[p - 1] - 2 * drops[p])
    if bend <= 0:
        return float(places[p]), float(drops[p])
    return float(places[p]) - step * slope / bend, float(drops[p]) - 0.5 * slope**2 / bend


def _crossing(places: Vector, roots: Vector) -> tuple[float, bool]:
    """How far from the first place roots pass the limit; whether they never do."""
    limit = math.sqrt(CHI_SQUARE)
    beyond = np.flatnonzero(roots > limit)
    if not beyond.size:
        return abs(float(places[-1] - places[0])), True
    near = slice(int(beyond[0]) - 1, int(beyond[0]) + 1)
    return abs(float(np.interp(limit, roots[near], places[near]) - places[0])), False


def _sides(places: Vector, drops: Vector) -> tuple[float, float, bool, bool]:
    peak, lowest = _vertex(places, drops)
    roots = np.sqrt(2.0 * np.maximum(drops - lowest, 0.0))
    left, right = places < peak, places > peak
    below, open_below = _crossing(np.append(peak, places[left][::-1]), np.append(0.0, roots[left][::-1]))
    above, open_above = _crossing(np.append(peak, places[right]), np.append(0.0, roots[right]))
    return below, above, open_below, open_above


def reaches(log_half_lives: Vector, drops: Vector) -> Reach:
    """The 95 % intervals of profiles (draw, point) over half-lives evenly apart, as far as they go from their peaks."""
    below, above, open_below, open_above = zip(*(_sides(log_half_lives, row) for row in drops), strict=True)
    return Reach(np.array(below), np.array(above), np.array(open_below), np.array(open_above))
