"""Bootstrap intervals hold what they say."""

import math

import numpy as np
import pytest
import scipy.stats

from roguewk.study.stats.detectable import LEVEL
from roguewk.study.stats.flips import fewest_pairs
from roguewk.study.stats.intervals import joint_intervals, mean_intervals, stretch


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


def test_intervals_of_very_skewed_samples_cover_less_when_they_are_small() -> None:
    rng = np.random.default_rng(2)
    covered = {}
    for size in (10, 300):
        low, high = mean_intervals(list(rng.exponential(1, (2000, size)))).T
        covered[size] = np.mean((low <= 1) & (high >= 1))
    assert 0.88 < covered[10] < 0.935 < covered[300] < 0.965
