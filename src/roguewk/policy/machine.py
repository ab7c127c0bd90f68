"""A policy's parts and the three things done with them each round: decide, let the round pass, learn.

The simulator's loop and the online object call these same functions on the same state, by their addresses: they are
compiled for every combination of parts, but their callers only once.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arena import clone_in_arena
from roguewk.kernel.compile import compiled
from roguewk.kernel.handle import Handle, held
from roguewk.kernel.luck import ROUND, Now, Word, unit, words
from roguewk.kernel.verbs import shared, verb
from roguewk.part.desk import CHANCE, CLOCK, MEMO, Desk, draw
from roguewk.part.status import FIRST_PULL, UNKNOWN
from roguewk.part.verbs import (
    advance,
    allocate,
    cost_bounds,
    learn_costs,
    learn_outcome,
    learn_reward,
    look,
    reward_bounds,
    set_horizon,
    settle,
    start_afresh,
    take_costs,
)
from roguewk.problem.problem import Problem

BEFORE = -2  # the arm of the round before the first


@shared
class Fresh(NamedTuple):
    """Parts as they were before the first round, for restarts."""

    rewards: Any
    costs: Any
    allocation: Any


@shared
class Continued(NamedTuple):
    """Nothing is ever forgotten."""

    always: bool  # a NamedTuple needs a field


class Parts(NamedTuple):
    """Reward estimate, cost estimate, allocation, the desk they work on, and what a restart returns to."""

    rewards: Any
    costs: Any
    allocation: Any
    desk: Desk
    fresh: Any


def assemble(
    problem: Problem, rewards: Any, costs: Any, allocation: Any, *, first_pulls: bool, doubling: int, restart: bool
) -> Parts:
    """Parts for this problem; `first_pulls` plays each arm once first, `doubling` is the length of the first epoch."""
    arms, resources = len(problem.arms), len(problem.resources)
    clock = np.zeros(1, dtype=CLOCK)
    clock["end"], clock["first_pulls"], clock["horizon"], clock["last"] = doubling, first_pulls, problem.horizon, -1
    pulls, taken, available = np.zeros(arms, dtype=np.int64), np.zeros(resources), np.ones(arms, dtype=np.bool_)
    tables = np.zeros((arms, resources)), np.zeros(arms), np.zeros(resources)
    desk = Desk(
        np.zeros(arms), *tables, problem.rates, np.zeros(resources), pulls, np.zeros(MEMO), taken, available, clock
    )
    for part in (rewards, costs, allocation):
        set_horizon(part, float(doubling or problem.horizon))
    fresh: Any = Continued(True)
    if restart and doubling:
        fresh = Fresh(*(clone_in_arena(part).part for part in (rewards, costs, allocation)))
    return Parts(rewards, costs, allocation, desk, fresh)


@verb
def _begin_epoch(fresh: Any, parts: Parts) -> None:
    """Forget, if that is wanted."""


@_begin_epoch.body(Continued)
def _go_on(fresh: Continued, parts: Parts) -> None:
    pass


@_begin_epoch.body(Fresh)
def _start_afresh(fresh: Fresh, parts: Parts) -> None:
    clock = parts.desk.clock[0]
    clock.start, clock.last = clock.round, -1
    start_afresh(parts.rewards, fresh.rewards)
    start_afresh(parts.costs, fresh.costs)
    start_afresh(parts.allocation, fresh.allocation)
    parts.desk.pulls[:] = 0


@compiled
def _next_epoch(parts: Parts) -> None:
    """Double the horizon (Besson and Kaufmann 2018); on a restart also forget, and count from here."""
    clock = parts.desk.clock[0]
    clock.end *= 2
    _begin_epoch(parts.fresh, parts)
    length = float(clock.end - clock.start)
    set_horizon(parts.rewards, length)
    set_horizon(parts.costs, length)
    set_horizon(parts.allocation, length)


@compiled
def _play_for_sure(desk: Desk, arm: int, status: int) -> int:
    desk.shares[:] = 0.0
    desk.prices[:] = 0.0
    desk.shares[arm] = 1.0
    desk.clock[0].status = status
    return arm


@compiled
def _sooner(desk: Desk, one: int, other: int) -> bool:
    """Which of two arms of which too little is known is tried: the one that is on trial, else the one pulled least.

    The first one every time would starve the last ones where arms are forgotten sooner than all are tried.
    """
    last = desk.clock[0].last
    return other != last and (one == last or desk.pulls[one] < desk.pulls[other])


@compiled
def _draw(desk: Desk, now: Now) -> int:
    """An arm by its share; random numbers are worked out only where they matter."""
    for a in range(desk.shares.size):
        if desk.shares[a] == 1.0:
            return a
    return draw(desk.shares, unit(words(now, ROUND, 0)[2]))


@compiled
def decide(handle: Handle, seed: Word, replicate: int) -> int:
    """The arm of this round; -1 for an idle round. The desk shows why."""
    parts: Parts = held(handle)
    desk = parts.desk
    clock = desk.clock[0]
    if clock.round == clock.end and clock.round > 0:
        _next_epoch(parts)
    now = Now(clock.round, seed, replicate, clock.round - clock.start)
    reward_bounds(parts.rewards, now, desk.reward_bounds)
    cost_bounds(parts.costs, now, desk.cost_bounds)
    unknown = -1
    for a in range(desk.pulls.size):
        if not desk.available[a]:
            continue
        if clock.first_pulls and desk.pulls[a] == 0:
            return _play_for_sure(desk, a, FIRST_PULL)
        if desk.reward_bounds[a] == np.inf and (unknown < 0 or _sooner(desk, a, unknown)):
            unknown = a
    if unknown >= 0:
        return _play_for_sure(desk, unknown, UNKNOWN)
    look(parts.allocation, parts.rewards, parts.costs, desk, now)
    clock.status = allocate(parts.allocation, desk, now)
    return _draw(desk, now)


@compiled
def pass_round(handle: Handle, arm: int, seed: Word, replicate: int) -> None:
    """Let the round pass with this arm pulled: states move now, whenever the reward may come."""
    parts: Parts = held(handle)
    desk = parts.desk
    clock = desk.clock[0]
    now = Now(clock.round, seed, replicate, clock.round - clock.start)
    if arm >= 0:
        desk.memo[CHANCE] = desk.shares[arm]
    advance(parts.rewards, now, arm, desk.memo)
    advance(parts.costs, now, arm, desk.memo)
    settle(parts.allocation, desk, arm)
    if arm >= 0:
        desk.pulls[arm] += 1
    clock.last = arm
    clock.round += 1


@compiled
def learn(handle: Handle, round_: int, arm: int, reward: float) -> None:
    """Take in what a past round brought; its memo and its costs are on the desk."""
    parts: Parts = held(handle)
    desk = parts.desk
    for j in range(desk.taken.size):
        desk.spent[j] += desk.taken[j]
    take_costs(parts.allocation, desk)
    if round_ < desk.clock[0].start:
        return  # a restart has forgotten that round
    learn_reward(parts.rewards, round_, arm, desk.memo, reward)
    learn_costs(parts.costs, round_, arm, desk.taken)
    learn_outcome(parts.allocation, desk, round_, arm, reward)


@compiled
def turn(handle: Handle, arm: int, reward: float, seed: Word, replicate: int) -> int:
    """End the last round, in which this arm was played (-1: none, -2: there was no round), and decide the next."""
    if arm > BEFORE:
        parts: Parts = held(handle)
        round_ = parts.desk.clock[0].round
        pass_round(handle, arm, seed, replicate)
        if arm >= 0:
            learn(handle, round_, arm, reward)
    return decide(handle, seed, replicate)
