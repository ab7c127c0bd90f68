"""What an arm is worth, by its state, at any price per pull and with any number of rounds to go.

The prices of budgets and rounds change all the time, but an arm feels them only as one number, the price of a pull. So
everything that planning needs of an arm is tabulated once, from its dynamics alone: value iteration on a lattice for a
grid of prices, kept at some numbers of rounds to go. Later rounds add a constant each.
"""

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart, compiled_for_threads
from roguewk.kernel.memory import Constant
from roguewk.kernel.records import record_type
from roguewk.problem.arm import Arm
from roguewk.problem.constants import arm_constants
from roguewk.problem.dynamics import build_dynamics
from roguewk.problem.occasions import calendar_of, shift_table
from roguewk.problem.problem import Problem
from roguewk.relax.lattice import Lattice, planning_lattice, shifted_rewards, too_fine

PRICES = 49
# Rounds to go at which worth is kept: what an arm does soon matters most.
ROUNDS = (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
BARELY = 1e-3  # pulls per round: less is never, and that much less than one is always
REMEMBERED = 60  # tables of arms; those of two coordinates take 4 MB
LEAST, CONSTANTS = 256, 4.0  # rounds that are iterated at least, and times of forgetting; the rest repeats itself
SCOUTS = 13  # prices with which the range of prices is found
WIDENINGS = 60  # of the range of prices at the most, each doubling it

GRID = record_type(("low", "gap", "second_low", "second_gap"), ("count", "second_count"))


class Worth(NamedTuple):
    """The tables of all arms. They never change, so copies of a policy share them."""

    grids: Constant[Any]  # (arm,) records: where the nodes are; a scalar state has a second count of 1
    prices: Constant[Vector]  # (arm, price)
    rounds: Constant[Vector]  # (level,) to go
    values: Constant[Vector]  # (arm, price, level, node)
    rates: Constant[Vector]  # (arm, price): what a round more adds at the last level


class _Table(NamedTuple):
    """The tables of one arm."""

    lattice: Lattice
    prices: Vector  # (price,)
    values: Vector  # (price, level, node)
    rates: Vector  # (price,)


class Mixture(NamedTuple):
    """How often an arm may be pulled at all, and with what shift of its level."""

    chances: Vector  # (way,), 1 in sum but for rounds in which the arm is not there
    shifts: Vector  # (way,)


def mixture_of(arm: Arm, shifts: Vector, odds: Vector) -> Mixture:
    """Of occasions that do the same to an arm, one; `shifts`, (occasion,), are NaN where it is forbidden.

    >>> import roguewk as rw
    >>> arm = rw.everyday_arm("walk", rested=0.6, wear=0.5, half_life=2)
    >>> mixture_of(arm, np.array([0.0, 0.5, np.nan, 0.0]), np.full(4, 0.25))
    Mixture(chances=array([0.5 , 0.25]), shifts=array([0. , 0.5]))
    """
    there = 1.0 if arm.available is None else arm.available
    values = np.unique(shifts[~np.isnan(shifts)])
    return Mixture(np.array([odds[shifts == value].sum() * there for value in values]), values)


def mixtures_of(problem: Problem) -> list[Mixture]:
    """Of all arms of a problem, by what its contexts are in the long run."""
    calendar = calendar_of(problem.contexts, problem.rounds_per_day)
    shifts, barred = shift_table(problem.arms, calendar)
    odds = calendar.odds.mean(axis=0)
    columns = np.where(barred, np.nan, shifts).T
    return [mixture_of(arm, column, odds) for arm, column in zip(problem.arms, columns, strict=True)]


class Alike:
    """An arm, equal to every other one that moves and rewards the same way as often."""

    def __init__(self, arm: Arm, mixture: tuple[Vector, ...]) -> None:
        self.arm, self.mixture = arm, mixture
        self.numbers = b"".join(array.tobytes() for array in (*build_dynamics((arm,)), *mixture))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Alike) and self.numbers == other.numbers

    def __hash__(self) -> int:
        return hash(self.numbers)


def build_worth(arms: tuple[Arm, ...], mixtures: Sequence[Mixture] | None = None) -> Worth:
    """The tables of these arms, which may be there in several ways."""
    if mixtures is None:
        mixtures = [mixture_of(arm, np.zeros(1), np.ones(1)) for arm in arms]
    tables = [_table(Alike(arm, mixture)) for arm, mixture in zip(arms, mixtures, strict=True)]
    nodes = max(table.lattice.rewards.size for table in tables)
    values = np.zeros((len(arms), PRICES, len(ROUNDS), nodes))
    for row, table in zip(values, tables, strict=True):
        row[:, :, : table.lattice.rewards.size] = table.values
    return Worth(
        grids_of([table.lattice for table in tables]),
        np.array([table.prices for table in tables]),
        np.array(ROUNDS, dtype=np.float64),
        values,
        np.array([table.rates for table in tables]),
    )


