"""A smooth function kept as its values at Chebyshev points: evaluation and roots.

Work and memory do not grow with the history that the values sum up, and for analytic functions the interpolation is
exact to rounding (Trefethen, Approximation Theory and Approximation Practice, chapters 5 and 8).
"""

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.problem.arm import Arm


def points_needed(arm: Arm) -> int:
    """Points that make the log-partition over X exact to about 1e-13."""
    with np.errstate(over="ignore"):
        half_width = float(np.abs(arm.weights) @ (arm.box[:, 1] - arm.box[:, 0])) / 2
    return arm.reward_family.points(half_width)


def chebyshev_grid(count: int) -> Vector:
    """(2, point): points from -1 to 1, ends included, and their barycentric weights."""
    points = -np.cos(np.pi * np.arange(count) / (count - 1))
    weights = (-1.0) ** np.arange(count)
    weights[[0, -1]] /= 2
    return np.vstack([points, weights])


@compiled_apart
def interpolate(grid: Vector, first: Vector, second: Vector, z: float) -> tuple[float, float]:
    """Two functions, given by their values at the points, at `z` in [-1, 1]."""
    top_first = top_second = bottom = 0.0
    for i in range(grid.shape[1]):
        distance = z - grid[0, i]
        if distance == 0.0:
            return first[i], second[i]
        share = grid[1, i] / distance
        top_first += share * first[i]
        top_second += share * second[i]
        bottom += share
    return top_first / bottom, top_second / bottom


@compiled_apart
def root(
    grid: Vector, level: Vector, slope: Vector, form: tuple[float, float, float, float], low: float, high: float
) -> float:
    """Where `form[0] + form[1] level(z) + (form[2] + form[3] z) slope(z)` changes sign between `low` and `high`.

    Regula falsi with the Illinois correction; the bracket is never left.
    """
    f_low = _form(grid, level, slope, form, low)
    f_high = _form(grid, level, slope, form, high)
    z, side = low, 0
    for _ in range(100):
        before = z
        z = (low * f_high - high * f_low) / (f_high - f_low)
        if not low < z < high:
            z = 0.5 * (low + high)
        f = _form(grid, level, slope, form, z)
        if f == 0.0 or abs(z - before) < 1e-15 or high - low < 1e-15:
            break
        if (f > 0.0) == (f_high > 0.0):
            high, f_high = z, f
            if side == 1:
                f_low *= 0.5
            side = 1
        else:
            low, f_low = z, f
            if side == -1:
                f_high *= 0.5
            side = -1
    return z


@compiled
def _form(grid: Vector, level: Vector, slope: Vector, form: tuple[float, float, float, float], z: float) -> float:
    at_level, at_slope = interpolate(grid, level, slope, z)
    return form[0] + form[1] * at_level + (form[2] + form[3] * z) * at_slope
