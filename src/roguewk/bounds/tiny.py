"""The exact value of worlds so small that everything that can happen is soon looked at.

Lagrangian bounds are good where there are many rounds; over a few, where every round must play, they may be very high.
Costs of too many values are taken to be the smallest that they can be, which nobody can beat either.
"""

import math

from roguewk.bounds.exact import exact
from roguewk.world.cost import Cost
from roguewk.world.world import World

MOST = 20_000  # situations: some tenths of a second


def _soon(world: World, idle: bool, costs: list[list[Cost]]) -> bool:
    """Whether everything that can happen at these costs is soon looked at."""
    options = idle + sum(math.prod(len(cost.atoms or ()) for cost in row) for row in costs)
    return world.problem.horizon * math.log(max(options, 2)) <= math.log(MOST)


def tiny_value(world: World, idle: bool) -> float:
    """No policy can expect more than this; infinite where finding out would take long."""
    fewest = [[Cost.fixed(cost.smallest) for cost in row] for row in world.costs]
    pairs = [zip(row, least, strict=True) for row, least in zip(world.costs, fewest, strict=True)]
    as_they_are = [[least if cost.atoms is None else cost for cost, least in row] for row in pairs]
    for costs in (as_they_are, fewest):
        if _soon(world, idle, costs):
            return exact(World(world.problem, world.x0, costs, world.arms), idle).value
    return math.inf
