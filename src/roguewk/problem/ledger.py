"""Money, counted in one place: what is spent, what is reserved, what is left, and whether a budget is over.

A budget is over when more than it was spent, rounding aside. A pull whose costs have not come yet has the most that it
may cost reserved. Amounts and budgets are in one unit, whichever that is.
"""

from typing import NamedTuple, TypeVar

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.memory import Constant, Learned

SLACK = 1e-9  # of a budget: rounding must not end a game
WITHIN = -1  # no budget is over

Amount = TypeVar("Amount", float, Vector)


class Ledger(NamedTuple):
    """The accounts of one game."""

    budgets: Constant[Vector]  # (resource,)
    spent: Learned[Vector]  # (resource,)
    reserved: Learned[Vector]  # (1,) of every resource, for pulls whose costs have not come


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


@compiled
def reserve(ledger: Ledger, most: float) -> None:
    """Keep back what a pull may cost of each resource at the most; a negative amount gives it back."""
    ledger.reserved[0] += most


@compiled
def first_uncovered(ledger: Ledger, more: float) -> int:
    """The first resource that open pulls, and `more` of it, might overdraw, or WITHIN."""
    for j in range(ledger.spent.size):
        if ledger.spent[j] + ledger.reserved[0] + more > ledger.budgets[j] * (1.0 + SLACK):
            return j
    return WITHIN
