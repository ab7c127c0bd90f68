"""The policies that MABWiser has and roguewk too: their names here, and what they make of a tally there.

What they make of a tally is what they make of it in MABWiser 2.7.4, down to the order of the random numbers, so that a
script that is switched goes on predicting the same.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from roguewk.interop.wrong_type import InputTypeError, type_checked
from roguewk.kernel.arrays import Vector
from roguewk.part.parameter import Parameter, not_negative, within
from roguewk.problem.errors import number, shown

CHANCE = within(0.0, 0.0, 1.0, "a probability")
WIDTH = not_negative(1.0, "multiplies a radius")


class Counted(NamedTuple):
    """What was fitted: how many decisions, and by arm how many and what they brought together."""

    decisions: int
    counts: Vector  # (arm,)
    sums: Vector  # (arm,)

    @property
    def means(self) -> Vector:
        """(arm,) mean rewards, 0 of an arm of which nothing is known."""
        return np.divide(self.sums, self.counts, out=np.zeros(self.sums.size), where=self.counts > 0)


def constant(value: Any, parameter: Parameter, what: str) -> float:
    """A number, which MABWiser tells from what is no number at all."""
    type_checked(number, value, what)
    constant: float = parameter.check(value, what)
    return constant


class EpsilonGreedy(NamedTuple):
    """The arm with the largest mean, and with probability `epsilon` any arm.

    >>> EpsilonGreedy(0.25).spec
    ('mean/none/explore', {'explore': 0.25})
    """

    epsilon: float = 0.1

    @property
    def spec(self) -> tuple[str, dict[str, float]]:
        """Its name and parameters in roguewk."""
        return "mean/none/explore", {"explore": constant(self.epsilon, CHANCE, "epsilon of MABWiser's EpsilonGreedy")}

    def expectations(self, counted: Counted, rows: int, rng: np.random.Generator) -> Vector:
        """(row, arm) means, or in rows that explore uniform draws."""
        means = np.tile(counted.means, (rows, 1))
        if rows == 1:  # MABWiser then draws the second numbers only if they are needed
            return rng.random((1, means.shape[1])) if rng.random() < self.epsilon else means
        explores = rng.random(rows) < self.epsilon
        return np.where(explores[:, np.newaxis], rng.random(means.shape), means)


class Random(NamedTuple):
    """Any arm, all alike; with a problem no round is idle unless a pull might break a budget that idling keeps.

    >>> Random().spec
    ('randomised', {'chances': 1.0})
    """

    @property
    def spec(self) -> tuple[str, dict[str, float]]:
        """Its name and parameters in roguewk."""
        return "randomised", {"chances": 1.0}

    def expectations(self, counted: Counted, rows: int, rng: np.random.Generator) -> Vector:
        """(row, arm) uniform draws."""
        return rng.random((rows, counted.sums.size))


class ThompsonSampling(NamedTuple):
    """A draw from the Beta posterior of each arm; `binarizer(arm, reward)` tells whether a reward is a success.

    >>> ThompsonSampling().spec
    ('thompson-beta', {})
    """

    binarizer: Callable[[Any, float], bool] | None = None

    @property
    def spec(self) -> tuple[str, dict[str, float]]:
        """Its name and parameters in roguewk."""
        if self.binarizer is not None and not callable(self.binarizer):
            raise InputTypeError(
                f"binarizer of MABWiser's ThompsonSampling is {shown(self.binarizer)}: give a function of an arm and a"
                " reward that tells whether it is a success"
            )
        return "thompson-beta", {}

    def expectations(self, counted: Counted, rows: int, rng: np.random.Generator) -> Vector:
        """(row, arm) draws from the posteriors."""
        drawn = np.zeros((rows, counted.sums.size))
        for a, (count, ones) in enumerate(zip(counted.counts, counted.sums, strict=True)):
            drawn[:, a] = rng.beta(1 + ones, 1 + count - ones, rows)
        return drawn


class UCB1(NamedTuple):
    """UCB1 with its radius times `alpha`.

    >>> UCB1(alpha=1.25).spec
    ('ucb1', {'scale': 1.25})
    """

    alpha: float = 1.0

    @property
    def spec(self) -> tuple[str, dict[str, float]]:
        """Its name and parameters in roguewk."""
        return "ucb1", {"scale": constant(self.alpha, WIDTH, "alpha of MABWiser's UCB1")}

    def expectations(self, counted: Counted, rows: int, rng: np.random.Generator) -> Vector:
        """(row, arm) upper bounds, 0 of an arm of which nothing is known."""
        bounds, known = counted.means, counted.counts > 0
        bounds[known] += self.alpha * np.sqrt(2 * math.log(max(counted.decisions, 1)) / counted.counts[known])
        return np.tile(bounds, (rows, 1))


class LearningPolicy:
    """The policies of MABWiser that roguewk has too; `MAB` takes the names of all others.

    >>> LearningPolicy.UCB1(alpha=1.25)
    UCB1(alpha=1.25)
    """

    EpsilonGreedy = EpsilonGreedy
    Random = Random
    ThompsonSampling = ThompsonSampling
    UCB1 = UCB1


Theirs = EpsilonGreedy | Random | ThompsonSampling | UCB1
