"""Who earned most, in a sentence: over the same worlds and replicates for every policy, or nobody is named."""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roguewk.kernel.arrays import Vector
from roguewk.show.numbers import shown
from roguewk.show.words import count, percent
from roguewk.study.results import Results
from roguewk.study.stats.compare import REWARD, SAME, SHARE, UNDECIDED, over_all_worlds
from roguewk.study.stats.grid import Grid
from roguewk.study.views.comparisons import overall
from roguewk.study.views.measures import bound_words


class _Alike(NamedTuple):
    """The worlds and replicates over which every policy is compared with the baseline."""

    worlds: list[int]
    replicates: NDArray[np.bool_]  # (replicate,)

    def of(self, column: Vector) -> Vector:
        """(world, policy, replicate) what belongs to these."""
        return np.asarray(column[self.worlds][:, :, self.replicates])


def best_words(results: Results) -> str:
    """Who earned most, and how much more than the baseline, over all worlds or in the only one."""
    study, grid = results.study, results.grid
    alike = _alike(grid)
    if alike is None:
        return (
            f"Not every policy was compared with {study.baseline} in the same worlds and replicates, so none is said "
            "to have earned most; the tables say what each did."
        )
    several = len(study.worlds) > 1
    measure, values = over_all_worlds(grid, results.bounds) if several else (REWARD, grid.column("reward"))
    means = alike.of(values).mean(axis=(0, 2)).tolist()
    labels = [each.label for each in study.policies]
    top = max(means)
    first = [label for label, mean in zip(labels, means, strict=True) if math.isclose(mean, top, rel_tol=1e-12)]
    earned = f"{percent(top)} of {bound_words(study)}" if measure == SHARE else shown(top)
    start = f"{_where(grid, alike)}, {_names(first, study.baseline)} earned"
    compared = overall(results).set_index("policy")
    if len(first) == len(labels):
        if len(labels) == 1:
            return f"{start} {earned}."
        return f"{start} the same{'' if (compared['verdict'] == SAME).all() else ' on average'}: {earned}."
    most = f"{start} {'most' if len(first) == 1 else 'the same and most'}: {earned}"
    reached = "" if several else _reached(results, alike, first)
    uneven = " Worlds with larger rewards count more." if several and measure == REWARD else ""
    if study.baseline in first:
        rest = (pair for pair in zip(means, labels, strict=True) if pair[1] not in first)
        second = max(rest, key=lambda pair: pair[0])[1]
        after = f"Next is {second}, which earned {difference_words(compared.loc[second], len(compared))}"
        return f"{most}{reached}. {after}.{uneven}"
    differences = {difference_words(compared.loc[each], len(compared)) for each in first}
    # Policies may have earned the same on average, and not in single runs.
    words = differences.pop() if len(differences) == 1 else amount_words(compared.loc[first[0]])
    return f"{most}, {words}{reached}.{uneven}"


def amount_words(row: Any) -> str:
    """How much more or less: "12.3 less than sw-ucb"."""
    if not row["difference"]:
        return f"as much as {row['baseline']}"
    points = row["measure"] == SHARE
    size = f"{shown(abs(row['difference']) * (100 if points else 1), 3)}{' percentage points' if points else ''}"
    return f"{size} {'less' if row['difference'] < 0 else 'more'} than {row['baseline']}"


def difference_words(row: Any, comparisons: int = 1) -> str:
    """A comparison: "12.3 less than sw-ucb (8.5 %; 95 % interval 11 to 14)"; the interval is of how much less.

    As one of several `comparisons`, picked for what came out, it has the interval that holds for all of them.
    """
    less, scale = row["difference"] < 0, 100 if row["measure"] == SHARE else 1
    low, high = (-row["high_all"], -row["low_all"]) if less else (row["low_all"], row["high_all"])
    relative = percent(abs(row["relative"])) if row["relative"] == row["relative"] and row["measure"] != SHARE else ""
    together = {1: "", 2: ", which holds for both comparisons"}.get(
        comparisons, f", which holds for all {comparisons} comparisons"
    )
    ends = f"95 % interval {shown(low * scale, 3)} to {shown(high * scale, 3)}{together}" if low == low else ""
    doubt = {UNDECIDED: UNDECIDED, SAME: "the same in every pair"}.get(row["verdict"], "")
    inner = "; ".join(part for part in (relative, ends, doubt) if part)
    return amount_words(row) + (f" ({inner})" if inner else "")


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


def _reached(results: Results, alike: _Alike, first: list[str]) -> str:
    """How much of the bound the first of these reached in the only world, if that has one."""
    idle = float(results.grid.idle_totals[0])
    bound = float(results.bounds["bound"].iloc[0]) - idle if len(results.bounds) else math.nan
    if len(first) > 1 or not bound > 0:
        return ""
    policy = [each.label for each in results.study.policies].index(first[0])
    share = (alike.of(results.grid.column("expected_reward"))[0, policy].mean() - idle) / bound
    return f"; it reached {percent(share, 0)} of {bound_words(results.study)}"
