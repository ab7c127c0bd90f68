"""Every policy against the baseline, under the same luck."""

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from roguewk.study.plan.model import ALL_WORLDS
from roguewk.study.stats.compare import SHARE, fewest_replicates
from roguewk.study.stats.detectable import LEVEL, detectable_difference
from roguewk.study.stats.flips import fewest_pairs, flip_p_values
from roguewk.study.stats.grid import arrange
from roguewk.study.stats.multiple import holm
from roguewk.study.stats.summary import summarise
from tests.study.stats.made import NO_BOUNDS, compared, exact_share, made, planned, played


def test_fewest_replicates_are_those_of_the_world_with_the_fewest_comparisons() -> None:
    assert fewest_replicates(planned(2, 15, 8)) == fewest_pairs(LEVEL / 14) == 10
    unfit = {("w1", f"p{j}"): "unfit" for j in range(2, 15)}
    assert fewest_replicates(planned(2, 15, 8, unfit)) == fewest_pairs(LEVEL) == 6
    assert fewest_replicates(planned(1, 1, 8)) == 0


def test_over_all_worlds_shares_of_the_bounds_are_compared_if_all_have_one() -> None:
    rewards = np.random.default_rng(4).uniform(20, 40, (3, 2, 12))
    bounds = pd.DataFrame({"world": ["w0", "w1", "w2"], "bound": [50.0, 80.0, 400.0]})
    row = compared(*made(rewards), bounds).iloc[-1]
    shares = (rewards + 0.5) / np.array([50.0, 80.0, 400.0])[:, None, None]  # of expected rewards
    differences = (shares[:, 1] - shares[:, 0]).mean(axis=0)
    assert (row["world"], row["measure"]) == (ALL_WORLDS, SHARE)
    assert row["difference"] == pytest.approx(differences.mean())
    assert row["p_value"] == pytest.approx(flip_p_values([differences])[0])
    assert row["relative"] == pytest.approx(differences.mean() / shares[:, 0].mean())
    for missing in (bounds.iloc[:2], bounds.assign(bound=[50.0, 0.0, 400.0])):
        plain = compared(*made(rewards), missing).iloc[-1]
        assert plain["measure"] == "reward"
        assert plain["difference"] == pytest.approx((rewards[:, 1] - rewards[:, 0]).mean())


def test_a_difference_is_found_among_a_thousand_policies_that_are_alike() -> None:
    rng = np.random.default_rng(19)
    rewards = rng.normal(30, 3, (1, 1001, 18))
    rewards[0, 1] += 9
    found = compared(*made(rewards))
    assert found["detectable"].iloc[0] < 9
    assert found["verdict"].tolist() == ["more"] + ["undecided"] * 999
    spread = rewards[0, 1] - rewards[0, 0]
    assert 2 * math.exp(-(spread.sum() ** 2) / (2 * (spread**2).sum())) > LEVEL / 1000  # not by Hoeffding's bound


def test_pairing_under_common_luck_makes_intervals_narrower() -> None:
    table, study, runs = played(150)
    frame = runs.frame().pivot(index="replicate", columns="policy", values="reward")
    found = compared(table, study).set_index("policy")
    for policy in ("roguewk-ucb", "ucb1"):
        unpaired = scipy.stats.ttest_ind(frame[policy], frame["sw-ucb"]).confidence_interval()
        paired = scipy.stats.ttest_rel(frame[policy], frame["sw-ucb"]).confidence_interval()
        row: Any = found.loc[policy]
        assert row["high"] - row["low"] < 0.8 * (unpaired.high - unpaired.low)
        assert (row["low"], row["high"]) == pytest.approx((paired.low, paired.high), abs=0.3)
        assert row["difference"] == pytest.approx((frame[policy] - frame["sw-ucb"]).mean())
        assert row["relative"] == pytest.approx(frame[policy].mean() / frame["sw-ucb"].mean() - 1)
    assert found["verdict"].to_dict() == {"roguewk-ucb": "more", "ucb1": "less"}


def test_a_pair_counts_only_if_both_finished() -> None:
    rewards = np.random.default_rng(12).integers(20, 40, (2, 3, 12)).astype(float)
    whole = rewards.copy()
    rewards[0, 0, 1] = rewards[0, 1, 2] = rewards[1, 1, 3] = np.nan
    table, study = made(rewards)
    summary = summarise(arrange(table, study), NO_BOUNDS)
    assert summary["runs"].tolist() == [12] * 6
    assert summary["failed"].tolist() == [1, 1, 0, 0, 1, 0]
    assert summary["reward"].tolist() == pytest.approx(np.nanmean(rewards, axis=2).ravel())
    found = compared(table, study)
    assert found["world"].tolist() == ["w0", "w0", "w1", "w1", ALL_WORLDS, ALL_WORLDS]
    assert found["policy"].tolist() == ["p1", "p2"] * 3
    assert found["pairs"].tolist() == [10, 11, 11, 12, 9, 11]
    both = [0, *range(4, 12)]  # of p1 and p0 in both worlds
    differences = (whole[:, 1] - whole[:, 0])[:, both]
    last = found.iloc[4]
    assert last["difference"] == pytest.approx(differences.mean())
    assert last["relative"] == pytest.approx(differences.mean() / whole[:, 0, both].mean())
    assert last["p_value"] == pytest.approx(exact_share(differences.sum(axis=0).astype(int).tolist()))
    assert found["detectable"].iloc[3] == pytest.approx(
        detectable_difference((whole[1, 2] - whole[1, 0]).std(ddof=1), 12, 2)
    )


