"""A policy in motion: its parts in one block of memory, and the four things done with them each round.

`weigh` works out what each arm is worth now and what it costs, `choose` makes an arm of that, `pass_round` lets the
round pass with it, `learn` takes in what it brought. They are compiled for every combination of parts, and called by
their addresses, so that what drives a policy, the simulator's loop and the online object, is compiled only once.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.address import address_of, call_for_nothing, call_for_whole
from roguewk.kernel.arena import Arena, twin_of
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiling
from roguewk.kernel.handle import Handle, held
from roguewk.kernel.luck import ROUND, Now, Word, unit, words
from roguewk.kernel.memory import Constant, Learned
from roguewk.kernel.verbs import verb
from roguewk.part.desk import CHANCE, Desk, build_desk, draw
from roguewk.part.status import Status
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
)
from roguewk.problem.ledger import book, reserve
from roguewk.problem.problem import Problem

BEFORE = -2  # the arm of the round before the first
WEIGH, CHOOSE, PASS_ROUND, LEARN, TURN = range(5)


class Fresh(NamedTuple):
    """Parts as they were before the first round, for restarts."""

    rewards: Constant[Any]
    costs: Constant[Any]
    allocation: Constant[Any]


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


class Machine(NamedTuple):
    """What compiled code that drives a policy sees of it, whatever its parts: addresses, the desk, the state."""

    parts: int
    codes: Constant[Any]  # (number,) addresses of WEIGH, CHOOSE, PASS_ROUND, LEARN and TURN; 0 until they are asked for
    desk: Desk
    learned: Learned[Vector]  # (word,) the state
    start: Constant[Vector]  # (word,) the state before the first round


def assemble(
    problem: Problem, rewards: Any, costs: Any, allocation: Any, *, first_pulls: bool, doubling: int, restart: bool
) -> Parts:
    """Parts for this problem; `first_pulls` plays each arm once first, `doubling` is the length of the first epoch."""
    trio = rewards, costs, allocation
    for part in trio:
        set_horizon(part, float(doubling or problem.horizon))
    fresh: Any = Fresh(*map(twin_of, trio)) if restart and doubling else Continued(True)
    return Parts(*trio, build_desk(problem, first_pulls, doubling), fresh)


def build_machine(parts: Parts) -> Arena:
    """These parts in motion; clones of it are policies of the same kind."""
    codes = np.zeros(TURN + 1, dtype=np.int64)

    def machine(placed: Parts, address: int, learned: Vector) -> Machine:
        return Machine(address, codes, placed.desk, learned, learned.copy())

    return Arena(parts, machine)


def compile_steps(arena: Arena, what: str) -> None:
    """Have the four things compiled that are done with a policy round by round, for it and all its clones."""
    codes = arena.head.codes
    if codes[LEARN]:
        return
    parts, word = Handle(arena.part), np.uint64(0)
    with compiling(what):
        codes[WEIGH] = address_of(weigh, parts, word, 0)
        codes[CHOOSE] = address_of(choose, parts, word, 0)
        codes[PASS_ROUND] = address_of(pass_round, parts, 0, word, 0)
        codes[LEARN] = address_of(learn, parts, 0, 0, 0.0)


def compile_turn(arena: Arena) -> None:
    """Have all four compiled as one, which is what a simulation needs: a call for each would be a tenth of its time."""
    codes = arena.head.codes
    if not codes[TURN]:
        codes[TURN] = address_of(_turn, Handle(arena.part), 0, 0.0, np.uint64(0), 0)


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
def weigh(handle: Handle, seed: Word, replicate: int) -> None:
    """Write to the desk what each arm is worth this round and what it costs."""
    parts: Parts = held(handle)
    desk = parts.desk
    clock = desk.clock[0]
    if clock.round == clock.end and clock.round > 0:
        _next_epoch(parts)
    now = Now(clock.round, seed, replicate, clock.round - clock.start)
    reward_bounds(parts.rewards, now, desk.reward_bounds)
    cost_bounds(parts.costs, now, desk.cost_bounds)


@compiled
def _play_for_sure(desk: Desk, arm: int, status: int) -> int:
    desk.shares[:] = 0.0
    desk.prices[:] = 0.0
    desk.shares[arm] = 1.0
    desk.status[0] = status
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
def choose(handle: Handle, seed: Word, replicate: int) -> int:
    """The arm of this round, of those that were weighed; -1 for an idle round. The desk shows why."""
    parts: Parts = held(handle)
    desk = parts.desk
    clock = desk.clock[0]
    unknown = -1
    for a in range(desk.pulls.size):
        if not desk.available[a]:
            continue
        if desk.terms[0].first_pulls and desk.pulls[a] == 0:
            return _play_for_sure(desk, a, Status.FIRST_PULL)
        if desk.reward_bounds[a] == np.inf and (unknown < 0 or _sooner(desk, a, unknown)):
            unknown = a
    if unknown >= 0:
        return _play_for_sure(desk, unknown, Status.UNKNOWN)
    desk.prices[:] = 0.0  # for allocations that find none in some rounds
    now = Now(clock.round, seed, replicate, clock.round - clock.start)
    look(parts.allocation, parts.rewards, parts.costs, desk, now)
    desk.status[0] = allocate(parts.allocation, desk, now)
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
        reserve(desk.ledger, 1.0)
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
    reserve(desk.ledger, -1.0)
    book(desk.ledger.spent, desk.taken)
    if round_ < desk.clock[0].start:
        return  # a restart has forgotten that round
    learn_reward(parts.rewards, round_, arm, desk.memo, reward)
    learn_costs(parts.costs, round_, arm, desk.taken)
    learn_outcome(parts.allocation, desk, round_, arm, reward)


@compiled
def decide(machine: Machine, seed: Word, replicate: int) -> int:
    """The arm of this round, -1 for an idle round."""
    call_for_nothing(machine.codes[WEIGH], (machine.parts, seed, replicate))
    return call_for_whole(machine.codes[CHOOSE], (machine.parts, seed, replicate))


@compiled
def _turn(handle: Handle, arm: int, reward: float, seed: Word, replicate: int) -> int:
    parts: Parts = held(handle)
    if arm > BEFORE:
        round_ = parts.desk.clock[0].round
        pass_round(handle, arm, seed, replicate)
        if arm >= 0:
            learn(handle, round_, arm, reward)
    weigh(handle, seed, replicate)
    return choose(handle, seed, replicate)


@compiled
def turn(machine: Machine, arm: int, reward: float, seed: Word, replicate: int) -> int:
    """End the last round, in which this arm was played (-1: none, BEFORE: there was no round), and decide the next."""
    return call_for_whole(machine.codes[TURN], (machine.parts, arm, reward, seed, replicate))
