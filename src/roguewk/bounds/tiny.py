"""The exact value of worlds so small that everything that can happen is soon looked at.

Lagrangian bounds are good where there are many rounds; over a few, where every round must play, they may be very high.
Costs of too many values are taken to be the smallest that they can be, which nobody can beat either, unless every round
must play at a loss: there the sooner a budget is over the better.
"""

import math
from typing import NamedTuple

from roguewk.bounds.exact import comes_and_goes, exact
from roguewk.problem.context import shift_range
from roguewk.world.cost import Cost
from roguewk.world.world import World

MOST = 20_000  # situations: some tenths of a second


def _soon(world: World, idle: bool, costs: list[list[Cost]]) -> bool:
    """Whether everything that can happen at these costs is soon looked at."""
    # Contexts may forbid all arms, and then even a round that must be played is idle.
    options = (idle or bool(world.contexts)) + sum(math.prod(len(cost.atoms or ()) for cost in row) for row in costs)
    return world.problem.horizon * math.log(max(options, 2)) <= math.log(MOST)


class Tiny(NamedTuple):
    """No policy can expect more than `value`; `exact` is whether some policy can expect that much."""

    value: float
    exact: bool


def _loses(world: World) -> bool:
    """Whether some mean reward may be below zero, so that a game that costs end early loses less."""
    lowest = [arm.level_range()[0] + shift_range(arm.when)[0] for arm in world.arms]
    pairs = zip(world.arms, lowest, strict=True)
    return any(arm.custom or arm.reward_family.mean_of_level(level) < 0 for arm, level in pairs)


def tiny_value(world: World, idle: bool) -> Tiny:
    """Infinite where finding out would take long, or where arms come and go."""
    if comes_and_goes(world):
        return Tiny(math.inf, exact=False)
    fewest = [[Cost.fixed(cost.smallest) for cost in row] for row in world.costs]
    pairs = [zip(row, least, strict=True) for row, least in zip(world.costs, fewest, strict=True)]
    as_they_are = [[least if cost.atoms is None else cost for cost, least in row] for row in pairs]
    listed = all(cost.atoms is not None for row in world.costs for cost in row)
    for costs, true in ((as_they_are, listed), (fewest, False)):
        # A limit that leaves out fewer arms may force pulls: only where idling is free is that no harm.
        idling = idle or (world.problem.limited and not true)
        if _soon(world, idling, costs) and (true or idling or not _loses(world)):
            # What pulls may take at the most follows from their costs: smaller ones leave out fewer arms.
            given = world.problem, world.x0, costs, world.arms
            same = World(*given, contexts=world.contexts, baseline=world.baseline)
            return Tiny(exact(same, idling).value, true)
    return Tiny(math.inf, exact=False)
