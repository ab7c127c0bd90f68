"""An arm as a policy knows it: `x' = A x + B pulled + K`, mean reward `g(x) = link(alpha + beta . x)`, states in X."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.problem.context import When, check_when
from roguewk.problem.errors import LARGEST, InputError, number, positive, shown, text
from roguewk.problem.family.family import RewardFamily
from roguewk.problem.family.registry import FAMILIES, family_code, family_named
from roguewk.problem.prior import Prior

_NUMBERS = ("A", "B", "K", "alpha", "beta")
_GUESSED = (*_NUMBERS, "state")  # of an arm with a prior
RESTED = "rested"  # what an initial state may be called


class _Unsaid(float):
    """What a number is where nobody gives it."""


_ZERO, _ONE = _Unsaid(0.0), _Unsaid(1.0)


def vector(value: Any, shape: tuple[int, ...], what: str) -> Vector:
    """`value` as a read-only array of finite floats of this shape; a lone number fits any shape of size one."""
    given = shown(value.tolist() if isinstance(value, np.ndarray) else value)
    try:
        result = np.array(value, dtype=np.float64)  # a copy: the caller's array stays writeable, ours never changes
        parts = np.asarray(value, dtype=object).ravel().tolist()
    except Exception:  # too many digits, or whatever a class of the user's own raises
        raise InputError(f"{what} is {given}: give numbers") from None
    if any(isinstance(part, str | bytes | bool) for part in parts):
        raise InputError(f"{what} is {given}: give numbers")
    if result.shape == () and math.prod(shape) == 1:
        result = result.reshape(shape)
    if result.shape != shape:
        raise InputError(f"{what} has shape {result.shape}: give {' x '.join(map(str, shape))} numbers to match A")
    if not np.isfinite(result).all():
        raise InputError(f"{what} is {given}: give finite numbers")
    _check_size(result, what)
    result.setflags(write=False)
    return result


def _check_size(values: Any, what: str) -> None:
    largest = float(np.max(np.abs(values), initial=0.0))
    if largest > LARGEST:
        raise InputError(f"{what} reaches {largest:g}: choose a unit in which it stays below {LARGEST:g}")


def _depth(value: Any) -> int:
    """How deep lists are nested in lists; 0 for a number."""
    try:
        return np.array(value, dtype=object).ndim
    except Exception:  # whatever a class of the user's own raises
        return 0


def _rows(A: Any) -> int:
    if isinstance(A, np.ndarray):
        return A.shape[0] if A.ndim else 1
    return len(A) if isinstance(A, list | tuple) else 1


def _box(state: Any, dimension: int, what: str) -> Vector:
    """`state` as an array of (low, high) rows."""
    flat = dimension == 1 and _rows(state) == 2
    box = vector([state] if flat else state, (dimension, 2), what)
    if (box[:, 0] >= box[:, 1]).any():
        raise InputError(f"{what} is {box.tolist()}: give the lower end before the upper one")
    return box


def _spectral_radius(matrix: Vector) -> float:
    try:
        with np.errstate(all="ignore"):
            radius = float(np.abs(np.linalg.eigvals(matrix)).max())
    except np.linalg.LinAlgError:
        return math.inf
    return math.inf if math.isnan(radius) else radius


def _invariant_radius(shrink: Vector, push: Vector, beta: Vector) -> Vector:
    """Half the sides `r` of a box that `|A| r + push <= r` keeps, none of them zero."""
    rest = np.eye(len(push)) - shrink
    radius = np.asarray(np.linalg.solve(rest, push), dtype=np.float64)
    still = radius <= 0
    if still.any():
        # What nothing moves still needs some width: one unit of the level (log-odds, reward) either way.
        width = 1 / np.where(beta == 0, 1.0, np.abs(beta))
        wide = np.linalg.solve(rest, np.where(still, width, 0.0))
        radius = radius + wide * (width[still] / wide[still]).min()
    return radius


def _natural_box(a: Vector, b: Vector, k: Vector, beta: Vector, what: str) -> Vector:
    """The smallest box around the middle of worn and rested that the dynamics never leave."""
    shrink = np.abs(a)
    if _spectral_radius(shrink) < 1:
        try:
            with np.errstate(all="ignore"):
                centre = np.linalg.solve(np.eye(len(b)) - a, k + b / 2)
                radius = _invariant_radius(shrink, np.abs(b) / 2, beta)
                box = np.column_stack([centre - radius, centre + radius])
        except np.linalg.LinAlgError:
            box = np.full((len(b), 2), np.nan)
        if np.isfinite(box).all() and (box[:, 0] < box[:, 1]).all():
            return box
    raise InputError(f"{what} cannot be found from A, B and K: give `state`, a [low, high] for each coordinate")


def _is_default(value: Any, name: str) -> bool:
    return isinstance(value, int | float) and value == (1.0 if name == "beta" else 0.0)


@dataclass(frozen=True, eq=False)
class Arm:
    """Something you can do, how it wears off and recovers, and how its state shows in rewards.

    Scalar dynamics take numbers, vector dynamics a matrix `A` and vectors `B`, `K`, `beta`. `state` is X, the set of
    possible states; without it, everything between fully worn and fully rested. Instead of the linear forms, a scalar
    arm may bring its own `h(x, pulled)` and `g(x)`, plain or `numba.njit` functions; `h` then needs `state`.
    `known_start` is what is known of the state before the first round: "rested", the state, or a range as for `state`;
    without it, it may be anywhere in X. `available` is the chance that it is possible in a round, if not in every one;
    `when` says by values of contexts what they add to its level, `{"weekend": 0.3}`, or where it is forbidden, `False`.
    With a `prior` nobody knows how it moves, and its numbers are best guesses; `like` names an arm that moves the same.
    Something has to be said of how it rewards or moves: a coin that nothing changes is `Arm("coin", alpha=0.0)`.

    >>> import roguewk as rw
    >>> rw.Arm("call", A=0.2, B=-0.5, K=0.8, alpha=0.2, beta=0.8).state
    (0.375, 1.0)
    """

    name: str
    A: Any = _ZERO
    B: Any = _ZERO
    K: Any = _ZERO
    alpha: float = _ZERO
    beta: Any = _ONE
    family: str = "bernoulli"
    sigma: float | None = None
    state: Any = None
    h: Callable[[float, float], float] | None = None
    g: Callable[[float], float] | None = None
    known_start: Any = None
    available: float | None = None
    prior: Prior | None = None
    like: str | None = None
    when: When | None = None
    box: Vector = field(init=False, repr=False)  # (coordinate, low or high)
    matrix: Vector = field(init=False, repr=False)  # (coordinate, coordinate): A
    push: Vector = field(init=False, repr=False)  # (coordinate,): B
    pull_back: Vector = field(init=False, repr=False)  # (coordinate,): K
    weights: Vector = field(init=False, repr=False)  # (coordinate,): beta
    starts: Vector = field(init=False, repr=False)  # (coordinate, low or high): where it may be before the first round

    def __post_init__(self) -> None:
        text(self.name, "name of an arm")
        arm = f"arm {self.name!r}"
        self._settle_numbers(arm)
        family = family_named(self.family, f" of {arm}")
        if (self.sigma is None) == family.wants_sigma:
            remedy = "give sigma" if family.wants_sigma else "leave it out, or use family = 'gaussian'"
            raise InputError(f"sigma of {arm} is {shown(self.sigma)} with family {self.family!r}: {remedy}")
        if self.sigma is not None:
            self._set("sigma", positive(self.sigma, f"sigma of {arm}"))
            if not 1 / LARGEST < self.sigma < LARGEST:
                raise InputError(f"sigma of {arm} is {self.sigma:g}: give rewards in a more ordinary unit")
        for what, function, rivals in (("h", self.h, ("A", "B", "K")), ("g", self.g, ("alpha", "beta"))):
            if function is not None and not callable(function):
                raise InputError(f"{what} of {arm} is {shown(function)}: give a function")
            given = [name for name in rivals if not _is_default(getattr(self, name), name)]
            if function is not None and given:
                raise InputError(f"{arm} has both {what} and {given[0]}: give one of them")
        self._set("alpha", number(self.alpha, f"alpha of {arm}"))
        _check_size(self.alpha, f"alpha of {arm}")
        size = _rows(self.A)
        if size == 0:
            raise InputError(f"A of {arm} is empty: give a number or a square matrix")
        if _depth(self.A) and np.array(self.A, dtype=object).shape != (size, size):
            what = f"A of {arm} is {shown(self.A)}"
            raise InputError(f"{what}: give a number, or a square matrix such as [[0.4, 0.0], [0.1, 0.9]]")
        self._set("matrix", vector(self.A, (size, size), f"A of {arm}"))
        self._set("push", vector(self.B, (size,), f"B of {arm}"))
        self._set("pull_back", vector(self.K, (size,), f"K of {arm}"))
        self._set("weights", vector(self.beta, (size,), f"beta of {arm}"))
        self._check_contraction(arm)
        self._set_box(arm)
        self._set_starts(f"known_start of {arm}")
        if self.available is not None:
            self._set("available", number(self.available, f"available of {arm}"))
            if not 0 < self.available <= 1:
                raise InputError(f"available of {arm} is {self.available:g}: give a chance above 0 and up to 1")
        self._set("when", check_when(self.when, f"`when` of {arm}"))
        if self.g is not None and any(self.when.values() if self.when else ()):
            raise InputError(f"{arm} has its own g, of which no context shifts the level: let `when` only forbid it")
        self._check_prior(arm)

    def __repr__(self) -> str:
        told = {each.name: getattr(self, each.name) for each in fields(self) if each.repr}
        if self.prior is None:
            return f"Arm({', '.join(f'{key}={value!r}' for key, value in told.items())})"
        said = {key: value for key, value in told.items() if key not in _GUESSED and value is not None}
        guessed = ", ".join(f"{key} {getattr(self, key):.3g}" for key in _GUESSED[:-1])
        words = ", ".join(f"{key}={value!r}" for key, value in said.items())
        return f"Arm({words}; dynamics unknown, first guesses: {guessed})"

    def _settle_numbers(self, arm: str) -> None:
        """Refuse an arm of which nothing is said; otherwise numbers that are left out are given, also to copies."""
        left_out = [name for name in _NUMBERS if isinstance(getattr(self, name), _Unsaid)]
        if len(left_out) == len(_NUMBERS) and not self.custom and self.prior is None:
            raise InputError(
                f"{arm} has no dynamics: make it with rw.everyday_arm, or rw.unknown_arm if nobody knows them, or give "
                "A, B, K, alpha and beta, of which alpha = 0.0 alone says that it is a coin that nothing changes"
            )
        for name in left_out:
            self._set(name, float(getattr(self, name)))

    def _check_prior(self, arm: str) -> None:
        if self.like is not None:
            text(self.like, f"like of {arm}")
        if self.prior is None:
            if self.like is not None:
                raise InputError(f"{arm} is like {self.like!r}, but its dynamics are known: leave `like` out")
            return
        if not isinstance(self.prior, Prior):
            raise InputError(f"prior of {arm} is {shown(self.prior)}: give an rw.Prior")
        if self.custom or self.dimension > 1:
            raise InputError(f"{arm} has a prior and states that cannot be learned: use numbers for A, B and K")

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _check_contraction(self, arm: str) -> None:
        if self.custom and self.dimension > 1:
            raise InputError(f"{arm} has its own h or g and {self.dimension} coordinates: use a scalar state")
        radius = _spectral_radius(self.matrix)
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
        _check_size(box, what)
        refusal = "" if self.g is not None else self.reward_family.refusal(*self.level_range(box))
        if refusal:
            raise InputError(f"{what} {refusal}")
        if self.g is None:
            _check_size(abs(self.alpha) + np.abs(self.weights) @ np.abs(box), f"alpha + beta x of {arm}")
        box.setflags(write=False)
        self._set("box", box)
        ends = [(float(low), float(high)) for low, high in box]
        self._set("state", ends[0] if self.dimension == 1 else tuple(ends))

    def _set_starts(self, what: str) -> None:
        if self.known_start is None:
            self._set("starts", self.box)
            return
        if isinstance(self.known_start, str):
            starts = np.column_stack([self._rested(what)] * 2)
        elif _depth(self.known_start) == (self.dimension > 1):
            starts = np.column_stack([vector(self.known_start, (self.dimension,), what)] * 2)
        else:
            flat = self.dimension == 1 and _depth(self.known_start) == 1
            starts = vector([self.known_start] if flat else self.known_start, (self.dimension, 2), what)
        slack = 1e-9 * (self.box[:, 1] - self.box[:, 0])  # rested is an end of X, rounding aside
        outside = (starts[:, 0] < self.box[:, 0] - slack) | (starts[:, 1] > self.box[:, 1] + slack)
        if outside.any() or (starts[:, 0] > starts[:, 1]).any():
            raise InputError(f"{what} is {starts.tolist()}: give a state, or a range, within {self.state}")
        starts = np.clip(starts, self.box[:, :1], self.box[:, 1:])
        starts.setflags(write=False)
        self._set("starts", starts)
        self._set("known_start", (starts[0] if self.dimension == 1 else starts).tolist())

    def _rested(self, what: str) -> Vector:
        """Where the state comes to without pulls."""
        if self.known_start != RESTED or self.h is not None:
            raise InputError(f'{what} is {shown(self.known_start)}: give a state, a range, or without an h "rested"')
        return np.asarray(np.linalg.solve(np.eye(self.dimension) - self.matrix, self.pull_back))

    @property
    def dimension(self) -> int:
        """The number of coordinates of the state."""
        return len(self.push)

    @property
    def reward_family(self) -> RewardFamily:
        """All that is known of rewards of its family.

        :meta private:
        """
        return FAMILIES[family_code(self.family)]

    def level_range(self, box: Vector | None = None) -> tuple[float, float]:
        """The lowest and the highest level `alpha + beta . x` in a box of states, X by default."""
        with np.errstate(all="ignore"):
            ends = self.weights[:, None] * (self.box if box is None else box)
            return self.alpha + float(ends.min(axis=1).sum()), self.alpha + float(ends.max(axis=1).sum())

    @property
    def custom(self) -> bool:
        """Whether the arm brings its own h or g."""
        return self.h is not None or self.g is not None

    def widened(self, x0: Sequence[float] | Vector) -> "Arm":
        """The arm with X doubled around its middle until it holds `x0`; what is known of x0 is then only its scale."""
        start = vector(x0, (self.dimension,), f"x0 of arm {self.name!r}")
        low, high = self.box[:, 0], self.box[:, 1]
        if (low <= start).all() and (start <= high).all():
            return self
        with np.errstate(over="ignore"):
            middle, radius = low / 2 + high / 2, high / 2 - low / 2
            excess = float(np.max(np.abs(start - middle) / radius))
            # An end of X that rounding alone has left outside is no reason to double X.
            radius = radius * 2.0 ** math.ceil(math.log2(max(1.0, excess * (1 - 1e-9)))) if excess < 1e300 else radius
            box = np.column_stack([np.minimum(middle - radius, start), np.maximum(middle + radius, start)])
        return self.with_state(box[0] if self.dimension == 1 else box)

    def with_state(self, state: Any) -> "Arm":
        """The same arm with another set of possible states."""
        return replace(self, state=state)

    def knowing(self, start: Any) -> "Arm":
        """The same arm, of whose state before the first round this is known.

        >>> import roguewk as rw
        >>> rw.everyday_arm("walk", rested=0.6, wear=0.5, half_life=2).knowing("rested").known_start
        [0.0, 0.0]
        """
        return replace(self, known_start=start)


def link(mean: Any, family: str, what: str) -> float:
    """The level `alpha + beta x` that gives this mean reward."""
    value, known = number(mean, what), family_named(family)
    low, high = known.means
    if not low < value < high:
        raise InputError(f"{what} is {shown(mean)}: give a mean reward strictly between {low:g} and {high:g}")
    return known.level_of_mean(value)


def unlink(level: float, family: str) -> float:
    """The mean reward at the level `alpha + beta x`.

    >>> unlink(0.0, "bernoulli")
    0.5
    """
    return family_named(family).log_partition(level)[1]
