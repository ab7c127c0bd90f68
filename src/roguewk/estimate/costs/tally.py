"""Counts and sums of all costs seen, which most cost estimates are made of."""

from typing import Any, NamedTuple, TypeVar

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.memory import Learned
from roguewk.part.room import Room, check_within
from roguewk.part.verbs import check_state, learn_costs
from roguewk.problem.problem import Problem

PartClass = TypeVar("PartClass", bound=type)


class CostTally(NamedTuple):
    """What was seen of each arm's costs, scaled into [0, 1]."""

    sums: Learned[Vector]  # (arm, resource)
    squares: Learned[Vector]  # (arm, resource)
    counts: Learned[Vector]  # (arm,)


def build_cost_tally(problem: Problem) -> CostTally:
    """Nothing seen yet."""
    shape = len(problem.arms), len(problem.resources)
    return CostTally(np.zeros(shape), np.zeros(shape), np.zeros(shape[0]))


def cost_tallied(part_class: PartClass) -> PartClass:
    """Declare that these parts learn by keeping a `tally`."""
    learn_costs.body(part_class)(_add)
    return part_class


def _add(part: Any, round_: int, arm: int, costs: Vector) -> None:
    add_costs(part.tally, arm, costs)


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
