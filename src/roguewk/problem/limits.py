"""What is hard: budgets that renew, caps and gaps, of which no policy ever takes more than there is.

Of a budget that renews, the most that a pull may take is held from the round of the pull until its costs are told, and
counts in the period of that round, however late they are. An arm that may take more than is left is not available. A
pull that somebody else made may take it all the same: it counts like any, and arms that take of the budget are not
pulled until there is enough.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.memory import Constant, Learned
from roguewk.problem.ledger import SLACK
from roguewk.problem.problem import Problem, members

FREE = -1  # what keeps no arm from being pulled
FOREVER = 1 << 40  # rounds: later than any game lasts


class Limits(NamedTuple):
    """The accounts of what is hard; all arrays are empty where no limit is. Amounts are scaled like costs."""

    periods: Constant[Any]  # (resource,) rounds, 0 where a budget is not hard
    renews: Constant[Any]  # (resource,) whether it does, or is for the whole game, however long that is
    grants: Constant[Vector]  # (resource,) what a period brings
    carries: Constant[Any]  # (resource,) whether what is left stays for the next period
    most: Constant[Vector]  # (arm, resource) what a pull may take
    held: Learned[Vector]  # (resource,) spent in this period (in all that carry over), or held for open pulls
    period: Learned[Any]  # (resource,) the number of this period
    gaps: Constant[Any]  # (gap,) rounds from one pull to the next
    kept_apart: Constant[Any]  # (gap, arm) of which arms
    next_free: Learned[Any]  # (gap,) the first round in which one of them may be pulled
    before: Learned[Any]  # (gap,) what it was before the last pull of one of them


def build_limits(problem: Problem) -> Limits:
    """Nothing spent and nothing pulled."""
    hard = problem.hard if problem.limited else problem.hard[:0]
    count, gaps = hard.size, len(problem.gaps)
    renews = np.array([resource.every is not None for resource in problem.resources[:count]], dtype=np.bool_)
    return Limits(
        periods=np.where(hard, problem.periods[:count], 0),
        renews=renews,
        grants=(problem.budgets / problem.scales)[:count],
        carries=np.array([resource.carry_over for resource in problem.resources[:count]], dtype=np.bool_),
        most=problem.scaled_most[:, :count] * hard,
        held=np.zeros(count),
        period=np.zeros(count, dtype=np.int64),
        gaps=np.array([problem.gap_rounds(gap) for gap in problem.gaps], dtype=np.int64),
        kept_apart=np.array([members(problem, gap.arms) for gap in problem.gaps], dtype=np.bool_).reshape(
            gaps, len(problem.arms)
        ),
        next_free=np.zeros(gaps, dtype=np.int64),
        before=np.zeros(gaps, dtype=np.int64),
    )


@compiled
def has_limits(limits: Limits) -> bool:
    """Whether anything is hard."""
    return limits.periods.size + limits.gaps.size > 0


@compiled
def forget_all(limits: Limits) -> None:
    """Return to before the first round."""
    limits.held[:] = 0.0
    limits.period[:] = 0
    limits.next_free[:] = 0
    limits.before[:] = 0


@compiled
def renew(limits: Limits, round_: int) -> None:
    """Begin the periods that this round is the first of."""
    for j in range(limits.periods.size):
        if limits.renews[j]:
            number = round_ // limits.periods[j]
            if number != limits.period[j]:
                limits.period[j] = number
                if not limits.carries[j]:
                    limits.held[j] = 0.0


@compiled
def left_in_period(limits: Limits, j: int) -> float:
    """What may still be taken of a hard budget in this period."""
    granted = limits.grants[j] * (limits.period[j] + 1.0) if limits.carries[j] else limits.grants[j]
    return granted - limits.held[j]


@compiled
def _renewed_enough(limits: Limits, arm: int, j: int) -> int:
    """The first round in which a hard budget has what this arm may take, if nothing else is taken of it."""
    wanting = limits.most[arm, j] - left_in_period(limits, j) - SLACK * limits.grants[j]
    if wanting <= 0.0 or limits.most[arm, j] == 0.0:  # somebody else may have left less than nothing
        return 0
    if not limits.renews[j] or (not limits.carries[j] and wanting > limits.held[j]):
        return FOREVER  # not even a whole budget would do
    periods = math.ceil(wanting / limits.grants[j]) if limits.carries[j] else 1
    return (limits.period[j] + int(periods)) * limits.periods[j]


@compiled
def kept_until(limits: Limits, arm: int, row: int) -> int:
    """The first round in which a resource, or a gap after all resources, does not keep this arm from being pulled."""
    resources = limits.most.shape[1]
    if row >= resources:
        gap = row - resources
        return limits.next_free[gap] if limits.kept_apart[gap, arm] else 0
    return _renewed_enough(limits, arm, row) if limits.periods[row] > 0 else 0


@compiled
def keeps_out(limits: Limits, arm: int, round_: int) -> int:
    """What keeps an arm from being pulled in this round: a resource, a gap after all resources, or FREE."""
    for row in range(limits.most.shape[1] + limits.gaps.size):
        if kept_until(limits, arm, row) > round_:
            return row
    return FREE


@compiled
def most_of(limits: Limits, open_: Any, out: Vector) -> None:
    """Write what open pulls, (arm,), may take at the most of what is hard to `out`, (resource,)."""
    for j in range(limits.periods.size):
        if limits.periods[j] > 0:
            out[j] = 0.0
            for a in range(open_.size):
                out[j] += open_[a] * limits.most[a, j]


@compiled
def hold(limits: Limits, arm: int, round_: int) -> None:
    """Note a pull in this round, of which the costs have not come."""
    renew(limits, round_)
    for j in range(limits.periods.size):
        limits.held[j] += limits.most[arm, j]
    for g in range(limits.gaps.size):
        if limits.kept_apart[g, arm]:
            limits.before[g] = limits.next_free[g]
            limits.next_free[g] = round_ + limits.gaps[g]


@compiled
def _change(limits: Limits, j: int, round_: int, amount: float) -> None:
    """What is held differs by this much, if it is still the period of that round."""
    for_good = limits.carries[j] or not limits.renews[j]
    if limits.periods[j] > 0 and (for_good or round_ // limits.periods[j] == limits.period[j]):
        limits.held[j] += amount


@compiled
def settle_costs(limits: Limits, arm: int, round_: int, costs: Vector) -> None:
    """Take what a pull of that round has cost for what was held for it."""
    for j in range(limits.periods.size):
        _change(limits, j, round_, costs[j] - limits.most[arm, j])


@compiled
def let_go(limits: Limits, arm: int, round_: int) -> None:
    """Undo a pull of that round: it did not take place."""
    for j in range(limits.periods.size):
        _change(limits, j, round_, -limits.most[arm, j])
    for g in range(limits.gaps.size):
        # Only of the last pull: an earlier one keeps nothing apart any more, unless somebody pulled too soon. Of
        # such pulls one is remembered: after several, arms may be kept apart longer than they must, never shorter.
        if limits.kept_apart[g, arm] and limits.next_free[g] == round_ + limits.gaps[g]:
            limits.next_free[g] = limits.before[g]


@compiled
def correct_held(limits: Limits, round_: int, more: Vector) -> None:
    """What a pull of that round has cost is so much more than was told, (resource,)."""
    for j in range(limits.periods.size):
        _change(limits, j, round_, more[j])
