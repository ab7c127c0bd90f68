"""Money, counted in one place: what is spent, what is reserved, what is left, and whether a budget is over.

A budget is over when more than it was spent, rounding aside. Amounts and budgets are in one unit, whichever that is.
"""

from typing import TypeVar

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled

SLACK = 1e-9  # of a budget: rounding must not end a game
WITHIN = -1  # no budget is over

Amount = TypeVar("Amount", float, Vector)


def limit_of(budget: Amount) -> Amount:
    """What may be spent of a budget at the most, or of each of several."""
    return budget * (1.0 + SLACK)


def covers(paid: float, wanted: float) -> bool:
    """Whether what the budgets pay for reaches what is wanted, rounding aside."""
    return limit_of(paid) >= wanted


@compiled
def book(spent: Vector, costs: Vector) -> None:
    """Add the costs of a pull, (resource,), to what is spent."""
    for j in range(spent.size):
        spent[j] += costs[j]


@compiled
def first_over(spent: Vector, budgets: Vector) -> int:
    """The first resource of which more than its budget is spent, or WITHIN."""
    for j in range(spent.size):
        if spent[j] > budgets[j] * (1.0 + SLACK):
            return j
    return WITHIN
