"""Plan some rounds at a time by upper bounds on what a sequence of arms brings (Pike-Burke and Grunewalder 2019).

Every `depth` rounds all sequences are tried; the one with the largest sum of means plus alpha_t times the standard
deviation of the sum is played. Budgets are ignored, and every round is played, idle or not.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.allocate.sequence import BETTER, Sequence, build_sequence, first_changed, must_plan, sequenced, take
from roguewk.estimate.rewards.recovering import Recoveries, recovery_curves
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Scratch
from roguewk.part.desk import Desk, rounds_left
from roguewk.part.parameter import counted
from roguewk.part.part import ALLOCATE, Part
from roguewk.part.verbs import look
from roguewk.problem.problem import Problem


class Path(NamedTuple):
    """Working memory: the sequence at hand."""

    places: Scratch[Any]  # (round,) how long its arm will have rested, as a place in the grid
    means: Scratch[Vector]  # (round + 1,) sum until then
    variances: Scratch[Vector]  # (round + 1,)


@sequenced
class BestSequence(NamedTuple):
    """The planner of recovering bandits."""

    sequence: Sequence
    spare: Path


def _build(problem: Problem, depth: int) -> BestSequence:
    path = Path(np.zeros(depth, dtype=np.int64), *np.zeros((2, depth + 1)))
    return BestSequence(build_sequence(len(problem.arms), depth, "depth"), path)


@look.body(BestSequence)
def _look(part: BestSequence, rewards: Any, costs: Any, desk: Desk, now: Now) -> None:
    if must_plan(part.sequence, desk):
        rounds = min(part.sequence.plan.size, rounds_left(desk))
        _plan(part, recovery_curves(rewards, now.t), desk.available, rounds)


@compiled_apart
def _plan(part: BestSequence, curves: Recoveries, available: Any, rounds: int) -> None:
    """The best sequence of so many rounds whose first arm is available."""
    changed, best = 0, -np.inf
    part.sequence.spare[:] = 0
    while changed >= 0:
        for h in range(changed, rounds):
            _step(part, curves, h)
        bound = part.spare.means[rounds] + curves.width * math.sqrt(max(part.spare.variances[rounds], 0.0))
        if available[part.sequence.spare[0]] and (best == -np.inf or bound > best + BETTER):
            best = bound
            take(part.sequence, rounds)
        changed = first_changed(part.sequence, rounds, available.size)


@compiled
def _step(part: BestSequence, curves: Recoveries, h: int) -> None:
    """Add round h: its mean, its variance, and its covariance with earlier pulls of the same arm."""
    arms, path = part.sequence.spare, part.spare
    arm = arms[h]
    place = min(curves.rested[arm] + h, curves.means.shape[1] - 1)
    for k in range(h):
        if arms[k] == arm:
            place = min(h - k - 1, curves.means.shape[1] - 1)
    variance = curves.covariances[arm, place, place]
    for k in range(h):
        if arms[k] == arm:
            variance += 2.0 * curves.covariances[arm, place, path.places[k]]
    path.places[h] = place
    path.means[h + 1] = path.means[h] + curves.means[arm, place]
    path.variances[h + 1] = path.variances[h] + variance


BEST_SEQUENCE = Part(
    role=ALLOCATE,
    name="best-sequence",
    summary="the sequence of the next rounds with the largest upper bound on its sum, whatever it costs",
    build=_build,
    parameters={"depth": counted(2, 1, 4, "rounds that are planned at a time")},
    needs=frozenset({"curves"}),
)
PARTS = (BEST_SEQUENCE,)
