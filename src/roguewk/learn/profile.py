"""The profile of the likelihood along one parameter, and the intervals that it gives.

From the peak the parameter is moved outwards step by step while all others follow to their best. Of the others, each
point of the way knows best values and spreads; what they may be is the union over the points that are not refuted.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.movement import Movement, climb_by
from roguewk.learn.solve import Peak, Region, inner

CHI_SQUARE = 3.8414588206941227  # 95 % of chi-square with one degree of freedom
LIMIT = math.sqrt(CHI_SQUARE)  # roots of twice the drop: what is farther is refuted
FAR = 3.0  # where even the likelihood ratio against no wear, which is the largest of many, would refute
STRIDE = 1.02  # of that root from point to point: the second is just beyond the limit
NEARLY = 1e-2  # what the last step of a climb may add, there being many
LONGEST = math.log(2.0)  # step
CLIFF = 3.0  # rise of that root from point to point that is too much
SHORTEST = 1e-3  # step
POINTS = 60  # at the most on either side
BETTER = 1e-2  # a point so much above the peak is the foot of a higher one
FINE = 40  # places between two points at which others are looked at


Walked = tuple[list[Peak], Peak | None]


class Interval(NamedTuple):
    """An estimate and its 95 % interval.

    >>> from roguewk.learn.profile import Interval
    >>> Interval(value=4.0, low=2.0, high=9.0).low
    2.0
    """

    value: float
    low: float
    high: float


class Profile(NamedTuple):
    """The best that can be had at each of some values of one parameter, in rising order."""

    place: int
    top: int  # which of the points is the peak
    drops: Vector  # (point,) below the peak
    parameters: Vector  # (point, parameter)
    deviations: Vector  # (point, parameter) standard deviations, this one given; nan for what is fixed or not asked for
    higher: Peak | None  # found on the way
    covariances: Vector  # (point, beside, beside) likewise, of those that were asked for; 0 for those that are fixed

    @property
    def values(self) -> Vector:
        """(point,) of the parameter."""
        return self.parameters[:, self.place]


def small_sample_limit(outcomes: int, spare: int) -> float:
    """What takes the place of CHI_SQUARE where noise is estimated too, from `spare` more outcomes than parameters.

    Exact where levels are linear in the parameters, with the quantile of Student's t by Cornish and Fisher's series,
    which is 1 % short for 2 spare outcomes and 11 % for one.
    """
    z, d = LIMIT, float(spare)
    quantile = (
        z
        + (z**3 + z) / (4 * d)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * d**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * d**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * d**4)
    )
    return outcomes * math.log1p(quantile**2 / d)


def _walk(movement: Movement, top: Peak, region: Region, place: int, sign: int, far: float) -> Walked:
    """Points away from the top until far below it or at a bound; and a higher top, if one is met."""
    rest, end = region.without(place), float((region.high if sign > 0 else region.low)[place])
    free = inner(region, top.parameters, top.slopes)
    free[place] = True
    step = min(STRIDE * math.sqrt(movement.covariances(top.slopes, free, [place])[0, 0]), LONGEST)
    points: list[Peak] = []
    last, root = top, 0.0
    for _ in range(POINTS):
        room = sign * (end - last.parameters[place])
        if room <= 1e-9:
            break
        step = room if step > 0.8 * room else step
        start = _ahead(movement, last, rest, place, sign * step)
        peak = climb_by(movement, start, rest, NEARLY)
        if peak.value > top.value + BETTER:
            return points, peak
        points.append(peak)
        now = math.sqrt(2 * max(top.value - peak.value, 0.0))
        if now > LIMIT and now - root > CLIFF and step > SHORTEST:
            # A plain that ends at a cliff: where the limit is passed could not be told from so far.
            points.pop()
            step /= 3
            continue
        if now > far:
            break
        step = min(step * min(max(STRIDE / max(now - root, 1e-9), 0.4), 2.0), LONGEST)
        last, root = peak, now
    return points, None


def _ahead(movement: Movement, peak: Peak, rest: Region, place: int, step: float) -> Vector:
    """A step along the parameter, on which the others follow to first order."""
    free = inner(rest, peak.parameters, peak.slopes)
    result = peak.parameters.copy()
    result[place] += step
    if free.any():
        follow = movement.step(peak.slopes, free, movement.row(peak.slopes, place))
        follow[place] = 0.0
        largest = max(1.0, float(np.max(np.abs(follow) * abs(step))))
        result += follow * step / largest
    return result


def trace(
    movement: Movement, top: Peak, region: Region, place: int, far: float = LIMIT, beside: Sequence[int] = ()
) -> Profile:
    """The profile along the parameter at `place`, to where twice the drop is `far` squared.

    The covariances of the parameters at the places `beside` are kept; without any, all standard deviations are.
    """
    top = movement.seen_from(top)
    downwards, higher = _walk(movement, top, region, place, -1, far)
    upwards: list[Peak] = []
    if higher is None:
        upwards, higher = _walk(movement, top, region, place, 1, far)
    peaks, told = [*reversed(downwards), top, *upwards], list(beside) or list(range(top.parameters.size))
    free = region.without(place).free
    spreads = np.array([movement.covariances(peak.slopes, free, told) for peak in peaks])
    deviations = np.full((len(peaks), top.parameters.size), np.nan)
    deviations[:, told] = np.sqrt(np.diagonal(spreads, axis1=1, axis2=2))
    return Profile(
        place=place,
        top=len(downwards),
        drops=np.array([max(top.value - peak.value, 0.0) for peak in peaks]),
        parameters=np.array([peak.parameters for peak in peaks]),
        deviations=deviations,
        higher=higher,
        covariances=np.nan_to_num(spreads[:, : len(beside), : len(beside)]),
    )


def _crossing(values: Vector, roots: Vector) -> float:
    """Where the roots, which begin with 0 at the top, pass the limit; infinite if they never do."""
    if roots.max() <= LIMIT:
        return math.inf
    out = int(np.argmax(roots > LIMIT))
    near = slice(max(out - 2, 0), out + 1)
    along, height = values[near], roots[near]
    line = float(np.interp(LIMIT, height[-2:], along[-2:]))
    if height.size < 3 or (np.diff(height) < 0.1).any():
        return line
    # The value as a parabola in the root; the root of a drop is all but a line, so little is left to it.
    bent = float(np.polyval(np.polyfit(height, along, 2), LIMIT))
    return bent if min(along[-2:]) <= bent <= max(along[-2:]) else line


def own_interval(profile: Profile) -> Interval:
    """Where the likelihood is not refuted; an end at which it still is not, is infinite."""
    values, roots = profile.values, np.sqrt(2 * profile.drops)
    top = profile.top
    low = -_crossing(-values[: top + 1][::-1], roots[: top + 1][::-1])
    return Interval(float(values[top]), low, _crossing(values[top:], roots[top:]))


def others_interval(profile: Profile, place: int, limit: float = CHI_SQUARE) -> Interval:
    """What another parameter may be, over all values of this one; refuted is what is `limit` below, twice the logs."""
    values, roots = profile.values, np.sqrt(2 * profile.drops)
    top = profile.top
    estimate = float(profile.parameters[top, place])
    if np.isnan(profile.deviations[top, place]):
        return Interval(estimate, estimate, estimate)
    places = np.arange(values.size)
    fine = np.linspace(0, values.size - 1, (values.size - 1) * FINE + 1)
    signed = np.interp(fine, places, np.where(places < top, -roots, roots))
    left = limit - signed**2
    allowed = left >= 0
    width = np.interp(fine, places, profile.deviations[:, place]) * np.sqrt(np.maximum(left, 0.0))
    middle = np.interp(fine, places, profile.parameters[:, place])
    return Interval(estimate, float((middle - width)[allowed].min()), float((middle + width)[allowed].max()))
