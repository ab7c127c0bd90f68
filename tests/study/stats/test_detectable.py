"""The difference that would have been found."""

import math

import numpy as np
import pytest

from roguewk.study.stats.detectable import LEVEL, POWER, detectable_difference
from roguewk.study.stats.flips import flip_p_values


@pytest.mark.parametrize(
    ("size", "comparisons", "least"),
    [(6, 1, 0.77), (9, 9, 0.75), (10, 9, 0.65), (10, 1, 0.76), (30, 1, 0.76), (30, 9, 0.76)],
)
def test_the_detectable_difference_is_found_four_times_in_five(size: int, comparisons: int, least: float) -> None:
    rng = np.random.default_rng(9)
    truth = detectable_difference(3.0, size, comparisons)
    found = flip_p_values(list(rng.normal(truth, 3.0, (2000, size)))) <= LEVEL / comparisons
    assert least <= found.mean() <= POWER + 0.04
    smaller = flip_p_values(list(rng.normal(truth / 2, 3.0, (2000, size)))) <= LEVEL / comparisons
    assert smaller.mean() < 0.5


@pytest.mark.parametrize(
    ("size", "comparisons", "least"), [(16, 1000, 0.76), (20, 500, 0.67), (30, 1000, 0.7), (60, 1000, 0.75)]
)
def test_with_a_thousand_policies_a_detectable_difference_is_found_as_well(
    size: int, comparisons: int, least: float
) -> None:
    rng = np.random.default_rng(18)
    level = LEVEL / comparisons
    truth = detectable_difference(3.0, size, comparisons)
    found = flip_p_values(list(rng.normal(truth, 3.0, (1000, size))), level) <= level
    assert least <= found.mean() <= POWER + 0.04
    assert math.isnan(detectable_difference(3.0, 15, 1000))
    assert not (flip_p_values([np.ones(15)], LEVEL / 1000) <= LEVEL / 1000).any()


def test_too_few_replicates_detect_nothing() -> None:
    assert math.isnan(detectable_difference(1.0, 1, 1))
    assert math.isnan(detectable_difference(1.0, 5, 1))
    assert math.isnan(detectable_difference(1.0, 8, 9))
    assert detectable_difference(0.0, 6, 1) == 0
