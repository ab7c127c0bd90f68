"""Correction for many comparisons: Holm (1979), which holds however the comparisons depend on each other.

A family is what one reads together to say which policy to choose: all policies against the baseline in one world. So
a world added to a study changes no verdict elsewhere, and a policy added may. The rows over all worlds answer another
question, about the study as a whole, and are a family of their own. In each family the chance of any false verdict is
at most 5 %; over thirty worlds, one or two worlds with a false verdict have to be expected.
"""

import numpy as np

from roguewk.kernel.arrays import Vector


def holm(p_values: Vector) -> Vector:
    """(comparison,) p-values to hold against the level of the whole family; nan, not tested, does not count.

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    adjusted = np.full(len(p_values), np.nan)
    tested = np.flatnonzero(~np.isnan(p_values))
    order = tested[np.argsort(p_values[tested], kind="stable")]
    steps = p_values[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted
