"""How the rewards of replicates are distributed: quantiles and histograms, never the rows themselves."""

import math
from typing import Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.show.numbers import short
from roguewk.study.results import Results
from roguewk.study.views.rounds import spread_evenly

QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
MOST_WORLDS = 60
MOST_BINS = 24
DIGITS = 9  # rewards may be large and differ by little


def rewards_by_pair(results: Results) -> dict[tuple[int, int], Vector]:
    """The rewards of the runs that did not fail, by the places of world and policy in the study."""
    import pyarrow.compute

    runs, study = results.runs, results.study
    runs = runs.filter(pyarrow.compute.is_valid(runs["reward"]))
    if not runs.num_rows:
        return {}
    worlds = _places(runs["world"], [each.label for each in study.worlds])
    policies = _places(runs["policy"], [each.label for each in study.policies])
    pairs = worlds * len(study.policies) + policies
    order = np.argsort(pairs, kind="stable")
    rewards, ordered = runs["reward"].to_numpy()[order], pairs[order]
    edges = np.flatnonzero(np.diff(ordered)) + 1
    starts = ordered[np.concatenate([[0], edges])]
    parts = np.split(rewards, edges)
    return {divmod(int(s), len(study.policies)): part for s, part in zip(starts, parts, strict=True)}


def spread_data(results: Results, rewards: dict[tuple[int, int], Vector]) -> list[dict[str, Any]]:
    """By world, for each policy: quantiles, and a histogram between two edges."""
    found = []
    for i in spread_evenly(len(results.study.worlds), MOST_WORLDS):
        own = {p: values for (w, p), values in rewards.items() if w == i}
        if not own:
            continue
        found.append({"world": i, "policies": {str(p): _policy(values) for p, values in sorted(own.items())}})
    return found


def bin_edges(low: float, high: float, number: int) -> Vector:
    """Edges of bins by Rice's rule; whole rewards get bins that hold equally many whole numbers."""
    most = min(MOST_BINS, math.ceil(2 * number ** (1 / 3)))
    if low == high:
        return np.array([low - 0.5, low + 0.5])
    if high - low >= 4 and float(low).is_integer() and float(high).is_integer():
        width = int(np.ceil((high - low + 1) / most))
        bins = int(np.ceil((high - low + 1) / width))
        return np.asarray(low - 0.5 + width * np.arange(bins + 1), dtype=np.float64)
    return np.linspace(low, high, most + 1)


def _policy(values: Vector) -> dict[str, Any]:
    edges = bin_edges(float(values.min()), float(values.max()), len(values))
    return {
        "counts": np.histogram(values, edges)[0].tolist(),
        "edges": [short(edges[0], DIGITS), short(edges[-1], DIGITS)],
        "quantiles": [short(each, DIGITS) for each in np.quantile(values, QUANTILES)],
        "mean": short(values.mean(), DIGITS),
    }


def _places(column: Any, labels: list[str]) -> Vector:
    import pyarrow

    coded = column.combine_chunks().dictionary_encode()
    coded = coded.combine_chunks() if isinstance(coded, pyarrow.ChunkedArray) else coded
    known = {label: i for i, label in enumerate(labels)}
    own = np.array([known[each] for each in coded.dictionary.to_pylist()], dtype=np.int64)
    return own[coded.indices.to_numpy()]
