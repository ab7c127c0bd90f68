"""The linear program where rounds differ by their contexts: it mixes arms over all occasions that there may be.

    max  sum_k sum_a g_ka y_ka   s.t.   sum_k sum_a c_a y_ka <= b,   sum_a y_ka <= o_k,

with o_k how often occasion k is there and g_ka what an arm brings then. In occasion k the shares are `y_ka / o_k`: a
budget waits for the rounds in which it brings most.
"""

from typing import NamedTuple

import numpy as np

from roguewk.allocate.arrears import settle_arrears
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Learned, Scratch
from roguewk.part.desk import Desk, baseline_now, largest, rate_left
from roguewk.part.status import Status
from roguewk.part.verbs import allocate
from roguewk.problem.occasions import calendar_of, odds_of, shifted_mean
from roguewk.problem.problem import Problem
from roguewk.relax.simplex import SOLVED, Tableau, build_tableau, simplex

SELDOM = 1e-12


class ProgramInContexts(NamedTuple):
    """The allocation of policies that take contexts into account."""

    tableau: Tableau
    rewards: Scratch[Vector]  # (column,) of an arm in an occasion
    costs: Scratch[Vector]  # (column, row): resources, occasions
    limits: Scratch[Vector]  # (row,)
    usable: Scratch[Vector]  # (column,)
    shares: Scratch[Vector]  # (column,)
    prices: Scratch[Vector]  # (row,)
    debts: Learned[Vector]  # (arm,) how much less often than it should each arm was played
    may_idle: bool
    resolve: bool
    reserve: float
    diffuse: bool


def build_program_in_contexts(problem: Problem, resolve: bool, reserve: float, diffuse: bool) -> ProgramInContexts:
    """Working memory."""
    occasions = len(calendar_of(problem.contexts, problem.rounds_per_day).occasions)
    columns, rows = occasions * len(problem.arms), len(problem.resources) + occasions
    return ProgramInContexts(
        tableau=build_tableau(columns, rows),
        rewards=np.zeros(columns),
        costs=np.zeros((columns, rows)),
        limits=np.zeros(rows),
        usable=np.zeros(columns, dtype=np.bool_),
        shares=np.zeros(columns),
        prices=np.zeros(rows),
        debts=np.zeros(len(problem.arms)),
        may_idle=problem.idle,
        resolve=resolve,
        reserve=reserve,
        diffuse=diffuse,
    )


@compiled
def _write_program(part: ProgramInContexts, desk: Desk) -> None:
    occasions, resources = desk.occasions, desk.rates.size
    arms, now = desk.shares.size, occasions.now[0]
    part.costs[:] = 0.0
    idle = baseline_now(desk)
    for j in range(resources):
        rate = rate_left(desk, j) if part.resolve else desk.rates[j]
        part.limits[j] = (1.0 - part.reserve) * rate
    for k in range(part.limits.size - resources):
        part.limits[resources + k] = odds_of(occasions, k)
        for a in range(arms):
            column, reward = k * arms + a, desk.reward_bounds[a]
            if occasions.used and k != now and np.isfinite(reward):
                reward = shifted_mean(occasions.families[a], occasions.plain[a], occasions.shifts[k, a])
            part.rewards[column] = reward - idle
            part.usable[column] = not occasions.barred[k, a] and (k != now or desk.available[a])
            part.costs[column, resources + k] = 1.0
            for j in range(resources):
                part.costs[column, j] = desk.cost_bounds[a, j]


@allocate.body(ProgramInContexts)
def _allocate(part: ProgramInContexts, desk: Desk, now: Now) -> int:
    desk.shares[:] = 0.0
    desk.prices[:] = 0.0
    best = largest(desk.reward_bounds, desk.available)
    if best < 0:
        return Status.NOTHING
    _write_program(part, desk)
    outcome = simplex(part.tableau, part.rewards, part.costs, part.limits, part.usable, part.shares, part.prices)
    arms, resources, occasion = desk.shares.size, desk.prices.size, desk.occasions.now[0]
    total, chance = 0.0, part.limits[resources + occasion]
    for j in range(resources):
        desk.prices[j] = part.prices[j]
    for a in range(arms):
        desk.shares[a] = max(part.shares[occasion * arms + a], 0.0) / max(chance, SELDOM)
        total += desk.shares[a]
    if total > 1.0 or not part.may_idle:
        for a in range(arms):
            desk.shares[a] /= max(total, SELDOM)
    if total < SELDOM and not part.may_idle:
        desk.shares[best] = 1.0
        return Status.UNREWARDING
    if part.diffuse:
        settle_arrears(part.debts, desk.shares, desk.available, part.may_idle)
        return Status.IN_ARREARS
    return Status.OPTIMAL if outcome == SOLVED else Status.UNSOLVED
