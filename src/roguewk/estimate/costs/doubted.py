"""Mean costs as they are, drawn a little towards those of the other arms, and how far they may be off.

One pull says little: a cost that is mostly 0 and sometimes large may happen to be large at first. So the doubt about a
mean after `n` pulls is `sqrt(variance / n) + 1 / n`, with a variance that two imagined pulls of a coin keep from being
trusted too early. Costs are in [0, 1].
"""

import math
from typing import NamedTuple

from roguewk.estimate.costs.tally import CostTally, build_cost_tally, cost_tallied
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.part.part import COSTS, Part
from roguewk.part.verbs import cost_bounds, cost_doubts
from roguewk.problem.problem import Problem

DRAWN = 0.5  # pulls that the common mean weighs in the mean of an arm
IMAGINED = 2.0  # pulls of a coin in the variance


@cost_tallied
class DoubtedCosts(NamedTuple):
    """The cost estimate of the planner."""

    tally: CostTally


def build_doubted_costs(problem: Problem) -> DoubtedCosts:
    """A fresh estimate for this problem."""
    return DoubtedCosts(build_cost_tally(problem))


@compiled
def _common_mean(part: DoubtedCosts, j: int) -> float:
    """The mean over the arms that were tried, and one half once."""
    total, count = 0.5, 1
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
        common = _common_mean(part, j)
        for a in range(out.shape[0]):
            n = part.tally.counts[a]
            spread = max(part.tally.squares[a, j] - part.tally.sums[a, j] ** 2 / max(n, 1.0), 0.0)
            variance = (spread + IMAGINED * common * (1.0 - common)) / (n + IMAGINED)
            out[a, j] = math.sqrt(variance / (n + DRAWN)) + 1.0 / (n + DRAWN)


DOUBTED = Part(
    role=COSTS,
    name="doubted",
    summary="means drawn a little together, and how far they may be off",
    build=build_doubted_costs,
    gives=frozenset({"costs", "doubts"}),
)
PARTS = (DOUBTED,)
