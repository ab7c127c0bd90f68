"""Mean costs as they are, drawn a little towards those of the other arms, and how far they may be off.

One pull says little: a cost that is mostly 0 and sometimes large may happen to be large at first. So the doubt about a
mean after `n` pulls is `sqrt(variance / n) + unit / n`, with a variance that two imagined pulls of a coin, worth 0 or
the unit, keep from being trusted too early. The unit is what is seen of costs, see `unit.py`.
"""

import math
from typing import NamedTuple

from roguewk.estimate.costs.tally import CostTally, build_cost_tally
from roguewk.estimate.costs.unit import CostUnit, build_cost_unit, measured, unit_of
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.part.part import COSTS, Part
from roguewk.part.verbs import cost_bounds, cost_doubts
from roguewk.problem.problem import Problem

DRAWN = 0.5  # pulls that the common mean weighs in the mean of an arm
IMAGINED = 2.0  # pulls of a coin in the variance


@measured
class DoubtedCosts(NamedTuple):
    """The cost estimate of the planner."""

    tally: CostTally
    unit: CostUnit


def build_doubted_costs(problem: Problem) -> DoubtedCosts:
    """A fresh estimate for this problem."""
    return DoubtedCosts(build_cost_tally(problem), build_cost_unit(problem))


@compiled
def _common_mean(part: DoubtedCosts, j: int) -> float:
    """The mean over the arms that were tried, and half the unit once."""
    total, count = 0.5 * unit_of(part.unit, j), 1
    for a in range(part.tally.counts.size):
        if part.tally.counts[a] > 0.0:
            total += part.tally.sums[a, j] / part.tally.counts[a]
            count += 1
    return total / count


@cost_bounds.body(DoubtedCosts)
def _cost_bounds(part: DoubtedCosts, now: Now, out: Vector) -> None:
    for j in range(out.shape[1]):
        common = _common_mean(part, j)
        for a in range(out.shape[0]):
            out[a, j] = (part.tally.sums[a, j] + DRAWN * common) / (part.tally.counts[a] + DRAWN)


@cost_doubts.body(DoubtedCosts)
def _cost_doubts(part: DoubtedCosts, out: Vector) -> None:
    for j in range(out.shape[1]):
        common, unit = _common_mean(part, j), unit_of(part.unit, j)
        for a in range(out.shape[0]):
            n = part.tally.counts[a]
            spread = max(part.tally.squares[a, j] - part.tally.sums[a, j] ** 2 / max(n, 1.0), 0.0)
            variance = (spread + IMAGINED * common * (unit - common)) / (n + IMAGINED)
            out[a, j] = math.sqrt(variance / (n + DRAWN)) + unit / (n + DRAWN)


DOUBTED = Part(
    role=COSTS,
    name="doubted",
    summary="means drawn a little together, and how far they may be off",
    build=build_doubted_costs,
    gives=frozenset({"costs", "doubts"}),
)
PARTS = (DOUBTED,)
