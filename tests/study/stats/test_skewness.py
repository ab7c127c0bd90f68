"""Where differences are too skewed."""

import numpy as np

from roguewk.study.stats.detectable import LEVEL
from roguewk.study.stats.flips import flip_p_values
from roguewk.study.stats.skewness import too_skewed


def test_sign_flips_deceive_where_few_differences_are_skewed_and_the_report_can_tell() -> None:
    rng = np.random.default_rng(21)
    found, told = {}, {}
    for size in (10, 100):
        samples = list(np.where(rng.random((1000, size)) < 0.05, 19.0, -1.0))  # of mean 0
        found[size] = np.mean(flip_p_values(samples) <= LEVEL)
        told[size] = np.mean([too_skewed(sample) for sample in samples])
    assert 0.55 < found[10] < 0.65
    assert 0.09 < found[100] < 0.17
    assert min(told.values()) > 0.95
    symmetric = [too_skewed(sample) for size in (10, 20, 50) for sample in rng.normal(0, 1, (500, size))]
    assert np.mean(symmetric) < 0.08
