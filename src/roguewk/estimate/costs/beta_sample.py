"""Mean costs drawn from their posterior, `Beta(1 + sum c, 1 + sum (1 - c))`: Thompson sampling of costs.

Xia et al. (2015) have a cost between 0 and 1 decide by a coin of that bias whether it counts as 1 or as 0; here it
counts as that fraction of a 1, which is the same on average, and the same each time.
"""

from typing import NamedTuple

from roguewk.estimate.costs.tally import CostTally, build_cost_tally, cost_tallied
from roguewk.kernel.arrays import Vector
from roguewk.kernel.draws import beta
from roguewk.kernel.luck import COST_DRAW, Now
from roguewk.part.part import COSTS, Part
from roguewk.part.verbs import cost_bounds
from roguewk.problem.problem import Problem


@cost_tallied
class BetaCosts(NamedTuple):
    """Samples of mean costs."""

    tally: CostTally


def _build(problem: Problem) -> BetaCosts:
    return BetaCosts(build_cost_tally(problem))


@cost_bounds.body(BetaCosts)
def _cost_bounds(part: BetaCosts, now: Now, out: Vector) -> None:
    arms, resources = out.shape
    for a in range(arms):
        for j in range(resources):
            dear = part.tally.sums[a, j]
            cheap = max(part.tally.counts[a] - dear, 0.0)
            out[a, j] = beta(1.0 + dear, 1.0 + cheap, now, COST_DRAW + 2 * (a * resources + j))


BETA_SAMPLE = Part(
    role=COSTS,
    name="beta-sample",
    summary="a sample of each mean cost, Beta(1 + sum c, 1 + sum (1 - c))",
    build=_build,
    gives=frozenset({"costs", "doubts"}),
    draws=True,
)
PARTS = (BETA_SAMPLE,)
