"""Costs that are ignored."""

from typing import NamedTuple

from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.part.part import COSTS, Part
from roguewk.part.verbs import cost_bounds
from roguewk.problem.problem import Problem


class NoCosts(NamedTuple):
    """Nothing costs anything."""

    resources: int


def _build(problem: Problem) -> NoCosts:
    return NoCosts(len(problem.resources))


@cost_bounds.body(NoCosts)
def _cost_bounds(part: NoCosts, now: Now, out: Vector) -> None:
    out[:] = 0.0


NONE = Part(COSTS, "none", "costs are ignored", _build)
PARTS = (NONE,)
