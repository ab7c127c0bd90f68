"""Resampling and flipping many replicates, by expansions about the normal distribution.

Beyond 10,000 replicates, sums of resamples and of flipped differences are so nearly normal that drawing them thousands
of times tells less than their moments do. The percentiles of the bootstrap come from the Cornish-Fisher expansion with
its skewness; 2,000 draws would scatter about them by 3 % of an interval's half width, and the expansion is off by less
than 0.1 %. The share of flipped sums is the normal tail. It is one for whole numbers too, whose sums come in steps:
half a step is allowed for, which is at most the smallest difference. Sums of flipped numbers have lighter tails than
normal ones, so that glaring differences have p-values that are rather too large.

Both need that no replicate weighs much. Where one does, `sum d^4 / (sum d^2)^2` is large, and it has to be drawn.
"""

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from roguewk.kernel.arrays import Vector

LARGE = 10_000  # replicates; more are not drawn
WEIGHT = 0.002  # of `sum d^4 / (sum d^2)^2`


def nearly_normal(numbers: Vector) -> NDArray[np.bool_]:
    """(sample,) whether the sums of these, (sample, replicate), drawn again or flipped, are as good as normal.

    >>> rare = np.zeros((1, 20_000))
    >>> rare[0, :5] = 1
    >>> nearly_normal(rare).tolist(), nearly_normal(rare[:, :100] + 1).tolist()
    ([False], [False])
    >>> nearly_normal(rare + 1).tolist()
    [True]
    """
    if numbers.shape[1] <= LARGE:
        return np.zeros(len(numbers), dtype=np.bool_)
    squares = numbers**2
    return np.asarray((squares**2).sum(axis=1) <= WEIGHT * squares.sum(axis=1) ** 2)


def percentiles_of_means(samples: Vector, levels: list[float]) -> Vector:
    """(sample, level) the percentiles of the means of resamples of samples (sample, replicate)."""
    centres = samples.mean(axis=1)
    apart = samples - centres[:, None]
    deviations = np.sqrt((apart**2).mean(axis=1))
    cubes = np.divide((apart**3).mean(axis=1), deviations**3, out=np.zeros(len(samples)), where=deviations > 0)
    root = math.sqrt(samples.shape[1])
    z = np.array([NormalDist().inv_cdf(level) for level in levels])
    quantiles = z + (cubes / root)[:, None] * (z**2 - 1) / 6
    return np.asarray(centres[:, None] + (deviations / root)[:, None] * quantiles)


def share_of_flips(differences: Vector) -> Vector:
    """(sample,) the share of sign patterns whose sums are as far from zero as those of (sample, replicate)."""
    sizes = np.abs(differences)
    smallest = np.where(sizes > 0, sizes, np.inf).min(axis=1)
    beyond = np.maximum(np.abs(differences.sum(axis=1)) - smallest, 0)
    squares = (differences**2).sum(axis=1)
    scores = np.divide(beyond, np.sqrt(squares), out=np.zeros(len(differences)), where=squares > 0)
    return np.array([math.erfc(score / math.sqrt(2)) for score in scores.tolist()])
