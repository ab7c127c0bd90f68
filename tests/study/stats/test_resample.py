"""Resampling is exact in any order and any amount of memory."""

import math

import numpy as np
import pytest

from roguewk.study.stats import resample
from roguewk.study.stats.flips import flip_p_values
from roguewk.study.stats.intervals import mean_intervals
from roguewk.study.stats.resample import exactly_summable


def test_sums_are_exact_in_any_order() -> None:
    rng = np.random.default_rng(10)
    samples = rng.exponential(100, (5, 1000))
    rounded = exactly_summable(samples)
    assert rounded == pytest.approx(samples, abs=1e-9)
    for row in rounded:
        assert {float(row[rng.permutation(1000)].cumsum()[-1]) for _ in range(20)} == {math.fsum(row)}
    whole = rng.integers(0, 1000, (3, 1000)).astype(float)
    assert np.array_equal(exactly_summable(whole), whole)


def test_results_do_not_depend_on_how_much_is_held_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    samples = list(np.random.default_rng(11).normal(0, 1, (3, 41)))
    intervals, p_values = mean_intervals(samples), flip_p_values(samples)
    monkeypatch.setattr(resample, "BLOCK", 1000)
    monkeypatch.setattr("roguewk.study.stats.flips.BLOCK", 1000)
    monkeypatch.setattr("roguewk.study.stats.flips.TOGETHER", 2)
    assert np.array_equal(mean_intervals(samples), intervals)
    assert np.array_equal(flip_p_values(samples), p_values)
