"""The desk that a decision is worked out on, and how an arm is drawn from its shares."""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.memory import Constant, Learned, Scratch
from roguewk.kernel.records import record_type
from roguewk.part.baseline import BaselineEstimate, build_baseline, expected_idle
from roguewk.problem.ledger import Ledger
from roguewk.problem.limits import Limits, build_limits, left_in_period
from roguewk.problem.occasions import Occasions, build_occasions
from roguewk.problem.problem import Problem

# What a pull leaves behind for the time when its outcome comes: a few numbers, and whose they are.
LEAST_USABLE = 0.1  # of a budget
SMOOTHED = 0.5  # periods; chosen on worlds of which the docs tell (docs/quality.md)
MEMO = 5  # numbers; the first two are the reward estimate's
CHANCE = 2  # the probability that the arm was drawn with
OWN_NOTE = 3  # the allocation's
SHIFT = 4  # of the level of the arm, by the contexts of the round
CLOCK = record_type((), ("round", "start", "end", "last"))
TERMS = record_type((), ("horizon", "first_pulls"))


class Desk(NamedTuple):
    """Where a decision is worked out."""

    reward_bounds: Scratch[Vector]  # (arm,)
    cost_bounds: Scratch[Vector]  # (arm, resource)
    shares: Scratch[Vector]  # (arm,)
    prices: Scratch[Vector]  # (resource,)
    idle: Scratch[Vector]  # (1,) what an idle round brings now; none where that is nothing
    memo: Scratch[Vector]  # (number,) what learning from this round will need, or needs now
    taken: Scratch[Vector]  # (resource,) the costs to learn from, scaled into [0, 1]
    available: Scratch[Any]  # (arm,) which arms are possible this round
    status: Scratch[Any]  # (1,) how the arm was chosen
    known_costs: Constant[Vector]  # (arm, resource) mean costs that are known, NaN for others; no row if none is
    rates: Constant[Vector]  # (resource,)
    terms: Constant[Any]  # (1,) the horizon, and whether each arm is pulled once first
    ledger: Ledger  # scaled, so that the largest cost is 1; what is hard is never over
    limits: Limits  # what is hard
    occasions: Occasions
    baseline: BaselineEstimate  # what idle rounds bring
    shown: Learned[Any]  # (arm + 1,) rounds in which it was available, and last those that were looked at
    pulls: Learned[Any]  # (arm,) since the start of the epoch
    clock: Learned[Any]  # (1,) the round; start and end of the epoch, end 0 without doubling; the last arm


def build_desk(problem: Problem, first_pulls: bool, doubling: int, uses_contexts: bool) -> Desk:
    """A desk before the first round; `doubling` is the length of the first epoch, 0 if the horizon is known."""
    arms, resources = len(problem.arms), len(problem.resources)
    clock, terms = np.zeros(1, dtype=CLOCK), np.zeros(1, dtype=TERMS)
    clock["end"], clock["last"] = doubling, -1
    terms["horizon"], terms["first_pulls"] = problem.horizon, first_pulls
    return Desk(
        reward_bounds=np.zeros(arms),
        cost_bounds=np.zeros((arms, resources)),
        shares=np.zeros(arms),
        prices=np.zeros(resources),
        idle=np.zeros(0 if problem.baseline is None else 1),
        memo=np.zeros(MEMO),
        taken=np.zeros(resources),
        available=np.ones(arms, dtype=np.bool_),
        status=np.zeros(1, dtype=np.int64),
        known_costs=problem.scaled_costs,
        rates=problem.rates,
        terms=terms,
        ledger=_ledger(problem),
        limits=build_limits(problem),
        occasions=build_occasions(problem, uses_contexts),
        baseline=build_baseline(problem),
        shown=np.zeros(arms + 1, dtype=np.int64),
        pulls=np.zeros(arms, dtype=np.int64),
        clock=clock,
    )


def _ledger(problem: Problem) -> Ledger:
    """Nothing spent and nothing open."""
    spent, expected, reserved = np.zeros((3, len(problem.resources)))
    return Ledger(
        budgets=np.where(problem.hard, np.inf, problem.budgets / problem.scales),
        most=problem.scaled_most,
        spent=spent,
        open=np.zeros(len(problem.arms), dtype=np.int64),
        expected=expected,
        reserved=reserved,
    )


@compiled
def note_available(desk: Desk) -> None:
    """Count which arms are available this round, for those who plan with how often that is."""
    arms = desk.available.size
    for a in range(arms):
        desk.shown[a] += desk.available[a]
    desk.shown[arms] += 1


@compiled
def end_of(desk: Desk) -> int:
    """The first round that will not be played, or that of the next epoch."""
    end = desk.clock[0].end
    return end if end > 0 else desk.terms[0].horizon


