"""Whether worlds are of a like scale: if not, each has its own axis, or the small ones would be a heap at 0."""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from roguewk.study.page.views import are_numbers, world_axes
from roguewk.study.plan.model import Study

if TYPE_CHECKING:
    import pandas as pd

APART = 5.0
SIZES = {"reward": "reward", "reward_per_play": "reward_per_play", "plays": "plays", "differences": "reward"}


def sizes(summary: "pd.DataFrame", figure: str) -> dict[str, float]:
    """By world, the largest number; of differences the largest reward, so that a small difference looks small."""
    return {
        str(world): float(each) for world, each in summary[SIZES[figure]].abs().groupby(summary["world"]).max().items()
    }


def far_apart(several: Iterable[float]) -> bool:
    """Whether the largest is many times the smallest; nothing is said of 0, nor of what is not known.

    >>> far_apart([10, 20, 0]), far_apart([10, 2000])
    (False, True)
    """
    given = [each for each in several if math.isfinite(each) and each > 0]
    return bool(given) and max(given) > APART * min(given)


def worlds_apart(study: Study, summary: "pd.DataFrame") -> dict[str, bool]:
    """By figure, whether each world has its own axis; those that differ only in swept numbers share one."""
    sweep = all(are_numbers(values) for values in world_axes(study).values())
    return {figure: not sweep and far_apart(sizes(summary, figure).values()) for figure in SIZES}
