"""Mean costs drawn from a posterior, as by `beta_sample.py`, but of costs measured by what is seen of them.

A cost counts as that fraction of the unit (`unit.py`) as which it counts there of the largest cost: where nobody said
how large costs can be, a prior over all of [0, 1] would take hundreds of pulls to be forgotten.
"""

from typing import NamedTuple

from roguewk.estimate.costs.tally import CostTally, build_cost_tally
from roguewk.estimate.costs.unit import CostUnit, build_cost_unit, measured, unit_of
from roguewk.kernel.arrays import Vector
from roguewk.kernel.draws import beta
from roguewk.kernel.luck import COST_DRAW, Now
from roguewk.part.part import COSTS, Part
from roguewk.part.verbs import cost_bounds
from roguewk.problem.problem import Problem


@measured
class UnitSamples(NamedTuple):
    """Samples of mean costs."""

    tally: CostTally
    unit: CostUnit


def _build(problem: Problem) -> UnitSamples:
    return UnitSamples(build_cost_tally(problem), build_cost_unit(problem))


@cost_bounds.body(UnitSamples)
def _cost_bounds(part: UnitSamples, now: Now, out: Vector) -> None:
    arms, resources = out.shape
    for a in range(arms):
        for j in range(resources):
            unit = unit_of(part.unit, j)
            dear = part.tally.sums[a, j] / unit
            cheap = max(part.tally.counts[a] - dear, 0.0)
            out[a, j] = unit * beta(1.0 + dear, 1.0 + cheap, now, COST_DRAW + 2 * (a * resources + j))


UNIT_SAMPLE = Part(
    role=COSTS,
    name="unit-sample",
    summary="a sample of each mean cost, with the largest cost seen as the unit",
    build=_build,
    gives=frozenset({"costs", "doubts"}),
    draws=True,
)
PARTS = (UNIT_SAMPLE,)
