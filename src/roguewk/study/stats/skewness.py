"""Differences so skewed for their number that neither p-values nor intervals are to be trusted.

Both are about right for skewed differences too if there are enough of them. Cochran (1977, Sampling Techniques) asks
for 25 times the squared skewness; fewer than 25 replicates cannot tell small skewness from none, so that it counts only
beyond 1. Differences that are all equal show no skewness, yet below 60 replicates something that happens once in twenty
times, and turns the balance, may not have happened at all.
"""

import math

import numpy as np

from roguewk.kernel.arrays import Vector

SKEWNESS = 1.0
COCHRAN = 25
UNSEEN = 60  # replicates; 0.95^59 is 5 %


def too_skewed(differences: Vector) -> bool:
    """Whether so many differences, (replicate,), of such skewness may deceive.

    >>> too_skewed(np.array([-1.0, -1, -1, -1, -1, -1, -1, -1, -1, 19])), too_skewed(np.array([-1.0, 0, 1, 2, 3, 4]))
    (True, False)
    >>> too_skewed(np.ones(10)), too_skewed(np.zeros(10))
    (True, False)
    """
    size = differences.size
    if size < 2:
        return False
    apart = differences - differences.mean()
    deviation = math.sqrt((apart**2).mean())
    if deviation <= 1e-12 * np.abs(differences).max():
        return bool(differences[0] != 0 and size < UNSEEN)
    skewness = float((apart**3).mean()) / deviation**3
    return abs(skewness) > SKEWNESS and size < COCHRAN * skewness**2