@functools.lru_cache(REMEMBERED)
def _table(alike: Alike) -> _Table:
    """The tables of an arm, which other policies want too, and other budgets and horizons."""
    lattice = planning_lattice(alike.arm)
    rounds, prices, rates = np.array(ROUNDS, dtype=np.float64), np.zeros(PRICES), np.zeros(PRICES)
    values = np.zeros((PRICES, rounds.size, lattice.rewards.size))
    chances, shifts = alike.mixture
    mixed = Mixed(chances, shifted_rewards(alike.arm, lattice, shifts))
    _tabulate(lattice, rounds, rounds_needed(alike.arm), mixed, prices, values, rates)
    return _Table(lattice, prices, values, rates)


class Mixed(NamedTuple):
    """The ways in which an arm is there, as it is on a lattice."""

    chances: Vector  # (way,)
    rewards: Vector  # (way, node)


def _memory(arm: Arm) -> float:
    """Rounds after which nothing new happens to an arm."""
    return CONSTANTS / max(1.0 - arm_constants(arm).L_h, 1e-9)


def beyond_tables(arm: Arm, horizon: int) -> str:
    """In which way an arm is beyond what is tabulated; empty if it is not.

    >>> import roguewk as rw
    >>> beyond_tables(rw.everyday_arm("tip", rested=0.6, wear=0.2, half_life=800), 5000)
    'remembers pulls for longer than the 1024 rounds that are tabulated'
    """
    if min(_memory(arm), horizon) > ROUNDS[-1]:
        return f"remembers pulls for longer than the {ROUNDS[-1]} rounds that are tabulated"
    if too_fine(arm, horizon):
        return "moves with a pull by less than the tables tell apart"
    return ""


def rounds_needed(arm: Arm) -> int:
    """Rounds to iterate until nothing new happens to an arm, among ROUNDS."""
    wanted = _memory(arm)
    return next((rounds for rounds in ROUNDS if rounds >= max(wanted, LEAST)), ROUNDS[-1])


def grids_of(lattices: Sequence[Lattice]) -> Any:
    """(arm,) records: where the nodes are."""
    grids = np.zeros(len(lattices), dtype=GRID)
    for grid, lattice in zip(grids, lattices, strict=True):
        grid["low"], grid["gap"], grid["count"] = lattice.low[0], lattice.gaps[0], lattice.counts[0]
        grid["second_count"], grid["second_gap"] = 1, 1.0
        if lattice.counts.size == 2:
            grid["second_low"], grid["second_gap"] = lattice.low[1], lattice.gaps[1]
            grid["second_count"] = lattice.counts[1]
    return grids


def _tabulate(
    lattice: Lattice, rounds: Vector, last: int, mixed: Mixed, prices: Vector, values: Vector, rates: Vector
) -> None:
    """Fill one arm's tables over the prices between which it is used at all and used whenever it is available."""
    scouts, paces = np.zeros(SCOUTS), np.zeros(SCOUTS)
    spare = np.zeros((2, lattice.rewards.size))
    always = float(mixed.chances.sum()) * (1 - BARELY)
    low, high = float(mixed.rewards.min(initial=np.inf)), float(mixed.rewards.max(initial=-np.inf))
    if low > high:  # it is always forbidden
        low = high = 0.0
    reach = max(high - low, 1e-6 * max(abs(low), abs(high), 1.0))
    if high - low < reach:  # the reward hardly ever changes
        low, high = low - reach, high + reach
    for _ in range(WIDENINGS):
        scouts[:] = np.linspace(low, high, SCOUTS)
        _iterate(lattice, rounds, last, mixed, scouts, values, paces, spare)
        used = -np.diff(paces) / np.diff(scouts)  # pulls per round
        if used[0] > always and used[-1] < BARELY:
            break
        low, high = (low if used[0] > always else low - reach), (high if used[-1] < BARELY else high + reach)
        reach *= 2
    between = np.flatnonzero((used > BARELY) & (used < always))
    if between.size:
        low, high = scouts[max(between[0] - 1, 0)], scouts[min(between[-1] + 2, SCOUTS - 1)]
    prices[:] = np.linspace(low, high, prices.size)
    _iterate(lattice, rounds, last, mixed, prices, values, rates, spare)


