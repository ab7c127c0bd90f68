"""One round of the world: what the arm that is pulled brings and takes, whether a budget is over, and how states move.

The engine's loop, the game played round by round, plain policies and the Gymnasium environment all play this one.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import ROUND, Now, words
from roguewk.kernel.memory import copy_into
from roguewk.kernel.records import record_type
from roguewk.problem.dynamics import move_all, shifted_reward
from roguewk.problem.ledger import WITHIN, book, first_over
from roguewk.problem.limits import (
    FREE,
    Limits,
    build_limits,
    forget_all,
    has_limits,
    hold,
    keeps_out,
    renew,
    settle_costs,
)
from roguewk.problem.problem import Problem
from roguewk.world.truth import Truth, draw_costs, draw_idle, draw_reward, occasion_of

NONE = -1  # the arm of an idle round
_OUTCOME = record_type(("reward", "mean"), ("arm", "over"))


class Motion(NamedTuple):
    """A world in motion; `costs` and `outcome` are those of the last round."""

    truth: Truth
    states: Vector  # (arm, coordinate)
    limits: Limits  # what is hard, with costs scaled
    spent: Vector  # (resource,) in the user's units
    costs: Vector  # (resource,) in the user's units
    outcome: Any  # (1,) record: reward, its mean, arm, and the first resource whose budget is over, or WITHIN
    spare: Vector  # (coordinate,)
    scaled: Vector  # (resource,) costs


def build_motion(problem: Problem, truth: Truth) -> Motion:
    """The world of this truth before its first round."""
    spent, costs, scaled = np.zeros((3, truth.budgets.size))
    outcome = np.zeros(1, dtype=_OUTCOME)
    outcome["arm"], outcome["over"] = NONE, WITHIN
    spare = np.zeros(truth.x0.shape[1])
    return Motion(truth, truth.x0.copy(), build_limits(problem), spent, costs, outcome, spare, scaled)


@compiled
def begin_anew(motion: Motion) -> None:
    """Return to before the first round."""
    copy_into(motion.states, motion.truth.x0)
    forget_all(motion.limits)
    motion.spent[:] = 0.0
    motion.outcome[0].over = WITHIN


@compiled
def leave_out(motion: Motion, round_: int, available: Any) -> None:
    """Make arms, (arm,), unavailable that what is hard leaves out in this round."""
    if has_limits(motion.limits):
        renew(motion.limits, round_)
        for a in range(available.size):
            available[a] = available[a] and keeps_out(motion.limits, a, round_) == FREE


@compiled
def leave_out_forbidden(motion: Motion, now: Now, available: Any) -> None:
    """Make arms, (arm,), unavailable that are forbidden in the contexts of this round."""
    if motion.truth.barred.shape[0] > 0:
        occasion = occasion_of(motion.truth, now)
        for a in range(available.size):
            available[a] = available[a] and not motion.truth.barred[occasion, a]


@compiled
def _account(motion: Motion, arm: int, round_: int) -> None:
    hold(motion.limits, arm, round_)
    for j in range(motion.scaled.size):
        motion.scaled[j] = motion.costs[j] / motion.truth.scales[j]
    settle_costs(motion.limits, arm, round_, motion.scaled)


@compiled
def play_round(motion: Motion, arm: int, now: Now) -> None:
    """Let the world answer to this arm, or to NONE.

    The round that breaks a budget takes its costs, brings what an idle one does, and ends the game: no state moves any
    more.
    """
    truth, outcome = motion.truth, motion.outcome[0]
    outcome.arm = arm
    outcome.over = WITHIN
    if arm < 0:  # not `arm == NONE`: below, the compiler then knows that no index counts from the end
        motion.costs[:] = 0.0
        outcome.reward, outcome.mean = draw_idle(truth, now)
    else:
        # Drawn before it is known to count: waiting for the costs takes longer than a reward that is not needed.
        word = words(now, ROUND, 0)
        shift = 0.0
        if truth.shifts.shape[0] > 0:
            shift = truth.shifts[occasion_of(truth, now), arm]
        mean = shifted_reward(truth.dynamics, arm, motion.states[arm], shift)
        reward = draw_reward(truth, arm, mean, word[0], word[1])
        draw_costs(truth, arm, now.seed, now.replicate, now.round, motion.costs)
        book(motion.spent, motion.costs)
        if has_limits(motion.limits):
            _account(motion, arm, now.round)
        outcome.over = first_over(motion.spent, truth.budgets)
        if outcome.over != WITHIN:
            outcome.reward, outcome.mean = draw_idle(truth, now)
            return
        outcome.mean, outcome.reward = mean, reward
    move_all(truth.dynamics, motion.states, arm, motion.spare)
