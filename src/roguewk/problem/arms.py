"""An arm as a policy knows it: `x' = A x + B pulled + K`, mean reward `g(x) = link(alpha + beta . x)`, states in X."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roguewk.problem.errors import InputError, known, number, positive, text

Vector = NDArray[np.float64]
FAMILIES = ("bernoulli", "gaussian")
WIDEST = 1000.0  # log-odds across X; beyond about 80 every reward is certain, and the interpolation grows with it


def _array(value: Any, shape: tuple[int, ...], what: str) -> Vector:
    try:
        result = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{what} is {value!r}: give numbers") from None
    if result.shape == () and math.prod(shape) == 1:
        result = result.reshape(shape)
    if result.shape != shape:
        want = " x ".join(map(str, shape))
        raise InputError(f"{what} has shape {result.shape}: give {want} numbers to match A")
    if not np.isfinite(result).all():
        raise InputError(f"{what} is {value!r}: give finite numbers")
    result.setflags(write=False)
    return result


def _box(state: Any, dimension: int, what: str) -> Vector:
    """`state` as an array of (low, high) rows."""
    box = _array([state] if dimension == 1 and np.ndim(state) == 1 else state, (dimension, 2), what)
    if (box[:, 0] >= box[:, 1]).any():
        raise InputError(f"{what} is {state!r}: give the lower end before the upper one")
    return box


def _natural_box(a: Vector, b: Vector, k: Vector, beta: Vector, what: str) -> Vector:
    """The smallest box around the middle of worn and rested that the dynamics never leave."""
    size = len(b)
    shrink = np.abs(a)
    if np.abs(np.linalg.eigvals(shrink)).max() >= 1:
        raise InputError(f"{what} cannot be found from A: give `state`, a [low, high] for each coordinate")
    centre = np.linalg.solve(np.eye(size) - a, k + b / 2)
    # A coordinate that nothing moves still needs some width: one unit of log-odds (or reward) either way.
    push = np.abs(b) / 2
    radius = np.linalg.solve(np.eye(size) - shrink, push)
    push = np.where(radius > 0, push, 1 / np.where(beta == 0, 1.0, np.abs(beta)))
    radius = np.linalg.solve(np.eye(size) - shrink, push)
    return np.column_stack([centre - radius, centre + radius])


@dataclass(frozen=True, eq=False)
class Arm:
    """Something you can do, how it wears off and recovers, and how its state shows in rewards.

    Scalar dynamics take numbers, vector dynamics a matrix `A` and vectors `B`, `K`, `beta`. `state` is X, the set of
    possible states; without it, everything between fully worn and fully rested. Instead of the linear forms, a scalar
    arm may bring its own `h(x, pulled)` and `g(x)`, plain or `numba.njit` functions; `h` then needs `state`.

    >>> import roguewk as rw
    >>> rw.Arm("call", A=0.2, B=-0.5, K=0.8, alpha=0.2, beta=0.8).state
    (0.375, 1.0)
    """

    name: str
    A: Any = 0.0
    B: Any = 0.0
    K: Any = 0.0
    alpha: float = 0.0
    beta: Any = 1.0
    family: str = "bernoulli"
    sigma: float | None = None
    state: Any = None
    h: Callable[[float, float], float] | None = None
    g: Callable[[float], float] | None = None
    box: Vector = field(init=False, repr=False)  # (coordinate, low or high)
    matrix: Vector = field(init=False, repr=False)  # (coordinate, coordinate): A
    push: Vector = field(init=False, repr=False)  # (coordinate,): B
    pull_back: Vector = field(init=False, repr=False)  # (coordinate,): K
    weights: Vector = field(init=False, repr=False)  # (coordinate,): beta

    def __post_init__(self) -> None:
        text(self.name, "name of an arm")
        arm = f"arm {self.name!r}"
        known(self.family, FAMILIES, f"family of {arm}:")
        if (self.sigma is None) == (self.family == "gaussian"):
            remedy = "give sigma" if self.family == "gaussian" else "leave it out, or use family = 'gaussian'"
            raise InputError(f"sigma of {arm} is {self.sigma!r} with family {self.family!r}: {remedy}")
        if self.sigma is not None:
            self._set("sigma", positive(self.sigma, f"sigma of {arm}"))
        self._set("alpha", number(self.alpha, f"alpha of {arm}"))
        size = 1 if np.ndim(self.A) == 0 else len(self.A)
        if size == 0:
            raise InputError(f"A of {arm} is empty: give a number or a square matrix")
        self._set("matrix", _array(self.A, (size, size), f"A of {arm}"))
        self._set("push", _array(self.B, (size,), f"B of {arm}"))
        self._set("pull_back", _array(self.K, (size,), f"K of {arm}"))
        self._set("weights", _array(self.beta, (size,), f"beta of {arm}"))
        self._check_contraction(arm)
        self._set_box(arm)

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _check_contraction(self, arm: str) -> None:
        if self.custom and self.dimension > 1:
            raise InputError(f"{arm} has its own h or g and {self.dimension} coordinates: use a scalar state")
        radius = float(np.abs(np.linalg.eigvals(self.matrix)).max())
        if self.h is None and radius >= 1:
            remedy = "give a retention between -1 and 1" if self.dimension == 1 else "give eigenvalues inside (-1, 1)"
            raise InputError(f"A of {arm} does not contract (its largest eigenvalue is {radius:g}): {remedy}")

    def _set_box(self, arm: str) -> None:
        what = f"state of {arm}"
        if self.state is not None:
            box = _box(self.state, self.dimension, what)
        elif self.h is not None:
            raise InputError(f"{what} is missing: with a function h, give the [low, high] of its states")
        else:
            box = _natural_box(self.matrix, self.push, self.pull_back, self.weights, what)
        span = float(np.abs(self.weights) @ (box[:, 1] - box[:, 0]))
        if self.family == "bernoulli" and self.g is None and span > WIDEST:
            raise InputError(f"{what} spans {span:g} log-odds: give a state set of at most {WIDEST:g}")
        self._set("box", box)
        ends = [(float(low), float(high)) for low, high in box]
        self._set("state", ends[0] if self.dimension == 1 else tuple(ends))

    @property
    def dimension(self) -> int:
        """The number of coordinates of the state."""
        return len(self.push)

    @property
    def custom(self) -> bool:
        """Whether the arm brings its own h or g."""
        return self.h is not None or self.g is not None

    def widened(self, x0: Sequence[float] | Vector) -> "Arm":
        """The arm with X doubled around its middle until it holds `x0`; what is known of x0 is then only its scale."""
        middle, radius = self.box.mean(axis=1), np.diff(self.box, axis=1)[:, 0] / 2
        excess = float(np.max(np.abs(np.asarray(x0) - middle) / radius))
        if excess <= 1:
            return self
        radius = radius * 2.0 ** math.ceil(math.log2(excess))
        box = np.column_stack([middle - radius, middle + radius])
        return self.with_state(box[0] if self.dimension == 1 else box)

    def with_state(self, state: Any) -> "Arm":
        """The same arm with another set of possible states."""
        return Arm(
            self.name, self.A, self.B, self.K, self.alpha, self.beta, self.family, self.sigma, state, self.h, self.g
        )


def everyday_arm(
    name: str,
    *,
    rested: float,
    wear: float,
    half_life: float,
    family: str = "bernoulli",
    sigma: float | None = None,
    state: Any = None,
) -> Arm:
    """An arm the way people think: mean reward when rested, drop per use, rounds to recover half of it.

    The drop is in log-odds for Bernoulli rewards and in reward for Gaussian ones. The state is the distance from
    rested, so `K = 0` and `beta = 1`.

    >>> import roguewk as rw
    >>> arm = rw.everyday_arm("walk", rested=0.6, wear=0.5, half_life=2)
    >>> round(arm.A, 4), arm.B
    (0.7071, -0.5)
    """
    arm = f"arm {text(name, 'name of an arm')!r}"
    known(family, FAMILIES, f"family of {arm}:")
    wear = number(wear, f"wear of {arm}")
    retention = 0.5 ** (1 / positive(half_life, f"half_life of {arm}"))
    if retention >= 1:
        raise InputError(f"half_life of {arm} is {half_life!r}: give a shorter one, this one never recovers")
    level = link(rested, family, f"rested of {arm}")
    return Arm(name, A=retention, B=-wear, K=0.0, alpha=level, beta=1.0, family=family, sigma=sigma, state=state)


def link(mean: Any, family: str, what: str) -> float:
    """The level `alpha + beta x` that gives this mean reward."""
    mean = number(mean, what)
    if family == "gaussian":
        return mean
    if not 0 < mean < 1:
        raise InputError(f"{what} is {mean!r}: give a mean reward strictly between 0 and 1")
    return math.log(mean / (1 - mean))
