"""Costs that are ignored."""

from typing import NamedTuple

from roguewk.estimate.verbs import cost_bounds
from roguewk.kernel.luck import Now
from roguewk.problem.arms import Vector
from roguewk.problem.model import Problem
from roguewk.problem.part import COSTS, Part


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
