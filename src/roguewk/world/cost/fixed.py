"""The same cost every time."""

from collections.abc import Sequence
from typing import Any

from roguewk.world.cost.cost import Cost, Data, Distribution, not_negative, read_numbers


def fixed(value: float) -> Cost:
    """The same every time."""
    return Cost("fixed", (not_negative(value, "a fixed cost"),))


def _value(cost: Cost) -> float:
    return cost.numbers[0]


def _atoms(cost: Cost) -> Sequence[tuple[float, float]]:
    return [(1.0, cost.numbers[0])]


def _drawing() -> Any:
    def draw(cost: Any, rows: Any, number: float, now: Any, purpose: int) -> float:
        return cost.x

    return draw


def _write(cost: Cost) -> Data:
    return {"fixed": cost.numbers[0]}


DISTRIBUTION = Distribution(
    make=fixed,
    size=1,
    mean=_value,
    smallest=_value,
    largest=_value,
    residual=_value,
    atoms=_atoms,
    drawing=_drawing,
    keys=(),
    read=read_numbers(fixed),
    write=_write,
)
