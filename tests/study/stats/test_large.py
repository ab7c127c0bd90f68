"""Many replicates are worked out, not drawn."""

import math

import numpy as np
import pytest
import scipy.stats

from roguewk.study.stats.flips import PATTERNS, flip_p_values
from roguewk.study.stats.intervals import mean_intervals
from roguewk.study.stats.large import LARGE, nearly_normal


@pytest.mark.parametrize("kind", ["whole", "skewed"])
def test_what_is_worked_out_for_many_replicates_is_what_drawing_gives(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(22)
    size = LARGE + 1
    shifts = np.array([0.0, 0.04, 0.06])[:, None]
    samples = rng.exponential(2, (3, size)) - 2 + shifts
    if kind == "whole":
        samples = rng.integers(-2, 3, (3, size)) + (rng.random((3, size)) < shifts)
    assert nearly_normal(samples).all()
    intervals, p_values = mean_intervals(list(samples)), flip_p_values(list(samples))
    monkeypatch.setattr("roguewk.study.stats.large.LARGE", size)
    drawn, flipped = mean_intervals(list(samples)), flip_p_values(list(samples))
    assert intervals == pytest.approx(drawn, abs=0.2 * samples.std() / math.sqrt(size))  # the noise of 2,000 draws
    assert p_values == pytest.approx(flipped, abs=4 * math.sqrt(0.25 / PATTERNS))
    assert mean_intervals([np.tile([1.0, 2.0], 20_000)])[0] == pytest.approx([1.4951, 1.5049], abs=1e-4)


def test_p_values_of_many_coins_are_those_of_the_sign_test() -> None:
    for tails in (9_900, 9_800, 9_700):
        coins = np.repeat([1.0, -1.0, 0.0], [20_000 - tails, tails, 5_000])
        judge = scipy.stats.binomtest(tails, 20_000).pvalue
        assert flip_p_values([coins])[0] == pytest.approx(judge, rel=0.01)
    assert flip_p_values([np.zeros(LARGE + 1)]).tolist() == [1]


def test_where_few_of_many_replicates_weigh_much_they_are_drawn() -> None:
    rare = np.zeros(LARGE + 1)
    rare[:6] = 1.0
    assert not nearly_normal(rare[None]).any()
    assert flip_p_values([rare])[0] == pytest.approx(2**-5, abs=0.01)
