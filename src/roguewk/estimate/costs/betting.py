"""Lower bounds on mean costs by betting (Waudby-Smith and Ramdas 2024), good for all rounds at once.

For every mean q of a grid, somebody who thinks that costs are dearer starts with a capital of 1 and bets on each cost
c: `capital *= 1 + min(bet, 1 / (2 q)) (c - q)`. If q is the truth the game is fair, and the capital ever reaches 1 /
delta with a chance of at most delta: then q is rejected, for good, and with it all smaller means. The bound is the
largest mean rejected. The bet is their predictable plug-in, `sqrt(2 log(1 / delta) / (V n log(n + 1)))`, with V the
variance about the running mean before the n-th cost, one cost of 1/2 with variance 1/4 imagined.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant, Learned
from roguewk.part.parameter import within
from roguewk.part.part import COSTS, Part
from roguewk.part.room import Room, check_within
from roguewk.part.verbs import check_state, cost_bounds, learn_costs
from roguewk.problem.problem import Problem

MEANS = 100  # candidate means, closer together near 0, where most costs are
BOLDEST = 0.5  # part of the capital that a bet may lose
POOREST = 1e-100  # a capital below this is not worth following


class CandidateMeans(NamedTuple):
    """Means that may be rejected, and the largest bets against them."""

    means: Constant[Vector]  # (candidate,)
    largest_bets: Constant[Vector]  # (candidate,)


class BettingCosts(NamedTuple):
    """Capitals of those who bet against each candidate mean."""

    grid: CandidateMeans
    capitals: Learned[Vector]  # (arm, resource, candidate)
    rejected: Learned[Vector]  # (arm, resource) how many candidates
    counts: Learned[Vector]  # (arm,)
    sums: Learned[Vector]  # (arm, resource)
    spreads: Learned[Vector]  # (arm, resource) squares about the running means
    delta: float


def _build(problem: Problem, cost_delta: float) -> BettingCosts:
    arms, resources = len(problem.arms), len(problem.resources)
    means = (np.arange(1, MEANS + 1) / (MEANS + 1)) ** 2
    rejected, sums, spreads = np.zeros((3, arms, resources))
    capitals = np.ones((arms, resources, MEANS))
    return BettingCosts(
        CandidateMeans(means, BOLDEST / means), capitals, rejected, np.zeros(arms), sums, spreads, cost_delta
    )


@compiled
def _bet(part: BettingCosts, a: int, j: int, cost: float) -> None:
    """Let those who still think that a candidate is too low bet on this cost."""
    n = part.counts[a]  # this one included
    variance = (0.25 + part.spreads[a, j]) / n
    bet = math.sqrt(2.0 * math.log(1.0 / part.delta) / (variance * n * math.log(n + 1.0)))
    capitals = part.capitals[a, j]
    first = int(part.rejected[a, j])
    for k in range(first, MEANS):
        factor = 1.0 + min(bet, part.grid.largest_bets[k]) * (cost - part.grid.means[k])
        capitals[k] = max(capitals[k] * factor, POOREST)
    while first < MEANS and capitals[first] >= 1.0 / part.delta:
        first += 1
    part.rejected[a, j] = float(first)


@learn_costs.body(BettingCosts)
def _learn_costs(part: BettingCosts, round_: int, arm: int, costs: Vector) -> None:
    part.counts[arm] += 1.0
    for j in range(costs.size):
        _bet(part, arm, j, costs[j])
        part.sums[arm, j] += costs[j]
        mean = (0.5 + part.sums[arm, j]) / (part.counts[arm] + 1.0)
        part.spreads[arm, j] += (costs[j] - mean) ** 2


@check_state.body(BettingCosts)
def _check_state(part: BettingCosts, room: Room) -> None:
    check_within(part.rejected, 0, MEANS, "how many means are rejected")


@cost_bounds.body(BettingCosts)
def _cost_bounds(part: BettingCosts, now: Now, out: Vector) -> None:
    for a in range(out.shape[0]):
        for j in range(out.shape[1]):
            best = int(part.rejected[a, j])
            out[a, j] = part.grid.means[best - 1] if best > 0 else 0.0


BETTING = Part(
    role=COSTS,
    name="betting",
    summary="lower bound by betting against every mean of a grid, good for all rounds at once",
    build=_build,
    parameters={
        "cost_delta": within(0.01, 1e-12, 0.5, "chance that the bound of an arm and resource is ever above the truth")
    },
    gives=frozenset({"costs", "doubts"}),
)
PARTS = (BETTING,)
