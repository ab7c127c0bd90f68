"""What planners take to be left of everything: budgets, caps, and the turns that gaps leave."""

import math
from typing import Any

from roguewk.kernel.compile import compiled
from roguewk.part.desk import (
    Desk,
    counts_pulls,
    is_hard,
    rounds_in_period,
    rounds_left,
    stranded,
    used_of,
    usual_cost,
    usual_rate,
)
from roguewk.problem.limits import left_in_period
from roguewk.problem.occasions import chance_of
from roguewk.relax.cycles import in_rounds

EVER = 1 << 40  # rounds: longer than any period
TINY = 1e-9
NOT_FIXED = -1.0
PLENTY = 32.0  # for each round, of which a pull takes one at the most; also when luck leaves a sixteenth


@compiled
def list_costs(part: Any, desk: Desk) -> None:
    """What a pull of each arm takes of each resource, and of the turns that a gap leaves."""
    resources = part.budgets.size
    for a in range(part.notes.costs.shape[0]):
        for j in range(part.notes.costs.shape[1]):
            if j < resources:
                part.notes.costs[a, j] = desk.cost_bounds[a, j]
            else:
                part.notes.costs[a, j] = 1.0 if desk.limits.kept_apart[j - resources, a] else 0.0


@compiled
def next_span(desk: Desk, span: int) -> int:
    """The longest period of what renews that is shorter than this, 0 if there is none."""
    longest = 0
    for j in range(desk.limits.periods.size):
        if desk.limits.renews[j] and desk.limits.periods[j] < span:
            longest = max(longest, desk.limits.periods[j])
    return longest


@compiled
def foresee(part: Any, desk: Desk, span: int) -> None:
    """Note what is left of everything, for the prices of what has a period as long as `span`.

    Of that, as much as if all rounds were like those until it renews. What renews sooner will be as in periods to come.
    What lasts longer keeps the price that it has: a week in which little can be done is no reason to do more of what
    takes from the year. The same holds for what is not hard, which is the longest.
    """
    resources, left = part.budgets.size, part.plan[0].left
    for j in range(part.notes.remaining.size):
        part.notes.fixed[j], part.notes.steps[j], part.notes.hazards[j] = NOT_FIXED, 0.0, 1.0
        if j >= resources:
            part.notes.remaining[j] = left / desk.limits.gaps[j - resources]
            continue
        renews = is_hard(desk, j) and desk.limits.renews[j]
        if (not renews and span < EVER) or (renews and desk.limits.periods[j] > span):
            part.notes.fixed[j], part.notes.remaining[j] = part.charges[j], PLENTY * left
        elif renews and desk.limits.periods[j] < span:
            part.notes.remaining[j] = left * usual_rate(desk, j)
        elif is_hard(desk, j):
            _foresee_period(part, desk, j)
        else:
            part.notes.remaining[j] = _remaining(part, desk, j)


@compiled
def _foresee_period(part: Any, desk: Desk, j: int) -> None:
    """Note what is left until it renews.

    A pull now leaves less for the rounds after this one: what it takes is worth what that would bring in these.
    """
    left, after = part.plan[0].left, rounds_in_period(desk, j) - 1
    there = max(left_in_period(desk.limits, j) - stranded(desk, j), 0.0)
    part.notes.remaining[j] = left * min(there / max(after, TINY), PLENTY)
    # The last pulls that a cap allows are charged by themselves (`few_pulls.py`).
    part.notes.steps[j] = 0.0 if counts_pulls(desk, j) else min(usual_cost(desk, j) / max(there, TINY), 1.0)
    part.notes.hazards[j] = math.sqrt(left / max(after, 1.0))


@compiled
def foresee_cycle(part: Any, desk: Desk, span: int) -> None:
    """Note what each way of using an arm has in the rounds until what renews after `span` does, as cycles go on."""
    rounds, now = part.plan[0].left, desk.clock[0].round
    if span < EVER:
        rounds = min(rounds, span - now % span)
    for a in range(part.notes.more_pulls.shape[0]):
        for k in range(part.notes.more_pulls.shape[1]):
            pulls, reward = -part.cycle.usual[a, k, 0], -part.cycle.usual[a, k, 1]
            for draw in range(part.cycle.chances.size):
                often = chance_of(desk.occasions, draw) / max(part.cycle.chances[draw], TINY)
                pulls += often * in_rounds(part.cycle.pulls[a, k, draw], now, rounds)
                reward += often * in_rounds(part.cycle.rewards[a, k, draw], now, rounds)
            part.notes.more_pulls[a, k], part.notes.more_rewards[a, k] = pulls, reward


@compiled
def value_savings(part: Any, desk: Desk) -> None:
    """What carries over is never worth less than it will be later."""
    for j in range(desk.limits.periods.size):
        if desk.limits.carries[j]:
            part.charges[j] = max(part.charges[j], part.later[j])


@compiled
def _remaining(part: Any, desk: Desk, j: int) -> float:
    """What is left of a budget; where the horizon doubles, the end of an epoch is no reason to spend all of it."""
    clock = desk.clock[0]
    if clock.end == 0:
        return part.budgets[j] - used_of(desk, j)
    if part.may_idle:
        return desk.rates[j] * clock.end - used_of(desk, j)
    return desk.rates[j] * part.plan[0].left  # where every round must play, waiting cannot make up for what is spent


@compiled
def until_renewal(desk: Desk) -> float:
    """Rounds until the first of what is hard renews; until the end, if nothing does."""
    limits, soon = desk.limits, float(rounds_left(desk))
    for j in range(limits.periods.size):
        if limits.renews[j]:
            soon = min(soon, float(limits.periods[j] - desk.clock[0].round % limits.periods[j]))
    return soon


@compiled
def free_anyway(part: Any, desk: Desk, a: int) -> float:
    """What of the price of a turn a pull now does not pay: the round itself, which would pass without one too."""
    gaps, free = desk.limits.gaps, 0.0
    for g in range(gaps.size):
        if desk.limits.kept_apart[g, a]:
            free += part.charges[part.budgets.size + g] / gaps[g]
    return free


@compiled
def turn_charge(part: Any, desk: Desk, a: int) -> float:
    """What a pull is charged for the turns that gaps take from others."""
    charge = 0.0
    for g in range(desk.limits.gaps.size):
        if desk.limits.kept_apart[g, a]:
            charge += part.charges[part.budgets.size + g]
    return charge - free_anyway(part, desk, a)
