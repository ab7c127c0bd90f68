"""A unit for costs that nobody has to tell: the largest one seen, and at least what a round may cost.

Decisions must not depend on whether money is counted in euros or in cents. `largest_cost` may be far too large, so what
is not defined on [0, 1] by its paper measures costs by what is seen of them. Before anything is seen, a pull is taken
to cost what the budget grants each round.
"""

from typing import Any, NamedTuple, TypeVar

import numpy as np

from roguewk.estimate.costs.tally import add_costs, amend_tally, keeping_tally
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.memory import Constant, Learned
from roguewk.part.verbs import amend_costs, learn_costs
from roguewk.problem.problem import Problem

PartClass = TypeVar("PartClass", bound=type)


class CostUnit(NamedTuple):
    """What costs are measured by."""

    granted: Constant[Vector]  # (resource,) by the budget for each round, but no more than the largest cost
    largest: Learned[Vector]  # (resource,) seen


def build_cost_unit(problem: Problem) -> CostUnit:
    """Nothing seen yet."""
    return CostUnit(np.minimum(problem.rates, 1.0), np.zeros(len(problem.resources)))


@compiled
def unit_of(unit: CostUnit, j: int) -> float:
    """The unit of a resource; 0 where nothing is granted and nothing was ever taken."""
    return max(unit.granted[j], unit.largest[j])


def measured(part_class: PartClass) -> PartClass:
    """Declare that these parts learn by keeping a `tally` and a `unit`."""
    learn_costs.body(part_class)(_add)
    keeping_tally(part_class)
    amend_costs.body(part_class)(_amend)
    return part_class


def _amend(part: Any, arm: int, told: Vector, true: Vector) -> None:
    amend_tally(part.tally, arm, told, true)
    for j in range(true.size):  # whether what was told wrong was the largest nobody knows any more
        part.unit.largest[j] = max(part.unit.largest[j], true[j])


def _add(part: Any, round_: int, arm: int, costs: Vector) -> None:
    add_costs(part.tally, arm, costs)
    for j in range(costs.size):
        part.unit.largest[j] = max(part.unit.largest[j], costs[j])
