"""What an arm may be, given a log: half-lives as likely as their profile says, the rest normal around its best there.

Half-lives have a flat prior in their logarithm, over the range that was searched. The likelihood of each is that of the
profile, not averaged over the other parameters: with weak priors an average would be drawn to half-lives at which wear
and rested level cannot be told apart.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.profile import Profile
from roguewk.learn.setting import PUSH, RESTED, START, WIDTH

POINTS = 161  # half-lives
FARTHEST = 4.0  # roots of twice the drop: what is farther has no weight
LEAST_SLOPE = 0.1  # of the root beyond the last point of the profile, per log half-life


class Draws(NamedTuple):
    """Draws of an arm; levels, starts and pushes in log-odds, log-rate or reward.

    >>> import roguewk as rw
    >>> from roguewk.learn.example import invented_log
    >>> rw.fit(invented_log()).arms[0].posterior.draw(1000, seed=0).half_lives.shape
    (1000,)
    """

    half_lives: Vector  # (draw,)
    levels: Vector  # (draw,) when rested
    starts: Vector  # (draw,) how far from rested at first
    pushes: Vector  # (draw,) what a use adds: wear, if it is negative


@dataclass(frozen=True, eq=False)
class ArmPosterior:
    """What an arm may be: weighted half-lives, and for each a normal distribution of rested level, start and push.

    All are in units of level: log-odds for coins and shares, log-rate for counts, reward for Gaussian rewards.

    >>> import roguewk as rw
    >>> from roguewk.learn.example import invented_log
    >>> call = rw.fit(invented_log()).arms[0].posterior
    >>> call.means.shape, call.covariances.shape, round(float(call.weights.sum()), 6)
    ((161, 3), (161, 3, 3), 1.0)
    """

    half_lives: Vector  # (point,) rising, in rounds or the log's unit of time
    weights: Vector  # (point,)
    means: Vector  # (point, 3) of rested level, start and push
    covariances: Vector  # (point, 3, 3)

    def draw(self, count: int, seed: Any = 0) -> Draws:
        """Independent draws; `seed` is a number or one of NumPy's generators.

        >>> import roguewk as rw
        >>> from roguewk.learn.example import invented_log
        >>> call = rw.fit(invented_log()).arms[0].posterior.draw(1000)
        >>> bool(3.0 < np.median(call.half_lives) < 6.0)  # it was made with 4 rounds
        True
        """
        luck = np.random.default_rng(seed)
        at = luck.choice(self.weights.size, count, p=self.weights)
        values, vectors = np.linalg.eigh(self.covariances)  # not a Cholesky factor: a start may be known
        roots = vectors * np.sqrt(np.maximum(values, 0.0))[:, np.newaxis]
        drawn = self.means[at] + np.einsum("dij,dj->di", roots[at], luck.standard_normal((count, 3)))
        return Draws(self.half_lives[at], drawn[:, 0], drawn[:, 1], drawn[:, 2])


def beside(place: int) -> list[int]:
    """The places of an arm's rested level, start and push, given that of its half-life."""
    return [place - place % WIDTH + which for which in (RESTED, START, PUSH)]


def _smooth(at: Vector, places: Vector, heights: Vector) -> Vector:
    """(at, ...) piecewise cubic through the heights, and straight on beyond them."""
    slopes, heights = (table.reshape(places.size, -1) for table in (np.gradient(heights, places, axis=0), heights))
    left = np.clip(np.searchsorted(places, at) - 1, 0, places.size - 2)
    width = (places[left + 1] - places[left])[:, np.newaxis]
    inside = np.clip(at, places[0], places[-1])
    u = (inside - places[left])[:, np.newaxis] / width
    low, high, rise, end = heights[left], heights[left + 1], width * slopes[left], width * slopes[left + 1]
    curve = low + u * rise + u**2 * (3 * (high - low) - 2 * rise - end) + u**3 * (rise + end - 2 * (high - low))
    beyond = (at - inside)[:, np.newaxis]
    return np.asarray(curve + beyond * np.where(beyond < 0, slopes[:1], slopes[-1:]))


def _reach(places: Vector, roots: Vector, end: float) -> float:
    """How far from the last place on there are half-lives of some weight; they stop at `end`."""
    if places.size < 2:
        return float(places[-1])
    direction = np.sign(places[-1] - places[-2])
    slope = max(abs((roots[-1] - roots[-2]) / (places[-1] - places[-2])), LEAST_SLOPE)
    far = float(places[-1] + direction * max(FARTHEST - roots[-1], 0.0) / slope)
    return min(far, end) if direction > 0 else max(far, end)


def arm_posterior(profile: Profile, ends: Vector, unit: float = 1.0, middle: float = 0.0) -> ArmPosterior:
    """The posterior of an arm, from the profile of its half-life, which was searched between `ends` (logs).

    Levels of the profile are in units of `unit` and counted from `middle`.
    """
    places, top, roots = profile.values, profile.top, np.sqrt(2 * profile.drops)
    means = profile.parameters[:, beside(profile.place)] * unit
    means[:, 0] += middle
    covariances = profile.covariances * unit**2
    if places.size == 1:
        return ArmPosterior(np.exp(places), np.ones(1), means, covariances)
    low = _reach(places[: top + 1][::-1], roots[: top + 1][::-1], float(ends[0]))
    grid = np.linspace(low, _reach(places[top:], roots[top:], float(ends[1])), POINTS)
    signed = np.where(np.arange(places.size) < top, -roots, roots)  # all but a line, so little is left to the curve
    weights = np.exp(-0.5 * _smooth(grid, places, signed)[:, 0] ** 2)
    flat = covariances.reshape(places.size, -1)
    near = np.column_stack([np.interp(grid, places, column) for column in flat.T])  # mixtures stay positive
    return ArmPosterior(
        half_lives=np.exp(grid),
        weights=weights / weights.sum(),
        means=_smooth(grid, places, means),
        covariances=near.reshape(POINTS, *covariances.shape[1:]),
    )
