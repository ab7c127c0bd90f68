"""Counts: `b(level) = exp(level)`, the level being the log of the rate.

Counts are not sub-Gaussian, so Theorem 1 does not speak of them. Where a radius asks for their sigma, the largest
standard deviation over X stands in, and counts up to four of them above the largest rate are reckoned with.
"""

import math
from typing import Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.problem.family.family import SURE, TAIL, Formula, RewardFamily, Rewards

RATES = (1e-9, 1e6)  # expected counts; outside nothing is ever seen, or one does not count
LARGEST_COUNT = 2.0**53  # beyond, counts are not whole numbers in floating point


def _mean_of_level(level: float) -> float:
    return math.exp(min(level, 700.0))  # states that leave X still have a finite rate


def _level_of_mean(mean: float) -> float:
    return math.log(mean)


def _log_partition(level: float) -> tuple[float, float]:
    rate = math.exp(min(level, 700.0))
    return rate, rate


def _variance(mean: float) -> float:
    return mean


def _dispersion(sigma: float) -> float:
    return 1.0


def _surprise(level: float, reward: float, sigma: float) -> float:
    return math.exp(min(level, 700.0)) - reward * level


def _likelihood(mean: float, reward: float, sigma: float) -> float:
    return reward * math.log(max(mean, 1e-300)) - mean


def _divergence(p: float, q: float, sigma: float) -> float:
    return math.exp(min(p, 700.0)) * (math.expm1(min(q - p, 700.0)) - (q - p))


def _farthest_mean(mean: float, limit: float, sigma: float) -> float:
    if mean <= 0.0:
        return limit
    # q - mean - mean log(q / mean) is convex, and at least (q - mean)^2 / (2 q): steps from above never pass the root.
    q = mean + limit + math.sqrt(limit * (limit + 2.0 * mean))
    for _ in range(50):
        excess = q - mean - mean * math.log(q / mean) - limit
        if excess <= 1e-15 * q or q <= mean:
            break
        step = excess * q / (q - mean)
        q -= step
        if step < 1e-13 * q:
            break
    return max(q, mean)


def _kept(mean: float) -> float:
    return max(mean, SURE)


def _drawing() -> Formula:
    from roguewk.kernel.draws import poisson  # only here: making a world does not load Numba

    def draw(mean: float, sigma: float, first: Any, second: Any) -> float:
        return poisson(mean, first, second)

    return draw


def _means_of_levels(levels: Vector) -> Vector:
    return np.asarray(np.exp(np.minimum(levels, 700.0)))


def _symbolic_mean(casadi: Any, level: Any) -> Any:
    return casadi.exp(level)


def _refusal(low: float, high: float) -> str:
    least, most = (math.exp(min(level, 700.0)) for level in (low, high))
    if RATES[0] * (1 - 1e-9) <= least and most <= RATES[1] * (1 + 1e-9):
        return ""
    return f"allows rates from {least:g} to {most:g}: give a state set with rates from {RATES[0]:g} to {RATES[1]:g}"


def _points(half_width: float) -> int:
    # The coefficients of exp(w z) are Bessel functions, of which w^n / (2^n n!) exp(w^2 / (4 (n + 1))) are bounds.
    half, count = max(half_width, 1e-3) / 2, 1
    while count * math.log(half) - math.lgamma(count + 1) + half * half / (count + 1) - 2 * half > -32:
        count += 1
    return count + 4


def _steepest(low: float, high: float) -> float:
    return _mean_of_level(high)


def _turns(low: float, high: float) -> tuple[float, float]:
    return 0.0, _mean_of_level(high)


def _largest_counted(rate: float) -> float:
    return rate + TAIL * math.sqrt(rate)


def _spread(low: float, high: float, sigma: float) -> float:
    least, most = _mean_of_level(low), _mean_of_level(high)
    return max(most, _largest_counted(most) - least)


def _own_slopes(means: Vector, gaps: Vector, sigma: float) -> tuple[float, float]:
    if means.min() == 0:
        return math.inf, math.inf
    logs = np.log(means)
    none, many = -means, _largest_counted(float(means.max())) * logs - means
    return max(float(np.abs(np.diff(log) / gaps).max()) for log in (none, many)), float(np.ptp(logs))


POISSON = RewardFamily(
    name="poisson",
    unit="log-rate",
    rewards=Rewards(0.0, LARGEST_COUNT, True, "a count (0, 1, 2, ...)"),
    means=(0.0, RATES[1]),
    wants_sigma=False,
    mean_of_level=_mean_of_level,
    level_of_mean=_level_of_mean,
    log_partition=_log_partition,
    variance=_variance,
    dispersion=_dispersion,
    surprise=_surprise,
    likelihood=_likelihood,
    divergence=_divergence,
    farthest_mean=_farthest_mean,
    kept=_kept,
    drawing=_drawing,
    means_of_levels=_means_of_levels,
    symbolic_mean=_symbolic_mean,
    refusal=_refusal,
    points=_points,
    steepest=_steepest,
    turns=_turns,
    spread=_spread,
    own_slopes=_own_slopes,
    sub_gaussian=None,
    on_slopes=(
        "L_g is finite, but the rewards of {names} are counts without a largest: the slope in the state grows with "
        f"the count. L_f below counts up to {TAIL:g} standard deviations above the largest rate."
    ),
    on_tails=(
        "The counts of {names} are sub-exponential, not sub-Gaussian, so Theorem 1 does not hold for them: sigma below "
        "is their largest standard deviation over X, and a radius made of it is a guide without a guarantee."
    ),
)
