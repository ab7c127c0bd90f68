"""Counts and sums of all costs seen, which most cost estimates are made of, and what open pulls may cost by them.

Each pull whose costs have not come may cost the most that pulls of its arm may take, the largest cost if nothing else
is known. Many together cost less than that, all but certainly: their expected costs and four standard deviations, of
what they cost and of what is expected. One cost of that most is added to what was seen, a share of it to each arm, so
that neither costs that were never seen nor costs that were always the same are taken to be known for certain.
"""

import math
from typing import Any, NamedTuple, TypeVar

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.memory import Constant, Learned
from roguewk.part.room import Room, check_within
from roguewk.part.verbs import amend_costs, check_state, learn_costs, most_of_open
from roguewk.problem.problem import Problem

PartClass = TypeVar("PartClass", bound=type)
SURE = 4.0  # standard deviations


class CostTally(NamedTuple):
    """What was seen of each arm's costs, scaled into [0, 1]."""

    sums: Learned[Vector]  # (arm, resource)
    squares: Learned[Vector]  # (arm, resource)
    counts: Learned[Vector]  # (arm,)
    most: Constant[Vector]  # (arm, resource) what a pull may take


def build_cost_tally(problem: Problem) -> CostTally:
    """Nothing seen yet."""
    shape = len(problem.arms), len(problem.resources)
    return CostTally(np.zeros(shape), np.zeros(shape), np.zeros(shape[0]), problem.scaled_most)


def cost_tallied(part_class: PartClass) -> PartClass:
    """Declare that these parts learn by keeping a `tally`."""
    learn_costs.body(part_class)(_add)
    return keeping_tally(part_class)


def _add(part: Any, round_: int, arm: int, costs: Vector) -> None:
    add_costs(part.tally, arm, costs)


def keeping_tally(part_class: PartClass) -> PartClass:
    """Declare that these parts judge open pulls by their `tally`, and can amend what is in it."""
    most_of_open.body(part_class)(_most_of_open)
    amend_costs.body(part_class)(_amend_costs)
    return part_class


def _amend_costs(part: Any, arm: int, told: Vector, true: Vector) -> None:
    amend_tally(part.tally, arm, told, true)


@compiled
def amend_tally(tally: CostTally, arm: int, told: Vector, true: Vector) -> None:
    """Have costs of a pull that were counted be others."""
    for j in range(told.size):
        tally.sums[arm, j] = max(tally.sums[arm, j] + (true[j] - told[j]), 0.0)
        tally.squares[arm, j] = max(tally.squares[arm, j] + (true[j] ** 2 - told[j] ** 2), 0.0)


def _most_of_open(part: Any, open_: Any, out: Vector) -> None:
    _weigh_open(part.tally, open_, out)


@compiled
def add_costs(tally: CostTally, arm: int, costs: Vector) -> None:
    """Count the costs of a pull, (resource,)."""
    tally.counts[arm] += 1.0
    for j in range(costs.size):
        tally.sums[arm, j] += costs[j]
        tally.squares[arm, j] += costs[j] * costs[j]


@check_state.body(CostTally)
def _check_state(part: CostTally, room: Room) -> None:
    check_within(part.counts, 0, room.round, "a number of costs")
    check_within(part.sums, 0, 2 * room.round, "a sum of costs")


@compiled
def _noise(mean: float, square: float, n: float) -> float:
    """The variance of costs with this mean and mean square, or what it may be if they are nearly all or nothing.

    Costs that are k or 0 have the variance `k m - m^2`, with k the mean square over the mean: it grows with their mean
    m, which may be as large as `(m - mean)^2 = SURE^2 (k m - m^2) / n` (Wilson). Of other costs, that is no more.
    """
    kind, q = square / mean, SURE * SURE / n
    middle = 2.0 * mean + q * kind
    largest = (middle + math.sqrt(max(middle * middle - 4.0 * (1.0 + q) * mean * mean, 0.0))) / (2.0 * (1.0 + q))
    return max(square - mean * mean, kind * largest - largest * largest, 0.0)


@compiled
def _weigh_open(tally: CostTally, open_: Any, out: Vector) -> None:
    """Write what open pulls, (arm,), may cost of each resource."""
    arms = open_.size
    imagined = 1.0 / arms
    for j in range(out.size):
        expected = variance = 0.0
        for a in range(arms):
            most = tally.most[a, j]
            if open_[a] > 0 and most > 0.0:
                n = tally.counts[a] + imagined
                mean, square = tally.sums[a, j] + imagined * most, tally.squares[a, j] + imagined * most * most
                expected += open_[a] * (mean / n)
                variance += open_[a] * _noise(mean / n, square / n, n) * (1.0 + open_[a] / n)
        out[j] = expected + SURE * math.sqrt(variance)  # the ledger reserves no more than all these may take
