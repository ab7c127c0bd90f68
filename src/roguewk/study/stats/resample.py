"""Resampling of replicates with replacement: the same draws in every study, and sums that no machine rounds otherwise.

Every policy of a replicate meets the same luck, so whole replicates are drawn, and all samples share the draws.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from roguewk.kernel.arrays import Vector

RESAMPLES = 2000
RESAMPLING_SEED = 13
COVERAGE = 0.95
BLOCK = 2_000_000  # numbers held at a time, 16 MB


def draw_blocks(replicates: int) -> Iterator[NDArray[np.int64]]:
    """All resamples, block by block: (resample, replicate) which replicates are drawn."""
    rng = np.random.default_rng(RESAMPLING_SEED)
    rows = max(1, BLOCK // replicates)
    for first in range(0, RESAMPLES, rows):
        yield rng.integers(0, replicates, (min(rows, RESAMPLES - first), replicates))


def counts_of(picks: NDArray[np.int64]) -> Vector:
    """(resample, replicate) how often each replicate is drawn."""
    rows, size = picks.shape
    offsets = np.arange(rows)[:, None] * size
    counts = np.bincount((picks + offsets).ravel(), minlength=rows * size).reshape(rows, size)
    return counts.astype(np.float64)


def resampled_means(samples: Vector) -> Vector:
    """(resample, sample) the means of the resamples of samples (sample, replicate)."""
    exact = exactly_summable(samples)
    sums = [counts_of(picks) @ exact.T for picks in draw_blocks(samples.shape[1])]
    return np.concatenate(sums) / samples.shape[1]


def exactly_summable(samples: Vector) -> Vector:
    """The samples, (sample, replicate), rounded so that adding up a row is exact in any order.

    All numbers of a row become multiples of a power of two that is small beside their sum: fifteen digits less those of
    the number of replicates are kept, whole numbers stay what they are. Then matrix products do not depend on threads,
    libraries or machines.

    >>> exactly_summable(np.array([[1.0, 2.0, 0.1]])).tolist()
    [[1.0, 2.0, 0.09999999999999964]]
    """
    largest = np.abs(samples).max(axis=1, keepdims=True)
    quantum = np.ldexp(1.0, np.frexp(largest * samples.shape[1])[1] - 52)
    return np.asarray(np.round(samples / quantum) * quantum)


def by_size(samples: Sequence[Vector], most: int) -> Iterator[tuple[list[int], Vector]]:
    """Places and (sample, replicate) of samples that have equally many replicates, at least two, `most` at a time."""
    places: dict[int, list[int]] = {}
    for place, sample in enumerate(samples):
        places.setdefault(len(sample), []).append(place)
    for size in sorted(set(places) - {0, 1}):
        for first in range(0, len(places[size]), most):
            chosen = places[size][first : first + most]
            yield chosen, np.stack([samples[place] for place in chosen])
