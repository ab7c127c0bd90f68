"""Curiosity against Gittins indices that are worked out: normal arms, and coins seen often."""

import math

import numpy as np
import pytest
from scipy import stats

from roguewk.estimate.rewards.gittins import gittins_table
from roguewk.relax.curiosity import LITTLE, MUCH, boundary, curiosity


def test_nothing_to_be_used_is_nothing_to_be_curious_about() -> None:
    assert curiosity(0.0) == 0.0
    assert curiosity(-1.0) == 0.0
    grid = np.geomspace(1e-6, 1e6, 400)
    found = [curiosity(s) for s in grid]
    assert (np.diff(found) >= 0).all()
    assert found[-1] < 5


@pytest.mark.parametrize("s", [LITTLE, MUCH])
def test_its_pieces_fit_together(s: float) -> None:
    assert boundary(s * (1 + 1e-9)) == pytest.approx(boundary(s), rel=0.04)


@pytest.mark.parametrize(("n", "ones"), [(30, 15), (100, 30), (300, 240)])
@pytest.mark.parametrize("discount", [0.99, 0.999])
def test_it_is_that_of_coins_seen_often(n: int, ones: int, discount: float) -> None:
    mean = (1 + ones) / (2 + n)
    deviation = math.sqrt(mean * (1 - mean) / (n + 3))
    uses = -1 / math.log(discount)
    expected = gittins_table(discount)[n, ones] - mean
    assert deviation * curiosity(uses / (n + 3)) == pytest.approx(expected, rel=0.12, abs=1e-4)


@pytest.mark.parametrize("uses", [10, 100, 1000])
def test_an_arm_that_one_pull_tells_everything_about_is_worth_trying_up_to_where_that_pays(uses: int) -> None:
    """Of a look that costs its own pull only: `z - mean = (uses - 1) E[(value - z)+]` for a standard normal value."""
    z = np.linspace(0, 5, 100_001)
    gain = (uses - 1) * (stats.norm.pdf(z) - z * stats.norm.sf(z))
    index = z[np.argmin(np.abs(gain - z))]
    assert curiosity(float(uses)) == pytest.approx(index, rel=0.5)
