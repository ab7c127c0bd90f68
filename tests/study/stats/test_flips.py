"""P-values by sign flips."""

import math

import numpy as np
import pytest
import scipy.stats

from roguewk.kernel.arrays import Vector
from roguewk.study.stats.detectable import LEVEL
from roguewk.study.stats.flips import PATTERNS, fewest_pairs, flip_p_values
from roguewk.study.stats.multiple import holm
from tests.study.stats.made import exact_share


def test_fewest_pairs_are_those_whose_smallest_p_value_reaches_the_level() -> None:
    for level in (0.05, 0.05 / 3, 0.05 / 14, 0.001):
        needed = fewest_pairs(level)
        assert flip_p_values([np.ones(needed)])[0] <= level < flip_p_values([np.ones(needed - 1)])[0]


@pytest.mark.parametrize("size", [2, 5, 9])
def test_p_values_of_few_pairs_are_those_of_scipys_permutation_test(size: int) -> None:
    rng = np.random.default_rng(size)
    ours, theirs = rng.binomial(9, 0.5, (2, 6, size)).astype(float)  # many ties
    found = flip_p_values(list(ours - theirs))

    def statistic(x: Vector, y: Vector, axis: int) -> Vector:
        return np.asarray(np.mean(x - y, axis=axis))

    for p_value, x, y in zip(found, ours, theirs, strict=True):
        judge = scipy.stats.permutation_test((x, y), statistic, permutation_type="samples", n_resamples=10**6)
        assert p_value == pytest.approx(min(1, judge.pvalue))


def test_p_values_of_many_pairs_are_close_to_all_sign_patterns_and_never_much_too_small() -> None:
    rng = np.random.default_rng(5)
    samples = [rng.integers(-6, 7 + shift, size) for size in (14, 15, 40) for shift in (0, 1, 2, 4, 30)]
    found = flip_p_values([sample.astype(float) for sample in samples])
    for p_value, sample in zip(found, samples, strict=True):
        exact = exact_share(sample.tolist())
        if exact > 0.001 or len(sample) == 14:
            assert p_value == pytest.approx(exact, abs=4 * math.sqrt(exact / PATTERNS))
        else:
            assert exact <= p_value < 0.002
    assert found[-1] < 1 / PATTERNS  # glaring differences stay visible in large families


def test_p_values_of_bell_shaped_differences_agree_with_a_paired_t_test() -> None:
    rng = np.random.default_rng(6)
    ours, theirs = rng.normal(0, 1, (2, 20, 60)) + rng.normal(0, 3, (20, 60))
    found = flip_p_values(list(ours - theirs))
    assert found == pytest.approx(scipy.stats.ttest_rel(ours, theirs, axis=1).pvalue, abs=0.02)


def test_few_coarse_differences_do_not_deceive_as_they_do_the_t_test() -> None:
    rng = np.random.default_rng(7)
    coins = rng.choice([-1.0, 1.0], (2000, 7))
    assert np.mean(flip_p_values(list(coins)) <= 0.05) < 0.05
    many = coins[np.abs(coins.sum(axis=1)) == 5]
    assert np.all(scipy.stats.ttest_1samp(many, 0, axis=1).pvalue < 0.05)  # with probability 14 / 128
    assert len(many) / len(coins) > 0.08


def test_equally_good_policies_are_rarely_told_apart_in_any_comparison_of_a_family() -> None:
    rng = np.random.default_rng(8)
    studies, policies, size = 2000, 5, 16
    luck = rng.beta(20, 40, (studies, 1, size))
    rewards = rng.binomial(40, luck, (studies, policies + 1, size)).astype(float)
    differences = rewards[:, 1:] - rewards[:, :1]  # correlated: they share the baseline
    p_values = flip_p_values(list(differences.reshape(-1, size))).reshape(studies, policies)
    adjusted = np.array([holm(family) for family in p_values])
    assert np.mean((adjusted <= LEVEL).any(axis=1)) < 0.065  # 0.05 and three standard errors
    assert np.mean((p_values <= LEVEL).any(axis=1)) > 0.12  # what happens without correction


def test_small_p_values_of_large_families_are_those_of_all_sign_patterns() -> None:
    rng = np.random.default_rng(20)
    samples = [rng.integers(-6, 7 + shift, size) for size in (16, 18, 30) for shift in (6, 8, 10)]
    found = flip_p_values([sample.astype(float) for sample in samples], LEVEL / 1000)
    for p_value, sample in zip(found, samples, strict=True):
        exact = exact_share(sample.tolist())
        noise = (
            0 if len(sample) <= 18 and p_value <= 0.002 else 5 * math.sqrt(exact / (PATTERNS if exact > 0.001 else 2e5))
        )
        assert p_value == pytest.approx(exact, abs=noise + 1e-5 * (noise > 0))
