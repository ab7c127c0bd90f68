"""Rewards with normal noise of known sigma: `b(level) = level^2 / 2`, the level being the mean itself."""

import math
from typing import Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.problem.family.family import TAIL, Formula, RewardFamily, Rewards


def _same(value: float) -> float:
    return value


def _log_partition(level: float) -> tuple[float, float]:
    return 0.5 * level * level, level


def _variance(mean: float) -> float:
    return 1.0


def _dispersion(sigma: float) -> float:
    return sigma * sigma


def _surprise(level: float, reward: float, sigma: float) -> float:
    return 0.5 * ((reward - level) / sigma) ** 2


def _likelihood(mean: float, reward: float, sigma: float) -> float:
    return -(0.5 * ((reward - mean) / sigma) ** 2)


def _divergence(p: float, q: float, sigma: float) -> float:
    return 0.5 * ((p - q) / sigma) ** 2


def _farthest_mean(mean: float, limit: float, sigma: float) -> float:
    return mean + sigma * math.sqrt(2.0 * limit)


def _drawing() -> Formula:
    from roguewk.kernel.luck import normal  # only here: making a world does not load Numba

    def draw(mean: float, sigma: float, first: Any, second: Any) -> float:
        return mean + sigma * normal(first, second)

    return draw


def _means_of_levels(levels: Vector) -> Vector:
    return levels


def _symbolic_mean(casadi: Any, level: Any) -> Any:
    return level


def _refusal(low: float, high: float) -> str:
    return ""


def _points(half_width: float) -> int:
    return 4  # a parabola, and one to spare


def _steepest(low: float, high: float) -> float:
    return 1.0


def _turns(low: float, high: float) -> tuple[float, float]:
    return 0.0, 0.0


def _spread(low: float, high: float, sigma: float) -> float:
    return high - low + TAIL * sigma


def _own_slopes(means: Vector, gaps: Vector, sigma: float) -> tuple[float, float]:
    low, high = float(means.min()), float(means.max())
    slope, variance = float(np.abs(np.diff(means) / gaps).max()), sigma**2
    return (high - low + TAIL * sigma) * slope / variance, (high - low) / variance


GAUSSIAN = RewardFamily(
    name="gaussian",
    unit="reward",
    rewards=Rewards(-math.inf, math.inf, False, "a number"),
    means=(-math.inf, math.inf),
    wants_sigma=True,
    mean_of_level=_same,
    level_of_mean=_same,
    log_partition=_log_partition,
    variance=_variance,
    dispersion=_dispersion,
    surprise=_surprise,
    likelihood=_likelihood,
    divergence=_divergence,
    farthest_mean=_farthest_mean,
    kept=_same,
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
        "L_g is finite, but the rewards of {names} are Gaussian: the slope in the state grows with the reward. L_f "
        f"below counts rewards up to {TAIL:g} sigma outside the range of the means."
    ),
    on_tails="The Gaussian log-likelihood ratio is linear in the reward, with slope L_p.",
)
