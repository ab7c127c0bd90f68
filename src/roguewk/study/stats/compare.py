"""Every policy of a study against its baseline, replicate by replicate: in both they meet the same luck."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roguewk.problem.arms import Vector
from roguewk.study.plan.model import ALL_WORLDS, Study
from roguewk.study.stats.detectable import LEVEL, detectable_difference
from roguewk.study.stats.flips import flip_p_values
from roguewk.study.stats.grid import Grid, arrange
from roguewk.study.stats.intervals import mean_intervals
from roguewk.study.stats.multiple import holm
from roguewk.study.stats.skewness import too_skewed

if TYPE_CHECKING:
    import pandas as pd

MORE, LESS, UNDECIDED = "more", "less", "undecided"
COLUMNS = (
    *("world", "policy", "baseline", "pairs", "difference", "low", "high", "relative"),
    *("p_value", "p_adjusted", "verdict", "detectable"),
)


class _Pairs(NamedTuple):
    """The replicates that a policy and the baseline both finished."""

    world: str
    policy: str
    differences: Vector  # (pair,)
    baseline: float  # its mean over the pairs


def compare(runs: Any, study: Study) -> "pd.DataFrame":
    """A row per world and policy beside the baseline; if there are several worlds, rows for all of them at the end.

    `runs` is the Arrow table of all runs. A replicate counts as one of `pairs` only if both policies finished it; over
    all worlds, only if they did so in every world that both fit, so that it averages the same worlds as the others.
    `difference` is the mean of the paired differences with its 95 % bootstrap interval, `relative` to the baseline's
    mean (nan unless that is positive). P-values are by sign flips, adjusted for all policies of a world. The verdict
    says which of the two earns more where the adjusted p-value is at most 5 %. `detectable` is the true difference that
    would have been found with a power of 80 %; nan if there are too few pairs to find any.
    """
    import pandas

    pairs = list(_all_pairs(arrange(runs, study)))
    samples = [each.differences for each in pairs]
    frame = pandas.DataFrame([each[:2] for each in pairs], columns=["world", "policy"])
    frame["baseline"] = study.baseline
    frame["pairs"] = np.array([sample.size for sample in samples], dtype=np.int64)
    frame["difference"] = np.array([sample.mean() if sample.size else math.nan for sample in samples])
    frame[["low", "high"]] = mean_intervals(samples)
    frame["relative"] = np.array([_relative(each) for each in pairs])
    families = [np.flatnonzero(frame["world"] == world) for world in frame["world"].unique()]
    sizes = _tested(samples, families)
    frame["p_value"] = p_values = flip_p_values(samples, LEVEL / max([1, *sizes]))
    frame["p_adjusted"] = _adjusted(p_values, families)
    frame["verdict"] = [_verdict(*each) for each in zip(frame["difference"], frame["p_adjusted"], strict=True)]
    frame["detectable"] = np.array([_detectable(*each) for each in zip(samples, sizes, strict=True)])
    return frame[list(COLUMNS)]


def skewed_pairs(runs: Any, study: Study) -> set[tuple[str, str]]:
    """The worlds and policies of `compare` whose differences are too skewed to trust p-values and intervals."""
    found = _all_pairs(arrange(runs, study))
    return {(each.world, each.policy) for each in found if too_skewed(each.differences)}


def _all_pairs(grid: Grid) -> Iterator[_Pairs]:
    study, rewards = grid.study, grid.column("reward")
    labels = [each.label for each in study.policies]
    theirs = labels.index(study.baseline)
    shared = grid.shared_worlds()
    for i, j in sorted((i, j) for j, worlds in shared.items() for i in worlds):
        yield _pairs(study.worlds[i].label, labels[j], rewards[[i], j], rewards[[i], theirs])
    if len(study.worlds) > 1:
        for j, worlds in shared.items():
            yield _pairs(ALL_WORLDS, labels[j], rewards[worlds, j], rewards[worlds, theirs])


def _pairs(world: str, policy: str, ours: Vector, theirs: Vector) -> _Pairs:
    """Of rewards (world, replicate) with nan for what did not finish."""
    differences, baseline = (ours - theirs).mean(axis=0), theirs.mean(axis=0)
    both = ~np.isnan(differences)
    return _Pairs(world, policy, differences[both], float(baseline[both].mean()) if both.any() else math.nan)


def _relative(pairs: _Pairs) -> float:
    return float(pairs.differences.mean()) / pairs.baseline if pairs.baseline > 0 else math.nan


def _tested(samples: list[Vector], families: list[NDArray[np.intp]]) -> NDArray[np.int64]:
    """(comparison,) how many are tested in the family of each."""
    sizes = np.zeros(len(samples), dtype=np.int64)
    for family in families:
        sizes[family] = sum(samples[place].size > 1 for place in family)
    return sizes


def _adjusted(p_values: Vector, families: list[NDArray[np.intp]]) -> Vector:
    adjusted = np.full(len(p_values), np.nan)
    for family in families:
        adjusted[family] = holm(p_values[family])
    return adjusted


def _verdict(difference: float, p_adjusted: float) -> str:
    if not p_adjusted <= LEVEL:  # nan decides nothing either
        return UNDECIDED
    return MORE if difference > 0 else LESS


def _detectable(differences: Vector, comparisons: int) -> float:
    if differences.size < 2:
        return math.nan
    return detectable_difference(float(differences.std(ddof=1)), differences.size, comparisons)
