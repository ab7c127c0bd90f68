"""All or nothing."""

from collections.abc import Sequence
from typing import Any

from roguewk.problem.errors import InputError, number, positive, shown
from roguewk.world.cost.cost import Cost, Distribution, read_numbers, residual_of_atoms, write_numbers


def bernoulli(chance: float, amount: float = 1.0) -> Cost:
    """`amount` with this chance, otherwise nothing."""
    if not 0 <= number(chance, "the chance of a bernoulli cost") <= 1:
        raise InputError(f"the chance of a bernoulli cost is {shown(chance)}: give a number from 0 to 1")
    return Cost("bernoulli", (float(chance), positive(amount, "the amount of a bernoulli cost")))


def _mean(cost: Cost) -> float:
    return cost.numbers[0] * cost.numbers[1]


def _smallest(cost: Cost) -> float:
    return cost.numbers[1] if cost.numbers[0] == 1 else 0.0


def _amount(cost: Cost) -> float:
    return cost.numbers[1]


def _atoms(cost: Cost) -> Sequence[tuple[float, float]]:
    chance, amount = cost.numbers
    return [(1 - chance, 0.0), (chance, amount)]


def _drawing() -> Any:
    def draw(cost: Any, rows: Any, number: float, now: Any, purpose: int) -> float:
        return cost.y if number >= 1.0 - cost.x else 0.0

    return draw


DISTRIBUTION = Distribution(
    make=bernoulli,
    size=2,
    mean=_mean,
    smallest=_smallest,
    largest=_amount,
    residual=residual_of_atoms,
    atoms=_atoms,
    drawing=_drawing,
    keys=(),
    read=read_numbers(bernoulli),
    write=write_numbers,
)
