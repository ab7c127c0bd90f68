"""The game at prices where rounds differ by their contexts: each occasion has a round price of its own.

An arm alone sees which occasion it is before it is pulled. With o_k(t) the chance of occasion k in round t, a price q_k
of its rounds, and theta the price of what a pull takes,

    V_t(x) = sum_k o_k(t) max(g_k(x) - theta - q_k + V_{t+1}(pulled), V_{t+1}(rested)),

and `U(p, q) = p.B + sum_t sum_k o_k(t) q_k + sum_a V_a` is a bound for all prices of at least 0. Occasions that do the
same to all arms are one. How often an arm is pulled in each, which is the slope of V, is worked out along with it.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from roguewk.bounds.priced import REPEATING, Trial, counted_budgets
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_for_threads
from roguewk.problem.occasions import calendar_of, shift_table
from roguewk.relax.lattice import Lattice, build_lattice, shifted_rewards
from roguewk.world.world import World

FEWEST = 8  # cycles before they are first compared


class ContextGame(NamedTuple):
    """Everything that trying prices needs of such a world; what is pulled is an arm in an occasion."""

    lattices: list[Lattice]
    rewards: list[Vector]  # of each arm, (occasion, node)
    allowed: list[Vector]  # of each arm, (occasion,) how often it is there then
    odds: Vector  # (phase, occasion)
    costs: Vector  # (arm and occasion, row): resources, gaps, and a turn of the occasion
    budgets: Vector  # (row,)
    resources: int
    horizon: int
    tolerance: float
    forgone: Vector  # (round,) what an idle round would have brought
    must_play: bool  # never: who must play may be left without an arm that is allowed


class Course(NamedTuple):
    """What an arm alone is worth from its initial state, and how often it is pulled in each occasion."""

    value: float
    pulls: Vector  # (occasion,)


def build_context_game(world: World, precision: float) -> ContextGame:
    """The game on grids."""
    problem = world.problem
    calendar = calendar_of(world.contexts, problem.rounds_per_day)
    shifts, barred = shift_table(world.arms, calendar)
    columns, kinds = np.unique(np.hstack([shifts, barred]), axis=0, return_inverse=True)
    odds = np.stack([calendar.odds[:, kinds.ravel() == kind].sum(axis=1) for kind in range(len(columns))], axis=1)
    arms, occasions = len(world.arms), len(columns)
    shifts, barred = columns[:, :arms], columns[:, arms:] > 0
    lattices, rewards, allowed = [], [], []
    for a, (arm, x0) in enumerate(zip(world.arms, world.x0, strict=True)):
        lattices.append(build_lattice(arm, x0, precision, shifts[:, a]))
        rewards.append(shifted_rewards(arm, lattices[a], shifts[:, a]))
        there = 1.0 if arm.available is None else arm.available
        allowed.append(np.where(barred[:, a], 0.0, there))
    costs, budgets = counted_budgets(world)
    rounds = _expected(odds, problem.horizon)
    turns = np.tile(np.eye(occasions), (arms, 1))
    return ContextGame(
        lattices,
        rewards,
        allowed,
        odds,
        costs=np.hstack([np.repeat(costs, occasions, axis=0), turns]),
        budgets=np.append(budgets, np.maximum(rounds, REPEATING)),
        resources=len(problem.resources),
        horizon=problem.horizon,
        tolerance=REPEATING * precision,
        forgone=world.idle_means,
        must_play=False,
    )


def _expected(odds: Vector, horizon: int) -> Vector:
    """(occasion,) in how many rounds each is there on average."""
    whole, rest = divmod(horizon, len(odds))
    return np.asarray(whole * odds.sum(axis=0) + odds[:rest].sum(axis=0))


def round_prices_of(game: ContextGame, prices: Vector) -> Vector:
    """(round,) what a round more would add, on average over its occasions."""
    by_phase = game.odds @ prices[-1 - game.odds.shape[1] : -1] + prices[-1]
    return np.resize(by_phase, game.horizon)


def try_context_prices(game: ContextGame, prices: Vector) -> Trial:
    """The bound at these prices, (row,) and that of all rounds."""
    occasions = game.odds.shape[1]
    charges = (game.costs @ prices[:-1] + prices[-1]).reshape(-1, occasions)

    def solve(a: int) -> Course:
        lattice, alone = game.lattices[a], Alone(game.rewards[a], game.allowed[a], game.odds, charges[a], game.forgone)
        desk, pulls = _build_desk(lattice.rewards.size, occasions), np.zeros(occasions)
        return Course(_solve(lattice, alone, desk, game.horizon, game.tolerance, pulls), pulls)

    with ThreadPoolExecutor() as pool:
        courses = list(pool.map(solve, range(len(game.lattices))))
    pulls = np.concatenate([course.pulls for course in courses])
    value = sum(course.value for course in courses)
    bound = value + float(prices[:-1] @ game.budgets) + prices[-1] * game.horizon
    reward = value + float(charges.ravel() @ pulls)  # beyond what idle rounds would have brought
    return Trial(bound, game.horizon, pulls, reward, prices, np.zeros(0), np.zeros(0))


class Alone(NamedTuple):
    """One arm at its prices."""

    rewards: Vector  # (occasion, node)
    allowed: Vector  # (occasion,)
    odds: Vector  # (phase, occasion)
    charges: Vector  # (occasion,) of a pull
    forgone: Vector  # (round,) what an idle round would have brought


class Desk(NamedTuple):
    """Working memory."""

    values: Vector  # (2, node) before and after a round of value iteration
    counts: Vector  # (2, node, occasion) how often the arm will be pulled
    cycle_ago: Vector  # (node,)
    counts_ago: Vector  # (occasion,) from the initial state


def _build_desk(nodes: int, occasions: int) -> Desk:
    return Desk(np.zeros((2, nodes)), np.zeros((2, nodes, occasions)), np.zeros(nodes), np.zeros(occasions))


@compiled_for_threads
def _solve(lattice: Lattice, alone: Alone, desk: Desk, rounds: int, tolerance: float, pulls: Vector) -> float:
    """The value of an arm from its initial state; how often it is pulled in each occasion is written to `pulls`.

    Rounds repeat themselves after whole cycles. Value iteration is monotone, so that no later cycle adds more than the
    largest rise, over all states, of the last one: see `relax/schedule.py`.
    """
    cycle = alone.odds.shape[0]
    # What idle rounds bring may drift: then no cycle is like the last one.
    look = FEWEST * cycle if alone.forgone[0] == alone.forgone[rounds - 1] else rounds
    for done in range(1, rounds + 1):
        side = done % 2
        chances = alone.odds[(rounds - done) % cycle]
        _step(lattice, alone, chances, alone.forgone[rounds - done], desk, 1 - side)
        if (rounds - done) % cycle == 0 and done < rounds:
            most, least = _rise(desk, side)
            left = (rounds - done) // cycle
            if done > look and (most - least) * left <= tolerance * rounds:
                _read_counts(lattice, desk, side, pulls)
                for k in range(pulls.size):
                    pulls[k] += (pulls[k] - desk.counts_ago[k]) * left
                return _at_start(lattice, desk.values[side]) + most * left
            _read_counts(lattice, desk, side, desk.counts_ago)
    _read_counts(lattice, desk, rounds % 2, pulls)
    return _at_start(lattice, desk.values[rounds % 2])


@compiled
def _step(lattice: Lattice, alone: Alone, chances: Vector, forgone: float, desk: Desk, side: int) -> None:
    """One round of value iteration, from one side of the desk to the other."""
    now, after, counts, next_counts = desk.values[side], desk.values[1 - side], desk.counts[side], desk.counts[1 - side]
    nodes, corners = lattice.rest.shape
    for i in range(nodes):
        rested = pulled = 0.0
        for c in range(corners):
            rested += lattice.rest_shares[i, c] * now[lattice.rest[i, c]]
            pulled += lattice.pull_shares[i, c] * now[lattice.pull[i, c]]
        value, share = rested, 0.0
        for k in range(chances.size):
            chance = chances[k] * alone.allowed[k]
            gain = alone.rewards[k, i] - forgone - alone.charges[k] + pulled - rested
            next_counts[i, k] = 0.0
            if chance > 0.0 and gain > 0.0:
                value += chance * gain
                share += chance
                next_counts[i, k] = chance
        after[i] = value + lattice.slack
        for k in range(chances.size):
            for c in range(corners):
                next_counts[i, k] += (1.0 - share) * lattice.rest_shares[i, c] * counts[lattice.rest[i, c], k]
                if share > 0.0:
                    next_counts[i, k] += share * lattice.pull_shares[i, c] * counts[lattice.pull[i, c], k]


@compiled
def _rise(desk: Desk, side: int) -> tuple[float, float]:
    """The most and the least that any state's value rose since it was last asked."""
    most, least = -np.inf, np.inf
    for i in range(desk.cycle_ago.size):
        rise = desk.values[side, i] - desk.cycle_ago[i]
        most, least = max(most, rise), min(least, rise)
        desk.cycle_ago[i] = desk.values[side, i]
    return most, least


@compiled
def _read_counts(lattice: Lattice, desk: Desk, side: int, out: Vector) -> None:
    """Write how often the arm will be pulled from its initial state on to `out`, (occasion,)."""
    for k in range(out.size):
        out[k] = 0.0
        for c in range(lattice.start.size):
            out[k] += lattice.start_shares[c] * desk.counts[side, lattice.start[c], k]


@compiled
def _at_start(lattice: Lattice, values: Vector) -> float:
    """The value at the initial state, never too low."""
    value = lattice.slack
    for c in range(lattice.start.size):
        value += lattice.start_shares[c] * values[lattice.start[c]]
    return value
