"""What is believed of an arm's dynamics before anything was seen: weak enough for most worlds.

In units of the family's level (log-odds, log-rate, units of reward for measurements, then times sigma): the level of a
rested arm, how far from it the arm starts, and how far a pull moves it; the half-life of what a pull leaves, in rounds.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector

POINTS = 24  # half-lives that are told apart
SHORTEST, LONGEST = 0.3, 400.0  # rounds: below, a pull is felt in the next round alone; above, for most of a game
ABOUT, APART = 5.0, 1.5  # median of the half-life, and standard deviation of its logarithm
RESTED = (0.0, 1.5)  # mean and standard deviation of the level of a rested arm
START = (0.0, 1.0)  # of what its start adds
# Of what a pull adds: most arms wear off, some get better. An arm that is used all the time ends at push / (1 - A), so
# what stays for long comes little by little: the first pair is per part that is forgotten in a round.
PUSH = (-1.2, 1.0)
PUSH_ANYWAY = (-0.15, 0.3)


class Prior(NamedTuple):
    """A half-life among a few, and what is likely given each."""

    retentions: Vector  # (point,) what is left after a round
    evidence: Vector  # (point,) log-probability
    means: Vector  # (point, 3) of the rested level, the start and the push
    deviations: Vector  # (point, 3)


def weak_prior(scale: float = 1.0) -> Prior:
    """The default; levels are in units of `scale`.

    >>> prior = weak_prior()
    >>> prior.retentions.size, float(np.exp(prior.evidence).sum().round(6))
    (24, 1.0)
    """
    half_lives = np.exp(np.linspace(math.log(SHORTEST), math.log(LONGEST), POINTS))
    evidence = -0.5 * (np.log(half_lives / ABOUT) / APART) ** 2
    evidence -= math.log(np.exp(evidence).sum())
    retentions = 0.5 ** (1.0 / half_lives)
    means, deviations = (
        np.column_stack(
            [np.full(POINTS, RESTED[i]), np.full(POINTS, START[i]), PUSH_ANYWAY[i] + PUSH[i] * (1 - retentions)]
        )
        for i in range(2)
    )
    return Prior(retentions, evidence, scale * means, scale * deviations)
