"""Bootstrap intervals of means, wide enough for few replicates.

Plain percentile intervals are too narrow in small samples: resampled means vary by (n - 1) / n too little, and their
variance is itself uncertain, which is why t quantiles are larger than normal ones. So the distance of the percentiles
from the mean is stretched by `sqrt(n / (n - 1)) t / z`, as Hesterberg (2015, What teachers should know about the
bootstrap) does it with the levels instead of the distances; the skewness of the bootstrap is kept. The stretch is 1.06
for 30 replicates. Of a few replicates that happen to be equal no resampling can know more: below six, they have no
interval, from six on a point. Beyond 10,000 replicates the percentiles are worked out instead of drawn, see `large.py`.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.study.stats.flips import fewest_pairs
from roguewk.study.stats.large import nearly_normal, percentiles_of_means
from roguewk.study.stats.resample import BLOCK, COVERAGE, RESAMPLES, by_size, resampled_means
from roguewk.study.stats.student import t_quantile

FEWEST_EQUAL = fewest_pairs(1 - COVERAGE)


def stretch(replicates: int) -> float:
    """How much wider than a percentile interval the interval is.

    >>> round(stretch(30), 2), round(stretch(1000), 3)
    (1.06, 1.002)
    """
    upper = (1 + COVERAGE) / 2
    ratio = t_quantile(upper, replicates - 1) / NormalDist().inv_cdf(upper)
    return ratio * math.sqrt(replicates / (replicates - 1))


def mean_intervals(samples: Sequence[Vector]) -> Vector:
    """(sample, 2) the 95 % bootstrap intervals of the means of samples, (replicate,) each; nan below two replicates.

    >>> mean_intervals([np.array([3.0, 5.0, 4.0, 6.0]), np.array([3.0])]).round(1).tolist()
    [[2.6, 6.4], [nan, nan]]
    """
    tails = [(1 - COVERAGE) / 2, (1 + COVERAGE) / 2]
    intervals = np.full((len(samples), 2), np.nan)
    for places, stacked in by_size(samples, BLOCK // RESAMPLES):
        centres = stacked.mean(axis=1)[:, None]
        percentiles = np.empty((len(stacked), 2))
        normal = nearly_normal(stacked - centres)
        if normal.any():
            percentiles[normal] = percentiles_of_means(stacked[normal], tails)
        if not normal.all():
            percentiles[~normal] = np.quantile(resampled_means(stacked[~normal]), tails, axis=0).T
        found = centres + stretch(stacked.shape[1]) * (percentiles - centres)
        equal = np.ptp(stacked, axis=1) == 0
        found[equal] = centres[equal] if stacked.shape[1] >= FEWEST_EQUAL else np.nan
        intervals[places] = found
    return intervals


def joint_intervals(samples: Sequence[Vector], intervals: Vector, comparisons: Sequence[int]) -> Vector:
    """(sample, 2) the intervals of the means, widened so that all of so many comparisons hold together (Bonferroni).

    Of several comparisons unknown where so few replicates can decide none of them.

    >>> sample = np.array([3.0, 5.0, 4.0, 6.0, 2.0, 4.0, 4.0, 4.0])
    >>> joint_intervals([sample], np.array([[3.0, 5.0]]), [5]).round(2).tolist()
    [[2.52, 5.48]]
    """
    tail, widened = (1 - COVERAGE) / 2, np.array(intervals)
    for i, (sample, family) in enumerate(zip(samples, comparisons, strict=True)):
        if family > 1 and sample.size < fewest_pairs((1 - COVERAGE) / family):
            widened[i] = math.nan
        elif family > 1:
            wider = t_quantile(1 - tail / family, sample.size - 1) / t_quantile(1 - tail, sample.size - 1)
            widened[i] = sample.mean() + wider * (intervals[i] - sample.mean())
    return widened