@compiled
def rounds_left(desk: Desk) -> int:
    """Rounds to come, this one included."""
    return max(end_of(desk) - desk.clock[0].round, 1)


@compiled
def epoch_length(desk: Desk) -> float:
    """Rounds of the game, or of the epoch that the doubling trick is in."""
    clock = desk.clock[0]
    return float(clock.end - clock.start if clock.end > 0 else desk.terms[0].horizon)


@compiled
def baseline_now(desk: Desk) -> float:
    """What this round is taken to bring if nothing is done in it."""
    return expected_idle(desk.baseline, desk.clock[0].round)


@compiled
def baseline_to_come(desk: Desk) -> float:
    """What a round to come is taken to bring on average if nothing is done in it."""
    return expected_idle(desk.baseline, desk.clock[0].round + rounds_left(desk) // 2)


@compiled
def used_of(desk: Desk, j: int) -> float:
    """What is spent of a budget, with what open pulls are expected to cost."""
    return desk.ledger.spent[j] + desk.ledger.expected[j]


@compiled
def left_of(desk: Desk, j: int) -> float:
    """What is left of a budget, scaled; with doubling, of what it grants until the end of the epoch."""
    return max(desk.rates[j] * end_of(desk) - used_of(desk, j), 0.0)


@compiled
def is_hard(desk: Desk, j: int) -> bool:
    """Whether no pull may take more than is left of a budget."""
    return desk.limits.periods.size > 0 and desk.limits.periods[j] > 0


@compiled
def rate_left(desk: Desk, j: int) -> float:
    """What is left of a budget for each round to come; of what carries over no more than evenly over all of them."""
    if not is_hard(desk, j):
        return left_of(desk, j) / rounds_left(desk)
    rate = rate_in_period(desk, j)
    return min(rate, usual_rate(desk, j)) if desk.limits.carries[j] else rate


@compiled
def rate_in_period(desk: Desk, j: int) -> float:
    """What is left of a hard budget for each round until it renews, with some of the usual rate.

    Where few rounds are left of a period, one pull more or less would move the rate, and so the price, up and down.
    """
    if not desk.limits.renews[j]:
        return max(left_in_period(desk.limits, j), 0.0) / rounds_left(desk)
    to_come = rounds_in_period(desk, j)
    left = max(left_in_period(desk.limits, j) - stranded(desk, j), 0.0)
    return (left / to_come + SMOOTHED * usual_rate(desk, j)) / (1.0 + SMOOTHED)


@compiled
def rounds_in_period(desk: Desk, j: int) -> int:
    """Rounds until a hard budget renews, this one included; until the end, if it does not."""
    if not desk.limits.renews[j]:
        return rounds_left(desk)
    period = desk.limits.periods[j]
    return min(period - desk.clock[0].round % period, rounds_left(desk))


@compiled
def usual_cost(desk: Desk, j: int) -> float:
    """What a pull takes of a hard budget, on average over the arms that do."""
    takers, total = 0, 0.0
    for a in range(desk.limits.most.shape[0]):
        if desk.limits.most[a, j] > 0.0:
            takers += 1
            total += desk.cost_bounds[a, j]
    return total / max(takers, 1)


@compiled
def usual_rate(desk: Desk, j: int) -> float:
    """What of a budget that renews there is for each round of periods to come; of one that carries over, with this."""
    limits, period = desk.limits, desk.limits.periods[j]
    if not limits.carries[j]:
        return usable(desk, j) / period
    later = (end_of(desk) - 1) // period - desk.clock[0].round // period  # periods
    left = left_in_period(limits, j) + later * limits.grants[j] - stranded(desk, j)
    return max(left, 0.0) / rounds_left(desk)


@compiled
def counts_pulls(desk: Desk, j: int) -> bool:
    """Whether what is hard is a cap, of which every pull takes the same."""
    for a in range(desk.limits.most.shape[0]):
        if desk.limits.most[a, j] > 0.0 and desk.cost_bounds[a, j] < desk.limits.most[a, j]:
            return False
    return True


@compiled
def stranded(desk: Desk, j: int) -> float:
    """What stays of a hard budget in the end, as any pull might take more than that: on average over arms."""
    most, takers, spare = desk.limits.most, 0, 0.0
    for a in range(most.shape[0]):
        if most[a, j] > 0.0:
            takers += 1
            spare += max(most[a, j] - desk.cost_bounds[a, j], 0.0)
    return spare / max(takers, 1)


@compiled
def usable(desk: Desk, j: int) -> float:
    """What of a budget that does not carry over can be used in a period."""
    grant = desk.limits.grants[j]
    return max(grant - stranded(desk, j), LEAST_USABLE * grant)


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
