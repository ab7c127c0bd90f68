"""A policy in motion: its parts in one block of memory, and the four things done with them each round.

`weigh` works out what each arm is worth now and what it costs, `choose` makes an arm of that, `pass_round` lets the
round pass with it, `learn` takes in what it brought. For every combination of parts they are compiled as one function,
which does those of them that it is asked for. It is called by its address, so that what drives a policy, the
simulator's loop and the online object, is compiled only once.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.address import call_by_address, compiled_by_address
from roguewk.kernel.arena import Arena, twin_of
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiling
from roguewk.kernel.handle import Handle, held
from roguewk.kernel.luck import ROUND, Now, Word, unit, words
from roguewk.kernel.memory import Constant, Learned
from roguewk.kernel.verbs import verb
from roguewk.part.baseline import forget_baseline, is_learned, learn_baseline
from roguewk.part.desk import CHANCE, SHIFT, Desk, baseline_now, build_desk, draw
from roguewk.part.status import Status
from roguewk.part.verbs import (
    advance,
    allocate,
    cost_bounds,
    learn_costs,
    learn_outcome,
    learn_reward,
    look,
    most_of_open,
    retract,
    reward_bounds,
    set_horizon,
    settle,
    start_afresh,
)
from roguewk.policy.keeping import keep_to_contexts, keep_to_limits
from roguewk.problem.ledger import book, expect, is_covered, keep_within_most, open_pulls
from roguewk.problem.limits import hold, let_go, most_of, settle_costs
from roguewk.problem.occasions import shift_bounds, shift_now
from roguewk.problem.problem import Problem

# What is done, added up. Costs and reward may come apart; an allocation learns once both have come.
WEIGH, CHOOSE, PASS_ROUND, LEARN_COSTS, LEARN_REWARD, LEARN_BOTH, TAKE_BACK, LEARN_IDLE = 1, 2, 4, 8, 16, 32, 64, 128
DECIDE = WEIGH + CHOOSE
LEARN = LEARN_COSTS + LEARN_REWARD + LEARN_BOTH
NEVER = math.nan  # in place of a reward that will never be known
IDLE = -1  # in place of an arm


class Past(NamedTuple):
    """A round that was played, the arm, IDLE if none, and its reward, or NEVER."""

    round: int
    arm: int
    reward: float


NO_PAST = Past(0, IDLE, 0.0)


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
    code: Constant[Any]  # (1,) the address of what is compiled for these parts; 0 until it is
    desk: Desk
    learned: Learned[Vector]  # (word,) the state
    start: Constant[Vector]  # (word,) the state before the first round


def assemble(
    problem: Problem,
    trio: tuple[Any, Any, Any],
    *,
    first_pulls: bool,
    doubling: int,
    restart: bool,
    uses_contexts: bool,
) -> Parts:
    """Parts for this problem; `first_pulls` plays each arm once first, `doubling` is the length of the first epoch."""
    for part in trio:
        set_horizon(part, float(doubling or problem.horizon))
    fresh: Any = Fresh(*map(twin_of, trio)) if restart and doubling else Continued(True)
    return Parts(*trio, build_desk(problem, first_pulls, doubling, uses_contexts), fresh)


def build_machine(parts: Parts) -> Arena:
    """These parts in motion; clones of it are policies of the same kind."""
    code = np.zeros(1, dtype=np.int64)

    def machine(placed: Parts, address: int, learned: Vector) -> Machine:
        return Machine(address, code, placed.desk, learned, learned.copy())

    return Arena(parts, machine)


def compile_machine(arena: Arena, what: str) -> None:
    """Have compiled what is done with a policy round by round, for it and all its clones."""
    code = arena.head.code
    if not code[0]:
        with compiling(what):
            code[0] = _act.address_of(Handle(arena.part), DECIDE, NO_PAST, np.uint64(0), 0)


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
    forget_baseline(parts.desk.baseline, clock.round)


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
    shift_bounds(desk.occasions, desk.reward_bounds)
    cost_bounds(parts.costs, now, desk.cost_bounds)
    for a in range(desk.known_costs.shape[0]):
        for j in range(desk.rates.size):
            if not math.isnan(desk.known_costs[a, j]):
                desk.cost_bounds[a, j] = desk.known_costs[a, j]
    if desk.idle.size > 0:
        desk.idle[0] = baseline_now(desk)
    _weigh_open(parts)


@compiled
def _weigh_open(parts: Parts) -> None:
    """Work out what open pulls will cost, and may cost."""
    desk = parts.desk
    ledger = desk.ledger
    ledger.reserved[:] = 0.0
    ledger.expected[:] = 0.0
    if open_pulls(ledger) > 0:
        most_of_open(parts.costs, ledger.open, ledger.reserved)
        keep_within_most(ledger)
        most_of(desk.limits, ledger.open, ledger.reserved)
        expect(ledger, desk.cost_bounds)


@compiled
def _withhold(parts: Parts) -> bool:
    """Make arms unavailable that might overdraw a budget together with the open pulls; whether that left none."""
    desk = parts.desk
    ledger = desk.ledger
    if open_pulls(ledger) == 0:
        return False
    withheld = left = 0
    for a in range(desk.available.size):
        if desk.available[a]:
            ledger.open[a] += 1
            _weigh_open(parts)
            ledger.open[a] -= 1
            if is_covered(ledger, a):
                left += 1
            else:
                desk.available[a] = False
                withheld += 1
    _weigh_open(parts)
    return withheld > 0 and left == 0


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
    barred = keep_to_contexts(desk)
    limited = keep_to_limits(desk)
    reserved = _withhold(parts)
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
    status = allocate(parts.allocation, desk, now)
    if barred:
        status = Status.FORBIDDEN
    desk.status[0] = Status.LIMITED if limited else Status.RESERVED if reserved else status
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
        desk.memo[SHIFT] = shift_now(desk.occasions, arm) if desk.occasions.used else 0.0
        desk.ledger.open[arm] += 1
        hold(desk.limits, arm, clock.round)
    advance(parts.rewards, now, arm, desk.memo)
    advance(parts.costs, now, arm, desk.memo)
    settle(parts.allocation, desk, arm)
    if arm >= 0:
        desk.pulls[arm] += 1
    clock.last = arm
    clock.round += 1


@compiled
def learn(handle: Handle, what: int, past: Past) -> None:
    """Take in what has come of a past round; its memo and its costs are on the desk."""
    parts: Parts = held(handle)
    desk = parts.desk
    if what & LEARN_COSTS:
        desk.ledger.open[past.arm] -= 1
        book(desk.ledger.spent, desk.taken)
        settle_costs(desk.limits, past.arm, past.round, desk.taken)
    if past.round < desk.clock[0].start:
        return  # a restart has forgotten that round
    if what & LEARN_REWARD:
        learn_reward(parts.rewards, past.round, past.arm, desk.memo, past.reward)
    if what & LEARN_COSTS:
        learn_costs(parts.costs, past.round, past.arm, desk.taken)
    if what & LEARN_BOTH:
        learn_outcome(parts.allocation, desk, past.round, past.arm, past.reward)


@compiled
def idle_lesson(desk: Desk) -> int:
    """What is to be learned when an idle round is over."""
    return LEARN_IDLE if is_learned(desk.baseline) else 0


@compiled
def _learn_idle(handle: Handle, past: Past) -> None:
    """Take in what an idle round brought, unless a restart has forgotten that round."""
    parts: Parts = held(handle)
    if past.round >= parts.desk.clock[0].start:
        learn_baseline(parts.desk.baseline, past.round, past.reward)


@compiled
def take_back(handle: Handle, past: Past) -> None:
    """Undo what a pull of a past round was taken to do: it did not take place."""
    parts: Parts = held(handle)
    desk = parts.desk
    clock = desk.clock[0]
    desk.ledger.open[past.arm] -= 1
    let_go(desk.limits, past.arm, past.round)
    if past.round >= clock.start:
        retract(parts.rewards, past.arm, desk.memo, clock.round - past.round)
        retract(parts.costs, past.arm, desk.memo, clock.round - past.round)
        desk.pulls[past.arm] -= 1


@compiled_by_address
def _act(handle: Handle, what: int, past: Past, seed: Word, replicate: int) -> int:
    if what & PASS_ROUND:
        pass_round(handle, past.arm, seed, replicate)
    if what & LEARN:
        learn(handle, what, past)
    if what & LEARN_IDLE:
        _learn_idle(handle, past)
    if what & TAKE_BACK:
        take_back(handle, past)
    if what & WEIGH:
        weigh(handle, seed, replicate)
    return choose(handle, seed, replicate) if what & CHOOSE else IDLE


@compiled
def act(machine: Machine, what: int, past: Past, seed: Word, replicate: int) -> int:
    """Do what is asked for: PASS_ROUND with an arm, LEARN or LEARN_IDLE of a past round, TAKE_BACK its pull, ...

    The arm that was chosen, IDLE for an idle round.
    """
    return call_by_address(machine.code[0], (machine.parts, what, past, seed, replicate))
