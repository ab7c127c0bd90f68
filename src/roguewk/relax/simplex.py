"""The single-step linear program by the primal simplex method, small enough to live in the compiled loop.

`max g.p  s.t.  C'p <= b,  sum p <= 1,  p >= 0`. With b >= 0 the origin is feasible, so no first phase is needed. Only
the non-basic variables are kept, a row each: its coefficient in every constraint, then its reduced cost.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.memory import Scratch

SOLVED, GAVE_UP = 0, 1
TINY = 1e-11  # reduced costs and pivots below this are rounding


class Tableau(NamedTuple):
    """Working memory for m arms and d resources; the constraints are the resources and the round."""

    rows: Scratch[Vector]  # (m + 1, d + 2): a row for each non-basic variable, the last for the right-hand side
    labels: Scratch[
        Any
    ]  # (m + d + 1,) the variable of each row, then the basic variable of each constraint; slack j is m + j


def build_tableau(arms: int, resources: int) -> Tableau:
    """Working memory for programs of this size."""
    return Tableau(np.zeros((arms + 1, resources + 2)), np.zeros(arms + resources + 1, dtype=np.int64))


@compiled
def simplex(
    tableau: Tableau, rewards: Vector, costs: Vector, rates: Vector, available: Any, shares: Vector, prices: Vector
) -> int:
    """Solve for the available arms; `shares`, (arm,), and `prices`, (resource,), receive the solution."""
    arms, resources = rewards.size, rates.size
    width = _set_up(tableau, rewards, costs, rates, available)
    outcome = GAVE_UP
    patience = 5 * (arms + resources + 2)  # then Bland's rule, slow but never cycling
    for step in range(50 * patience):
        entering = _entering(tableau, width, step > patience)
        if entering < 0:
            outcome = SOLVED
            break
        leaving = _leaving(tableau, entering)
        if leaving < 0:
            break
        _pivot(tableau, width, entering, leaving)

    _read_prices(tableau, width, prices)
    for a in range(arms):
        shares[a] = 0.0
    for j in range(resources + 1):
        if tableau.labels[arms + j] < arms:
            shares[tableau.labels[arms + j]] = max(tableau.rows[arms, j], 0.0)
    return outcome


@compiled
def solve_again(tableau: Tableau, width: int, changes: Vector, prices: Vector) -> int:
    """Add `changes`, (resource,), to the rates of the program that was solved last; `prices` receive the solution.

    Rewards are as they were, so the solution is still optimal where it is possible: the dual simplex method makes it
    possible in a few steps. `width` is the number of arms that were available. Rates must stay above zero.
    """
    arms, resources = tableau.rows.shape[0] - 1, prices.size
    right, labels = tableau.rows[arms], tableau.labels
    # What a rate adds to every constraint is what its slack does: one, if that is still the constraint's own variable.
    for j in range(resources + 1):
        if labels[arms + j] >= arms and labels[arms + j] < arms + resources:
            right[j] += changes[labels[arms + j] - arms]
    for k in range(width):
        if arms <= labels[k] < arms + resources:
            for j in range(resources + 1):
                right[j] += changes[labels[k] - arms] * tableau.rows[k, j]
    outcome = GAVE_UP
    for _ in range(5 * (arms + resources + 2)):
        leaving = _impossible(right)
        if leaving < 0:
            outcome = SOLVED
            break
        entering = _cheapest(tableau, width, leaving)
        if entering < 0:
            break
        _pivot(tableau, width, entering, leaving)
    _read_prices(tableau, width, prices)
    return outcome


@compiled
def _impossible(right: Vector) -> int:
    """The constraint whose variable is furthest below zero, or -1."""
    least, chosen = -TINY, -1
    for j in range(right.size - 1):
        if right[j] < least:
            least, chosen = right[j], j
    return chosen


@compiled
def _cheapest(tableau: Tableau, width: int, leaving: int) -> int:
    """The variable that mends a constraint at the least loss, or -1."""
    last = tableau.rows.shape[1] - 1
    best, chosen = np.inf, -1
    for k in range(width):
        if tableau.rows[k, leaving] < -TINY:
            loss = tableau.rows[k, last] / tableau.rows[k, leaving]
            if loss < best:
                best, chosen = loss, k
    return chosen


@compiled
def _read_prices(tableau: Tableau, width: int, prices: Vector) -> None:
    arms, resources = tableau.rows.shape[0] - 1, prices.size
    for j in range(resources):
        prices[j] = 0.0
    for k in range(width):
        if arms <= tableau.labels[k] < arms + resources:
            prices[tableau.labels[k] - arms] = max(-tableau.rows[k, resources + 1], 0.0)


@compiled
def _set_up(tableau: Tableau, rewards: Vector, costs: Vector, rates: Vector, available: Any) -> int:
    """Write the program down; the number of rows in use."""
    rows, labels = tableau.rows, tableau.labels
    arms, resources = rewards.size, rates.size
    width = 0
    for a in range(arms):
        if available[a]:
            for j in range(resources):
                rows[width, j] = costs[a, j]
            rows[width, resources], rows[width, resources + 1] = 1.0, rewards[a]
            labels[width] = a
            width += 1
    for j in range(resources):
        rows[arms, j] = rates[j]
    rows[arms, resources], rows[arms, resources + 1] = 1.0, 0.0
    for j in range(resources + 1):
        labels[arms + j] = arms + j
    return width


@compiled
def _entering(tableau: Tableau, width: int, bland: bool) -> int:
    last = tableau.rows.shape[1] - 1
    best, chosen = TINY, -1
    for k in range(width):
        gain = tableau.rows[k, last]
        if gain > best or (bland and gain > TINY and tableau.labels[k] < tableau.labels[chosen]):
            chosen = k
            best = np.inf if bland else gain
    return chosen


@compiled
def _leaving(tableau: Tableau, entering: int) -> int:
    row, right = tableau.rows[entering], tableau.rows[-1]
    arms = tableau.rows.shape[0] - 1
    best, chosen = np.inf, -1
    for j in range(row.size - 1):
        if row[j] > TINY:
            ratio = right[j] / row[j]
            if ratio < best or (ratio == best and tableau.labels[arms + j] < tableau.labels[arms + chosen]):
                best, chosen = ratio, j
    return chosen


@compiled
def _pivot(tableau: Tableau, width: int, entering: int, leaving: int) -> None:
    """Exchange the variable of row `entering` with the basic variable of constraint `leaving`."""
    rows, labels = tableau.rows, tableau.labels
    arms, row = rows.shape[0] - 1, rows[entering]
    by = 1.0 / row[leaving]
    for k in range(width + 1):
        other = rows[k] if k < width else rows[arms]
        factor = other[leaving] * by
        if k != entering and factor != 0.0:
            for j in range(row.size):
                other[j] -= factor * row[j]
            other[leaving] = factor
    for j in range(row.size):
        row[j] *= -by
    row[leaving] = by
    labels[entering], labels[arms + leaving] = labels[arms + leaving], labels[entering]
