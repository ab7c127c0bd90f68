"""Several coordinates: the likeliest initial state in a box, and the farthest one within a trajectory divergence.

At the farthest point `x` of the set in direction `w`, `s w - H(x) (x - est)` points out of the box for some s > 0. So
with the curvature held fixed the point is a small quadratic program in s, s is found by a scalar search so that
`D(x || est) = limit`, and the curvature follows the point until both stand still.
"""

from typing import NamedTuple

from roguewk.kernel.compile import compiled
from roguewk.kernel.verbs import copy_into
from roguewk.problem.arms import Vector
from roguewk.problem.dynamics import log_partition

GRADIENT, TRIAL, STEP, START, MATRIX = 2, 3, 4, 5, 8  # rows of the working memory; 0 and 1 are the caller's


class Pulls(NamedTuple):
    """The pulls of one arm that say something of x0."""

    rows: Vector  # (pull, column): u, then v, arrived, reward
    box: Vector  # (coordinate, low or high)
    spare: Vector  # working memory
    gaussian: int


@compiled
def _level(pulls: Pulls, s: int, x: Vector) -> float:
    row = pulls.rows[s]
    level = row[row.size - 3]
    for i in range(pulls.box.shape[0]):
        level += row[i] * x[i]
    return level


@compiled
def misfit(pulls: Pulls, x: Vector) -> float:
    """Minus the log-likelihood of `x`, up to a constant."""
    total = 0.0
    for s in range(pulls.rows.shape[0]):
        if pulls.rows[s, -2] > 0.0:
            level = _level(pulls, s, x)
            total += log_partition(pulls.gaussian, level)[0] - pulls.rows[s, -1] * level
    return total


@compiled
def divergence(pulls: Pulls, x: Vector, estimate: Vector) -> float:
    """Trajectory divergence D(x || estimate), times the dispersion."""
    total = 0.0
    for s in range(pulls.rows.shape[0]):
        if pulls.rows[s, -2] > 0.0:
            at_x, at_estimate = _level(pulls, s, x), _level(pulls, s, estimate)
            b, mean = log_partition(pulls.gaussian, at_x)
            total += log_partition(pulls.gaussian, at_estimate)[0] - b - mean * (at_estimate - at_x)
    return total


@compiled
def _slopes(pulls: Pulls, x: Vector, gradient: Vector, matrix: Vector, keep: float) -> None:
    """Gradient of the misfit; `matrix` becomes `keep` of itself and the rest the curvature at `x`."""
    k = pulls.box.shape[0]
    gradient[:k] = 0.0
    for i in range(k):
        for j in range(k):
            matrix[i, j] *= keep
    for s in range(pulls.rows.shape[0]):
        row = pulls.rows[s]
        if row[-2] > 0.0:
            _, mean = log_partition(pulls.gaussian, _level(pulls, s, x))
            spread = 1.0 if pulls.gaussian else mean * (1.0 - mean)
            for i in range(k):
                gradient[i] += (mean - row[-1]) * row[i]
                for j in range(k):
                    matrix[i, j] += (1.0 - keep) * spread * row[i] * row[j]
    for i in range(k):  # directions in which nothing was seen need some curvature to be solvable
        matrix[i, i] += (1.0 - keep) * 1e-12


@compiled
def most_likely(pulls: Pulls, x: Vector) -> None:
    """Move `x` to the likeliest point of the box: Newton steps on the coordinates that are free to move."""
    k = pulls.box.shape[0]
    gradient, trial, step, matrix = pulls.spare[GRADIENT], pulls.spare[TRIAL], pulls.spare[STEP], pulls.spare[MATRIX:]
    value = misfit(pulls, x)
    for _ in range(100):
        _slopes(pulls, x, gradient, matrix, 0.0)
        largest = 0.0
        for i in range(k):
            step[i] = -gradient[i]
            if (x[i] <= pulls.box[i, 0] and step[i] <= 0.0) or (x[i] >= pulls.box[i, 1] and step[i] >= 0.0):
                step[i] = 0.0
                matrix[i, :k] = 0.0
                matrix[:k, i] = 0.0
                matrix[i, i] = 1.0
            largest = max(largest, abs(step[i]))
        if largest < 1e-12:
            return
        _solve(matrix, step, k)
        size, improved = 1.0, False
        while size > 1e-12 and not improved:
            for i in range(k):
                trial[i] = min(max(x[i] + size * step[i], pulls.box[i, 0]), pulls.box[i, 1])
            at_trial = misfit(pulls, trial)
            improved = at_trial < value
            size *= 0.5
        if not improved:
            return
        value = at_trial
        copy_into(x[:k], trial[:k])


@compiled
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


@compiled
def farthest(pulls: Pulls, estimate: Vector, direction: Vector, limit: float, best: Vector) -> None:
    """Set `best` to the point of the box that is farthest in `direction` with divergence at most `limit`."""
    k = pulls.box.shape[0]
    start = pulls.spare[START]
    for i in range(k):
        if direction[i] == 0.0:
            best[i] = estimate[i]
        else:
            best[i] = pulls.box[i, 1] if direction[i] > 0.0 else pulls.box[i, 0]
        start[i] = best[i]
    if divergence(pulls, best, estimate) <= limit:
        return
    copy_into(best[:k], estimate[:k])
    _climb(pulls, estimate, direction, limit, estimate, best)
    _climb(pulls, estimate, direction, limit, start, best)


@compiled
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


@compiled
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


@compiled
def _point(pulls: Pulls, estimate: Vector, direction: Vector, matrix: Vector, s: float, x: Vector) -> None:
    """Maximise `s direction.x - (x - est)' matrix (x - est) / 2` over the box, a coordinate at a time."""
    k = pulls.box.shape[0]
    copy_into(x[:k], estimate[:k])
    for _ in range(500):
        change = 0.0
        for i in range(k):
            pull = s * direction[i]
            for j in range(k):
                if j != i:
                    pull -= matrix[i, j] * (x[j] - estimate[j])
            new = min(max(estimate[i] + pull / matrix[i, i], pulls.box[i, 0]), pulls.box[i, 1])
            change = max(change, abs(new - x[i]))
            x[i] = new
        if change < 1e-14:
            break
