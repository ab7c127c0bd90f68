"""Every policy of a study against its baseline, replicate by replicate: in both they meet the same luck."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roguewk.kernel.arrays import Vector
from roguewk.study.plan.model import ALL_WORLDS, Study
from roguewk.study.stats.detectable import LEVEL, detectable_difference
from roguewk.study.stats.flips import fewest_pairs, flip_p_values
from roguewk.study.stats.grid import Grid
from roguewk.study.stats.intervals import joint_intervals, mean_intervals
from roguewk.study.stats.multiple import holm
from roguewk.study.stats.skewness import too_skewed

if TYPE_CHECKING:
    import pandas as pd

MORE, LESS, SAME, UNDECIDED = "more", "less", "same", "undecided"
DECIDED = (MORE, LESS)
REWARD, SHARE = "reward", "share"  # what is compared
COLUMNS = (
    *("world", "policy", "baseline", "measure", "pairs", "differing", "difference", "low", "high", "low_all"),
    *("high_all", "relative", "p_value", "p_adjusted", "verdict", "detectable", "skewed"),
)


class _Pairs(NamedTuple):
    """The replicates that a policy and the baseline both finished."""

    world: str
    policy: str
    measure: str
    differences: Vector  # (pair,)
    baseline: float  # its mean over the pairs, beyond what idling throughout would bring


def compare(grid: Grid, bounds: "pd.DataFrame") -> "pd.DataFrame":
    """A row per world and policy beside the baseline; if there are several worlds, rows for all of them at the end.

    Within a world, rewards are compared; over all worlds, which may pay in unlike units, expected rewards (effects,
    where idle rounds bring something) as shares of the certified bounds if every world has one, and otherwise rewards.
    A replicate counts as one of `pairs` only if both policies finished it; over all worlds, only if they did so in
    every world that both fit, so that it averages the same worlds as the others. `differing` pairs are not equal.
    `difference` is the mean of the paired differences with its 95 % bootstrap interval, `relative` to the baseline's
    mean, or to its effect where idle rounds bring something (nan unless that is positive); `low_all` and `high_all`
    hold for all policies of the world together. P-values are by sign flips, adjusted for all policies of a world. The
    verdict says which of the two earns more where the adjusted p-value is at most 5 %, or that all pairs are the same.
    `detectable` is the true difference that would have been found with a power of 80 %; nan if there are too few pairs
    to find any, or if hardly any differ. Where differences are `skewed`, all of this is less sure.
    """
    import pandas

    study = grid.study
    pairs = list(_all_pairs(grid, bounds))
    samples = [each.differences for each in pairs]
    frame = pandas.DataFrame([each[:3] for each in pairs], columns=["world", "policy", "measure"])
    frame["baseline"] = study.baseline
    frame["pairs"] = np.array([sample.size for sample in samples], dtype=np.int64)
    frame["differing"] = np.array([np.count_nonzero(sample) for sample in samples], dtype=np.int64)
    frame["difference"] = np.array([sample.mean() if sample.size else math.nan for sample in samples])
    frame[["low", "high"]] = intervals = mean_intervals(samples)
    frame["relative"] = np.array([_relative(each) for each in pairs])
    families = [np.flatnonzero(frame["world"] == world) for world in frame["world"].unique()]
    sizes = _tested(samples, families)
    frame[["low_all", "high_all"]] = joint_intervals(samples, intervals, sizes.tolist())
    frame["p_value"] = p_values = flip_p_values(samples, LEVEL / max([1, *sizes]))
    frame["p_adjusted"] = _adjusted(p_values, families)
    frame["verdict"] = [_verdict(*each) for each in zip(samples, frame["p_adjusted"], strict=True)]
    frame["detectable"] = np.array([_detectable(*each) for each in zip(samples, sizes, strict=True)])
    frame["skewed"] = np.array([too_skewed(sample) for sample in samples], dtype=np.bool_)
    return frame[list(COLUMNS)]


def fewest_replicates(study: Study) -> int:
    """How many it takes to decide anything in some world, however clear the differences are; 0 if none are compared."""
    policies = [each.label for each in study.policies if each.label != study.baseline]
    families = [
        sum((world.label, policy) not in study.skipped for policy in policies)
        for world in study.worlds
        if (world.label, study.baseline) not in study.skipped
    ]
    return min((fewest_pairs(LEVEL / family) for family in families if family), default=0)


def _all_pairs(grid: Grid, bounds: "pd.DataFrame") -> Iterator[_Pairs]:
    study, rewards, idle = grid.study, grid.column("reward"), grid.idle_totals
    labels = [each.label for each in study.policies]
    theirs = labels.index(study.baseline)
    shared = grid.shared_worlds()
    for i, j in sorted((i, j) for j, worlds in shared.items() for i in worlds):
        yield _pairs(study.worlds[i].label, labels[j], REWARD, rewards[[i], j], rewards[[i], theirs], idle[i])
    if len(study.worlds) > 1:
        measure, values = over_all_worlds(grid, bounds)
        for j, worlds in shared.items():
            free = 0.0 if measure == SHARE else idle[worlds].mean()
            yield _pairs(ALL_WORLDS, labels[j], measure, values[worlds, j], values[worlds, theirs], free)


def over_all_worlds(grid: Grid, bounds: "pd.DataFrame") -> tuple[str, Vector]:
    """What is averaged over worlds, (world, policy, replicate), and its name."""
    known = dict(zip(bounds["world"], bounds["bound"], strict=True))
    idle = grid.idle_totals
    of_worlds = np.array([known.get(each.label, math.nan) for each in grid.study.worlds], dtype=np.float64) - idle
    if (of_worlds > 0).all():
        effects = grid.column("expected_reward") - idle[:, None, None]
        return SHARE, np.asarray(effects / of_worlds[:, None, None])
    return REWARD, grid.column("reward")


def _pairs(world: str, policy: str, measure: str, ours: Vector, theirs: Vector, free: float) -> _Pairs:
    """Of numbers (world, replicate) with nan for what did not finish; so much of them is `free`, without any pull."""
    differences, baseline = (ours - theirs).mean(axis=0), theirs.mean(axis=0)
    both = ~np.isnan(differences)
    mean = float(baseline[both].mean()) - free if both.any() else math.nan
    return _Pairs(world, policy, measure, differences[both], mean)


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


def _verdict(differences: Vector, p_adjusted: float) -> str:
    if differences.size and not differences.any():
        return SAME
    if not p_adjusted <= LEVEL:  # nan decides nothing either
        return UNDECIDED
    return MORE if differences.mean() > 0 else LESS


def _detectable(differences: Vector, comparisons: int) -> float:
    # Where most pairs are equal, what a difference would look like is anyone's guess.
    if differences.size < 2 or 2 * np.count_nonzero(differences) < differences.size:
        return math.nan
    return detectable_difference(float(differences.std(ddof=1)), differences.size, comparisons)
