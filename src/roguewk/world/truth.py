"""The world as compiled code sees it: true states, and the rewards and costs that luck makes of them."""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.draws import beta
from roguewk.kernel.luck import COST, GAMMA, Now, Word, block, normal, unit
from roguewk.kernel.records import record_type
from roguewk.problem.dynamics import Dynamics, build_dynamics
from roguewk.world.cost import Cost
from roguewk.world.world import World

UNIFORM, CHOICES, BETA = range(3)
_COST = record_type(("low", "high", "a", "b"), ("kind", "first", "last"))


class Truth(NamedTuple):
    """A world; costs are in the user's units."""

    dynamics: Dynamics
    x0: Vector  # (arm, coordinate)
    costs: Any  # (arm, resource) records of _COST
    choices: Vector  # (row, [value, cumulative weight]) of all costs that are choices
    budgets: Vector  # (resource,)
    scales: Vector  # (resource,) the cost that counts as 1 for policies


def build_truth(world: World) -> Truth:
    """The compiled form of this world."""
    problem = world.problem
    dynamics = build_dynamics(world.arms)
    x0 = np.zeros(dynamics.vectors.shape[:2])
    for a, state in enumerate(world.x0):
        x0[a, : len(state)] = state
    records = np.zeros((len(world.arms), len(problem.resources)), dtype=_COST)
    rows: list[tuple[float, float]] = []
    for a, costs in enumerate(world.costs):
        for j, cost in enumerate(costs):
            _fill(records[a, j], cost, rows)
    choices = np.array(rows, dtype=np.float64).reshape(len(rows), 2)
    return Truth(dynamics, x0, records, choices, problem.budgets, problem.scales)


def _fill(record: Any, cost: Cost, rows: list[tuple[float, float]]) -> None:
    numbers = cost.numbers
    if cost.kind in ("fixed", "uniform"):
        record["kind"], record["low"], record["high"] = UNIFORM, numbers[0], numbers[-1]
    elif cost.kind == "beta":
        record["kind"], record["a"], record["b"], record["high"] = BETA, *numbers
    else:
        chance = cost.kind == "bernoulli"
        values = (0.0, numbers[1]) if chance else numbers
        weights = (1 - numbers[0], numbers[0]) if chance else cost.weights
        record["kind"], record["first"], record["last"] = CHOICES, len(rows), len(rows) + len(values) - 1
        rows.extend(zip(values, np.cumsum(weights).tolist(), strict=True))


@compiled
def draw_reward(truth: Truth, arm: int, mean: float, first: Word, second: Word) -> float:
    """A reward with this mean, from two random words."""
    known = truth.dynamics.arms[arm]
    if known.gaussian:
        return mean + known.sigma * normal(first, second)
    return 1.0 if unit(first) < mean else 0.0


@compiled
def draw_costs(truth: Truth, arm: int, seed: Word, replicate: int, round_: int, out: Vector) -> None:
    """What pulling this arm takes of each resource this round."""
    if out.size == 0:
        return
    word = block(seed, replicate, round_, COST, 0)
    for j in range(out.size):
        if j % 4 == 0 and j > 0:
            word = block(seed, replicate, round_, COST, j // 4)
        number = unit(word[j % 4])
        cost = truth.costs[arm, j]
        if cost.kind == UNIFORM:
            out[j] = cost.low + (cost.high - cost.low) * number
        elif cost.kind == CHOICES:
            row = cost.first
            while row < cost.last and number >= truth.choices[row, 1]:
                row += 1
            out[j] = truth.choices[row, 0]
        else:
            out[j] = cost.high * beta(cost.a, cost.b, Now(round_, seed, replicate, round_), GAMMA + 2 * j)
