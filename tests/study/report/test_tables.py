"""The tables of the page say only what is known."""

import re

import numpy as np
import pandas as pd

from roguewk.show.numbers import shown
from roguewk.study.report.tables import SKEWED, comparisons_table, summary_table
from tests.study.views.told import results_of, some_rewards, told


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
    assert [re.findall(r"<td[^>]*>(.*?)</td>", row)[-1] for row in (one, two)] == ["12", "11"]
    assert "In 1 of 2 comparisons the differences are too skewed" in page
    assert "too skewed" not in comparisons_table(results.comparisons.assign(skewed=False))


def test_shares_are_per_cent_and_their_differences_percentage_points_in_tables_as_in_words() -> None:
    rewards = some_rewards(2, 2)
    rewards[0, 1] += 10
    results = results_of(rewards, bounds=pd.DataFrame({"world": ["w0", "w1"], "bound": [50.0, 60.0]}))
    overall = results.comparisons.to_dict("records")[-1]
    row = re.findall(r"<tr><td.*?</tr>", comparisons_table(results.comparisons))[0]
    cells = re.findall(r"<td[^>]*>(.*?)</td>", row)
    assert cells[0] == "all worlds (percentage points of the bound)"
    assert cells[3] == shown(100 * overall["difference"])
    assert f"{shown(100 * overall['difference'], 3)} percentage points more than" in told(results)[0]
    page = summary_table(results.summary)
    share = results.summary["share"][0]
    assert f'<td class="n">{100 * share:.1f}&nbsp;%</td>' in page


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


def test_tables_call_worlds_as_people_do() -> None:
    results = results_of(some_rewards(2, 2))
    names = {"w0": "budget 5", "w1": "budget 10"}
    for page in (summary_table(results.summary, names), comparisons_table(results.comparisons, names)):
        assert "<td>budget 10" in page
        assert "<td>w1" not in page
    assert "<td>all worlds" in comparisons_table(results.comparisons, names)
