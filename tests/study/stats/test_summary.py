"""How every policy did in every world."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from roguewk.study.stats.grid import arrange
from roguewk.study.stats.summary import summarise
from tests.study.stats.made import NO_BOUNDS, compared, made, played

SUMMARY = [
    *("world", "policy", "runs", "failed", "reward", "standard_error", "reward_low", "reward_high"),
    *("median", "lower_quartile", "upper_quartile", "expected_reward"),
    *("plays", "plays_median", "plays_lower", "plays_upper", "rounds"),
    *("reward_per_play", "per_play_median", "per_play_lower", "per_play_upper"),
    *("bound", "share", "share_low", "share_high"),
]


def test_the_summary_agrees_with_that_of_the_runs() -> None:
    table, study, runs = played(40)
    bounds = pd.DataFrame({"world": ["paper"], "bound": [runs.bound.value], "gap": [0.0], "failed": [None]})
    summary = summarise(arrange(table, study), bounds).set_index("policy")
    judge = runs.summary(bound=True).set_index("policy")
    assert [*summary.reset_index().columns][2:] == [*SUMMARY[2:], *(f"spent_resource {k}" for k in (1, 2, 3))]
    for name in [*judge.columns.drop(["regret_upper", "fraction"])]:
        assert summary[name].to_numpy() == pytest.approx(judge[name].to_numpy())
    assert summary["share"].to_numpy() == pytest.approx(runs.fraction.to_numpy())
    assert (summary["share_low"] < summary["share"]).all()
    assert (summary["share"] < summary["share_high"]).all()
    frame = runs.frame().assign(per_play=lambda each: each["reward"] / each["plays"])
    groups = frame.groupby("policy", sort=False)
    names = {"reward": SUMMARY[8:11], "plays": SUMMARY[13:16], "per_play": SUMMARY[18:21]}
    for column, (median, lower, upper) in names.items():
        for name, level in ((median, 0.5), (lower, 0.25), (upper, 0.75)):
            assert summary[name].to_numpy() == pytest.approx(groups[column].quantile(level).to_numpy())


def test_where_every_replicate_failed_there_are_no_numbers() -> None:
    rewards = np.full((2, 3, 8), 30.0)
    rewards[0, 1] = np.nan
    table, study = made(rewards)
    summary = summarise(arrange(table, study), NO_BOUNDS)
    lost = summary.iloc[1]
    assert (lost["runs"], lost["failed"]) == (8, 8)
    assert lost[SUMMARY[4:]].isna().all()
    assert summary.drop(index=1)["reward"].tolist() == [30] * 5
    found = compared(table, study)
    assert found["pairs"].tolist() == [0, 8, 8, 8, 0, 8]
    assert found.loc[[0, 4], ["difference", "low", "p_value", "p_adjusted", "detectable"]].isna().all(axis=None)
    assert found["verdict"].tolist() == ["undecided", "same", "same", "same", "undecided", "same"]


def test_shares_are_of_certified_bounds_and_resources_of_their_worlds() -> None:
    table, study = made(np.arange(30.0, 36.0) + np.zeros((2, 1, 6)))
    bounds = pd.DataFrame({"world": ["w0", "w1"], "bound": [40.0, np.nan], "failed": [None, "cannot be bounded"]})
    first, second = (row for _, row in summarise(arrange(table, study), bounds).iterrows())
    assert (first["bound"], first["share"]) == (40, 33 / 40)
    width = first["reward_high"] - first["reward_low"]  # expected rewards are half a point higher throughout
    assert first["share_high"] - first["share_low"] == pytest.approx(width / 40)
    assert np.isnan(second[["bound", "share", "share_low", "share_high", "spent_b"]].astype(float)).all()
    assert (first["spent_a"], first["spent_b"], second["spent_a"]) == (5, 1, 5)


def test_a_run_whose_reward_is_no_number_counts_as_failed() -> None:
    table, study = made(np.array([[[30.0, np.nan, 32.0], [33.0, 34.0, 35.0]]]))
    table = table.set_column(table.column_names.index("failed"), "failed", pa.nulls(6, pa.string()))
    assert summarise(arrange(table, study), NO_BOUNDS)["failed"].tolist() == [1, 0]
    assert compared(table, study)["pairs"].tolist() == [2]


def test_tables_are_the_same_whatever_the_order_of_the_runs() -> None:
    rng = np.random.default_rng(16)
    table, study = made(rng.normal(30, 5, (2, 3, 20)))
    shuffled = table.take(rng.permutation(len(table)))
    pd.testing.assert_frame_equal(compared(shuffled, study), compared(table, study), check_exact=True)
    pd.testing.assert_frame_equal(
        summarise(arrange(shuffled, study), NO_BOUNDS), summarise(arrange(table, study), NO_BOUNDS), check_exact=True
    )
