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
    labels, arms, resources = tableau.labels, rewards.size, rates.size
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

    for j in range(resources):
        prices[j] = 0.0
    for k in range(width):
        if arms <= labels[k] < arms + resources:
            prices[labels[k] - arms] = max(-tableau.rows[k, resources + 1], 0.0)
    for a in range(arms):
        shares[a] = 0.0
    for j in range(resources + 1):
        if labels[arms + j] < arms:
            shares[labels[arms + j]] = max(tableau.rows[arms, j], 0.0)
    return outcome


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