@compiled
def one_round(lattice: Lattice, price: float, mixed: Mixed, now: Vector, after: Vector) -> None:
    """One round of value iteration for an arm that is there in these ways."""
    nodes, corners = lattice.rest.shape
    for i in range(nodes):
        rested = pulled = 0.0
        for k in range(corners):
            rested += lattice.rest_shares[i, k] * now[lattice.rest[i, k]]
            pulled += lattice.pull_shares[i, k] * now[lattice.pull[i, k]]
        after[i] = rested
        for way in range(mixed.chances.size):
            gain = pulled + (mixed.rewards[way, i] - price) - rested
            after[i] += mixed.chances[way] * max(gain, 0.0)


@compiled_for_threads
def _iterate(
    lattice: Lattice,
    rounds: Vector,
    last: int,
    mixed: Mixed,
    prices: Vector,
    values: Vector,
    rates: Vector,
    spare: Vector,
) -> None:
    """Worth at each price and number of rounds; after the `last` that is iterated every round adds the same."""
    nodes = lattice.rewards.size
    for k in range(prices.size):
        now, after = spare[0], spare[1]
        now[:] = 0.0
        level, half = 1, 0.0
        for done in range(1, last + 1):
            one_round(lattice, prices[k], mixed, now, after)
            now, after = after, now
            if done == rounds[level]:
                for i in range(nodes):
                    values[k, level, i] = now[i]
                level += 1
            if 2 * done == last:
                half = now.mean()
        rates[k] = (now.mean() - half) / (last - last // 2)
        while level < rounds.size:
            for i in range(nodes):
                values[k, level, i] = now[i] + rates[k] * (rounds[level] - last)
            level += 1


@compiled
def _place(x: float, low: float, gap: float, count: int) -> float:
    """Where a number lies among `count` that are a gap apart: an end if it lies beyond, the first if it is none."""
    place = (x - low) / gap
    return min(place, count - 1.0) if place > 0.0 else 0.0


@compiled
def read(grid: Any, row: Vector, x: Vector) -> float:
    """A table of the nodes at the state `x`, interpolated."""
    place = _place(x[0], grid.low, grid.gap, grid.count)
    i = min(int(place), grid.count - 2)
    part = place - i
    if grid.second_count == 1:
        return row[i] + (row[i + 1] - row[i]) * part
    second = _place(x[1], grid.second_low, grid.second_gap, grid.second_count)
    k = min(int(second), grid.second_count - 2)
    share = second - k
    at, above = i * grid.second_count + k, (i + 1) * grid.second_count + k
    here = row[at] + (row[at + 1] - row[at]) * share
    there = row[above] + (row[above + 1] - row[above]) * share
    return here + (there - here) * part


@compiled
def _level(worth: Worth, rounds: float) -> tuple[int, float]:
    """The table at or before so many rounds to go, and how far on the way to the next."""
    last = worth.rounds.size - 1
    level = 0
    while level < last - 1 and worth.rounds[level + 1] <= rounds:
        level += 1
    return level, min((rounds - worth.rounds[level]) / (worth.rounds[level + 1] - worth.rounds[level]), 1.0)


@compiled_apart
def worth_by_price(worth: Worth, a: int, x: Vector, rounds: float, out: Vector) -> None:
    """Write the worth of arm `a` in state `x` at each of its prices to `out`, (price,)."""
    level, part = _level(worth, rounds)
    beyond = max(rounds - worth.rounds[-1], 0.0)
    for k in range(out.size):
        near = read(worth.grids[a], worth.values[a, k, level], x)
        far = read(worth.grids[a], worth.values[a, k, level + 1], x)
        out[k] = near + (far - near) * part + worth.rates[a, k] * beyond


@compiled_apart
def worth_by_state(worth: Worth, a: int, price: float, rounds: float, out: Vector) -> None:
    """Write the worth of arm `a` at this price to `out`, (node,), up to a constant."""
    level, part = _level(worth, rounds)
    gap = worth.prices[a, 1] - worth.prices[a, 0]
    place = _place(price, worth.prices[a, 0], gap, PRICES)
    k = min(int(place), PRICES - 2)
    share = place - k
    for i in range(worth.grids[a].count * worth.grids[a].second_count):
        near = worth.values[a, k, level, i] * (1.0 - share) + worth.values[a, k + 1, level, i] * share
        far = worth.values[a, k, level + 1, i] * (1.0 - share) + worth.values[a, k + 1, level + 1, i] * share
        out[i] = near + (far - near) * part
