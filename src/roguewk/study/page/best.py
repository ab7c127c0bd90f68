"""Who earned most, in a sentence: over the same worlds and replicates for every policy, or nobody is named."""

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roguewk.problem.arms import Vector
from roguewk.show.words import count, percent
from roguewk.study.page.numbers import shown
from roguewk.study.results import Results
from roguewk.study.stats.grid import Grid, arrange

if TYPE_CHECKING:
    import pandas as pd


class _Alike(NamedTuple):
    """The worlds and replicates over which every policy is compared with the baseline."""

    worlds: list[int]
    replicates: NDArray[np.bool_]  # (replicate,)

    def of(self, column: Vector) -> Vector:
        """(world, policy, replicate) what belongs to these."""
        return np.asarray(column[self.worlds][:, :, self.replicates])


def best_words(results: Results, rows: "pd.DataFrame") -> str:
    """Who earned most, and how much more than the baseline by these comparisons, over all worlds or in the only one."""
    study = results.study
    grid = arrange(results.runs, study)
    alike = _alike(grid)
    if alike is None:
        return (
            f"Not every policy was compared with {study.baseline} in the same worlds and replicates, so none is said "
            "to have earned most; the tables say what each did."
        )
    means = alike.of(grid.column("reward")).mean(axis=(0, 2)).tolist()
    labels = [each.label for each in study.policies]
    top = max(means)
    first = [label for label, mean in zip(labels, means, strict=True) if math.isclose(mean, top, rel_tol=1e-12)]
    start = f"{_where(grid, alike)}, {_names(first, study.baseline)} earned"
    if len(first) == len(labels):
        return f"{start} {shown(top)}." if len(labels) == 1 else f"{start} the same: {shown(top)}."
    most = "most" if len(first) == 1 else "the same and most"
    compared = rows.set_index("policy")
    if study.baseline in first:
        second = max(
            (pair for pair in zip(means, labels, strict=True) if pair[1] not in first), key=lambda pair: pair[0]
        )
        after = f". Next is {second[1]}, which earned {difference_words(compared.loc[second[1]])}"
        return f"{start} {most}: {shown(top)}{_reached(results, grid, alike, first)}{after}."
    difference = difference_words(compared.loc[first[0]], amount_only=len(first) > 1)
    return f"{start} {most}: {shown(top)}, {difference}{_reached(results, grid, alike, first)}."


def difference_words(row: Any, amount_only: bool = False) -> str:
    """A comparison: "12.3 less than sw-ucb (8.5 %; 95 % interval 11 to 14)"; the interval is of how much less."""
    less = row["difference"] < 0
    amount = (
        f"{shown(abs(row['difference']), 3)} {'less' if less else 'more'} than" if row["difference"] else "as much as"
    )
    if amount_only:
        return f"{amount} {row['baseline']}"
    low, high = (-row["high"], -row["low"]) if less else (row["low"], row["high"])
    relative = percent(abs(row["relative"])) if row["relative"] == row["relative"] else ""
    ends = f"95 % interval {shown(low, 3)} to {shown(high, 3)}" if low == low else ""
    doubt = "undecided" if row["verdict"] == "undecided" else ""
    inner = "; ".join(part for part in (relative, ends, doubt) if part)
    return f"{amount} {row['baseline']}" + (f" ({inner})" if inner else "")


def _alike(grid: Grid) -> _Alike | None:
    """None if comparisons are of different worlds or replicates, or if there is nothing to compare."""
    labels = [each.label for each in grid.study.policies]
    theirs = labels.index(grid.study.baseline)
    shared = grid.shared_worlds()
    if len(labels) == 1:
        shared = {theirs: [i for i, _ in grid.fitting()]}
    elif len(shared) < len(labels) - 1:
        return None
    both = {j: np.all(grid.finished[w, j] & grid.finished[w, theirs], axis=0) for j, w in shared.items()}
    worlds, replicates = next(iter(shared.values())), next(iter(both.values()))
    same = all(each == worlds for each in shared.values()) and all(np.array_equal(m, replicates) for m in both.values())
    return _Alike(worlds, replicates) if same and worlds and replicates.any() else None


def _where(grid: Grid, alike: _Alike) -> str:
    study, number = grid.study, int(alike.replicates.sum())
    worlds = f"{count(len(alike.worlds), 'world')} and " if len(study.worlds) > 1 else ""
    whole = len(alike.worlds) == len(study.worlds) and number == study.replicates
    finished = "that it finished" if len(study.policies) == 1 else "that all policies finished"
    return f"On average over {'' if whole else 'the '}{worlds}{count(number, 'replicate')}" + (
        "" if whole else f" {finished}"
    )


def _names(labels: list[str], baseline: str) -> str:
    several = [f"the baseline {each}" if each == baseline else each for each in labels]
    return " and ".join([", ".join(several[:-1]), several[-1]] if several[1:] else several)


def _reached(results: Results, grid: Grid, alike: _Alike, first: list[str]) -> str:
    """How much of the bounds the first of these reached, if all those worlds have one."""
    known = dict(zip(results.bounds["world"], results.bounds["bound"], strict=True))
    bounds = np.array([known.get(results.study.worlds[i].label, math.nan) for i in alike.worlds], dtype=np.float64)
    if len(first) > 1 or not (bounds > 0).all():
        return ""
    policy = [each.label for each in results.study.policies].index(first[0])
    share = (alike.of(grid.column("expected_reward"))[:, policy].mean(axis=1) / bounds).mean()
    return f"; it reached {percent(share, 0)} of the certified bound"
