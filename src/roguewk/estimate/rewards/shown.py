"""Mean rewards for show, 0 where none was seen: for allocations that look at none of them, and want no first pulls."""

from typing import NamedTuple

from roguewk.estimate.rewards.tally import Tally, build_tally, tallied
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.part.part import REWARDS, Part
from roguewk.part.verbs import reward_bounds
from roguewk.problem.problem import Problem


@tallied
class ShownRewards(NamedTuple):
    """Means of all rewards seen."""

    tally: Tally


def _build(problem: Problem) -> ShownRewards:
    return ShownRewards(build_tally(problem))


@reward_bounds.body(ShownRewards)
def _reward_bounds(part: ShownRewards, now: Now, out: Vector) -> None:
    for a in range(out.size):
        out[a] = part.tally.sums[a] / max(part.tally.seen[a], 1.0)


SHOWN = Part(
    role=REWARDS,
    name="shown",
    summary="mean rewards for show: the allocation does not look at them",
    build=_build,
    only_for=frozenset({"lagrange", "dual-descent", "given"}),
)
PARTS = (SHOWN,)
