"""Costs evenly spread between two values."""

import math
from typing import Any

from roguewk.problem.errors import InputError, shown
from roguewk.world.cost.cost import Cost, Distribution, no_atoms, not_negative, read_numbers, write_numbers


def uniform(low: float, high: float) -> Cost:
    """Evenly spread between two values."""
    ends = (
        not_negative(low, "the low end of a uniform cost"),
        not_negative(high, "the high end of a uniform cost"),
    )
    if ends[0] > ends[1]:
        raise InputError(f"a uniform cost runs from {shown(low)} to {shown(high)}: give the lower end first")
    return Cost("uniform", ends)


def _mean(cost: Cost) -> float:
    return math.fsum(end * 0.5 for end in cost.numbers)


def _low(cost: Cost) -> float:
    return cost.numbers[0]


def _high(cost: Cost) -> float:
    return cost.numbers[1]


def _drawing() -> Any:
    def draw(cost: Any, rows: Any, number: float, now: Any, purpose: int) -> float:
        return cost.x + (cost.y - cost.x) * number

    return draw


DISTRIBUTION = Distribution(
    make=uniform,
    size=2,
    mean=_mean,
    smallest=_low,
    largest=_high,
    residual=_mean,  # the density is log-concave
    atoms=no_atoms,
    drawing=_drawing,
    keys=(),
    read=read_numbers(uniform),
    write=write_numbers,
)
