"""The comparisons of a study: those over all its worlds, and those within one."""

from typing import TYPE_CHECKING

from roguewk.study.plan.model import ALL_WORLDS
from roguewk.study.results import Results

if TYPE_CHECKING:
    import pandas as pd


def overall(results: Results) -> "pd.DataFrame":
    """The comparisons over all worlds, or in the only world."""
    comparisons = results.comparisons
    rows = comparisons[comparisons["world"] == ALL_WORLDS]
    return rows if len(rows) or len(results.study.worlds) > 1 else comparisons


def single_worlds(results: Results) -> "pd.DataFrame":
    """The comparisons within a world."""
    labels = [each.label for each in results.study.worlds]
    return results.comparisons[results.comparisons["world"].isin(labels)]
