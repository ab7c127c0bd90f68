"""What a study found, in two or three sentences."""

from typing import TYPE_CHECKING, Any

from roguewk.study.page.numbers import shown
from roguewk.study.plan.model import ALL_WORLDS, Study
from roguewk.study.results import Results
from roguewk.study.words import count, percent

if TYPE_CHECKING:
    import pandas as pd

DECIDED = ("more", "less")


def findings(results: Results, summary: "pd.DataFrame", comparisons: "pd.DataFrame") -> list[str]:
    """Sentences: who earned most, how many comparisons are decided, what failed."""
    study = results.study
    sentences = [_best(study, summary, comparisons), _decided(study, comparisons), _failures(summary, study)]
    return [sentence for sentence in sentences if sentence]


def overall(comparisons: "pd.DataFrame", study: Study) -> "pd.DataFrame":
    """The comparisons over all worlds, or in the only world."""
    rows = comparisons[comparisons["world"] == ALL_WORLDS]
    return rows if len(rows) or len(study.worlds) > 1 else comparisons


def single_worlds(comparisons: "pd.DataFrame", study: Study) -> "pd.DataFrame":
    """The comparisons within a world."""
    return comparisons[comparisons["world"].isin([each.label for each in study.worlds])]


def difference_words(row: Any) -> str:
    """A comparison: "12.3 more than sw-ucb (8.5 %; 95 % interval 11 to 14)"."""
    size = shown(abs(row["difference"]), 3)
    way = "more" if row["difference"] >= 0 else "less"
    relative = percent(abs(row["relative"])) if row["relative"] == row["relative"] else ""
    ends = f"95 % interval {shown(row['low'], 3)} to {shown(row['high'], 3)}" if row["low"] == row["low"] else ""
    doubt = "undecided" if row["verdict"] == "undecided" else ""
    inner = "; ".join(part for part in (relative, ends, doubt) if part)
    amount = f"{size} {way} than" if row["difference"] else "as much as"
    return f"{amount} {row['baseline']}" + (f" ({inner})" if inner else "")


def _best(study: Study, summary: "pd.DataFrame", comparisons: "pd.DataFrame") -> str:
    rewards = summary.pivot_table("reward", "world", "policy", sort=False).reindex(
        columns=[each.label for each in study.policies]
    )
    common = rewards.dropna()
    if not len(common):
        return "No world was played by every policy without failure, so no policy is said to have earned most."
    means = common.mean().sort_values(ascending=False, kind="stable")
    best = means.index[0]
    where = f"over {count(len(common), 'world')} and " if len(study.worlds) > 1 else "over "
    only = " that every policy played" if len(common) < len(study.worlds) else ""
    start = f"On average {where}{count(study.replicates, 'replicate')}{only}, "
    rows = overall(comparisons, study).set_index("policy")
    share = summary[(summary["policy"] == best) & summary["world"].isin(common.index)]["share"].mean()
    reached = f"; it reached {percent(share, 0)} of the certified bound" if share == share else ""
    if len(means) == 1:
        return f"{start}{best} earned {shown(means.iloc[0])}."
    if best == study.baseline:
        text = f"{start}the baseline {best} earned most: {shown(means.iloc[0])}{reached}"
        second = means.index[1]
        return f"{text}. Next is {second}, which earned {_compared(rows, second)}."
    return f"{start}{best} earned most: {shown(means.iloc[0])}, {_compared(rows, best)}{reached}."


def _compared(rows: "pd.DataFrame", policy: str) -> str:
    return difference_words(rows.loc[policy]) if policy in rows.index else "a difference that was not worked out"


def _decided(study: Study, comparisons: "pd.DataFrame") -> str:
    rows = single_worlds(comparisons, study)
    if not len(rows):
        return ""
    if len(rows) == 1:
        decided = rows["verdict"].iloc[0] in DECIDED
        return f"The difference is {'decided' if decided else 'not decided'} at the 5 % level."
    more, less = ((rows["verdict"] == verdict).sum() for verdict in DECIDED)
    if more + less == 0:
        return f"None of {count(len(rows), 'comparison')} with {study.baseline} within a world is decided."
    return (
        f"Of {count(len(rows), 'comparison')} with {study.baseline} within a world, {more + less} "
        f"{'is' if more + less == 1 else 'are'} decided after correcting for their number: {more} earned more, "
        f"{less} less."
    )


def _failures(summary: "pd.DataFrame", study: Study) -> str:
    failed, runs = int(summary["failed"].sum()), int(summary["runs"].sum())
    planned = (len(study.worlds) * len(study.policies) - len(study.skipped)) * study.replicates
    text = f"The study is not finished: {runs} of {planned} runs are there. " if runs < planned else ""
    text += "No run failed." if not failed else f"{failed} of {count(runs, 'run')} failed; they are listed below."
    if study.skipped:
        pairs, were = count(len(study.skipped), "pair"), "was" if len(study.skipped) == 1 else "were"
        text += f" {pairs} of world and policy did not fit each other and {were} skipped."
    return text
