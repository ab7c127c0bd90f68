"""What the report and the terminal say in words: over the same runs for every policy, and only what is known."""

import re
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from roguewk.kernel.arrays import Vector
from roguewk.study.digest import show_study
from roguewk.study.report.tables import SKEWED, comparisons_table
from roguewk.study.stats.compare import compare
from roguewk.study.stats.grid import arrange
from roguewk.study.stats.summary import summarise
from roguewk.study.views.best import difference_words
from roguewk.study.views.findings import findings
from tests.study.test_stats import NO_BOUNDS, made


def results_of(
    rewards: Vector, skipped: Mapping[tuple[str, str], str] | None = None, bounds: pd.DataFrame = NO_BOUNDS
) -> Any:
    """As much of results as sentences ask for; rewards are (world, policy, replicate), nan where a run failed."""
    table, study = made(rewards, skipped)
    grid = arrange(table, study)
    parts = {"summary": summarise(grid, bounds), "comparisons": compare(grid, bounds)}
    return SimpleNamespace(study=study, runs=table, grid=grid, bounds=bounds, **parts)


def told(results: Any) -> list[str]:
    return findings(results)


def some_rewards(worlds: int = 2, policies: int = 3, replicates: int = 20) -> Vector:
    rewards = np.random.default_rng(1).integers(20, 40, (worlds, policies, replicates)).astype(float)
    return rewards + np.arange(policies)[:, None]


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


def test_comparisons_say_over_how_many_pairs_and_where_skewness_may_deceive() -> None:
    rewards = np.full((1, 3, 12), 30.0)
    rewards[0, 1] += np.array([-1.0] * 11 + [11.0])
    rewards[0, 2] += np.array([-2.0, -1.0, 1.0, 2.0] * 3)
    rewards[0, 2, 0] = np.nan
    results = results_of(rewards)
    assert results.comparisons["skewed"].tolist() == [True, False]
    page = comparisons_table(results.comparisons)
    one, two = re.findall(r"<tr><td.*?</tr>", page)
    assert SKEWED in one
    assert SKEWED not in two
    assert [re.findall(r"<td[^>]*>(.*?)</td>", row)[2] for row in (one, two)] == ["12", "11"]
    assert "In 1 of 2 comparisons the differences are too skewed" in page
    assert "too skewed" not in comparisons_table(results.comparisons.assign(skewed=False))


def test_worlds_in_unlike_units_are_averaged_as_shares_of_their_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    rewards = some_rewards(2, 3)
    rewards[1] *= 1000
    rewards[0, 1] += 10  # the second policy is better where little is paid
    bounds = pd.DataFrame({"world": ["w0", "w1"], "bound": [50.0, 50_000.0]})
    results = results_of(rewards, bounds=bounds)
    shares = ((rewards + 0.5) / bounds["bound"].to_numpy()[:, None, None]).mean(axis=(0, 2))
    best = shares.argmax()
    assert best == 1 != rewards.mean(axis=(0, 2)).argmax()
    assert told(results)[0].startswith(
        f"On average over 2 worlds and 20 replicates, p1 earned most: {100 * shares[1]:.1f} % of the certified bound, "
        f"{100 * (shares[1] - shares[0]):.3g} points more than p0 (95 % interval "
    )
    assert "all worlds (shares of the bound)" in comparisons_table(results.comparisons)
    show_study(results)
    out = capsys.readouterr().out
    assert "Shares of the bound, averages over 2 worlds; differences from 'p0', in points," in " ".join(out.split())
    assert re.search(rf"p1 +{100 * shares[1]:.1f} % +\+{100 * (shares[1] - shares[0]):.1f} \(", out)
    assert "Worlds with larger rewards count more." in told(results_of(rewards))[0]


def test_pairs_that_are_equal_are_no_evidence_of_anything() -> None:
    rewards = np.repeat(some_rewards(1, 1, 20), 3, axis=1)
    rewards[0, 2, 4] += 1
    results = results_of(rewards)
    same, few = results.comparisons.to_dict("records")
    assert (same["verdict"], same["differing"], few["verdict"], few["differing"]) == ("same", 0, "undecided", 1)
    assert np.isnan([same["detectable"], few["detectable"]]).all()
    page = comparisons_table(results.comparisons)
    assert "<td>the same in all 20 pairs</td>" in page
    assert "<td>undecided: only 1 of 20 pairs differ" in page
    assert told(results)[0].endswith("undecided).")


@pytest.mark.parametrize(("policies", "needed"), [(2, 6), (15, 10)])
def test_too_few_replicates_to_decide_anything_are_told(policies: int, needed: int) -> None:
    for replicates in (2, needed - 1, needed):
        rewards = np.random.default_rng(0).normal(0, 1, (2, policies, replicates))
        rewards[:, 1:] += 1000.0
        results = results_of(rewards)
        told_so = f"at least {needed} are needed for {policies - 1} comparison" in " ".join(told(results))
        assert told_so == (replicates < needed)
        within = results.comparisons[results.comparisons["world"] != "all worlds"]
        assert (within["verdict"] == ("undecided" if told_so else "more")).all()


def test_comparisons_without_pairs_are_not_counted_as_tested() -> None:
    rewards = some_rewards(2, 3)
    rewards[:, 1] += 30
    rewards[1, 2] = np.nan
    sentence = told(results_of(rewards))[1]
    assert sentence.startswith(
        "Of 3 comparisons with p0 within a world (1 more lack pairs), 2 are decided after correcting for the number of "
        "policies, not for the number of worlds: 2 earned more, 0 less."
    )
    lone = told(results_of(some_rewards(1, 2, 1)))[1]
    assert lone == "Nothing is decided: it takes several replicates that both policies finished."


def test_the_terminal_shows_no_number_where_there_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    show_study(results_of(np.array([[[30.0], [32.2]]])))
    out = capsys.readouterr().out
    assert re.search(r"p1 +32\.2 +unknown +\+2\.2 +undecided", out)
    show_study(results_of(np.array([[[30.0, 31.0], [np.nan, np.nan]]])))
    lost = capsys.readouterr().out
    assert re.search(r"p1 +unknown +unknown +unknown +undecided +2", lost)
    assert "nan" not in out + lost


def test_the_terminal_says_over_how_many_worlds_each_policy_is_averaged(capsys: pytest.CaptureFixture[str]) -> None:
    rewards = 1000 * some_rewards(3)
    show_study(results_of(rewards))
    out = capsys.readouterr().out
    assert "averages over 3 worlds" in out
    rewards[0, 0, 4] = np.nan
    show_study(results_of(rewards, {("w0", "p1"): "unfit", ("w2", "p1"): "unfit"}))
    uneven = capsys.readouterr().out
    assert "averages over the worlds that a policy played" in " ".join(uneven.split())
    assert [line.split()[-2:] for line in uneven.splitlines() if re.match(r" ?p\d", line)] == [
        *(["3", "1"], ["1", "0"], ["3", "0"])
    ]
    assert max(len(line.rstrip()) for line in (out + uneven).splitlines()) <= 80
