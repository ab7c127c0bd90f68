"""A world: a problem and the hidden truth about it. Policies must never import this module."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roguewk.problem.arms import Vector, vector
from roguewk.problem.errors import InputError, known, number, positive, text
from roguewk.problem.model import Problem


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
            raise InputError(f"a uniform cost runs from {low!r} to {high!r}: give the lower end first")
        return cls("uniform", ends)

    @classmethod
    def bernoulli(cls, chance: float, amount: float = 1.0) -> "Cost":
        """`amount` with this chance, otherwise nothing."""
        if not 0 <= number(chance, "the chance of a bernoulli cost") <= 1:
            raise InputError(f"the chance of a bernoulli cost is {chance!r}: give a number from 0 to 1")
        return cls("bernoulli", (float(chance), positive(amount, "the amount of a bernoulli cost")))

    @classmethod
    def beta(cls, a: float, b: float, scale: float = 1.0) -> "Cost":
        """Beta(a, b) times `scale`."""
        names = ("a", "b", "scale")
        return cls("beta", tuple(positive(v, f"{n} of a beta cost") for v, n in zip((a, b, scale), names, strict=True)))

    @classmethod
    def choices(cls, values: Sequence[float], weights: Sequence[float] | None = None) -> "Cost":
        """One of several values, equally likely or by weight."""
        values = list(values)
        weights = [1.0] * len(values) if weights is None else list(weights)
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


def _not_negative(value: Any, what: str) -> float:
    result = number(value, what)
    if result < 0:
        raise InputError(f"{what} is {value!r}: give a number of at least 0")
    return result


@dataclass(frozen=True, eq=False)
class World:
    """A problem with its truth: the initial state of each arm and what pulls cost (arm by resource).

    >>> import roguewk as rw
    >>> arm = rw.Arm("call", A=0.2, B=-0.5, K=0.8, alpha=0.2, beta=0.8)
    >>> problem = rw.Problem([arm], [rw.Resource("staff", 300.0)], horizon=1000)
    >>> rw.World(problem, x0=[0.5], costs=[[rw.Cost.uniform(0.1, 0.2)]]).mean_costs
    array([[0.15]])
    """

    problem: Problem
    x0: tuple[Vector, ...]
    costs: tuple[tuple[Cost, ...], ...]

    def __init__(self, problem: Problem, x0: Sequence[Any], costs: Sequence[Sequence[Cost | float]]) -> None:
        if not isinstance(problem, Problem):
            raise InputError(f"the problem is {problem!r}: give an rw.Problem")
        if not isinstance(x0, Sequence | np.ndarray) or not isinstance(costs, Sequence):
            raise InputError("x0 or costs is no list: give an initial state and a row of costs for each arm")
        if len(x0) != len(problem.arms) or len(costs) != len(problem.arms):
            raise InputError(
                f"{len(problem.arms)} arms have {len(x0)} initial states and {len(costs)} rows of costs: give one each"
            )
        object.__setattr__(self, "problem", problem)
        object.__setattr__(self, "x0", tuple(_initial(problem, a, x) for a, x in enumerate(x0)))
        object.__setattr__(self, "costs", tuple(_costs_of(problem, a, row) for a, row in enumerate(costs)))

    @property
    def mean_costs(self) -> Vector:
        """(arm, resource) in the user's units."""
        rows = [[cost.mean for cost in row] for row in self.costs]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.problem.resources))

    def with_budget(self, budget: float | Sequence[float]) -> "World":
        """The same world with another budget, one for all resources or one each."""
        return World(self.problem.with_budget(budget), self.x0, self.costs)

    def with_problem(self, **changes: Any) -> "World":
        """The same truth with another `arms`, `resources`, `horizon` or `idle`."""
        now = self.problem
        parts = {"arms": now.arms, "resources": now.resources, "horizon": now.horizon, "idle": now.idle}
        for name in changes:
            known(name, parts, "part of a problem")
        return World(Problem(**{**parts, **changes}), self.x0, self.costs)


def _initial(problem: Problem, a: int, x0: Any) -> Vector:
    arm = problem.arms[a]
    state = vector(x0, (arm.dimension,), f"x0 of arm {arm.name!r}")
    shown = state.tolist() if arm.dimension > 1 else float(state[0])
    if (state < arm.box[:, 0]).any() or (state > arm.box[:, 1]).any():
        raise InputError(f"x0 {shown} of arm {arm.name!r} is outside its state set {arm.state}: widen `state`")
    return state


def _costs_of(problem: Problem, a: int, row: Sequence[Any]) -> tuple[Cost, ...]:
    name = problem.arms[a].name
    if not isinstance(row, Sequence) or isinstance(row, str):
        raise InputError(f"costs of arm {name!r} are {row!r}: give a list of rw.Cost, one for each resource")
    if len(row) != len(problem.resources):
        raise InputError(
            f"arm {name!r} has {len(row)} costs for {len(problem.resources)} resources: give one each, in their order"
        )
    row = [Cost.fixed(cost) if type(cost) in (int, float) else cost for cost in row]
    for cost, resource in zip(row, problem.resources, strict=True):
        if not isinstance(cost, Cost):
            raise InputError(f"cost of arm {name!r} on {resource.name!r} is {cost!r}: give a number or an rw.Cost")
        if cost.largest > resource.largest_cost * (1 + 1e-12):
            raise InputError(
                f"cost {cost.largest:g} of arm {name!r} on {resource.name!r} is outside [0, {resource.largest_cost:g}]:"
                " raise that resource's largest_cost"
            )
    return tuple(row)


def check_world(world: Any) -> World:
    """`world` if it is one; a problem is a frequent slip."""
    if not isinstance(world, World):
        raise InputError(f"the world is a {type(world).__name__}: give an rw.World, as rw.load_world makes")
    return world
