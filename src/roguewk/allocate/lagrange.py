"""LagrangeBwK (Immorlica, Sankararaman, Schapire and Slivkins 2022): arms and resources play against each other.

The game has the payoff `L(a, j) = r + 1 - c_j / b_j` for the arms, and `L = r` for time, which is a resource too;
an idle round has r = 0 and c = 0. EXP3.P draws the arm and Hedge the resource; both see L scaled into [0, 1]. The
constants of EXP3.P, `learning = 0.95 sqrt(log K / (K T))`, `mixing = 1.05 sqrt(K log K / T)`, `bias = sqrt(log K /
(K T))`, and of Hedge, `sqrt(8 log d / T)` with time among the d, are as commonly quoted. This is the version for
stochastic costs.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.allocate.exponential import (
    Exponential,
    add_bias,
    add_payoff,
    build_exponential,
    choices_of,
    fitting,
    mix,
)
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import ALLOCATION_DRAW, Now, unit, words
from roguewk.kernel.memory import Learned, Scratch
from roguewk.part.desk import CHANCE, OWN_NOTE, Desk, draw, epoch_length
from roguewk.part.parameter import above_zero
from roguewk.part.part import ALLOCATE, Part
from roguewk.part.room import Room, check_within
from roguewk.part.status import Status
from roguewk.part.verbs import allocate, check_state, learn_outcome, settle
from roguewk.problem.problem import Problem


class Lagrange(NamedTuple):
    """The allocation of LagrangeBwK."""

    primal: Exponential
    losses: Learned[Vector]  # (resource + 1,) payoffs so far that Hedge had to grant, time last
    weights: Scratch[Vector]  # (resource + 1,) Hedge's probabilities this round
    drawn: Learned[Vector]  # (1,) its resource this round
    lowest: float  # payoff
    primal_rate: float  # multiplies EXP3.P's learning
    dual_rate: float  # multiplies Hedge's


def _build(problem: Problem, primal_rate: float, dual_rate: float) -> Lagrange:
    losses, weights = np.zeros((2, len(problem.resources) + 1))
    lowest = 1.0 - max(1.0, float((1.0 / problem.rates).max()))
    return Lagrange(build_exponential(problem), losses, weights, np.zeros(1), lowest, primal_rate, dual_rate)


@check_state.body(Lagrange)
def _check_state(part: Lagrange, room: Room) -> None:
    check_within(part.drawn, -1, part.losses.size - 1, "the resource that was drawn")


@compiled
def _payoff(part: Lagrange, desk: Desk, j: int, reward: float, cost: float) -> float:
    """L, scaled into [0, 1]; `cost` is on resource j and does not matter for time."""
    value = reward + 1.0 - cost / desk.rates[j] if j < desk.rates.size else reward
    return (value - part.lowest) / (2.0 - part.lowest)


@compiled
def _weigh(part: Lagrange, desk: Desk) -> None:
    """Hedge's probabilities."""
    rate = part.dual_rate * math.sqrt(8.0 * math.log(part.losses.size) / epoch_length(desk))
    least, total = math.inf, 0.0
    for j in range(part.losses.size):
        least = min(least, part.losses[j])
    for j in range(part.losses.size):
        part.weights[j] = math.exp(rate * (least - part.losses[j]))
        total += part.weights[j]
    for j in range(part.losses.size):
        part.weights[j] /= total


@allocate.body(Lagrange)
def _allocate(part: Lagrange, desk: Desk, now: Now) -> int:
    rounds, choices = epoch_length(desk), max(choices_of(part.primal, desk), 1.0)
    _weigh(part, desk)
    part.drawn[0] = draw(part.weights, unit(words(now, ALLOCATION_DRAW, 0)[0]))
    for j in range(desk.prices.size):
        desk.prices[j] = part.weights[j] / desk.rates[j]
    learning = 0.95 * part.primal_rate * math.sqrt(math.log(choices) / (choices * rounds))
    return mix(part.primal, desk, learning, min(1.05 * math.sqrt(choices * math.log(choices) / rounds), 1.0))


@settle.body(Lagrange)
def _settle(part: Lagrange, desk: Desk, arm: int) -> None:
    desk.memo[OWN_NOTE] = part.drawn[0]
    if desk.status[0] != Status.MIXED:
        return
    choices = choices_of(part.primal, desk)
    add_bias(part.primal, math.sqrt(math.log(choices) / (choices * epoch_length(desk))))
    if arm < 0:
        idle = desk.shares.size
        for j in range(part.losses.size):
            part.losses[j] += _payoff(part, desk, j, 0.0, 0.0)
        add_payoff(part.primal, idle, _payoff(part, desk, int(part.drawn[0]), 0.0, 0.0), part.primal.chances[idle])


@learn_outcome.body(Lagrange)
def _learn_outcome(part: Lagrange, desk: Desk, round_: int, arm: int, reward: float) -> None:
    if math.isnan(reward):
        return
    for j in range(part.losses.size):
        payoff = _payoff(part, desk, j, reward, desk.taken[j] if j < desk.taken.size else 0.0)
        part.losses[j] += payoff
        if j == int(desk.memo[OWN_NOTE]):
            add_payoff(part.primal, arm, payoff, desk.memo[CHANCE])


LAGRANGE = Part(
    role=ALLOCATE,
    name="lagrange",
    summary="EXP3.P draws the arm against Hedge, which draws the resource it pays for, time among them",
    build=_build,
    parameters={
        "primal_rate": above_zero(1.0, "multiplies the learning rate of EXP3.P"),
        "dual_rate": above_zero(1.0, "multiplies the learning rate of Hedge"),
    },
    check=fitting("lagrange"),
    draws=True,
)
PARTS = (LAGRANGE,)
