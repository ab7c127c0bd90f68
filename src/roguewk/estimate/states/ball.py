"""Several coordinates: the likeliest initial state in a box, and the farthest one within a trajectory divergence.

At the farthest point `x` of the set in direction `w`, `s w - H(x) (x - est)` points out of the box for some s > 0. So
with the curvature held fixed the point is a small quadratic program, s is found by a scalar search so that
`D(x || est) = limit`, and the curvature follows the point until both stand still. D is not convex, so in rare cases
(several levels of log-odds across the box, few pulls) this is a local maximum only.
"""

from typing import NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.memory import copy_into
from roguewk.problem.family.compiled import log_partition, surprise, variance

GRADIENT, TRIAL, STEP, START, FIXED, MATRIX = 2, 3, 4, 5, 6, 8  # rows of the working memory; 0 and 1 are the caller's

SMALLEST = 1e-15


class Pulls(NamedTuple):
    """The pulls of one arm that say something of x0."""

    rows: Vector  # (pull, column): u, then v, arrived, reward
    box: Vector  # (coordinate, low or high)
    spare: Vector  # working memory
    family: int


@compiled
def _level(pulls: Pulls, s: int, x: Vector) -> float:
    row = pulls.rows[s]
    level = row[row.size - 3]
    for i in range(pulls.box.shape[0]):
        level += row[i] * x[i]
    return level


@compiled_apart
def misfit(pulls: Pulls, x: Vector) -> float:
    """Minus the log-likelihood of `x`, up to a constant, times the dispersion."""
    total = 0.0
    for s in range(pulls.rows.shape[0]):
        if pulls.rows[s, -2] > 0.0:
            total += surprise(pulls.family, _level(pulls, s, x), pulls.rows[s, -1], 1.0)
    return total


@compiled_apart
def divergence(pulls: Pulls, x: Vector, estimate: Vector) -> float:
    """Trajectory divergence D(x || estimate), times the dispersion."""
    total = 0.0
    for s in range(pulls.rows.shape[0]):
        if pulls.rows[s, -2] > 0.0:
            at_x, at_estimate = _level(pulls, s, x), _level(pulls, s, estimate)
            b, mean = log_partition(pulls.family, at_x)
            total += log_partition(pulls.family, at_estimate)[0] - b - mean * (at_estimate - at_x)
    return total


@compiled_apart
def _slopes(pulls: Pulls, x: Vector, gradient: Vector, matrix: Vector, keep: float) -> None:
    """Gradient of the misfit; `matrix` becomes `keep` of itself and the rest the curvature at `x`."""
    k = pulls.box.shape[0]
    gradient[:k] = 0.0
    trace = 0.0
    for i in range(k):
        for j in range(k):
            matrix[i, j] *= keep
    for s in range(pulls.rows.shape[0]):
        row = pulls.rows[s]
        if row[-2] > 0.0:
            _, mean = log_partition(pulls.family, _level(pulls, s, x))
            spread = variance(pulls.family, mean)
            for i in range(k):
                gradient[i] += (mean - row[-1]) * row[i]
                trace += spread * row[i] * row[i]
                for j in range(k):
                    matrix[i, j] += (1.0 - keep) * spread * row[i] * row[j]
    for i in range(k):  # directions in which nothing was seen need some curvature to be solvable
        matrix[i, i] += (1.0 - keep) * (1e-12 * trace + 1e-200)


@compiled_apart
def most_likely(pulls: Pulls, x: Vector) -> None:
    """Move `x` to the likeliest point of the box, by Newton steps that are each the best in the box."""
    k = pulls.box.shape[0]
    gradient, trial, goal, matrix = pulls.spare[GRADIENT], pulls.spare[TRIAL], pulls.spare[START], pulls.spare[MATRIX:]
    value = misfit(pulls, x)
    for _ in range(100):
        _slopes(pulls, x, gradient, matrix, 0.0)
        _point(pulls, x, gradient, matrix, -1.0, goal)
        size, at_trial, change = 1.0, np.inf, 0.0
        while size > 1e-12 and at_trial >= value:
            change = 0.0
            for i in range(k):
                trial[i] = x[i] + size * (goal[i] - x[i])
                change = max(change, abs(trial[i] - x[i]))
            if change < 1e-9:
                break
            at_trial = misfit(pulls, trial)
            size *= 0.5
        copy_into(x[:k], trial[:k])  # the last step is too short to be judged by the misfit
        if change < 1e-9:
            return
        value = at_trial


@compiled_apart
def _solve(matrix: Vector, right: Vector, k: int) -> None:
    """Gaussian elimination; `right` becomes the solution. A positive definite matrix needs no pivoting."""
    for i in range(k):
        for row in range(i + 1, k):
            factor = matrix[row, i] / matrix[i, i]
            for j in range(i, k):
                matrix[row, j] -= factor * matrix[i, j]
            right[row] -= factor * right[i]
    for i in range(k - 1, -1, -1):
        for j in range(i + 1, k):
            right[i] -= matrix[i, j] * right[j]
        right[i] /= matrix[i, i]


@compiled_apart
def farthest(pulls: Pulls, estimate: Vector, direction: Vector, limit: float, best: Vector) -> None:
    """Set `best` to the point of the box that is farthest in `direction` with divergence at most `limit`.

    A limit of zero still admits every state that no pull could tell from the estimate, so it is taken as tiny.
    """
    limit = max(limit, SMALLEST)
    k = pulls.box.shape[0]
    start = pulls.spare[START]
    for i in range(k):
        if direction[i] == 0.0:
            best[i] = estimate[i]
        else:
            best[i] = pulls.box[i, 1] if direction[i] > 0.0 else pulls.box[i, 0]
        start[i] = best[i]
    if limit == np.inf or divergence(pulls, best, estimate) <= limit:
        return
    copy_into(best[:k], estimate[:k])
    _climb(pulls, estimate, direction, limit, estimate, best)
    _climb(pulls, estimate, direction, limit, start, best)


