"""The desk that a decision is worked out on, and how an arm is drawn from its shares."""

from typing import Any, NamedTuple

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.records import record_type

# What a pull leaves behind for the time when its outcome comes: a few numbers, and whose they are.
MEMO = 4  # numbers; the first two are the reward estimate's
CHANCE = 2  # the probability that the arm was drawn with
OWN_NOTE = 3  # the allocation's
CLOCK = record_type((), ("round", "start", "end", "horizon", "first_pulls", "status", "last"))


class Desk(NamedTuple):
    """Where a decision is worked out."""

    reward_bounds: Vector  # (arm,)
    cost_bounds: Vector  # (arm, resource)
    shares: Vector  # (arm,)
    prices: Vector  # (resource,)
    rates: Vector  # (resource,)
    spent: Vector  # (resource,), scaled
    pulls: Any  # (arm,) since the start of the epoch
    memo: Vector  # (number,) what learning from this round will need, or needs now
    taken: Vector  # (resource,) the costs to learn from, scaled into [0, 1]
    available: Any  # (arm,) which arms are possible this round
    clock: Any  # (1,) the round; start and end of the epoch, end 0 without doubling; last status and arm


@compiled
def rounds_left(desk: Desk) -> int:
    """Rounds to come, this one included."""
    clock = desk.clock[0]
    end = clock.end if clock.end > 0 else clock.horizon
    return max(end - clock.round, 1)


@compiled
def epoch_length(desk: Desk) -> float:
    """Rounds of the game, or of the epoch that the doubling trick is in."""
    clock = desk.clock[0]
    return float(clock.end - clock.start if clock.end > 0 else clock.horizon)


@compiled
def left_of(desk: Desk, j: int) -> float:
    """What is left of a budget, scaled; with doubling, of what it grants until the end of the epoch."""
    clock = desk.clock[0]
    return max(desk.rates[j] * (clock.end if clock.end > 0 else clock.horizon) - desk.spent[j], 0.0)


@compiled
def largest(rewards: Vector, available: Any) -> int:
    """The available arm with the largest value, the first of equals; -1 when there is none."""
    best = -1
    for a in range(rewards.size):
        if available[a] and (best < 0 or rewards[a] > rewards[best]):
            best = a
    return best


@compiled
def draw(shares: Vector, number: float) -> int:
    """The arm that a uniform number falls on, -1 for the idle remainder."""
    total = 0.0
    last = -1
    for a in range(shares.size):
        total += shares[a]
        if shares[a] > 0.0:
            last = a
        if number < total:
            return a
    # Shares that sum to one but for rounding leave no idle remainder.
    return last if total > 1.0 - 1e-9 else -1
