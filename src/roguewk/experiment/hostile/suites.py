"""Suites of families of worlds that policies are judged in, and what is asked of the judged policy there."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from roguewk.experiment.hostile import everyday, families
from roguewk.world.world import World


class Suite(NamedTuple):
    """What it is called, its families with a line about each, how a world is made, and the goals."""

    title: str
    families: Mapping[str, str]
    make: Callable[[str, int], World]
    average_goal: float  # of the bound
    worst_goal: float | None = None


HOSTILE, EVERYDAY = "hostile", "everyday"
SUITES = {
    HOSTILE: Suite(
        "Hostile worlds",
        {name: family.words for name, family in families.FAMILIES.items()},
        families.hostile_world,
        average_goal=0.94,
    ),
    EVERYDAY: Suite(
        "Worlds as people have them", everyday.FAMILIES, everyday.everyday_world, average_goal=0.96, worst_goal=0.92
    ),
}
