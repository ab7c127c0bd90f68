import itertools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.stats

import roguewk as rw
from roguewk.problem.arms import Vector
from roguewk.study.plan.model import ALL_WORLDS, PlannedPolicy, PlannedWorld, Study
from roguewk.study.stats import resample
from roguewk.study.stats.compare import SHARE, compare, fewest_replicates
from roguewk.study.stats.detectable import LEVEL, POWER, detectable_difference
from roguewk.study.stats.flips import PATTERNS, fewest_pairs, flip_p_values
from roguewk.study.stats.grid import arrange
from roguewk.study.stats.intervals import joint_intervals, mean_intervals, stretch
from roguewk.study.stats.large import LARGE, nearly_normal
from roguewk.study.stats.multiple import holm
from roguewk.study.stats.resample import exactly_summable
from roguewk.study.stats.skewness import too_skewed
from roguewk.study.stats.student import t_quantile
from roguewk.study.stats.summary import summarise

SUMMARY = [
    *("world", "policy", "runs", "failed", "reward", "standard_error", "reward_low", "reward_high"),
    *("median", "lower_quartile", "upper_quartile", "expected_reward"),
    *("plays", "plays_median", "plays_lower", "plays_upper", "rounds"),
    *("reward_per_play", "per_play_median", "per_play_lower", "per_play_upper"),
    *("bound", "share", "share_low", "share_high"),
]
NO_BOUNDS = pd.DataFrame({"world": [], "bound": [], "gap": [], "failed": []})


def planned(worlds: int, policies: int, replicates: int, skipped: Mapping[tuple[str, str], str] | None = None) -> Study:
    world = rw.catalog.paper(horizon=5)
    return Study(
        name="made",
        title="made",
        replicates=replicates,
        seed=0,
        baseline="p0",
        worlds=tuple(PlannedWorld(f"w{i}", {}, world) for i in range(worlds)),
        policies=tuple(PlannedPolicy(f"p{j}", "ucb1", {}) for j in range(policies)),
        skipped=skipped or {},
    )


def made(rewards: Vector, skipped: Mapping[tuple[str, str], str] | None = None) -> tuple[Any, Study]:
    """A table of runs with these rewards (world, policy, replicate), nan for those that failed, and its study."""
    worlds, policies, replicates = rewards.shape
    study = planned(worlds, policies, replicates, skipped)
    rows = []
    for (i, world), (j, policy) in itertools.product(enumerate(study.worlds), enumerate(study.policies)):
        if (world.label, policy.label) not in study.skipped:
            for r, reward in enumerate(rewards[i, j].tolist()):
                lost = math.isnan(reward)
                numbers = {"reward": reward, "expected_reward": reward + 0.5, "plays": 20 + r, "rounds": 30}
                numbers |= {"spent_a": 2.0 * r, "spent_b": None if i else 1.0}
                rows.append(
                    {"world": world.label, "policy": policy.label, "replicate": r}
                    | (dict.fromkeys(numbers) if lost else numbers)
                    | {"failed": "ValueError: no luck" if lost else None}
                )
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    floats = ("reward", "expected_reward", "spent_a", "spent_b")
    types = {**dict.fromkeys(floats, "f8"), "plays": "i8", "rounds": "i8", "failed": "string"}
    return pa.table({name: pa.array(values, types.get(name)) for name, values in columns.items()}), study


def compared(table: Any, study: Study, bounds: pd.DataFrame = NO_BOUNDS) -> pd.DataFrame:
    return compare(arrange(table, study), bounds)


def played(replicates: int) -> tuple[Any, Study, rw.Runs]:
    world = rw.catalog.paper(budget=100)
    names = ("sw-ucb", "roguewk-ucb", "ucb1")
    runs = rw.simulate(world, list(names), replicates=replicates, seed=3)
    table = runs.frame("arrow")
    table = table.add_column(0, "world", pa.repeat("paper", len(table)))
    table = table.append_column("failed", pa.nulls(len(table), pa.string()))
    policies = tuple(PlannedPolicy(name, name, {}) for name in names)
    study = Study("real", "real", replicates, 3, "sw-ucb", (PlannedWorld("paper", {}, world),), policies)
    return table, study, runs


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


def test_a_difference_is_found_among_a_thousand_policies_that_are_alike() -> None:
    rng = np.random.default_rng(19)
    rewards = rng.normal(30, 3, (1, 1001, 18))
    rewards[0, 1] += 9
    found = compared(*made(rewards))
    assert found["detectable"].iloc[0] < 9
    assert found["verdict"].tolist() == ["more"] + ["undecided"] * 999
    spread = rewards[0, 1] - rewards[0, 0]
    assert 2 * math.exp(-(spread.sum() ** 2) / (2 * (spread**2).sum())) > LEVEL / 1000  # not by Hoeffding's bound


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


def test_a_baseline_that_loses_has_no_relative_differences() -> None:
    rewards = np.random.default_rng(17).normal(-5, 1, (1, 2, 10))
    assert math.isnan(compared(*made(rewards))["relative"].iloc[0])
