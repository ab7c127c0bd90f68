"""Costs between two values, likeliest near a third: what people say who know the least, the usual and the most."""

import math
from typing import Any

from roguewk.problem.errors import InputError, shown
from roguewk.world.cost.cost import Cost, Distribution, no_atoms, not_negative, read_numbers, write_numbers


def triangular(low: float, mode: float, high: float) -> Cost:
    """Between `low` and `high`, with a density that rises to `mode` and falls from there."""
    names = ("the low end", "the mode", "the high end")
    numbers = tuple(not_negative(v, f"{n} of a triangular cost") for v, n in zip((low, mode, high), names, strict=True))
    if not numbers[0] <= numbers[1] <= numbers[2]:
        raise InputError(
            f"a triangular cost has {shown(low)}, {shown(mode)}, {shown(high)}: give low, mode and high in this order"
        )
    return Cost("triangular", numbers)


def _mean(cost: Cost) -> float:
    return math.fsum(cost.numbers) / 3


def _low(cost: Cost) -> float:
    return cost.numbers[0]


def _high(cost: Cost) -> float:
    return cost.numbers[2]


def _drawing() -> Any:
    def draw(cost: Any, rows: Any, number: float, now: Any, purpose: int) -> float:
        width, rise = cost.z - cost.x, cost.y - cost.x
        if number * width < rise:
            return cost.x + math.sqrt(number * width * rise)
        return cost.z - math.sqrt((1.0 - number) * width * (cost.z - cost.y))

    return draw


DISTRIBUTION = Distribution(
    make=triangular,
    size=3,
    mean=_mean,
    smallest=_low,
    largest=_high,
    residual=_mean,  # the density is log-concave
    atoms=no_atoms,
    drawing=_drawing,
    keys=(),
    read=read_numbers(triangular),
    write=write_numbers,
)
