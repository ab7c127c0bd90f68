"""Is the mean of paired differences zero? Answered by flipping their signs.

The null hypothesis is that differences are symmetric about zero: each could as well have had the other sign, as it is
if two policies are alike. The p-value is the share of sign patterns whose sum is as far from zero as the one observed.
Under this hypothesis it is exact with few replicates and many ties, where a paired t-test is not: of five differences
that are all 1 that would be certain, though a fair coin brings this once in sixteen times. So fewer than six replicates
can decide nothing at 5 %.

It is not exact for differences whose mean is zero and which are skewed; only in large samples do flips test the mean
whatever the distribution. Exponential differences, less their mean, are found to differ from zero at 5 % in 10 % of
samples of 10, 7 % of 50 and 5 % of 100. Differences that are 19 with a chance of 5 % and otherwise -1 are so in 60 % of
samples of 10, in which the 19 has not happened yet, 36 % of 20, 13 % of 100 and 8 % of 300. A bootstrap of Student's t
would help where skewness shows (7 % instead of 10 % of the exponential samples of 10), not where what is rare has not
happened (58 %), and it is no longer exact where flips are; so the report warns instead, see `skewness.py`.

All patterns are tried where there are at most 10,000, that is up to 14 replicates. Beyond, 9,999 patterns from a fixed
seed and the observed one are. They cannot tell p-values below 1/10,000 apart, so Hoeffding's bound on the share of all
patterns, `2 exp(-(sum d)^2 / (2 sum d^2))`, counts where it is smaller. In families of more than 50 comparisons, where
small p-values matter, those are worked out anew with so many patterns that ten reach the level of Holm's first step.
With more than 10,000 replicates the share is worked out instead of drawn, see `large.py`.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roguewk.kernel.arrays import Vector
from roguewk.study.stats.large import nearly_normal, share_of_flips
from roguewk.study.stats.resample import BLOCK, RESAMPLING_SEED, by_size, exactly_summable

PATTERNS = 10_000
REACHING = 10  # patterns at the smallest level that matters
CLOSE = 0.002  # p-values up to this one may be worked out anew
TOGETHER = 500  # samples at a time
TIE = 1e-9  # sums of averages may differ in their last digits and be equal all the same


def enough_patterns(level: float) -> int:
    """How many sign patterns tell p-values about this level apart."""
    return max(PATTERNS, math.ceil(REACHING / level))


def all_patterns(replicates: int, most: int = PATTERNS) -> int | None:
    """How many sign patterns there are up to a common sign, if all of them are tried."""
    return None if replicates > math.log2(most) + 1 else 2 ** (replicates - 1)


def attainable(level: float, replicates: int) -> float:
    """The largest p-value up to this level that so many replicates can have; 0 if there is none.

    >>> attainable(0.05, 5), attainable(0.05, 6)
    (0.0, 0.03125)
    """
    patterns = all_patterns(replicates, enough_patterns(level))
    return level if patterns is None else math.floor(level * patterns) / patterns


def fewest_pairs(level: float) -> int:
    """How many replicates it takes to reach this level, however clear they are.

    >>> fewest_pairs(0.05), fewest_pairs(0.05 / 14)
    (6, 10)
    """
    return 1 + math.ceil(math.log2(1 / level))


def flip_p_values(samples: Sequence[Vector], level: float = 1.0) -> Vector:
    """(sample,) two-sided p-values of samples of differences, (replicate,) each; nan below two replicates.

    `level` is the smallest that they will be held against.

    >>> flip_p_values([np.ones(6), np.zeros(6), np.ones(1)]).tolist()
    [0.03125, 1.0, nan]
    """
    found = np.full(len(samples), np.nan)
    for places, stacked in by_size(samples, TOGETHER):
        exact = exactly_summable(stacked)
        found[places] = _p_values(exact, PATTERNS)
        patterns = enough_patterns(level)
        if patterns > PATTERNS and all_patterns(stacked.shape[1]) is None:
            # The second p-value alone holds below CLOSE and the first above, so that taking either is no cheating.
            again = np.flatnonzero((found[places] <= CLOSE) & (_bound(exact) > level))
            found[np.array(places)[again]] = _p_values(exact[again], patterns)
    return found


def _p_values(differences: Vector, most: int) -> Vector:
    """(sample,) of (sample, replicate), by all sign patterns or `most` of them."""
    normal = nearly_normal(differences)
    found = np.empty(len(differences))
    found[normal] = share_of_flips(differences[normal])
    if not normal.all():
        found[~normal] = _drawn(differences[~normal], most)
    return found


def _drawn(differences: Vector, most: int) -> Vector:
    count, replicates = differences.shape
    enough = np.abs(differences.sum(axis=1)) - TIE * np.abs(differences).sum(axis=1)
    reached = np.zeros(count)
    patterns = all_patterns(replicates, most)
    for signs in _sign_blocks(replicates, max(1, BLOCK // max(replicates, count)), patterns, most):
        reached += (np.abs(signs @ differences.T) >= enough).sum(axis=0)
    return reached / patterns if patterns else np.minimum((1 + reached) / most, _bound(differences))


def _bound(differences: Vector) -> Vector:
    """(sample,) Hoeffding's."""
    squares = (differences**2).sum(axis=1)
    observed = np.abs(differences.sum(axis=1))
    spread = np.divide(observed**2, 2 * squares, out=np.zeros(len(differences)), where=squares > 0)
    return np.asarray(2 * np.exp(-spread))


def _sign_blocks(replicates: int, rows: int, patterns: int | None, most: int) -> Iterator[Vector]:
    """(pattern, replicate) of 1 and -1: every pattern that ends with 1, or as many random ones as there may be."""
    rng = np.random.default_rng(RESAMPLING_SEED)
    total = most - 1 if patterns is None else patterns
    for first in range(0, total, rows):
        last = min(first + rows, total)
        bits: NDArray[np.integer[Any]]
        if patterns is None:
            bits = rng.integers(0, 2, (last - first, replicates), dtype=np.int8)
        else:
            bits = np.arange(first, last)[:, None] >> np.arange(replicates) & 1
        yield 1 - 2 * bits.astype(np.float64)
