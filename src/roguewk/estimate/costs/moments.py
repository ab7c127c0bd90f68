"""Means and variances of the costs in a tally, and what to think of costs that do not come.

An arm whose costs never come would seem to be free, and be pulled for ever where rewards are divided by costs. So once
it was pulled, it is taken to cost what all arms together have cost on average.
"""

from typing import Any, TypeVar

from roguewk.estimate.costs.tally import CostTally
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.part.verbs import advance, retract

PartClass = TypeVar("PartClass", bound=type)


def pulls_counted(part_class: PartClass) -> PartClass:
    """Declare that these parts count `pulls`, (arm,)."""
    advance.body(part_class)(_count)
    retract.body(part_class)(_discount)
    return part_class


def _count(part: Any, now: Now, arm: int, memo: Vector) -> None:
    if arm >= 0:
        part.pulls[arm] += 1.0


def _discount(part: Any, arm: int, memo: Vector, since: int) -> None:
    part.pulls[arm] -= 1.0


@compiled
def cost_guess(tally: CostTally, pulls: Vector, a: int, j: int) -> float:
    """What an arm costs of which no cost was seen: 0, or once it was pulled, the mean over all arms."""
    total = count = 0.0
    for other in range(pulls.size):
        total += tally.sums[other, j]
        count += tally.counts[other]
    return min(total / count, 1.0) if pulls[a] > 0.0 and count > 0.0 else 0.0


@compiled
def cost_mean(tally: CostTally, a: int, j: int) -> float:
    """The mean cost; 0 when none was seen."""
    return tally.sums[a, j] / tally.counts[a] if tally.counts[a] > 0.0 else 0.0


@compiled
def cost_variance(tally: CostTally, a: int, j: int) -> float:
    """The variance, divided by the number of costs; 0 when none was seen."""
    if tally.counts[a] == 0.0:
        return 0.0
    mean = tally.sums[a, j] / tally.counts[a]
    return max(tally.squares[a, j] / tally.counts[a] - mean * mean, 0.0)
