"""Money, counted in one place: what is spent, what open pulls will take of it, and whether a budget is over.

A budget is over when more than it was spent, rounding aside. A pull is open until its costs have come, if ever: plans
take it to cost what is expected, and the most that it may cost is reserved. Amounts and budgets are in one unit,
whichever that is.
"""

from typing import Any, NamedTuple, TypeVar

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.memory import Constant, Learned, Scratch

SLACK = 1e-9  # of a budget: rounding must not end a game
WITHIN = -1  # no budget is over

Amount = TypeVar("Amount", float, Vector)


class Ledger(NamedTuple):
    """The accounts of one game."""

    budgets: Constant[Vector]  # (resource,)
    most: Constant[Vector]  # (arm, resource) what a pull may take
    spent: Learned[Vector]  # (resource,)
    open: Learned[Any]  # (arm,) pulls whose costs have not come
    expected: Scratch[Vector]  # (resource,) what open pulls will cost, worked out with every decision
    reserved: Scratch[Vector]  # (resource,) what they may cost at the most


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
def open_pulls(ledger: Ledger) -> int:
    """How many pulls there are whose costs have not come."""
    total = 0
    for a in range(ledger.open.size):
        total += ledger.open[a]
    return total


@compiled
def expect(ledger: Ledger, costs: Vector) -> None:
    """Note what open pulls will cost if those of an arm cost this much each, (arm, resource)."""
    for a in range(ledger.open.size):
        for j in range(ledger.expected.size):
            ledger.expected[j] += ledger.open[a] * costs[a, j]


@compiled
def keep_within_most(ledger: Ledger) -> None:
    """Reserve no more than pulls of the arms that are open may take."""
    for j in range(ledger.reserved.size):
        most = 0.0
        for a in range(ledger.open.size):
            most += ledger.open[a] * ledger.most[a, j]
        ledger.reserved[j] = min(ledger.reserved[j], most)


@compiled
def fits(ledger: Ledger, j: int, more: float) -> bool:
    """Whether a budget has this much of a resource besides what is spent and reserved."""
    return ledger.spent[j] + ledger.reserved[j] + more <= ledger.budgets[j] * (1.0 + SLACK)


@compiled
def is_covered(ledger: Ledger, arm: int) -> bool:
    """Whether budgets have what is reserved, of all that this arm takes anything of."""
    lacking = 0
    for j in range(ledger.spent.size):
        lacking += ledger.most[arm, j] > 0.0 and not fits(ledger, j, 0.0)
    return lacking == 0


@compiled
def first_uncovered(ledger: Ledger) -> int:
    """The first resource that open pulls, and another one, might overdraw, or WITHIN."""
    for j in range(ledger.spent.size):
        most = 0.0
        for a in range(ledger.open.size):
            most = max(most, ledger.most[a, j])
        if most > 0.0 and not fits(ledger, j, most):
            return j
    return WITHIN
