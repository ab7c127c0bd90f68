"""Rewards of 0 or 1: `b(level) = log(1 + exp(level))`, the level being the log-odds of a 1."""

import math
from typing import Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.problem.family.family import SURE, Formula, RewardFamily, Rewards

WIDEST = 1000.0  # log-odds across X; beyond about 80 every reward is certain, and the interpolation grows with it
POLE = math.pi  # log(1 + exp(z)) is analytic up to z = +- i pi
STEEPEST_TURN = 1 / (6 * math.sqrt(3))


def _mean_of_level(level: float) -> float:
    return 1.0 / (1.0 + math.exp(-level))


def _level_of_mean(mean: float) -> float:
    return math.log(mean / (1.0 - mean))


def _log_partition(level: float) -> tuple[float, float]:
    small = math.exp(-abs(level))
    return math.log1p(small) + max(level, 0.0), (1.0 if level >= 0.0 else small) / (1.0 + small)


def _variance(mean: float) -> float:
    return mean * (1.0 - mean)


def _dispersion(sigma: float) -> float:
    return 1.0


def _surprise(level: float, reward: float, sigma: float) -> float:
    # b(level) - reward level, but exact also where the reward is all but certain.
    away = level if reward < 0.5 else -level
    return math.log1p(math.exp(-abs(away))) + max(away, 0.0)


def _likelihood(mean: float, reward: float, sigma: float) -> float:
    return math.log(max(mean if reward > 0.5 else 1.0 - mean, 1e-300))


def _divergence(p: float, q: float, sigma: float) -> float:
    small, other = math.exp(-abs(p)), math.exp(-abs(q))
    at_p, at_q = math.log1p(small) + max(p, 0.0), math.log1p(other) + max(q, 0.0)
    return at_q - at_p - (1.0 if p >= 0.0 else small) / (1.0 + small) * (q - p)


def _farthest_mean(mean: float, limit: float, sigma: float) -> float:
    if mean >= 1.0:
        return 1.0
    if mean <= 0.0:
        return -math.expm1(-limit)
    fixed = mean * math.log(mean) + (1.0 - mean) * math.log1p(-mean)
    # As a function of u = -log(1 - q) the divergence is convex: steps from above never pass the root.
    u = (limit - fixed) / (1.0 - mean)
    near = mean + math.sqrt(0.5 * limit)  # Pinsker
    if near < 1.0:
        u = min(u, -math.log1p(-near))
    for _ in range(50):
        q = -math.expm1(-u)
        excess = fixed - mean * math.log(q) + (1.0 - mean) * u - limit
        if excess <= 1e-15 or q <= mean:
            break
        step = excess * q / (q - mean)
        u -= step
        if step < 1e-13 * u:
            break
    return max(-math.expm1(-u), mean)


def _kept(mean: float) -> float:
    return min(max(mean, SURE), 1.0 - SURE)


def _drawing() -> Formula:
    from roguewk.kernel.luck import unit  # only here: making a world does not load Numba

    def draw(mean: float, sigma: float, first: Any, second: Any) -> float:
        return 1.0 if unit(first) < mean else 0.0

    return draw


def _means_of_levels(levels: Vector) -> Vector:
    return np.asarray(1 / (1 + np.exp(-np.clip(levels, -700, 700))))


def _symbolic_mean(casadi: Any, level: Any) -> Any:
    return (1 + casadi.tanh(level / 2)) / 2  # never overflows


def _refusal(low: float, high: float) -> str:
    span = high - low
    return f"spans {span:g} log-odds: give a state set of at most {WIDEST:g}" if span > WIDEST else ""


def _points(half_width: float) -> int:
    return 6 + math.ceil(30 / math.asinh(POLE / max(half_width, 1e-3)))


def _steepest(low: float, high: float) -> float:
    mean = _log_partition(min(max(0.0, low), high))[1]
    return mean * (1 - mean)


def _turns(low: float, high: float) -> tuple[float, float]:
    return STEEPEST_TURN, STEEPEST_TURN


def _spread(low: float, high: float, sigma: float) -> float:
    return max(_log_partition(high)[1], _log_partition(-low)[1])


def _own_slopes(means: Vector, gaps: Vector, sigma: float) -> tuple[float, float]:
    if means.min() == 0 or means.max() == 1:
        return math.inf, math.inf
    logs = (np.log(means), np.log1p(-means))
    steepest = max(float(np.abs(np.diff(log) / gaps).max()) for log in logs)
    return steepest, float(np.ptp(logs[0] - logs[1]))


BERNOULLI = RewardFamily(
    name="bernoulli",
    unit="log-odds",
    rewards=Rewards(0.0, 1.0, True, "0 or 1"),
    means=(0.0, 1.0),
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
    sub_gaussian=0.5,
    on_slopes="",
    on_tails="Bernoulli rewards have two values, sigma = 1/2.",
)
