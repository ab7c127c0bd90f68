"""What planners take to be left of everything: budgets, caps, and the turns that gaps leave."""

from typing import Any

from roguewk.kernel.compile import compiled
from roguewk.part.desk import Desk, is_hard, rate_left, rounds_left, usable, used_of


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
def foresee(part: Any, desk: Desk, now: bool) -> None:
    """Note what is left of everything; of what is hard, as much as if all rounds were like those of this period.

    Or like those of later periods, if it is not about `now`.
    """
    resources, left = part.budgets.size, part.plan[0].left
    for j in range(part.notes.remaining.size):
        if j >= resources:
            part.notes.remaining[j] = left / desk.limits.gaps[j - resources]
        elif is_hard(desk, j):
            later = not now and desk.limits.renews[j]
            rate = usable(desk, j) / desk.limits.periods[j] if later else rate_left(desk, j)
            part.notes.remaining[j] = left * rate
        else:
            part.notes.remaining[j] = _remaining(part, desk, j)


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
