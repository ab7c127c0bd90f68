"""Means and variances of the costs in a tally."""

from roguewk.estimate.costs.tally import CostTally
from roguewk.kernel.compile import compiled


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
