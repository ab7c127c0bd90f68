"""Whether rounds may be left idle where bounds are asked for, and who knows of what they bring."""

from roguewk.problem.errors import InputError, truth_value
from roguewk.world.world import World


def may_be_idle(world: World, idle: bool | None) -> bool:
    """Whether rounds may be left idle, as the world has it or as it is asked for."""
    if idle is None:
        return world.problem.idle
    if world.baseline is not None and not truth_value(idle, "idle"):
        raise InputError("idle rounds of this world bring something, so they are allowed: leave out idle=False")
    return truth_value(idle, "idle")


def check_idle_brings_nothing(world: World, what: str) -> None:
    """Refuse a world whose idle rounds bring something."""
    if world.baseline is not None:
        remedy = "leave that out by world.with_problem(baseline=None), or ask rw.upper_bound"
        raise InputError(f"{what} knows of pulls alone, and idle rounds of this world bring something: {remedy}")
