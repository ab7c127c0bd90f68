"""The world as compiled code sees it: true states, and the rewards and costs that luck makes of them."""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.choice import by_code
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.luck import AVAILABLE, CONTEXT, COST, GAMMA, ROUND, Now, Word, block, unit, words
from roguewk.kernel.records import record_type
from roguewk.problem.dynamics import Dynamics, build_dynamics
from roguewk.problem.family.registry import FAMILIES
from roguewk.problem.idling import build_line, line_mean
from roguewk.problem.occasions import calendar_of, shift_table
from roguewk.world.cost import DISTRIBUTIONS, Cost
from roguewk.world.world import World

_COST = record_type(("x", "y", "z"), ("code", "first", "last"))
_CODES = {kind: code for code, kind in enumerate(DISTRIBUTIONS)}
_draw_reward = by_code([family.drawing() for family in FAMILIES])
_draw_cost = by_code([distribution.drawing() for distribution in DISTRIBUTIONS.values()])


class Truth(NamedTuple):
    """A world; costs are in the user's units."""

    dynamics: Dynamics
    x0: Vector  # (arm, coordinate)
    costs: Any  # (arm, resource) records of _COST
    choices: Vector  # (row, [value, cumulative weight]) of all costs that have weights
    budgets: Vector  # (resource,); what is hard is never over
    scales: Vector  # (resource,) the cost that counts as 1 for policies
    chances: Vector  # (arm,) that it is available; none where all always are
    shifts: Vector  # (occasion, arm) of levels by contexts; no row where there are none
    barred: Any  # (occasion, arm) where arms are forbidden
    phases: Any  # (phase,) the number of a combination of cycles
    draws: Vector  # (draw,) cumulative chances of what is drawn of the contexts
    idle: Any  # (1,) record of what idle rounds bring; none where that is nothing


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
    chances = [1.0 if arm.available is None else arm.available for arm in world.arms]
    sometimes = np.array(chances if min(chances) < 1 else [], dtype=np.float64)
    budgets = np.where(problem.hard, np.inf, problem.budgets)
    calendar = calendar_of(world.contexts, problem.rounds_per_day)
    shifts, barred = shift_table(world.arms, calendar)
    rows_kept = len(shifts) if world.contexts else 0
    return Truth(
        dynamics,
        x0,
        records,
        choices,
        budgets,
        problem.scales,
        sometimes,
        shifts[:rows_kept],
        barred[:rows_kept],
        calendar.phases,
        np.cumsum(calendar.chances),
        build_line(world.baseline, problem.horizon),
    )


def _fill(record: Any, cost: Cost, rows: list[tuple[float, float]]) -> None:
    record["code"] = _CODES[cost.kind]
    if cost.distribution.size is None:
        record["first"], record["last"] = len(rows), len(rows) + len(cost.numbers) - 1
        rows.extend(zip(cost.numbers, np.cumsum(cost.weights).tolist(), strict=True))
    else:
        for name, value in zip("xyz", cost.numbers, strict=False):
            record[name] = value


@compiled
def draw_reward(truth: Truth, arm: int, mean: float, first: Word, second: Word) -> float:
    """A reward with this mean, from two random words."""
    known = truth.dynamics.arms[arm]
    return _draw_reward(known.family, mean, known.sigma, first, second)


@compiled
def draw_idle(truth: Truth, now: Now) -> tuple[float, float]:
    """What this round brings if nothing is done in it, or nothing any more, and its mean."""
    return _drawn_idle(truth.idle, now) if truth.idle.size > 0 else (0.0, 0.0)


@compiled_apart
def _drawn_idle(idle: Any, now: Now) -> tuple[float, float]:
    line, word = idle[0], words(now, ROUND, 0)
    mean = line_mean(line, now.round)
    return _draw_reward(line.family, mean, line.sigma, word[0], word[1]), mean


@compiled
def draw_available(truth: Truth, now: Now, out: Any) -> None:
    """Which arms, (arm,), are possible this round."""
    out[:] = True
    for a in range(truth.chances.size):
        out[a] = unit(block(now.seed, now.replicate, now.round, AVAILABLE, a)[0]) < truth.chances[a]


@compiled
def drawn_of(truth: Truth, now: Now) -> int:
    """The number of what is drawn of the contexts in this round."""
    return _drawn_of(truth.draws, now)


@compiled_apart
def _drawn_of(draws: Vector, now: Now) -> int:
    number = unit(block(now.seed, now.replicate, now.round, CONTEXT, 0)[0])
    draw = 0
    while draw < draws.size - 1 and number >= draws[draw]:
        draw += 1
    return draw


@compiled
def occasion_of(truth: Truth, now: Now) -> int:
    """The occasion of this round; only where there are contexts."""
    return int(truth.phases[now.round % truth.phases.size]) * truth.draws.size + drawn_of(truth, now)


@compiled
def draw_costs(truth: Truth, arm: int, seed: Word, replicate: int, round_: int, out: Vector) -> None:
    """What pulling this arm takes of each resource this round."""
    if out.size == 0:
        return
    now = Now(round_, seed, replicate, round_)
    word = block(seed, replicate, round_, COST, 0)
    for j in range(out.size):
        if j % 4 == 0 and j > 0:
            word = block(seed, replicate, round_, COST, j // 4)
        cost = truth.costs[arm, j]
        out[j] = _draw_cost(cost.code, cost, truth.choices, unit(word[j % 4]), now, GAMMA + 2 * j)
