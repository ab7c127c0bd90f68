"""Is the mean of paired differences zero? Answered by flipping their signs.

If two policies are equally good, each difference could as well have had the other sign. The p-value is the share of
sign patterns whose sum is as far from zero as the one observed. It needs no normal distribution and stays honest with
few replicates and many ties, where a paired t-test does not: of five differences that are all 1 it would be certain,
though a fair coin brings that once in sixteen times. So fewer than six replicates can decide nothing at 5 %. In large
samples both tests agree, and flips too test the mean even if the differences are skewed.

All patterns are tried where there are at most 10,000, that is up to 14 replicates. Beyond, 9,999 patterns from a fixed
seed and the observed one are. They cannot tell p-values below 1/10,000 apart, so Hoeffding's bound on the share of all
patterns, `2 exp(-(sum d)^2 / (2 sum d^2))`, counts where it is smaller: glaring differences stay visible however many
policies are compared.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roguewk.problem.arms import Vector
from roguewk.study.stats.resample import BLOCK, RESAMPLING_SEED, by_size, exactly_summable

PATTERNS = 10_000
TOGETHER = 500  # samples at a time
TIE = 1e-9  # sums of averages may differ in their last digits and be equal all the same


def all_patterns(replicates: int) -> int | None:
    """How many sign patterns there are up to a common sign, if all of them are tried."""
    return None if replicates > math.log2(PATTERNS) + 1 else 2 ** (replicates - 1)


def attainable(level: float, replicates: int) -> float:
    """The largest p-value up to this level that so many replicates can have; 0 if there is none.

    >>> attainable(0.05, 5), attainable(0.05, 6)
    (0.0, 0.03125)
    """
    patterns = all_patterns(replicates)
    return level if patterns is None else math.floor(level * patterns) / patterns


def flip_p_values(samples: Sequence[Vector]) -> Vector:
    """(sample,) two-sided p-values of samples of differences, (replicate,) each; nan below two replicates.

    >>> flip_p_values([np.ones(6), np.zeros(6), np.ones(1)]).tolist()
    [0.03125, 1.0, nan]
    """
    found = np.full(len(samples), np.nan)
    for places, stacked in by_size(samples, TOGETHER):
        found[places] = _p_values(exactly_summable(stacked))
    return found


def _p_values(differences: Vector) -> Vector:
    """(sample,) of (sample, replicate)."""
    count, replicates = differences.shape
    observed = np.abs(differences.sum(axis=1))
    enough = observed - TIE * np.abs(differences).sum(axis=1)
    reached = np.zeros(count)
    for signs in _sign_blocks(replicates, max(1, BLOCK // max(replicates, count))):
        reached += (np.abs(signs @ differences.T) >= enough).sum(axis=0)
    patterns = all_patterns(replicates)
    if patterns is not None:
        return reached / patterns
    squares = (differences**2).sum(axis=1)
    spread = np.divide(observed**2, 2 * squares, out=np.zeros(count), where=squares > 0)
    return np.minimum((1 + reached) / PATTERNS, 2 * np.exp(-spread))


def _sign_blocks(replicates: int, rows: int) -> Iterator[Vector]:
    """(pattern, replicate) of 1 and -1: every pattern that ends with 1, or as many random ones as there may be."""
    patterns = all_patterns(replicates)
    rng = np.random.default_rng(RESAMPLING_SEED)
    total = PATTERNS - 1 if patterns is None else patterns
    for first in range(0, total, rows):
        last = min(first + rows, total)
        bits: NDArray[np.integer[Any]]
        if patterns is None:
            bits = rng.integers(0, 2, (last - first, replicates), dtype=np.int8)
        else:
            bits = np.arange(first, last)[:, None] >> np.arange(replicates) & 1
        yield 1 - 2 * bits.astype(np.float64)
