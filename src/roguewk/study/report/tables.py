"""The tables of the page: summary, comparisons in words, failures and skipped pairs."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from roguewk.show.numbers import shown
from roguewk.show.page.html import safe, section, table
from roguewk.show.words import count, percent
from roguewk.study.plan.model import ALL_WORLDS
from roguewk.study.results import Results
from roguewk.study.stats.compare import DECIDED, SAME, SHARE
from roguewk.study.views.axes import world_names

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 2000
SHARES = " (percentage points of the bound)"
SKEWED = " (skewed: less sure than it says)"
COLUMNS = {  # of the summary -> heading
    "effect": "effect",
    "effect_low": "95 % from",
    "effect_high": "to",
    "effect_per_play": "effect per play",
    "idle_reward": "doing nothing",
    "reward": "mean reward",
    "reward_low": "95 % from",
    "reward_high": "to",
    "share": "share of bound",
    "bound": "bound",
    "median": "median",
    "lower_quartile": "lower quartile",
    "upper_quartile": "upper quartile",
    "plays": "plays",
    "reward_per_play": "reward per play",
    "runs": "runs",
    "failed": "failed",
}


def summary_table(summary: "pd.DataFrame", names: Mapping[str, str] = {}) -> str:
    """A row for every policy in every world; `names` are those of worlds by their labels."""
    spent = [name for name in summary.columns if str(name).startswith("spent_")]
    empty = [name for name in COLUMNS if name not in summary]
    empty += [name for name in ("bound", "share") if name in summary and summary[name].isna().all()]
    columns = {name: title for name, title in COLUMNS.items() if name not in empty}
    head = ["world", "policy", *columns.values(), *(f"spent: {str(name).removeprefix('spent_')}" for name in spent)]
    rows = (
        [
            names.get(row["world"], str(row["world"])),
            str(row["policy"]),
            *(_cell(name, row[name]) for name in [*columns, *spent]),
        ]
        for row in summary.head(MOST_ROWS).to_dict("records")
    )
    note = (
        '<p class="soft">A click on a heading sorts. Means, medians and quartiles are over the runs that did not fail.'
    )
    return f"{note}{_cut(summary)}</p>" + table(head, rows, range(2, len(head)), "summary", fixed=2)


def _cell(name: str, value: float) -> str:
    return _percent(value) if name == "share" else shown(value)


def _percent(value: float) -> str:
    return percent(value) if math.isfinite(value) else ""


def comparisons_table(comparisons: "pd.DataFrame", names: Mapping[str, str] = {}) -> str:
    """A row for every comparison with the baseline; `names` are those of worlds by their labels."""
    if not len(comparisons):
        return "<p>There is one policy, so nothing is compared.</p>"
    head = ["world", "policy", "verdict", "difference", "95 % from", "to"]
    head += ["relative", "adjusted p", "could have seen", "pairs"]
    rows = (
        [
            names.get(row["world"], str(row["world"])) + (SHARES if row["measure"] == SHARE else ""),
            str(row["policy"]),
            verdict_words(row) + (SKEWED if row["skewed"] else ""),
            *(shown(_scale(row) * row[name]) for name in ("difference", "low", "high")),
            _percent(row["relative"]),
            _p_value(row["p_adjusted"]),
            shown(_scale(row) * row["detectable"], 3),
            str(row["pairs"]),
        ]
        for row in _overall_first(comparisons)[:MOST_ROWS]
    )
    note = (
        '<p class="soft">Differences are paired: both policies meet the same luck, and a pair counts only if both runs '
        "finished. P-values are exact where differences are as likely to be above zero as below by any amount, as they "
        "are between equals; where differences are skewed, it takes many pairs. “Could have seen” is the smallest true "
        f"difference that would have been found four times out of five.{_cut(comparisons)}</p>"
    )
    return (
        note
        + _warning(int(comparisons["skewed"].sum()), len(comparisons))
        + table(head, rows, range(3, len(head)), "comparisons", fixed=2)
    )


def _warning(skewed: int, of: int) -> str:
    if not skewed:
        return ""
    return (
        f"<p>In {skewed} of {count(of, 'comparison')} the differences are too skewed for so few pairs, or all equal: "
        "what happens rarely may weigh much and have happened too seldom, so that verdicts and intervals are less sure "
        "than they say. More replicates help.</p>"
    )


def _scale(row: Any) -> float:
    """What makes percentage points of differences of shares."""
    return 100.0 if row["measure"] == SHARE else 1.0


def verdict_words(row: Any) -> str:
    """What came out, in a few words."""
    if row["verdict"] in DECIDED:
        return f"earned {row['verdict']}"
    if row["verdict"] == SAME:
        return f"the same in all {count(row['pairs'], 'pair')}"
    if 2 * row["differing"] < row["pairs"]:
        return f"undecided: only {row['differing']} of {count(row['pairs'], 'pair')} differ"
    return "undecided"


def trouble(results: Results) -> str:
    """Failed runs, skipped pairs and bounds that were not found; nothing if there are none."""
    return "".join([_failed_runs(results), _skipped(results), _failed_bounds(results)])


def _failed_runs(results: Results) -> str:
    import pyarrow.compute

    runs = results.runs
    failed = runs.filter(pyarrow.compute.is_valid(runs["failed"])).select(["world", "policy", "replicate", "failed"])
    if not failed.num_rows:
        return ""
    names = world_names(results.study)
    groups = failed.to_pandas().groupby(["world", "policy", "failed"], sort=False)["replicate"]
    rows = [
        [names[world], str(policy), str(len(those)), _listed(sorted(those)), str(reason)]
        for (world, policy, reason), those in groups
    ]
    head = ["world", "policy", "runs", "replicates", "reason"]
    return section("failures", "Failed runs", table(head, rows[:MOST_ROWS], [2]))


def _skipped(results: Results) -> str:
    names = world_names(results.study)
    rows = [[names[world], policy, reason] for (world, policy), reason in results.study.skipped.items()]
    return section("skipped", "Skipped pairs", table(["world", "policy", "reason"], rows[:MOST_ROWS])) if rows else ""


def _failed_bounds(results: Results) -> str:
    failed = results.bounds[results.bounds["failed"].notna()]
    names = world_names(results.study)
    rows = [[names[row["world"]], str(row["failed"])] for row in failed.to_dict("records")]
    return section("unbounded", "Bounds that were not found", table(["world", "reason"], rows)) if rows else ""


def _overall_first(comparisons: "pd.DataFrame") -> list[Any]:
    return sorted(comparisons.to_dict("records"), key=lambda row: row["world"] != ALL_WORLDS)


def _listed(numbers: list[int]) -> str:
    few = ", ".join(str(int(each)) for each in numbers[:10])
    return few + (", …" if len(numbers) > 10 else "")


def _p_value(value: float) -> str:
    return "< 0.0001" if value < 1e-4 else shown(value, 2)


def _cut(frame: "pd.DataFrame") -> str:
    return safe(f" The first {MOST_ROWS} of {len(frame)} rows are shown.") if len(frame) > MOST_ROWS else ""
