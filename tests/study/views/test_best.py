"""Who earned most: over the same runs for every policy, or nobody is named."""

import re

import numpy as np
import pytest

from roguewk.study.views.best import difference_words
from tests.study.views.told import results_of, some_rewards, told


def test_nobody_is_named_where_policies_were_compared_in_different_replicates() -> None:
    rewards = some_rewards()
    rewards[0, 1, 3:] = np.where(rewards[0, 1, 3:] < 33, np.nan, rewards[0, 1, 3:])  # survivors look good
    first = told(results_of(rewards))[0]
    assert first.startswith("Not every policy was compared with p0 in the same worlds and replicates, so none is said")
    elsewhere = results_of(some_rewards(), {("w1", "p2"): "does not fit"})
    assert told(elsewhere)[0] == first
    nothing = results_of(np.full((1, 2, 4), np.nan))
    assert told(nothing)[0] == first


def test_rank_amount_and_difference_are_over_the_pairs_that_are_counted() -> None:
    rewards = some_rewards()
    rewards[1, 0, 5:8] = np.nan  # of the baseline: all lose the same pairs
    kept = np.delete(rewards, [5, 6, 7], axis=2)
    means = kept.mean(axis=(0, 2))
    best = int(means.argmax())
    assert best > 0
    start = f"On average over the 2 worlds and 17 replicates that all policies finished, p{best} earned most: "
    assert told(results_of(rewards))[0].startswith(
        f"{start}{means[best]:.4g}, {means[best] - means[0]:.3g} more than p0"
    )
    whole = told(results_of(np.delete(rewards, [5, 6, 7], axis=2)))[0]
    assert whole.startswith(f"On average over 2 worlds and 17 replicates, p{best} earned most: {means[best]:.4g}, ")
    alone = told(results_of(some_rewards(1, 1, 4)))[0]
    assert alone == f"On average over 4 replicates, the baseline p0 earned {some_rewards(1, 1, 4).mean():.4g}."


def test_a_baseline_that_earned_most_is_followed_by_one_that_earned_less() -> None:
    rewards = some_rewards()
    rewards[:, 0] += 10
    rewards[1, 0, 5:8] = np.nan
    kept = np.delete(rewards, [5, 6, 7], axis=2)
    gaps = kept[:, 0].mean() - kept[:, 1:].mean(axis=(0, 2))
    first = told(results_of(rewards))[0]
    assert f"the baseline p0 earned most: {kept[:, 0].mean():.4g}. Next is p{1 + gaps.argmin()}, which earned" in first
    found = re.search(
        r"earned ([\d.]+) less than p0 \(.*95 % interval ([\d.]+) to ([\d.]+), which holds for both comparisons\)",
        first,
    )
    assert found is not None
    size, low, high = (float(each) for each in found.groups())
    assert 0 < low < size < high
    assert size == pytest.approx(gaps.min(), rel=0.01)


def test_an_interval_has_the_sign_of_its_sentence() -> None:
    row = {"difference": -6.66, "low_all": -7.59, "high_all": -5.68, "relative": -0.2, "verdict": "less"}
    row |= {"baseline": "b", "measure": "reward"}
    assert difference_words(row) == "6.66 less than b (20.0 %; 95 % interval 5.68 to 7.59)"
    doubtful = {**row, "difference": -1.0, "low_all": -3.0, "high_all": 1.0, "relative": np.nan, "verdict": "undecided"}
    assert difference_words(doubtful) == "1 less than b (95 % interval \N{MINUS SIGN}1 to 3; undecided)"


def test_those_who_earned_the_same_are_named_together() -> None:
    rewards = some_rewards(1, 4)
    rewards[0, 0] = rewards[0, 3] = 60.0
    first = told(results_of(rewards))[0]
    assert first.startswith(
        "On average over 20 replicates, the baseline p0 and p3 earned the same and most: 60. Next is"
    )
    rewards[0, 0] = 50.0
    rewards[0, 2] = 60.0
    assert told(results_of(rewards))[0].endswith(
        "p2 and p3 earned the same and most: 60, 10 more than p0 (20.0 %; 95 % interval 10 to 10, which holds for all "
        "3 comparisons)."
    )
    rewards[0, 3] += np.array([-1.0, 1.0] * 10)  # no longer the same in single runs
    assert told(results_of(rewards))[0].endswith("p2 and p3 earned the same and most: 60, 10 more than p0.")
    assert told(results_of(np.full((1, 2, 8), 5.0)))[0].endswith("the baseline p0 and p1 earned the same: 5.")
    swapped = np.array([[[5.0, 7.0] * 4, [7.0, 5.0] * 4]])
    assert told(results_of(swapped))[0].endswith("the baseline p0 and p1 earned the same on average: 6.")
