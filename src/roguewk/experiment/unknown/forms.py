"""Worlds that learning does not expect: of another form than the filter of roguewk can describe, or beyond its prior.

Round by round in plain Python, as the engine knows only arms that move each for itself.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.problem.problem import Problem
from roguewk.problem.resource import Resource
from roguewk.problem.unknown import unknown_arm

ARMS, HORIZON = (3, 6), (300, 600)  # from, to
COSTS, PULLS = (0.1, 0.9), (0.2, 0.5)  # of a pull, and that budgets pay for, of all rounds


class Numbers(NamedTuple):
    """What the forms are made of, (arm,) each; levels are log-odds."""

    rested: Vector
    wear: Vector  # by a pull
    retention: Vector


@dataclass
class Form:
    """Arms that move: `worn` (arm,) is how far levels are from rested."""

    numbers: Numbers
    worn: Vector = field(init=False)

    def __post_init__(self) -> None:
        self.worn = np.zeros(self.numbers.rested.size)

    @property
    def means(self) -> Vector:
        """(arm,) mean rewards now."""
        return np.asarray(1.0 / (1.0 + np.exp(-(self.numbers.rested - self.depth))))

    @property
    def depth(self) -> Vector:
        """(arm,) how far levels are below rested."""
        return self.worn

    def move(self, pulled: Vector) -> None:
        """Let a round pass; `pulled` is (arm,), 0 or 1."""
        self.worn = self.numbers.retention * self.worn + self.numbers.wear * pulled


class LinearRecovery(Form):
    """So much comes back every round, until nothing is missing."""

    def move(self, pulled: Vector) -> None:
        """What comes back does not depend on how much is missing."""
        rate = self.numbers.wear * (1.0 - self.numbers.retention)
        self.worn = np.maximum(self.worn - rate, 0.0) + self.numbers.wear * pulled


class Floor(Form):
    """Worn so far, nothing more is lost; but recovery takes as long as if it were."""

    @property
    def depth(self) -> Vector:
        """No more than two uses take away."""
        return np.minimum(self.worn, 2.0 * self.numbers.wear)


class TwoScales(Form):
    """A quarter of the wear takes eight times as long to recover."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.slow = np.zeros_like(self.worn)

    @property
    def depth(self) -> Vector:
        """Of both."""
        return self.worn + self.slow

    def move(self, pulled: Vector) -> None:
        """Each for itself."""
        self.worn = self.numbers.retention * self.worn + 0.75 * self.numbers.wear * pulled
        self.slow = self.numbers.retention**0.125 * self.slow + 0.25 * self.numbers.wear * pulled


class CommonFatigue(Form):
    """A third of what a pull wears, it wears of all arms."""

    def move(self, pulled: Vector) -> None:
        """A pull is felt by all."""
        wear = self.numbers.wear * pulled
        self.worn = self.numbers.retention * self.worn + 2 / 3 * wear + wear.sum() / 3


class Kind(NamedTuple):
    """A form, and the ranges of its numbers."""

    form: Callable[[Numbers], Form]
    rested: tuple[float, float] = (0.2, 0.9)
    drop: tuple[float, float] = (1.0, 4.0)  # of an arm that is used all the time, were it of our form
    half_life: tuple[float, float] = (1.0, 12.0)


# Worlds follow from the place of their form here.
FORMS: dict[str, Kind] = {
    "linear recovery": Kind(LinearRecovery),
    "wear with a floor": Kind(Floor),
    "two time scales": Kind(TwoScales),
    "common fatigue": Kind(CommonFatigue),
    "no wear": Kind(Form, drop=(0.0, 0.0)),
    "rare rewards": Kind(Form, rested=(0.01, 0.08), drop=(0.0, 1.0)),
    "deep wear": Kind(Form, drop=(10.0, 40.0), half_life=(5.0, 40.0)),
}


class OddWorld(NamedTuple):
    """A world of such a form."""

    problem: Problem  # of which nobody knows the dynamics
    begin: Callable[[], Form]
    costs: Vector  # (arm,) of the one resource, if there is one


def odd_world(form: str, number: int, budget: bool) -> OddWorld:
    """A world of this form, with or without a budget; rounds may be left idle.

    >>> world = odd_world("linear recovery", 3, budget=True)
    >>> len(world.problem.arms), world.problem.horizon
    (5, 569)
    """
    kind, rng = FORMS[form], np.random.default_rng([list(FORMS).index(form), number])
    arms, horizon = (int(rng.integers(low, high + 1)) for low, high in (ARMS, HORIZON))
    shortest, longest = map(math.log, kind.half_life)
    means, half_lives = rng.uniform(*kind.rested, arms), np.exp(rng.uniform(shortest, longest, arms))
    retention = 0.5 ** (1.0 / half_lives)
    drop = rng.uniform(*kind.drop, arms)
    numbers = Numbers(np.log(means / (1 - means)), drop * (1 - retention), retention)
    costs, share = rng.uniform(*COSTS, arms), rng.uniform(*PULLS)
    stock = [Resource("minutes", float(horizon * costs.mean() * share), 1.0)] if budget else []
    problem = Problem([unknown_arm(f"arm {a}") for a in range(arms)], stock, horizon, idle=True)
    return OddWorld(problem, lambda: kind.form(numbers), costs)
