"""Today's prices of budgets and rounds: the linear program that mixes what the arms can do alone.

By convexity an arm's worth over prices is the upper envelope of lines `reward - price pulls`, each a way of using it.
With `y` the share of each way, `sigma` the length of the game and everything per round of an assumed length s,

    max  reward.y   s.t.   cost.y <= B / s,   pulls.y <= sigma,   sum of each arm's y <= sigma,   sigma <= T / s,

and its dual variables are the prices. Where every round must play, `pulls.y = sigma`: a large premium on each pull and
an equal charge on each round see to that, and the game may be shorter than T, which sigma then tells.

Nobody knows what the costs to come will add up to. Where two budgets are scarce the program's prices are the same over
a wide range of what is left of them, and jump at its ends: at such prices a plan spends one budget too fast until it is
almost gone. So prices are averages over what the luck of the costs may make of the budgets.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.memory import Scratch, copy_into
from roguewk.relax.simplex import Tableau, build_tableau, simplex, solve_again
from roguewk.relax.worth import PRICES, Worth, worth_by_price

ABUNDANT = -(2.0**50)  # below every price
PREMIUM = 100.0  # times the largest price in the tables
# A budget that lasts for a pull in every round to come is not scarce, rounds are. At a tie either might get the price,
# and without a price on rounds a plan would wait and leave a pull unpaid in the end.
ENOUGH = 1e-9
# Eighths of the normal distribution, in their middles: what luck may make of a budget. Multiples of an odd number of
# them are all eight again in another order, so every resource has its own.
QUANTILES = (-1.534, -0.887, -0.489, -0.157, 0.157, 0.489, 0.887, 1.534)
TINY = 1e-12
CERTAIN = 1e-3  # of a budget: less luck than this does not matter
SAME = 1e-7  # pulls per round that tell two ways of using an arm apart


class PriceProgram(NamedTuple):
    """Working memory."""

    tableau: Tableau
    rewards: Scratch[Vector]  # (way,); the last column is sigma
    costs: Scratch[Vector]  # (way, row): resources, round, arms, length
    rates: Scratch[Vector]  # (row,)
    usable: Scratch[Any]  # (way,)
    shares: Scratch[Vector]  # (way,)
    duals: Scratch[Vector]  # (row,)
    curve: Scratch[Vector]  # (price,)
    luck: Scratch[Vector]  # (resource,) standard deviation of what pulls to come will cost, as part of the budget
    moved: Scratch[Vector]  # (row,) rates as luck may make them
    changes: Scratch[Vector]  # (row,) of these


class Ahead(NamedTuple):
    """What prices are found for: the arms as they are, what is left, and for how long."""

    states: Vector  # (arm, coordinate)
    costs: Vector  # (arm, resource)
    budgets: Vector  # (resource,)
    assumed: float  # rounds that the game will last
    most: float  # rounds that it may last
    must_play: bool
    chances: Vector  # (arm,) how often it is available, of what the tables of its worth take it to be
    playable: float  # share of the rounds in which some arm is available
    noises: Vector  # (arm, resource) variance of one cost; there may be more rows of costs, without noise
    credits: Vector  # (arm,) what a pull is worth besides its reward: budgets must last for what is pulled for it too
    steps: (
        Vector  # (row,) part of what is left that a pull takes, of what renews: it is worth what it is before and after
    )
    hazards: Vector  # (row,) by how much more luck matters until it renews than over all rounds
    more_pulls: Vector  # (arm, way) per round in the rounds ahead beyond what the tables have; none without cycles
    more_rewards: Vector  # (arm, way)


class Plan(NamedTuple):
    """What the program found besides the prices of the resources."""

    round_price: float
    rounds: float  # that the game will last
    pulls: float  # in them
    premium: float  # on each pull, in the program


def build_price_program(arms: int, resources: int) -> PriceProgram:
    """Working memory for this many arms and resources."""
    ways, rows = arms * (PRICES - 1) + 1, resources + arms + 2
    return PriceProgram(
        tableau=build_tableau(ways, rows),
        rewards=np.zeros(ways),
        costs=np.zeros((ways, rows)),
        rates=np.zeros(rows),
        usable=np.ones(ways, dtype=np.bool_),
        shares=np.zeros(ways),
        duals=np.zeros(rows),
        curve=np.zeros(PRICES),
        luck=np.zeros(resources),
        moved=np.zeros(rows),
        changes=np.zeros(rows),
    )


@compiled_apart
def find_prices(program: PriceProgram, worth: Worth, ahead: Ahead, prices: Vector, scarce: Vector) -> Plan:
    """Write the price of each resource to `prices`, and to `scarce`, (arm,), that of a pull when it is available.

    That is the price at which it would be used as often as it is available, if it always were: what is rarely available
    is worth keeping for these rounds. It is ABUNDANT for arms that always are.
    """
    arms, resources = ahead.costs.shape
    assumed, most = ahead.assumed, ahead.most
    premium = 0.0
    if ahead.must_play:
        for a in range(arms):
            premium = max(premium, PREMIUM * abs(worth.prices[a, 0]), PREMIUM * abs(worth.prices[a, PRICES - 1]))
    _write_ways(program, worth, ahead, premium, scarce)
    last = program.rewards.size - 1
    program.rewards[last], program.usable[last] = -premium, True
    program.costs[last, :] = 0.0
    for row in range(resources, resources + arms + 1):
        program.costs[last, row] = -1.0
    if not ahead.must_play:
        program.costs[last, resources] = -ahead.playable
    program.costs[last, resources + arms + 1] = 1.0
    # The simplex method also keeps all shares below one in sum, which must not bind here.
    scale = 1.0 / ((arms + 1) * most / assumed + 1.0)
    program.rates[:] = 0.0
    for j in range(resources):
        program.rates[j] = max(ahead.budgets[j], 0.0) * (1.0 + ENOUGH) / assumed * scale
    program.rates[resources + arms + 1] = most / assumed * scale
    simplex(
        program.tableau,
        program.rewards,
        program.costs,
        program.rates,
        program.usable,
        program.shares,
        program.duals,
    )
    for j in range(resources):
        prices[j] = program.duals[j]
    pulls = 0.0
    for way in range(last):
        pulls += program.shares[way] * program.costs[way, resources]
    rounds = program.shares[last] / scale * assumed
    return Plan(float(program.duals[resources]) - premium, rounds, pulls / scale * assumed, premium)


@compiled_apart
def average_prices(program: PriceProgram, ahead: Ahead, plan: Plan, prices: Vector) -> float:
    """Write to `prices` what they are on average over the luck of the costs to come; the price of a round likewise.

    `plan` is what `find_prices` just found.
    """
    resources = prices.size
    luck = _foresee_luck(program, ahead, plan.pulls)
    for j in range(resources):
        luck = max(luck, ahead.steps[j])
    if luck < CERTAIN:
        return plan.round_price
    width = 0
    for way in range(program.usable.size):
        width += program.usable[way]
    prices[:] = 0.0
    total = 0.0
    copy_into(program.moved, program.rates)
    for k in range(len(QUANTILES)):
        for j in range(resources):
            quantile = QUANTILES[(2 * j + 1) * (2 * k + 1) % (2 * len(QUANTILES)) // 2]
            rate = program.rates[j] * math.exp(quantile * program.luck[j])
            rate *= 1.0 - ahead.steps[j] * ((2 * j + 3) * (2 * k + 1) % 16) / 16.0
            program.changes[j], program.moved[j] = rate - program.moved[j], rate
        solve_again(program.tableau, width, program.changes, program.duals)
        for j in range(resources):
            prices[j] += program.duals[j] / len(QUANTILES)
        total += program.duals[resources]
    return total / len(QUANTILES) - plan.premium


@compiled
def _foresee_luck(program: PriceProgram, ahead: Ahead, pulls: float) -> float:
    """What luck may make of each budget over so many pulls, mixed as in the program; the largest of it."""
    arms, resources = ahead.costs.shape
    program.luck[:] = 0.0
    total = TINY
    for a in range(arms):
        share = 0.0
        for way in range(a * (PRICES - 1), (a + 1) * (PRICES - 1)):
            share += program.shares[way] * program.costs[way, resources]
        total += share
        for j in range(ahead.noises.shape[1]):
            program.luck[j] += share * ahead.noises[a, j]
    largest = 0.0
    for j in range(resources):
        deviation = math.sqrt(program.luck[j] * pulls / total) * ahead.hazards[j]
        program.luck[j] = min(deviation / max(ahead.budgets[j], TINY), 1.0)
        largest = max(largest, program.luck[j])
    return largest


@compiled_apart
def _write_ways(program: PriceProgram, worth: Worth, ahead: Ahead, premium: float, scarce: Vector) -> None:
    """The lines between neighbouring prices, per round; those that do not differ from the one before are left out."""
    costs, assumed = ahead.costs, ahead.assumed
    arms, resources = costs.shape
    for a in range(arms):
        worth_by_price(worth, a, ahead.states[a], assumed, program.curve)
        gap = worth.prices[a, 1] - worth.prices[a, 0]
        before, chance = -1.0, ahead.chances[a]
        scarce[a] = ABUNDANT if chance >= 1.0 else worth.prices[a, PRICES - 1]
        for k in range(PRICES - 1):
            way = a * (PRICES - 1) + k
            pulls = min(max((program.curve[k] - program.curve[k + 1]) / (gap * assumed), 0.0), 1.0)
            reward = program.curve[k] / assumed + worth.prices[a, k] * pulls
            if ahead.more_pulls.shape[1] > 0:
                pulls = min(max(pulls + ahead.more_pulls[a, k], 0.0), 1.0)
                reward += ahead.more_rewards[a, k]
            program.usable[way] = abs(pulls - before) > SAME and (ahead.must_play or pulls > SAME)
            before = pulls
            if pulls > chance:  # a part of it, as far as the arm is available
                reward, pulls = reward * chance / pulls, chance
            elif chance < 1.0:
                scarce[a] = min(scarce[a], worth.prices[a, k])
            program.rewards[way] = reward + (premium + ahead.credits[a]) * pulls
            program.costs[way, :] = 0.0
            for j in range(resources):
                program.costs[way, j] = pulls * costs[a, j]
            program.costs[way, resources] = pulls
            program.costs[way, resources + 1 + a] = 1.0
