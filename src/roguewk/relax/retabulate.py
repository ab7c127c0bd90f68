"""What an arm is worth, tabulated anew within the compiled loop when its dynamics are believed to be others.

As in `worth.py`, for states of one coordinate: how far the level of an arm that wears off lies from that of the rested
arm. It moves by `x -> A x` without a pull and by `x -> A x + push` with one.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.memory import Constant, Scratch
from roguewk.problem.family.compiled import mean_of_level
from roguewk.relax.worth import BARELY, CONSTANTS, GRID, PRICES, ROUNDS, SCOUTS

NODES = 65
DEEPEST = 7.0  # below the level of the rested arm, where it brings next to nothing if rewards have a lowest mean
FEWEST = 48  # rounds that are iterated at least
WIDENINGS = 20  # of the range of prices at the most


class OwnWorth(NamedTuple):
    """The tables of all arms, as `Worth` has them, of a policy that fills them itself."""

    grids: Scratch[Any]  # (arm,) records
    prices: Scratch[Vector]  # (arm, price)
    rounds: Constant[Vector]  # (level,) to go
    values: Scratch[Vector]  # (arm, price, level, node)
    rates: Scratch[Vector]  # (arm, price)


class Bench(NamedTuple):
    """An arm on a grid, and working memory."""

    rewards: Scratch[Vector]  # (node,)
    rest: Scratch[Any]  # (node, 2) nodes around the next state without a pull
    rest_shares: Scratch[Vector]  # (node, 2)
    pull: Scratch[Any]  # (node, 2) with a pull
    pull_shares: Scratch[Vector]  # (node, 2)
    scouts: Scratch[Vector]  # (scout,) prices
    paces: Scratch[Vector]  # (scout,) worth of a round more at these
    spare: Scratch[Vector]  # (2, node, price)
    ways: Scratch[Any]  # (1,) how many ways there are in which an arm may be there, each with a shift of its level
    chances: Scratch[Vector]  # (way,)
    shifts: Scratch[Vector]  # (way,)
    mixed: Scratch[Vector]  # (way, node) mean rewards


class Believed(NamedTuple):
    """An arm as it is believed to be."""

    family: int
    bounded: bool  # whether rewards have a lowest mean
    retention: float
    rested: float  # level
    push: float  # below 0
    highest: float  # state that it may be in
    lowest: float  # state that it is in, if no pulls would lead there


def build_own_worth(arms: int) -> OwnWorth:
    """Space for so many arms."""
    return OwnWorth(
        grids=np.zeros(arms, dtype=GRID),
        prices=np.zeros((arms, PRICES)),
        rounds=np.array(ROUNDS, dtype=np.float64),
        values=np.zeros((arms, PRICES, len(ROUNDS), NODES)),
        rates=np.zeros((arms, PRICES)),
    )


def build_bench(most_ways: int = 1) -> Bench:
    """Working memory; an arm is always there, unless ways are written to it."""
    rest, pull = np.zeros((2, NODES, 2), dtype=np.int32)
    rest_shares, pull_shares = np.zeros((2, NODES, 2))
    scouts, paces = np.zeros((2, SCOUTS))
    return Bench(
        rewards=np.zeros(NODES),
        rest=rest,
        rest_shares=rest_shares,
        pull=pull,
        pull_shares=pull_shares,
        scouts=scouts,
        paces=paces,
        spare=np.zeros((2, NODES, PRICES)),
        ways=np.ones(1, dtype=np.int64),
        chances=np.ones(most_ways),
        shifts=np.zeros(most_ways),
        mixed=np.zeros((most_ways, NODES)),
    )


@compiled
def lowest_state(believed: Believed) -> float:
    """How far an arm is worn at the most: by pulls in every round, or by as many as the nodes tell apart."""
    worn = max(believed.push / (1.0 - believed.retention), believed.push * NODES)
    return min(max(worn, -DEEPEST) if believed.bounded else worn, believed.lowest)


@compiled
def lay_out(bench: Bench, grid: Any, believed: Believed) -> None:
    """Put an arm on its grid, and say where its nodes are."""
    low = lowest_state(believed)
    gap = (believed.highest - low) / (NODES - 1)
    grid.low, grid.gap, grid.count = low, gap, NODES
    grid.second_low, grid.second_gap, grid.second_count = 0.0, 1.0, 1
    for i in range(NODES):
        x = low + gap * i
        bench.rewards[i] = mean_of_level(believed.family, believed.rested + x)
        for way in range(bench.ways[0]):
            bench.mixed[way, i] = mean_of_level(believed.family, believed.rested + bench.shifts[way] + x)
        _around(bench.rest[i], bench.rest_shares[i], (believed.retention * x - low) / gap)
        _around(bench.pull[i], bench.pull_shares[i], (believed.retention * x + believed.push - low) / gap)


@compiled
def _around(corners: Any, shares: Vector, place: float) -> None:
    """The nodes around a place, and how much of each."""
    inside = min(max(place, 0.0), NODES - 1.0)
    corners[0] = min(int(inside), NODES - 2)
    corners[1] = corners[0] + 1
    shares[1] = inside - corners[0]
    shares[0] = 1.0 - shares[1]


@compiled
def rounds_to_iterate(worth: OwnWorth, retention: float) -> int:
    """Rounds after which nothing new happens to an arm, among those of the tables."""
    wanted = max(CONSTANTS / max(1.0 - retention, 1e-9), FEWEST)
    level = 1
    while level < worth.rounds.size - 1 and worth.rounds[level] < wanted:
        level += 1
    return int(worth.rounds[level])


@compiled
def _one_round(bench: Bench, prices: Vector, now: Vector, after: Vector) -> None:
    """One round of value iteration at all prices; they are the inner loop, as processors take several at a time."""
    for i in range(NODES):
        rest, pull = bench.rest[i, 0], bench.pull[i, 0]
        rest_share, pull_share, reward = bench.rest_shares[i, 1], bench.pull_shares[i, 1], bench.rewards[i]
        for k in range(prices.size):
            rested = now[rest, k] + (now[rest + 1, k] - now[rest, k]) * rest_share
            pulled = now[pull, k] + (now[pull + 1, k] - now[pull, k]) * pull_share + (reward - prices[k])
            after[i, k] = max(rested, pulled)


@compiled
def _is_plain(bench: Bench) -> bool:
    """Whether an arm is always there, and always the same."""
    return bench.ways[0] == 1 and bench.chances[0] == 1.0 and bench.shifts[0] == 0.0


@compiled_apart
def _mixed_round(bench: Bench, prices: Vector, now: Vector, after: Vector) -> None:
    """One round of value iteration for an arm that is there in several ways."""
    for i in range(NODES):
        rest, pull = bench.rest[i, 0], bench.pull[i, 0]
        rest_share, pull_share = bench.rest_shares[i, 1], bench.pull_shares[i, 1]
        for k in range(prices.size):
            rested = now[rest, k] + (now[rest + 1, k] - now[rest, k]) * rest_share
            lost = rested - (now[pull, k] + (now[pull + 1, k] - now[pull, k]) * pull_share) + prices[k]
            gained = 0.0
            for way in range(bench.ways[0]):
                gained += bench.chances[way] * max(bench.mixed[way, i] - lost, 0.0)
            after[i, k] = rested + gained


@compiled
def _add_means(values: Vector, sign: float, out: Vector) -> None:
    """Add the means over nodes to `out`, (price,)."""
    for i in range(NODES):
        for k in range(out.size):
            out[k] += sign * values[i, k] / NODES


@compiled_apart
def _iterate(bench: Bench, rounds: Vector, last: int, prices: Vector, values: Vector, rates: Vector) -> None:
    """Worth at each price and number of rounds; after the `last` that is iterated every round adds the same."""
    now, after, plain = bench.spare[0], bench.spare[1], _is_plain(bench)
    now[:] = 0.0
    rates[:] = 0.0
    level = 1
    for done in range(1, last + 1):
        if plain:
            _one_round(bench, prices, now, after)
        else:
            _mixed_round(bench, prices, now, after)
        now, after = after, now
        if level < rounds.size and done == rounds[level]:
            _keep(now, 0.0, rates, values, level)
            level += 1
        if done == last // 2:
            _add_means(now, -1.0, rates)
    _add_means(now, 1.0, rates)
    for k in range(rates.size):
        rates[k] /= last - last // 2
    while level < rounds.size:
        _keep(now, rounds[level] - last, rates, values, level)
        level += 1


@compiled
def _keep(now: Vector, later: float, rates: Vector, values: Vector, level: int) -> None:
    """Write down what arms are worth so many rounds later than now."""
    for k in range(rates.size):
        for i in range(NODES):
            values[k, level, i] = now[i, k] + rates[k] * later


@compiled_apart
def retabulate(worth: OwnWorth, bench: Bench, a: int, believed: Believed) -> None:
    """Fill the tables of arm `a`, over the prices between which it is used at all and used in every round."""
    lay_out(bench, worth.grids[a], believed)
    last = rounds_to_iterate(worth, believed.retention)
    cheap, dear = _price_range(worth, bench, a, last)
    for k in range(PRICES):
        worth.prices[a, k] = cheap + (dear - cheap) * k / (PRICES - 1)
    _iterate(bench, worth.rounds, last, worth.prices[a], worth.values[a], worth.rates[a])


@compiled_apart
def _price_range(worth: OwnWorth, bench: Bench, a: int, last: int) -> tuple[float, float]:
    """Below the first of two prices an arm is used in every round, above the second never."""
    scouts = bench.scouts
    cheap, dear, always = bench.rewards[0], bench.rewards[NODES - 1], 0.0
    for way in range(bench.ways[0]):
        cheap, dear = min(cheap, bench.mixed[way, 0]), max(dear, bench.mixed[way, NODES - 1])
        always += bench.chances[way]
    always *= 1.0 - BARELY
    reach = max(dear - cheap, 1e-6 * max(abs(cheap), abs(dear)), 1e-300)
    dear += 0.01 * reach
    for _ in range(WIDENINGS):
        for k in range(SCOUTS):
            scouts[k] = cheap + (dear - cheap) * k / (SCOUTS - 1)
        _iterate(bench, worth.rounds[:1], last, scouts, worth.values[a], bench.paces)
        if (bench.paces[0] - bench.paces[1]) / (scouts[1] - scouts[0]) > always or always == 0.0:
            break
        cheap -= reach
        reach *= 2.0
    first = 0
    while first < SCOUTS - 2:
        used = (bench.paces[first + 1] - bench.paces[first + 2]) / (scouts[1] - scouts[0])
        if used <= always:
            break
        first += 1
    return scouts[first], dear
