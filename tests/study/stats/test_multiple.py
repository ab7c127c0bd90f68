"""Many comparisons at once."""

import math

import numpy as np
import pytest

from roguewk.study.stats.multiple import holm


def test_holms_correction_is_that_worked_out_by_hand() -> None:
    p_values = np.array([0.04, math.nan, 0.01, 0.03, 0.012, 0.9])
    # Sorted 0.01 x 5, 0.012 x 4, 0.03 x 3, 0.04 x 2, 0.9 x 1, each at least the one before.
    expected = [0.09, math.nan, 0.05, 0.09, 0.05, 0.9]
    assert holm(p_values) == pytest.approx(np.array(expected), nan_ok=True)
    assert holm(np.array([0.7, 0.8])).tolist() == [1.0, 1.0]
    assert holm(np.array([])).size == 0
