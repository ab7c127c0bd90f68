"""Intervals, p-values and their kin: beside SciPy, enumeration, and many studies whose truth is known."""

import math

import numpy as np
import pytest
import scipy.stats

from roguewk.kernel.arrays import Vector
from roguewk.study.stats import resample
from roguewk.study.stats.detectable import LEVEL, POWER, detectable_difference
from roguewk.study.stats.flips import PATTERNS, fewest_pairs, flip_p_values
from roguewk.study.stats.intervals import joint_intervals, mean_intervals, stretch
from roguewk.study.stats.large import LARGE, nearly_normal
from roguewk.study.stats.multiple import holm
from roguewk.study.stats.resample import exactly_summable
from roguewk.study.stats.skewness import too_skewed
from roguewk.study.stats.student import t_quantile


@pytest.mark.parametrize("freedom", [5, 8, 13, 29, 999])
def test_t_quantiles_are_those_of_scipy(freedom: int) -> None:
    for level in (0.8, 0.975, 1 - 2 ** -(freedom + 1) if freedom < 14 else 0.9999):
        assert t_quantile(level, freedom) == pytest.approx(scipy.stats.t.ppf(level, freedom), rel=0.001)


def test_an_interval_is_scipys_percentile_bootstrap_stretched_about_the_mean() -> None:
    rng = np.random.default_rng(0)
    for size in (8, 30, 200):
        sample = rng.exponential(10, size)
        judge = scipy.stats.bootstrap((sample,), np.mean, method="percentile", rng=1).confidence_interval
        mean = sample.mean()
        plain = mean + (mean_intervals([sample])[0] - mean) / stretch(size)
        assert plain == pytest.approx(np.array(judge), abs=0.2 * sample.std() / math.sqrt(size))


@pytest.mark.parametrize(("size", "least"), [(2, 0.90), (3, 0.935), (5, 0.935), (10, 0.935), (30, 0.935), (100, 0.935)])
def test_intervals_of_paired_differences_cover_the_truth_as_often_as_they_say(size: int, least: float) -> None:
    rng = np.random.default_rng(size)
    rewards = rng.binomial(60, rng.beta(30, 60, (2000, 1, size)), (2000, 2, size)).astype(float)  # a common luck
    low, high = mean_intervals(list(rewards[:, 0] - rewards[:, 1])).T
    covered = np.mean((low <= 0) & (high >= 0))
    assert least <= covered <= 0.965  # 2,000 studies: 0.95 give or take 0.015


def test_joint_intervals_cover_all_comparisons_at_once_so_that_the_best_may_be_picked() -> None:
    policies, size, studies = 14, 20, 2000
    rng = np.random.default_rng(3)
    rewards = rng.normal(0, 1, (studies, policies + 1, size)) + rng.normal(0, 2, (studies, 1, size))
    differences = rewards[:, 1:] - rewards[:, :1]
    samples = list(differences.reshape(-1, size))
    alone = mean_intervals(samples)
    together = joint_intervals(samples, alone, [policies] * len(samples))
    best = differences.mean(axis=2).argmax(axis=1) + policies * np.arange(studies)
    covered = [np.mean((each[best, 0] <= 0) & (each[best, 1] >= 0)) for each in (alone, together)]
    assert covered[0] < 0.9  # an interval of its own forgets that the best was picked
    assert covered[1] >= 0.94
    whole = ((together[:, 0] <= 0) & (together[:, 1] >= 0)).reshape(studies, policies).all(axis=1)
    assert whole.mean() >= 0.94
    for family in (2, 14):  # no interval where nothing can be decided
        needed = fewest_pairs(LEVEL / family)
        several = [np.arange(float(size)) for size in (needed - 1, needed)]
        few, enough = joint_intervals(several, np.array([[1.0, 3.0]] * 2), [family] * 2)
        assert np.isnan(few).all()
        assert np.isfinite(enough).all()
    assert joint_intervals([np.arange(5.0)], np.array([[1.0, 3.0]]), [1]).tolist() == [[1.0, 3.0]]


def test_a_few_replicates_that_are_equal_have_no_interval() -> None:
    found = mean_intervals([np.ones(2), np.ones(5), np.ones(6), np.array([1.0, 2.0])])
    assert np.isnan(found[:2]).all()
    assert found[2].tolist() == [1.0, 1.0]
    assert np.isfinite(found[3]).all()


def test_fewest_pairs_are_those_whose_smallest_p_value_reaches_the_level() -> None:
    for level in (0.05, 0.05 / 3, 0.05 / 14, 0.001):
        needed = fewest_pairs(level)
        assert flip_p_values([np.ones(needed)])[0] <= level < flip_p_values([np.ones(needed - 1)])[0]


def test_intervals_of_very_skewed_samples_cover_less_when_they_are_small() -> None:
    rng = np.random.default_rng(2)
    covered = {}
    for size in (10, 300):
        low, high = mean_intervals(list(rng.exponential(1, (2000, size)))).T
        covered[size] = np.mean((low <= 1) & (high >= 1))
    assert 0.88 < covered[10] < 0.935 < covered[300] < 0.965


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


def exact_share(differences: list[int]) -> float:
    """The share of all sign patterns whose sums are as far from zero, counted by adding one difference at a time."""
    ways = {0: 1}
    for d in differences:
        sums: dict[int, int] = {}
        for total, count in ways.items():
            for sign in (d, -d):
                sums[total + sign] = sums.get(total + sign, 0) + count
        ways = sums
    return sum(count for total, count in ways.items() if abs(total) >= abs(sum(differences))) / 2 ** len(differences)


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


def test_holms_correction_is_that_worked_out_by_hand() -> None:
    p_values = np.array([0.04, math.nan, 0.01, 0.03, 0.012, 0.9])
    # Sorted 0.01 x 5, 0.012 x 4, 0.03 x 3, 0.04 x 2, 0.9 x 1, each at least the one before.
    expected = [0.09, math.nan, 0.05, 0.09, 0.05, 0.9]
    assert holm(p_values) == pytest.approx(np.array(expected), nan_ok=True)
    assert holm(np.array([0.7, 0.8])).tolist() == [1.0, 1.0]
    assert holm(np.array([])).size == 0


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


def test_too_few_replicates_detect_nothing() -> None:
    assert math.isnan(detectable_difference(1.0, 1, 1))
    assert math.isnan(detectable_difference(1.0, 5, 1))
    assert math.isnan(detectable_difference(1.0, 8, 9))
    assert detectable_difference(0.0, 6, 1) == 0


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
