"""Several budgets counted as one: every cost in units of the scarcest resource, `max_j c_j (min_i b_i) / b_j`.

A budget that lasts twice as long makes a unit of its resource count half.
"""

import math
from typing import Any

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.part.desk import Desk, left_of
from roguewk.part.part import some_resource

AS_ONE = "several budgets count as one: the scarcest"
INSTEAD = "'ucb1', or the allocation 'argmax'"


def needs_resource(name: str) -> Any:
    """A check that there is something to spend, for allocations."""
    return some_resource(name, INSTEAD)


@compiled
def scarcest_rate(rates: Vector) -> float:
    """The smallest budget per round."""
    least = math.inf
    for j in range(rates.size):
        least = min(least, rates[j])
    return least


@compiled
def scarcest_cost(costs: Vector, rates: Vector) -> float:
    """What a pull with these costs, (resource,), takes, in units of the scarcest resource."""
    least, cost = scarcest_rate(rates), 0.0
    for j in range(rates.size):
        cost = max(cost, costs[j] * (least / rates[j]))
    return cost


@compiled
def scarcest_left(desk: Desk) -> float:
    """What is left of the budgets, in the same units."""
    least, left = scarcest_rate(desk.rates), math.inf
    for j in range(desk.rates.size):
        left = min(left, left_of(desk, j) * (least / desk.rates[j]))
    return left


@compiled
def per_cost(reward: float, cost: float) -> float:
    """Reward per cost; what costs nothing has an infinite one, unless it brings nothing."""
    if cost > 0.0:
        return reward / cost
    return 0.0 if reward == 0.0 else math.copysign(math.inf, reward)
