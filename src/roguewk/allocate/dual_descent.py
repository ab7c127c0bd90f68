"""Gradient descent of the prices (Castiglioni, Celli and Kroer 2022).

`lambda_j <- lambda_j - eta (b_j - c_j)`, kept inside [0, 1 / b_j]. EXP3 draws the arm, and learns from `r - lambda .
c`, scaled into [0, 1]; an idle round has r = 0 and c = 0. The step `eta = step / sqrt(T)` and EXP3's `mixing = sqrt(K
log K / ((e - 1) T))` are as commonly quoted; the paper itself asks for a primal with guarantees of high probability.
Prices move from decision to decision: an outcome that comes late is charged those of the last decision.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.allocate.exponential import (
    Exponential,
    add_payoff,
    build_exponential,
    choices_of,
    fitting,
    mix,
)
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Learned
from roguewk.part.desk import CHANCE, Desk, epoch_length
from roguewk.part.parameter import above_zero
from roguewk.part.part import ALLOCATE, Part
from roguewk.part.status import Status
from roguewk.part.verbs import allocate, learn_outcome, settle
from roguewk.problem.problem import Problem


class DualDescent(NamedTuple):
    """The allocation of dual-descent."""

    primal: Exponential
    multipliers: Learned[Vector]  # (resource,) lambda
    overspent: Learned[Vector]  # (resource,) sum of c_j - b_j since the last decision
    worst: float  # sum of 1 / b_j: what a pull may be charged
    step: float
    primal_rate: float  # multiplies EXP3's learning


def _build(problem: Problem, step: float, primal_rate: float) -> DualDescent:
    worst = float((1.0 / problem.rates).sum())
    multipliers, overspent = np.zeros((2, len(problem.resources)))
    return DualDescent(build_exponential(problem), multipliers, overspent, worst, step, primal_rate)


@compiled
def _descend(part: DualDescent, desk: Desk) -> None:
    eta = part.step / math.sqrt(epoch_length(desk))
    for j in range(part.multipliers.size):
        moved = part.multipliers[j] + eta * part.overspent[j]
        part.multipliers[j] = min(max(moved, 0.0), 1.0 / desk.rates[j])
        part.overspent[j] = 0.0


@allocate.body(DualDescent)
def _allocate(part: DualDescent, desk: Desk, now: Now) -> int:
    _descend(part, desk)
    choices = max(choices_of(part.primal, desk), 1.0)
    mixing = min(math.sqrt(choices * math.log(choices) / ((math.e - 1.0) * epoch_length(desk))), 1.0)
    for j in range(desk.prices.size):
        desk.prices[j] = part.multipliers[j]
    return mix(part.primal, desk, part.primal_rate * mixing / choices, mixing)


@settle.body(DualDescent)
def _settle(part: DualDescent, desk: Desk, arm: int) -> None:
    if arm >= 0:
        return
    if desk.status[0] == Status.MIXED:
        idle = desk.shares.size
        add_payoff(part.primal, idle, part.worst / (1.0 + part.worst), part.primal.chances[idle])
    for j in range(part.overspent.size):
        part.overspent[j] -= desk.rates[j]


@learn_outcome.body(DualDescent)
def _learn_outcome(part: DualDescent, desk: Desk, round_: int, arm: int, reward: float) -> None:
    payoff = reward + part.worst
    for j in range(part.multipliers.size):
        payoff -= part.multipliers[j] * desk.taken[j]
        part.overspent[j] += desk.taken[j] - desk.rates[j]
    if not math.isnan(reward):
        add_payoff(part.primal, arm, payoff / (1.0 + part.worst), desk.memo[CHANCE])


DUAL_DESCENT = Part(
    role=ALLOCATE,
    name="dual-descent",
    summary="EXP3 draws the arm, at prices that rise when a budget is spent faster than it lasts",
    build=_build,
    parameters={
        "step": above_zero(1.0, "of the prices, times sqrt(T)"),
        "primal_rate": above_zero(1.0, "multiplies the learning rate of EXP3"),
    },
    check=fitting("dual-descent"),
)
PARTS = (DUAL_DESCENT,)
