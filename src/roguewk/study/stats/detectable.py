"""The smallest difference that a comparison would probably have found.

A true difference of `(t(1 - a/2) + t(power)) s / sqrt(n)` is found with the given power, where s is the standard
deviation of the paired differences and a the level. The level is that of Holm's first step, so that the power holds
whatever the other comparisons show; with few replicates it is the next p-value below that sign flips can have. If
that is their smallest, all differences must have one sign, and the power is that of this happening. With fewer than 20
replicates and many policies, the power falls short of 80 % by 5 to 15 points; with a thousand policies, by up to 20.
"""

import math
from statistics import NormalDist

from roguewk.study.stats.flips import all_patterns, attainable, enough_patterns
from roguewk.study.stats.student import t_quantile

LEVEL = 0.05  # of a family of comparisons
POWER = 0.8


def detectable_difference(deviation: float, replicates: int, comparisons: int) -> float:
    """In units of the reward; nan if so few replicates would not have found any difference, however large.

    >>> round(detectable_difference(deviation=10, replicates=100, comparisons=3), 2)
    3.28
    >>> detectable_difference(deviation=10, replicates=5, comparisons=1)
    nan
    """
    first = LEVEL / max(1, comparisons)
    level = attainable(first, replicates) if replicates > 1 else 0.0
    if level == 0:
        return math.nan
    quantiles = t_quantile(1 - level / 2, replicates - 1) + t_quantile(POWER, replicates - 1)
    needed = quantiles / math.sqrt(replicates)
    if level * (all_patterns(replicates, enough_patterns(first)) or math.inf) == 1:
        needed = max(needed, NormalDist().inv_cdf(POWER ** (1 / replicates)))
    return needed * deviation
