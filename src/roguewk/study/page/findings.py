"""What a study found, in two or three sentences."""

from typing import TYPE_CHECKING

from roguewk.show.words import count
from roguewk.study.page.best import best_words
from roguewk.study.plan.model import ALL_WORLDS, Study
from roguewk.study.results import Results

if TYPE_CHECKING:
    import pandas as pd

DECIDED = ("more", "less")


def findings(results: Results, summary: "pd.DataFrame", comparisons: "pd.DataFrame") -> list[str]:
    """Sentences: whether the study is finished, who earned most, how many comparisons are decided, what failed."""
    study = results.study
    best = best_words(results, overall(comparisons, study))
    sentences = [_unfinished(summary, study), best, _decided(study, comparisons), _failures(summary, study)]
    return [sentence for sentence in sentences if sentence]


def overall(comparisons: "pd.DataFrame", study: Study) -> "pd.DataFrame":
    """The comparisons over all worlds, or in the only world."""
    rows = comparisons[comparisons["world"] == ALL_WORLDS]
    return rows if len(rows) or len(study.worlds) > 1 else comparisons


def single_worlds(comparisons: "pd.DataFrame", study: Study) -> "pd.DataFrame":
    """The comparisons within a world."""
    return comparisons[comparisons["world"].isin([each.label for each in study.worlds])]


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


def _unfinished(summary: "pd.DataFrame", study: Study) -> str:
    runs = int(summary["runs"].sum())
    planned = (len(study.worlds) * len(study.policies) - len(study.skipped)) * study.replicates
    return f"The study is not finished: {runs} of {planned} runs are there." if runs < planned else ""


def _failures(summary: "pd.DataFrame", study: Study) -> str:
    failed, runs = int(summary["failed"].sum()), int(summary["runs"].sum())
    text = "No run failed." if not failed else f"{failed} of {count(runs, 'run')} failed; they are listed below."
    if study.skipped:
        pairs, were = count(len(study.skipped), "pair"), "was" if len(study.skipped) == 1 else "were"
        text += f" {pairs} of world and policy did not fit each other and {were} skipped."
    return text
