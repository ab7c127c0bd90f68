"""Newton steps and covariances from the curvature of a likelihood, which may bend upwards in places.

Few parameters are taken apart by eigenvalues. Of many, arms hardly depend on each other: what bends upwards is mended
within arms, and a Cholesky factor tells whether that was enough. Eigenvalues would take a hundred times as long.
"""

from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from roguewk.kernel.arrays import Vector
from roguewk.learn.model import Slopes
from roguewk.learn.setting import WIDTH

FLATTEST = 1e-10  # of the curvature, relative to the steepest
FEW = 40  # parameters


def one_blas_thread() -> AbstractContextManager[Any]:
    """Have linear algebra done by one thread: on matrices of this size, several wait for each other most of the time.

    With two on two busy processors, a fit of twenty arms took fifteen times as long.
    """
    return threadpool_limits(1, user_api="blas")


def _sizes(bends: Vector) -> Vector:
    """What may be negative by its size, and not too small beside the largest."""
    return np.maximum(np.abs(bends), FLATTEST * max(float(np.abs(bends).max(initial=0.0)), 1e-300))


def _by_eigenvalues(curvature: Vector) -> tuple[Vector, Vector]:
    """Sizes and directions; those in which it bends upwards count by their size."""
    bends, directions = np.linalg.eigh(curvature)
    return _sizes(bends), directions


def _is_steep(curvature: Vector) -> bool:
    """Whether it bends downwards in all directions, in none too little."""
    try:
        roots = np.diag(np.linalg.cholesky(curvature))
    except np.linalg.LinAlgError:
        return False
    return bool(roots.min() ** 2 > FLATTEST * roots.max() ** 2)


def _mended(curvature: Vector, places: Any) -> Vector:
    """The curvature in which no arm on its own bends upwards; `places` are those of its parameters."""
    group, which = np.unique(places // WIDTH, return_inverse=True)[1], places % WIDTH
    blocks = np.tile(np.eye(WIDTH), (int(group.max()) + 1, 1, 1))
    pairs = [np.flatnonzero(group[: group.size - d] == group[d:]) for d in range(WIDTH)]
    one = np.concatenate(pairs)
    two = np.concatenate([first + d for d, first in enumerate(pairs)])
    blocks[group[one], which[one], which[two]] = blocks[group[one], which[two], which[one]] = curvature[one, two]
    sizes, directions = _by_eigenvalues(blocks)
    steep = (directions * sizes[:, np.newaxis]) @ np.swapaxes(directions, 1, 2)
    result = curvature.copy()
    result[one, two] = result[two, one] = steep[group[one], which[one], which[two]]
    return result


def _steep(slopes: Slopes, free: Any) -> Vector:
    """(free, free) minus the Hessian, made to bend downwards."""
    curvature = -slopes.hessian[np.ix_(free, free)]
    if free.sum() > FEW:
        if _is_steep(curvature):
            return curvature
        mended = _mended(curvature, np.flatnonzero(free))
        if _is_steep(mended):
            return mended
    sizes, directions = _by_eigenvalues(curvature)
    return np.asarray((directions * sizes) @ directions.T)


def inverse_curvature(slopes: Slopes, free: Any) -> Vector:
    """(free, free) the inverse of minus the Hessian; directions in which it bends upwards count by their size."""
    if free.sum() > FEW:
        return np.asarray(np.linalg.inv(_steep(slopes, free)))
    sizes, directions = _by_eigenvalues(-slopes.hessian[np.ix_(free, free)])
    return np.asarray((directions / sizes) @ directions.T)


def _times_inverse(slopes: Slopes, free: Any, columns: Vector) -> Vector:
    """The inverse times (free, ...) columns."""
    if free.sum() > FEW:
        return np.asarray(np.linalg.solve(_steep(slopes, free), columns))
    return np.asarray(inverse_curvature(slopes, free) @ columns)


def newton_step(slopes: Slopes, free: Any, pull: Vector | None = None) -> Vector:
    """(parameter,) Newton's step over the free parameters along the gradient, or along another `pull`."""
    pull = slopes.gradient if pull is None else pull
    move = np.zeros(free.size)
    if slopes.hessian.ndim == 2:
        move[free] = _times_inverse(slopes, free, pull[free])
        return move
    arms = slopes.hessian.shape[0]
    moves = free[: arms * WIDTH].reshape(arms, WIDTH)
    both = moves[:, :, np.newaxis] & moves[:, np.newaxis, :]
    blocks = np.where(both, -slopes.hessian, np.eye(WIDTH))
    sizes, directions = _by_eigenvalues(blocks)
    along = np.where(moves, pull[: arms * WIDTH].reshape(arms, WIDTH), 0.0)
    turned = np.einsum("aji,aj->ai", directions, along) / sizes
    move[: arms * WIDTH] = np.where(moves, np.einsum("aij,aj->ai", directions, turned), 0.0).ravel()
    return move


def covariances(slopes: Slopes, free: Any, places: Any) -> Vector:
    """(place, place) of the parameters at some places, the free ones around their best; nan where they are fixed."""
    chosen = np.asarray(places, dtype=np.int64)
    inside = free[chosen]
    order = (np.cumsum(free) - 1)[chosen[inside]]
    result = np.full((chosen.size, chosen.size), np.nan)
    units = np.eye(int(free.sum()))[:, order]
    result[np.ix_(inside, inside)] = _times_inverse(slopes, free, units)[order] if order.size else 0.0
    return result
