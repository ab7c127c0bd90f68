"""Arms that a planner had better not pull now, where rounds may be left idle.

A pull that breaks a budget ends the game, with all that could be earned in the rounds to come: an arm that may well
cost more than is left is held back, until so few rounds are left that nothing is lost. And as long as nothing is known
of what an arm costs, because its costs are late, it is pulled no faster than budgets allow for at the largest cost.

Where some budgets renew, or pulls are limited, those for the whole game are kept like all others: no pull is made that
might break one, to the end.
"""

from typing import Any

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.part.desk import Desk, end_of, rounds_left
from roguewk.problem.ledger import fits
from roguewk.problem.limits import has_limits

LAST = 0.05  # of the rounds: in these, all that is left is used


@compiled
def _may_break(desk: Desk, arm: int, dearest: Vector, surely_kept: bool) -> bool:
    ledger = desk.ledger
    over = 0
    for j in range(ledger.spent.size):
        amount = ledger.most[arm, j] if surely_kept else dearest[arm, j]
        if ledger.most[arm, j] > 0.0 and not fits(ledger, j, amount):
            over += 1
    return over > 0


@compiled
def _surely_breaks(desk: Desk, arm: int) -> bool:
    """Whether a pull takes more than is left for certain: it would earn nothing, and overspend."""
    ledger = desk.ledger
    over = 0
    for j in range(desk.known_costs.shape[1] if desk.known_costs.shape[0] > 0 else 0):
        known = desk.known_costs[arm, j]
        # A mean cost that is the largest cost there can be is what every pull takes.
        if known > 0.0 and known >= ledger.most[arm, j] and not fits(ledger, j, known):
            over += 1
    return over > 0


@compiled
def _too_soon(desk: Desk, arm: int) -> bool:
    """Whether to wait for what an arm costs."""
    open_, pulls = desk.ledger.open, desk.pulls
    if open_[arm] == 0 or open_[arm] < pulls[arm]:
        return False
    unknown, least = 0, 1.0
    for a in range(pulls.size):
        if open_[a] == pulls[a]:
            unknown += pulls[a]
    for j in range(desk.rates.size):
        least = min(least, desk.rates[j])
    return unknown + 1 > least * (desk.clock[0].round + 1)


@compiled
def hold_back(desk: Desk, dearest: Vector, out: Any) -> int:
    """Write which of the available arms may be pulled to `out`, (arm,); how many these are.

    `dearest`, (arm, resource), is what a pull may well cost at the most.
    """
    surely_kept = has_limits(desk.limits)
    early = surely_kept or rounds_left(desk) > LAST * end_of(desk)
    count = 0
    for a in range(out.size):
        breaks = (early and _may_break(desk, a, dearest, surely_kept)) or _surely_breaks(desk, a)
        out[a] = desk.available[a] and not _too_soon(desk, a) and not breaks
        count += out[a]
    return count