def test_worlds_and_all_of_them_are_corrected_as_families_of_their_own() -> None:
    rewards = np.random.default_rng(13).integers(20, 40, (3, 4, 15)).astype(float)
    rewards[:, 1] = rewards[:, 0] + np.arange(15) % 3 + 1
    found = compared(*made(rewards))
    for _, family in found.groupby("world"):
        assert family["p_adjusted"].to_numpy() == pytest.approx(holm(family["p_value"].to_numpy()))
        assert family["verdict"].iloc[0] == "more"
    assert len(found) == 12
    alone = compared(*made(rewards[:1]))
    pd.testing.assert_frame_equal(alone, found[:3])  # other worlds change nothing here


def test_a_policy_that_earns_less_is_told_so() -> None:
    rewards = 30 + np.arange(10.0) % 4 + np.zeros((1, 2, 10))
    rewards[0, 1] -= 1 + np.arange(10) % 2
    row = compared(*made(rewards)).iloc[0]
    assert (row["verdict"], row["difference"], row["p_value"]) == ("less", -1.5, 2**-9)
    assert row["low"] < -1.5 < row["high"] < 0


def test_one_replicate_decides_nothing() -> None:
    table, study = made(np.array([[[30.0], [34.0]]]))
    found = compared(table, study).iloc[0]
    assert (found["pairs"], found["difference"], found["verdict"]) == (1, 4.0, "undecided")
    assert np.isnan(found[["low", "high", "p_value", "p_adjusted", "detectable"]].astype(float)).all()
    summary = summarise(arrange(table, study), NO_BOUNDS).iloc[0]
    assert (summary["reward"], summary["median"], summary["plays"]) == (30, 30, 20)
    assert np.isnan(summary[["standard_error", "reward_low", "reward_high", "share"]].astype(float)).all()


def test_equal_rewards_have_no_difference_at_all() -> None:
    rewards = np.tile(np.random.default_rng(14).integers(20, 40, 20).astype(float), (2, 2, 1))
    for _, row in compared(*made(rewards)).iterrows():
        assert (row["difference"], row["low"], row["high"], row["relative"]) == (0, 0, 0, 0)
        assert (row["p_value"], row["p_adjusted"], row["verdict"], row["differing"]) == (1, 1, "same", 0)
        assert math.isnan(row["detectable"])


def test_policies_are_compared_where_both_they_and_the_baseline_fit() -> None:
    rewards = np.random.default_rng(15).integers(20, 40, (3, 3, 10)).astype(float)
    skipped = {("w0", "p1"): "does not fit", ("w2", "p0"): "does not fit"}
    table, study = made(rewards, skipped)
    found = compared(table, study)
    rows = list(zip(found["world"], found["policy"], strict=True))
    assert rows == [("w0", "p2"), ("w1", "p1"), ("w1", "p2"), (ALL_WORLDS, "p1"), (ALL_WORLDS, "p2")]
    means = (rewards[:, 1:] - rewards[:, :1]).mean(axis=2)  # (world, policy)
    expected = [means[0, 1], means[1, 0], means[1, 1], means[1, 0], means[:2, 1].mean()]
    assert found["difference"].tolist() == pytest.approx(expected)
    summary = summarise(arrange(table, study), NO_BOUNDS)
    kept = [(f"w{i}", f"p{j}") for i in range(3) for j in range(3) if (f"w{i}", f"p{j}") not in skipped]
    assert list(zip(summary["world"], summary["policy"], strict=True)) == kept


def test_a_policy_alone_is_summarised_and_compared_with_nothing() -> None:
    table, study = made(np.full((2, 1, 4), 30.0))
    found = compared(table, study)
    assert found.empty
    assert found.columns.tolist()[-3:] == ["verdict", "detectable", "skewed"]
    assert len(summarise(arrange(table, study), NO_BOUNDS)) == 2


def test_a_baseline_that_loses_has_no_relative_differences() -> None:
    rewards = np.random.default_rng(17).normal(-5, 1, (1, 2, 10))
    assert math.isnan(compared(*made(rewards))["relative"].iloc[0])
