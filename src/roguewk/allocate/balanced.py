"""An approximation of BalancedExploration (Badanidiyuru, Kleinberg and Slivkins 2018), by sampling.

The arms take turns. The original plays, of all distributions that are optimal for some rewards and costs within the
confidence bounds, the one in which the arm whose turn it is has the largest share; nobody knows how to find it fast.
Here `points` of the box are tried, the optimistic corner and others drawn evenly, each with a linear program.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.allocate.lp import Solver, build_solver, optimise
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.luck import ALLOCATION_DRAW, Now, unit, words
from roguewk.kernel.memory import Scratch, copy_into
from roguewk.part.desk import Desk
from roguewk.part.parameter import counted
from roguewk.part.part import ALLOCATE, Part
from roguewk.part.status import Status
from roguewk.part.verbs import allocate, cost_ceilings, look, reward_floors
from roguewk.problem.problem import Problem

WORDS = 4  # random numbers in a block


class Box(NamedTuple):
    """The box beside the desk's bounds, and the point that is tried."""

    floors: Scratch[Vector]  # (arm,)
    ceilings: Scratch[Vector]  # (arm, resource)
    rewards: Scratch[Vector]  # (arm,) of the point
    costs: Scratch[Vector]  # (arm, resource)
    shares: Scratch[Vector]  # (arm,) its optimum
    prices: Scratch[Vector]  # (resource,)
    numbers: Scratch[Vector]  # (arm + arm x resource,) in [0, 1): where the point lies


class Balanced(NamedTuple):
    """The allocation of balanced-exploration."""

    solver: Solver
    spare: Box
    points: int


def _build(problem: Problem, points: int) -> Balanced:
    arms, resources = len(problem.arms), len(problem.resources)
    tables = (np.zeros((arms, resources)) for _ in range(2))
    box = Box(
        np.zeros(arms),
        next(tables),
        np.zeros(arms),
        next(tables),
        np.zeros(arms),
        np.zeros(resources),
        np.zeros(arms * (1 + resources)),
    )
    return Balanced(build_solver(arms, resources, problem.idle, "normalise"), box, points)


@look.body(Balanced)
def _look(part: Balanced, rewards: Any, costs: Any, desk: Desk, now: Now) -> None:
    reward_floors(rewards, now, part.spare.floors)
    cost_ceilings(costs, now, part.spare.ceilings)


@compiled
def _choose_point(box: Box, desk: Desk, now: Now, point: int) -> None:
    """Write a point of the box; point 0 is its optimistic corner."""
    numbers, arms = box.numbers, box.floors.size
    for k in range(0, numbers.size, WORDS):
        word = words(now, ALLOCATION_DRAW + point, k)
        for i in range(min(WORDS, numbers.size - k)):
            numbers[k + i] = unit(word[i]) if point > 0 else 0.0
    for a in range(arms):
        best = desk.reward_bounds[a]
        box.rewards[a] = best - numbers[a] * (best - box.floors[a])
        for j in range(desk.rates.size):
            least = desk.cost_bounds[a, j]
            share = numbers[arms + a * desk.rates.size + j]
            box.costs[a, j] = least + share * (box.ceilings[a, j] - least)


@compiled_apart
def _search(part: Balanced, desk: Desk, now: Now) -> int:
    """Write the optimum with the largest share of the arm whose turn it is."""
    box, turn, code = part.spare, now.round % desk.shares.size, Status.NOTHING.value
    for point in range(part.points):
        _choose_point(box, desk, now, point)
        status = optimise(part.solver, box.rewards, box.costs, desk.rates, desk.available, box.shares, box.prices)
        if point == 0 or box.shares[turn] > desk.shares[turn]:
            copy_into(desk.shares, box.shares)
            copy_into(desk.prices, box.prices)
            code = status
    return code


@allocate.body(Balanced)
def _allocate(part: Balanced, desk: Desk, now: Now) -> int:
    return Status.NOTHING if _search(part, desk, now) == Status.NOTHING else Status.MIXED


BALANCED = Part(
    role=ALLOCATE,
    name="balanced",
    summary="approximates BalancedExploration: of sampled linear programs, the one that favours the arm in turn",
    build=_build,
    parameters={"points": counted(30, 1, 10_000, "points of the confidence box, the optimistic corner among them")},
    needs=frozenset({"floors", "ceilings"}),
    draws=True,
)
PARTS = (BALANCED,)