@compiled_apart
def _climb(pulls: Pulls, estimate: Vector, direction: Vector, limit: float, start: Vector, best: Vector) -> None:
    """Improve `best` from the curvature at `start`."""
    k = pulls.box.shape[0]
    gradient, trial, matrix = pulls.spare[GRADIENT], pulls.spare[TRIAL], pulls.spare[MATRIX:]
    highest = 0.0
    for i in range(k):
        highest += direction[i] * (best[i] - estimate[i])
    _slopes(pulls, start, gradient, matrix, 0.0)
    idle = 0
    for _ in range(60):
        _to_the_limit(pulls, estimate, direction, limit, trial, matrix)
        height = 0.0
        for i in range(k):
            height += direction[i] * (trial[i] - estimate[i])
        idle = 0 if height > highest + 1e-13 * (1.0 + abs(highest)) else idle + 1
        if height > highest:
            highest = height
            copy_into(best[:k], trial[:k])
        if idle == 6:
            return
        _slopes(pulls, trial, gradient, matrix, 0.5)


@compiled_apart
def _to_the_limit(pulls: Pulls, estimate: Vector, direction: Vector, limit: float, x: Vector, matrix: Vector) -> None:
    """The largest s whose point keeps within the limit, by doubling and then false position."""
    low, high = 0.0, 1.0
    f_low = -limit
    _point(pulls, estimate, direction, matrix, high, x)
    f_high = divergence(pulls, x, estimate) - limit
    while f_high <= 0.0 and high < 1e15:
        low, f_low = high, f_high
        high *= 4.0
        _point(pulls, estimate, direction, matrix, high, x)
        f_high = divergence(pulls, x, estimate) - limit
    side = 0
    for _ in range(60):
        if high - low <= 1e-13 * high:
            break
        s = (low * f_high - high * f_low) / (f_high - f_low)
        if not low < s < high:
            s = 0.5 * (low + high)
        _point(pulls, estimate, direction, matrix, s, x)
        f = divergence(pulls, x, estimate) - limit
        if f > 0.0:
            high, f_high = s, f
            f_low *= 0.5 if side == 1 else 1.0
            side = 1
        else:
            low, f_low = s, f
            f_high *= 0.5 if side == -1 else 1.0
            side = -1
            if f > -1e-13 * limit:
                break
    _point(pulls, estimate, direction, matrix, low, x)


@compiled_apart
def _point(pulls: Pulls, centre: Vector, direction: Vector, matrix: Vector, s: float, x: Vector) -> None:
    """Maximise `s direction.x - (x - centre)' matrix (x - centre) / 2` over the box, by the active-set method."""
    k = pulls.box.shape[0]
    step, fixed = pulls.spare[STEP], pulls.spare[FIXED]
    copy_into(x[:k], centre[:k])
    fixed[:k] = 0.0
    for _ in range(10 * k + 10):
        for i in range(k):
            step[i] = 0.0 if fixed[i] > 0.0 else _force(centre, direction, matrix, s, x, i, k)[0]
        _solve_free(pulls, matrix, step, k)
        share, blocking = 1.0, -1
        for i in range(k):
            if fixed[i] == 0.0 and step[i] != 0.0:
                room = ((pulls.box[i, 1] if step[i] > 0.0 else pulls.box[i, 0]) - x[i]) / step[i]
                if room < share:
                    share, blocking = room, i
        for i in range(k):
            x[i] = min(max(x[i] + share * step[i], pulls.box[i, 0]), pulls.box[i, 1])
        if blocking >= 0:
            x[blocking] = pulls.box[blocking, 1] if step[blocking] > 0.0 else pulls.box[blocking, 0]
            fixed[blocking] = 1.0
            continue
        largest, loose = 1e-12, -1  # the side of the box that holds the point back most
        for i in range(k):
            if fixed[i] > 0.0:
                force, size = _force(centre, direction, matrix, s, x, i, k)
                inward = -force if x[i] >= pulls.box[i, 1] else force
                if inward > largest * size:
                    largest, loose = inward / size, i
        if loose < 0:
            return
        fixed[loose] = 0.0


@compiled
def _force(
    centre: Vector, direction: Vector, matrix: Vector, s: float, x: Vector, i: int, k: int
) -> tuple[float, float]:
    """The slope of what `_point` maximises in coordinate `i`, and the size of the terms it is made of."""
    force = s * direction[i]
    size = abs(force)
    for j in range(k):
        term = matrix[i, j] * (x[j] - centre[j])
        force -= term
        size += abs(term)
    return force, size


@compiled
def _solve_free(pulls: Pulls, matrix: Vector, right: Vector, k: int) -> None:
    """Solve for the coordinates that are not fixed; the step of the others is zero."""
    fixed, copy = pulls.spare[FIXED], pulls.spare[MATRIX + k :]
    for i in range(k):
        for j in range(k):
            copy[i, j] = matrix[i, j] if fixed[i] == 0.0 and fixed[j] == 0.0 else 0.0
        if fixed[i] > 0.0:
            copy[i, i] = 1.0
    _solve(copy, right, k)
