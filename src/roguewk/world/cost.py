"""What a pull takes of a resource."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from roguewk.problem.errors import InputError, known, number, positive, shown, text


@dataclass(frozen=True)
class Cost:
    """How much of a resource a pull takes, in the user's units; made by `fixed`, `uniform`, `bernoulli`, and so on.

    >>> import roguewk as rw
    >>> rw.Cost.uniform(0.1, 0.2).mean
    0.15000000000000002
    """

    kind: str
    numbers: tuple[float, ...]
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        sizes = {"fixed": 1, "uniform": 2, "bernoulli": 2, "beta": 3}
        known(text(self.kind, "kind of a cost"), (*sizes, "choices"), "kind of cost")
        if not isinstance(self.numbers, tuple) or not isinstance(self.weights, tuple):
            raise InputError(f"the numbers or weights of a cost are no tuple: make it with rw.Cost.{self.kind}(...)")
        numbers = [_not_negative(value, f"a number of a {self.kind} cost") for value in self.numbers]
        right = len(self.weights) if self.kind == "choices" else sizes[self.kind]
        if len(numbers) != right:
            raise InputError(f"a {self.kind} cost has {len(numbers)} numbers: make it with rw.Cost.{self.kind}(...)")

    @classmethod
    def fixed(cls, value: float) -> "Cost":
        """The same every time."""
        return cls("fixed", (_not_negative(value, "a fixed cost"),))

    @classmethod
    def uniform(cls, low: float, high: float) -> "Cost":
        """Evenly spread between two values."""
        ends = (
            _not_negative(low, "the low end of a uniform cost"),
            _not_negative(high, "the high end of a uniform cost"),
        )
        if ends[0] > ends[1]:
            raise InputError(f"a uniform cost runs from {shown(low)} to {shown(high)}: give the lower end first")
        return cls("uniform", ends)

    @classmethod
    def bernoulli(cls, chance: float, amount: float = 1.0) -> "Cost":
        """`amount` with this chance, otherwise nothing."""
        if not 0 <= number(chance, "the chance of a bernoulli cost") <= 1:
            raise InputError(f"the chance of a bernoulli cost is {shown(chance)}: give a number from 0 to 1")
        return cls("bernoulli", (float(chance), positive(amount, "the amount of a bernoulli cost")))

    @classmethod
    def beta(cls, a: float, b: float, scale: float = 1.0) -> "Cost":
        """Beta(a, b) times `scale`."""
        names = ("a", "b", "scale")
        return cls("beta", tuple(positive(v, f"{n} of a beta cost") for v, n in zip((a, b, scale), names, strict=True)))

    @classmethod
    def choices(cls, values: Sequence[float], weights: Sequence[float] | None = None) -> "Cost":
        """One of several values, equally likely or by weight."""
        values = _listed(values, "choices")
        weights = [1.0] * len(values) if weights is None else _listed(weights, "weights")
        if not values or len(values) != len(weights):
            raise InputError(f"a cost has {len(values)} choices and {len(weights)} weights: give as many of each")
        numbers = tuple(_not_negative(value, "a choice of a cost") for value in values)
        shares = tuple(_not_negative(weight, "a weight of a cost") for weight in weights)
        total = sum(shares)
        if not 0 < total < math.inf:
            raise InputError(f"the weights of a cost add up to {total:g}: give at least one positive weight, none huge")
        # Weights that already add up stay as they are, so that a cost written down and read back is the same cost.
        scale = 1.0 if abs(total - 1) < 1e-12 else total
        return cls("choices", numbers, tuple(share / scale for share in shares))

    @property
    def mean(self) -> float:
        """The expected cost."""
        n = self.numbers
        if self.kind == "beta":
            return n[2] * (n[0] / (n[0] + n[1]))
        if self.kind == "bernoulli":
            return n[0] * n[1]
        weights = self.weights or [1 / len(n)] * len(n)
        return math.fsum(value * weight for value, weight in zip(n, weights, strict=True))

    @property
    def largest(self) -> float:
        """The largest cost possible."""
        if self.kind == "choices":
            return max(v for v, w in zip(self.numbers, self.weights, strict=True) if w > 0)
        return self.numbers[-1]

    @property
    def smallest(self) -> float:
        """The smallest cost possible, or what costs come arbitrarily close to."""
        if self.kind == "choices":
            return min(v for v, w in zip(self.numbers, self.weights, strict=True) if w > 0)
        if self.kind == "bernoulli":
            return self.numbers[1] if self.numbers[0] == 1 else 0.0
        return 0.0 if self.kind == "beta" else self.numbers[0]


def _listed(values: Any, what: str) -> list[Any]:
    if not isinstance(values, Iterable):
        raise InputError(f"the {what} of a cost are {shown(values)}: give a list of numbers")
    return list(values)


def _not_negative(value: Any, what: str) -> float:
    result = number(value, what)
    if result < 0:
        raise InputError(f"{what} is {shown(value)}: give a number of at least 0")
    return result
