"""A policy's parts and the three things done with them each round: choose, pass, learn.

The simulator's loop and the online object call these same functions on the same state.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.allocate.argmax import Argmax
from roguewk.allocate.lp import LinearProgram
from roguewk.allocate.verbs import FIRST_PULL, allocate, draw
from roguewk.estimate.verbs import (
    advance,
    cost_bounds,
    forget,
    learn_costs,
    learn_reward,
    reward_bounds,
    set_horizon,
)
from roguewk.kernel.compile import compiled
from roguewk.kernel.records import record_type
from roguewk.kernel.verbs import verb
from roguewk.problem.arms import Vector
from roguewk.problem.model import Problem

SLACK = 1e-9  # of a budget: rounding must not end a game
_CLOCK = record_type((), ("round", "start", "end", "restart", "first_pulls", "status"))


class Desk(NamedTuple):
    """Where a decision is worked out."""

    reward_bounds: Vector  # (arm,)
    cost_bounds: Vector  # (arm, resource)
    shares: Vector  # (arm,)
    prices: Vector  # (resource,)
    rates: Vector  # (resource,)
    spent: Vector  # (resource,), scaled
    pulls: Any  # (arm,) since the start of the epoch
    memo: Vector  # what learning from this round will need
    clock: Any  # (1,) the round; start and end of the epoch, end 0 without doubling; status of the last choice


class Parts(NamedTuple):
    """Reward estimate, cost estimate, allocation, and the desk they work on."""

    rewards: Any
    costs: Any
    allocation: Any
    desk: Desk


def assemble(
    problem: Problem, rewards: Any, costs: Any, allocation: Any, *, first_pulls: bool, doubling: int, restart: bool
) -> Parts:
    """Parts for this problem; `first_pulls` plays each arm once first, `doubling` is the length of the first epoch."""
    arms, resources = len(problem.arms), len(problem.resources)
    clock = np.zeros(1, dtype=_CLOCK)
    clock["end"], clock["restart"], clock["first_pulls"] = doubling, restart, first_pulls
    pulls = np.zeros(arms, dtype=np.int64)
    tables = np.zeros((arms, resources)), np.zeros(arms), np.zeros(resources)
    desk = Desk(np.zeros(arms), *tables, problem.rates, np.zeros(resources), pulls, np.zeros(2), clock)
    set_horizon(rewards, float(doubling or problem.horizon))
    set_horizon(costs, float(doubling or problem.horizon))
    return Parts(rewards, costs, allocation, desk)


@verb
def look(allocation: Any, rewards: Any, costs: Any, desk: Desk) -> None:
    """Let an allocation that plans ahead see more than bounds: the estimates themselves, and what is spent."""


@look.body(LinearProgram)
@look.body(Argmax)
def _look_at_nothing(allocation: Any, rewards: Any, costs: Any, desk: Desk) -> None:
    pass


@compiled
def choose(parts: Parts, available: Any, number: float) -> int:
    """The arm of this round, drawn with a uniform number; -1 for an idle round. The desk shows why."""
    desk = parts.desk
    clock = desk.clock[0]
    if clock.round == clock.end and clock.round > 0:
        _next_epoch(parts)
    reward_bounds(parts.rewards, clock.round, desk.reward_bounds)
    cost_bounds(parts.costs, clock.round, desk.cost_bounds)
    if clock.first_pulls:
        for a in range(desk.pulls.size):
            if available[a] and desk.pulls[a] == 0:
                desk.shares[:] = 0.0
                desk.prices[:] = 0.0
                desk.shares[a] = 1.0
                clock.status = FIRST_PULL
                return a
    look(parts.allocation, parts.rewards, parts.costs, desk)
    clock.status = allocate(
        parts.allocation, desk.reward_bounds, desk.cost_bounds, desk.rates, available, desk.shares, desk.prices
    )
    return draw(desk.shares, number)


@compiled
def _next_epoch(parts: Parts) -> None:
    """Double the horizon (Besson and Kaufmann 2018); on a restart also forget, and count from here."""
    clock = parts.desk.clock[0]
    clock.end *= 2
    length = clock.end
    if clock.restart:
        clock.start = clock.round
        length -= clock.start
        forget(parts.rewards)
        forget(parts.costs)
        parts.desk.pulls[:] = 0
    set_horizon(parts.rewards, float(length))
    set_horizon(parts.costs, float(length))


@compiled
def pass_round(parts: Parts, arm: int) -> None:
    """Let the round pass with this arm pulled: states move now, whenever the reward may come."""
    desk = parts.desk
    clock = desk.clock[0]
    advance(parts.rewards, clock.round, arm, desk.memo)
    advance(parts.costs, clock.round, arm, desk.memo)
    if arm >= 0:
        desk.pulls[arm] += 1
    clock.round += 1


@compiled
def learn(parts: Parts, round_: int, arm: int, memo: Vector, reward: float, costs: Vector) -> None:
    """Take in what a past round brought; costs are scaled into [0, 1]."""
    for j in range(costs.size):
        parts.desk.spent[j] += costs[j]
    if round_ < parts.desk.clock[0].start:
        return  # a restart has forgotten that round
    learn_reward(parts.rewards, round_, arm, memo, reward)
    learn_costs(parts.costs, round_, arm, costs)
