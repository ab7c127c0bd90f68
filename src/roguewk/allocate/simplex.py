"""The single-step linear program by the primal simplex method, small enough to live in the compiled loop.

`max g.p  s.t.  C'p <= b,  sum p <= 1,  p >= 0`. With b >= 0 the origin is feasible, so no first phase is needed. The
tableau holds the non-basic columns only: rows are the resources, the round and the objective.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.compile import compiled
from roguewk.problem.arms import Vector

SOLVED, GAVE_UP = 0, 1
TINY = 1e-11  # reduced costs and pivots below this are rounding


class Tableau(NamedTuple):
    """Working memory for m arms and d resources."""

    cells: Vector  # (d + 2, m + 1)
    labels: Any  # (m + d + 1,) the variable of each column, then of each row; slack j is m + j


def build_tableau(arms: int, resources: int) -> Tableau:
    """Working memory for programs of this size."""
    return Tableau(np.zeros((resources + 2, arms + 1)), np.zeros(arms + resources + 1, dtype=np.int64))


@compiled
def simplex(
    tableau: Tableau, rewards: Vector, costs: Vector, rates: Vector, available: Any, shares: Vector, prices: Vector
) -> int:
    """Solve for the available arms; `shares`, (arm,), and `prices`, (resource,), receive the solution."""
    cells, labels = tableau.cells, tableau.labels
    arms, resources = rewards.size, rates.size
    width = 0
    for a in range(arms):
        shares[a] = 0.0
        if available[a]:
            for j in range(resources):
                cells[j, width] = costs[a, j]
            cells[resources, width] = 1.0
            cells[resources + 1, width] = rewards[a]
            labels[width] = a
            width += 1
    for j in range(resources + 1):
        cells[j, arms] = rates[j] if j < resources else 1.0
        labels[arms + j] = arms + j
    cells[resources + 1, arms] = 0.0

    outcome = GAVE_UP
    patience = 5 * (arms + resources + 2)  # then Bland's rule, slow but never cycling
    for step in range(50 * patience):
        column = _entering(cells, labels, width, step > patience)
        if column < 0:
            outcome = SOLVED
            break
        row = _leaving(cells, labels, arms, column)
        if row < 0:
            break
        _pivot(cells, width, row, column)
        labels[column], labels[arms + row] = labels[arms + row], labels[column]

    for j in range(resources):
        prices[j] = 0.0
    for k in range(width):
        if arms <= labels[k] < arms + resources:
            prices[labels[k] - arms] = max(-cells[resources + 1, k], 0.0)
    for j in range(resources + 1):
        if labels[arms + j] < arms:
            shares[labels[arms + j]] = max(cells[j, arms], 0.0)
    return outcome


@compiled
def _entering(cells: Vector, labels: Any, width: int, bland: bool) -> int:
    last = cells.shape[0] - 1
    best, chosen = TINY, -1
    for k in range(width):
        if cells[last, k] > best or (bland and cells[last, k] > TINY and labels[k] < labels[chosen]):
            chosen = k
            best = np.inf if bland else cells[last, k]
    return chosen


@compiled
def _leaving(cells: Vector, labels: Any, arms: int, column: int) -> int:
    best, chosen = np.inf, -1
    for j in range(cells.shape[0] - 1):
        if cells[j, column] > TINY:
            ratio = cells[j, arms] / cells[j, column]
            if ratio < best or (ratio == best and labels[arms + j] < labels[arms + chosen]):
                best, chosen = ratio, j
    return chosen


@compiled
def _pivot(cells: Vector, width: int, row: int, column: int) -> None:
    right = cells.shape[1] - 1
    by = 1.0 / cells[row, column]
    for k in range(width):
        cells[row, k] *= by
    cells[row, right] *= by
    for j in range(cells.shape[0]):
        factor = cells[j, column]
        if j != row and factor != 0.0:
            for k in range(width):
                cells[j, k] -= factor * cells[row, k]
            cells[j, right] -= factor * cells[row, right]
            cells[j, column] = -factor * by
    cells[row, column] = by
