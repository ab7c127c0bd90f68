"""Student's t."""

import pytest
import scipy.stats

from roguewk.study.stats.student import t_quantile


@pytest.mark.parametrize("freedom", [5, 8, 13, 29, 999])
def test_t_quantiles_are_those_of_scipy(freedom: int) -> None:
    for level in (0.8, 0.975, 1 - 2 ** -(freedom + 1) if freedom < 14 else 0.9999):
        assert t_quantile(level, freedom) == pytest.approx(scipy.stats.t.ppf(level, freedom), rel=0.001)
