"""One of several costs."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from roguewk.problem.errors import InputError, shown
from roguewk.world.cost.cost import Cost, Data, Distribution, not_negative, residual_of_atoms

ROUNDED = 0.005  # what a chance that is written with two digits may be away from what is meant


def choices(values: Sequence[float], weights: Sequence[float] | None = None) -> Cost:
    """One of several values, equally likely or by weight; weights that are all below 1 are chances, and add up to 1."""
    values = _listed(values, "choices")
    weights = [1.0] * len(values) if weights is None else _listed(weights, "weights")
    if not values or len(values) != len(weights):
        raise InputError(f"a cost has {len(values)} choices and {len(weights)} weights: give as many of each")
    numbers = tuple(not_negative(value, "a choice of a cost") for value in values)
    shares = tuple(not_negative(weight, "a weight of a cost") for weight in weights)
    total = sum(shares)
    if not 0 < total < math.inf:
        raise InputError(f"the weights of a cost add up to {total:g}: give at least one positive weight, none huge")
    if max(shares) < 1 and abs(total - 1) > ROUNDED * len(shares) + 1e-9:
        what = f"the chances of a cost, {', '.join(f'{share:g}' for share in shares)}, add up to {total:g}"
        raise InputError(f"{what}: make them add up to 1, or give weights in whole numbers")
    # Weights that already add up stay as they are, so that a cost written down and read back is the same cost.
    scale = 1.0 if abs(total - 1) < 1e-12 else total
    return Cost("choices", numbers, tuple(share / scale for share in shares))


def _listed(values: Any, what: str) -> list[Any]:
    if not isinstance(values, Iterable):
        raise InputError(f"the {what} of a cost are {shown(values)}: give a list of numbers")
    return list(values)


def _mean(cost: Cost) -> float:
    return math.fsum(value * weight for weight, value in _atoms(cost))


def _smallest(cost: Cost) -> float:
    return min(value for weight, value in _atoms(cost) if weight > 0)


def _largest(cost: Cost) -> float:
    return max(value for weight, value in _atoms(cost) if weight > 0)


def _atoms(cost: Cost) -> Sequence[tuple[float, float]]:
    return list(zip(cost.weights, cost.numbers, strict=True))


def _drawing() -> Any:
    def draw(cost: Any, rows: Any, number: float, now: Any, purpose: int) -> float:
        row = cost.first
        while row < cost.last and number >= rows[row, 1]:
            row += 1
        return rows[row, 0]

    return draw


def _read(table: Data) -> Cost:
    values = table["choices"]
    weights = table.get("weights", [1.0] * len(values) if isinstance(values, list) else [])
    if not isinstance(values, list) or not isinstance(weights, list):
        raise InputError(f"choices are {shown(values)}, weights {shown(weights)}: give a list of numbers for each")
    return choices(values, weights)


def _write(cost: Cost) -> Data:
    return {"choices": list(cost.numbers), "weights": list(cost.weights)}


DISTRIBUTION = Distribution(
    make=choices,
    size=None,
    mean=_mean,
    smallest=_smallest,
    largest=_largest,
    residual=residual_of_atoms,
    atoms=_atoms,
    drawing=_drawing,
    keys=("weights",),
    read=_read,
    write=_write,
)
