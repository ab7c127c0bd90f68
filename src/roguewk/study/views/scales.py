"""Whether worlds are of a like scale: if not, each has its own axis, or the small ones would be a heap at 0."""

import math
from collections.abc import Iterable

from roguewk.study.results import Results
from roguewk.study.views.axes import are_numbers, world_axes
from roguewk.study.views.measures import measures

APART = 5.0


def sizes(results: Results, figure: str) -> dict[str, float]:
    """By world, the largest number; of differences the largest reward, so that a small difference looks small."""
    summary = results.summary
    largest = summary["reward" if figure == "differences" else figure].abs().groupby(summary["world"]).max()
    return {str(world): float(each) for world, each in largest.items()}


def far_apart(several: Iterable[float]) -> bool:
    """Whether the largest is many times the smallest; nothing is said of 0, nor of what is not known.

    >>> far_apart([10, 20, 0]), far_apart([10, 2000])
    (False, True)
    """
    given = [each for each in several if math.isfinite(each) and each > 0]
    return bool(given) and max(given) > APART * min(given)


def worlds_apart(results: Results) -> dict[str, bool]:
    """By figure, whether each world has its own axis; those that differ only in swept numbers share one."""
    figures = [*(each.name for each in measures(results.study)), "differences"]
    sweep = all(are_numbers(values) for values in world_axes(results.study).values())
    return {figure: not sweep and far_apart(sizes(results, figure).values()) for figure in figures}
