"""What is measured on a grid of runs: quartiles over replicates, and the gain of one policy over another.

Every policy and every budget of a replicate meets the same luck, so intervals resample whole replicates.
"""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roguewk.kernel.arrays import Vector
from roguewk.show.words import percent
from roguewk.study.stats.resample import COVERAGE, counts_of, draw_blocks

if TYPE_CHECKING:
    import pandas as pd


class Gain(NamedTuple):
    """A relative gain, 0.1 for 10 %, with a bootstrap interval; the interval of a lone replicate is nan."""

    value: float
    low: float
    high: float


class Average(NamedTuple):
    """How rewards over budgets and replicates become one gain: a mean or median per budget, then `combine`."""

    median: bool
    combine: Callable[[Vector, Vector], Vector]  # (..., budget) of both policies -> (...)


def mean_of_ratios(ours: Vector, theirs: Vector) -> Vector:
    """Mean over budgets of the ratio, minus one."""
    return np.asarray(np.mean(ours / theirs, axis=-1) - 1)


def ratio_of_totals(ours: Vector, theirs: Vector) -> Vector:
    """Ratio of the sums over budgets, minus one; large budgets count more."""
    return np.asarray(ours.sum(axis=-1) / theirs.sum(axis=-1) - 1)


MEAN_OF_RATIOS = Average(False, mean_of_ratios)


def find_gain(ours: Vector, theirs: Vector, average: Average = MEAN_OF_RATIOS) -> Gain:
    """The gain of `ours` over `theirs`, both rewards (budget, replicate)."""
    replicates = ours.shape[1]
    whole = np.arange(replicates, dtype=np.int64)[None, :]
    value = float(average.combine(_centres(ours, whole, average.median), _centres(theirs, whole, average.median))[0])
    if replicates < 2:
        return Gain(value, np.nan, np.nan)
    picks = np.concatenate(list(draw_blocks(replicates)))
    gains = average.combine(_centres(ours, picks, average.median), _centres(theirs, picks, average.median))
    low, high = np.quantile(gains, [(1 - COVERAGE) / 2, (1 + COVERAGE) / 2])
    return Gain(value, float(low), float(high))


def _centres(rewards: Vector, picks: NDArray[np.int64], median: bool) -> Vector:
    """(resample, budget) the mean or median of the picked replicates."""
    if median:
        return np.stack([np.median(row[picks], axis=-1) for row in rewards], axis=-1)
    return np.asarray(counts_of(picks) @ rewards.T / rewards.shape[1])


def quartiles(runs: "pd.DataFrame", column: str) -> "pd.DataFrame":
    """Columns `low`, `median`, `high` over the replicates, a row per policy and budget."""
    table = runs.groupby(["policy", "budget"], sort=False)[column].quantile(np.array([0.25, 0.5, 0.75])).unstack()
    table.columns = ["low", "median", "high"]
    return table


def told(table: "pd.DataFrame", policy: str, budget: int) -> tuple[str, str]:
    """The median and the quartiles of one policy at one budget, in words."""
    row: Any = table.loc[(policy, budget)]
    return f"{row['median']:g}", f"({row['low']:.0f}\N{EN DASH}{row['high']:.0f})"


def interval(gain: Gain) -> str:
    """The interval of a gain."""
    if not math.isfinite(gain.low):
        return "one replicate gives no interval"
    return f"{percent(COVERAGE, 0)} interval {percent(gain.low)} to {percent(gain.high)}"
