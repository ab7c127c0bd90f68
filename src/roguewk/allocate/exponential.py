"""Exponential weights over the arms and, where a round may be idle, over leaving it so (EXP3 and EXP3.P).

`p = (1 - mixing) w / sum w + mixing / K`, `w = exp(learning G)`, where G sums `payoff / p` of what was drawn and, each
round, `bias / p` of everything; payoffs are in [0, 1]. EXP3 has no bias (Auer et al. 2002).
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.allocate.scarcest import needs_resource
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.memory import Learned, Scratch
from roguewk.part.desk import Desk
from roguewk.part.part import unit_rewards
from roguewk.part.status import Status
from roguewk.problem.problem import Problem

SMALLEST = 1e-12  # of a probability that is divided by


class Exponential(NamedTuple):
    """Weights of the arms and, last, of an idle round."""

    gains: Learned[Vector]  # (choice,) estimated payoffs so far
    chances: Scratch[Vector]  # (choice,) this round; 0 if it is not open
    may_idle: bool


def build_exponential(problem: Problem) -> Exponential:
    """Equal weights."""
    gains, chances = np.zeros((2, len(problem.arms) + 1))
    return Exponential(gains, chances, problem.idle)


def fitting(name: str) -> Any:
    """A check for rewards in [0, 1] and something to spend."""
    rewards = unit_rewards(name, "the allocation 'lp' with the reward estimate 'ucb1'")
    resources = needs_resource(name)

    def check(problem: Problem) -> None:
        rewards(problem)
        resources(problem)

    return check


@compiled
def choices_of(part: Exponential, desk: Desk) -> float:
    """How many choices there are this round."""
    return float(desk.available.sum()) + (1.0 if part.may_idle else 0.0)


@compiled
def mix(part: Exponential, desk: Desk, learning: float, mixing: float) -> int:
    """Write the probabilities to `part.chances` and `desk.shares`; return a Status."""
    arms, choices = desk.shares.size, choices_of(part, desk)
    part.chances[:] = 0.0
    desk.shares[:] = 0.0
    if not choices > part.may_idle:
        return Status.NOTHING
    top, total = -math.inf, 0.0
    for k in range(arms + 1):
        if desk.available[k] if k < arms else part.may_idle:
            top = max(top, part.gains[k])
    for k in range(arms + 1):
        if desk.available[k] if k < arms else part.may_idle:
            part.chances[k] = math.exp(learning * (part.gains[k] - top))
            total += part.chances[k]
    for k in range(arms + 1):
        if part.chances[k] > 0.0 or (desk.available[k] if k < arms else part.may_idle):
            part.chances[k] = (1.0 - mixing) * part.chances[k] / total + mixing / choices
    for a in range(arms):
        desk.shares[a] = part.chances[a]
    return Status.MIXED


@compiled
def add_bias(part: Exponential, bias: float) -> None:
    """What EXP3.P grants every choice for being rare."""
    for k in range(part.gains.size):
        if part.chances[k] > 0.0:
            part.gains[k] += bias / max(part.chances[k], SMALLEST)


@compiled
def add_payoff(part: Exponential, choice: int, payoff: float, chance: float) -> None:
    """Take in the payoff of a choice that was made with this chance."""
    part.gains[choice] += payoff / max(chance, SMALLEST)
