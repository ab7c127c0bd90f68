"""The Whittle index of an arm by its state: the price of a pull at which pulling and resting are equally good.

Whittle 1988. One arm alone, for ever, at a price per pull: its relative values V solve
`V + gain = max(g - price + V(pulled), V(rested))`, and the index of a state is the price at which the two are equal. An
arm is indexable when a higher price never makes a pull worth while that was not at a lower one; the states in which it
rests then grow with the price, and there is one such price. For an arm that is not indexable the index here is the
lowest price at which it rests: the rule can still be followed, but nothing speaks for it any more.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart, compiled_for_threads
from roguewk.kernel.memory import Constant, Scratch
from roguewk.problem.arm import Arm
from roguewk.relax.lattice import Lattice, planning_lattice
from roguewk.relax.retabulate import NODES, Believed, Bench, lay_out
from roguewk.relax.worth import GRID, grids_of

PRICES = {1: 257, 2: 129}  # by the number of coordinates
OWN_PRICES = 65  # where dynamics are learned, and errors matter less than time
# Of the range of rewards: values whose increments differ by less do not change any more.
SETTLED, NEARLY_SETTLED = 1e-7, 1e-4
MOST_STEPS = 5000
WIDENINGS = 60  # of the range of prices at the most, each doubling it
NOISE = 1e-3  # of the range of prices: how much a grid may err about a gain


class Indices(NamedTuple):
    """The tables of all arms."""

    grids: Constant[Any]  # (arm,) records: where the nodes are
    values: Constant[Vector]  # (arm, node)


class Sweep(NamedTuple):
    """Prices, what pulling gains over resting at each of them, and working memory."""

    prices: Scratch[Vector]  # (price,)
    gains: Scratch[Vector]  # (price, node)
    spare: Scratch[Vector]  # (2, node)


def build_sweep(prices: int, nodes: int) -> Sweep:
    """Space for so many prices and nodes."""
    return Sweep(np.zeros(prices), np.zeros((prices, nodes)), np.zeros((2, nodes)))


def build_indices(arms: tuple[Arm, ...]) -> Indices:
    """The indices of these arms."""
    lattices = [planning_lattice(arm) for arm in arms]
    values = np.zeros((len(arms), max(lattice.rewards.size for lattice in lattices)))
    for lattice, row in zip(lattices, values, strict=True):
        read_indices(_swept(lattice), row[: lattice.rewards.size])
    return Indices(grids_of(lattices), values)


def is_indexable(arm: Arm) -> bool:
    """Whether, on a grid, no price makes a pull worth while that is not at a lower price.

    >>> import roguewk as rw
    >>> from roguewk.relax.index import is_indexable
    >>> is_indexable(rw.catalog.paper().problem.arms[0])
    True
    """
    prices, gains, _ = _swept(planning_lattice(arm))
    lowest = np.minimum.accumulate(gains, axis=0)
    noise = NOISE * (prices[-1] - prices[0])
    return not ((lowest < -noise) & (gains > noise)).any()


def _swept(lattice: Lattice) -> Sweep:
    made = build_sweep(PRICES[lattice.counts.size], lattice.rewards.size)
    _sweep(lattice, made)
    return made


@compiled_for_threads
def _sweep(lattice: Lattice, out: Sweep) -> None:
    sweep(lattice, SETTLED, out)


@compiled
def _ends(values: Vector) -> tuple[float, float]:
    """The least and the largest."""
    least, most = np.inf, -np.inf
    for i in range(values.size):
        least, most = min(least, values[i]), max(most, values[i])
    return least, most


@compiled
def sweep(lattice: Any, settled: float, out: Sweep) -> None:
    """Fill in gains, between prices at which pulling is better than resting always and never."""
    low, high = _ends(lattice.rewards)
    reach = max(high - low, 1e-6 * max(abs(low), abs(high)), 1e-300)
    low, high = low - 0.01 * reach, high + 0.01 * reach
    wider = reach
    for _ in range(WIDENINGS):
        out.prices[0], out.prices[1] = low, high
        _iterate(lattice, 2, settled * reach, out)
        always, never = _ends(out.gains[0])[0] > 0.0, _ends(out.gains[1])[1] < 0.0
        if always and never:
            break
        low, high = low if always else low - wider, high if never else high + wider
        wider *= 2.0
    for p in range(out.prices.size):
        out.prices[p] = low + (high - low) * p / (out.prices.size - 1)
    _iterate(lattice, out.prices.size, settled * reach, out)


@compiled
def _one_round(lattice: Any, price: float, now: Vector, after: Vector) -> None:
    """One round of value iteration."""
    nodes, corners = lattice.rest.shape
    for i in range(nodes):
        rested = pulled = 0.0
        for k in range(corners):
            rested += lattice.rest_shares[i, k] * now[lattice.rest[i, k]]
            pulled += lattice.pull_shares[i, k] * now[lattice.pull[i, k]]
        pulled += lattice.rewards[i] - price
        after[i] = rested + max(pulled - rested, 0.0)


@compiled
def _iterate(lattice: Any, prices: int, precision: float, out: Sweep) -> None:
    """Value iteration at each of the first prices, from the values at the one before.

    Half of each step only: the best use of an arm may be periodic, and full steps would go round in circles with it.
    """
    nodes, corners = lattice.rest.shape
    now, after = out.spare[0], out.spare[1]
    now[:] = 0.0
    for p in range(prices):
        for _ in range(MOST_STEPS):
            _one_round(lattice, out.prices[p], now, after)
            least, most = np.inf, -np.inf
            for i in range(nodes):
                least, most = min(least, after[i] - now[i]), max(most, after[i] - now[i])
                now[i] = 0.5 * (now[i] + after[i])
            base = now[0]
            for i in range(nodes):
                now[i] -= base
            if most - least < precision:
                break
        for i in range(nodes):
            gain = lattice.rewards[i] - out.prices[p]
            for k in range(corners):
                gain += lattice.pull_shares[i, k] * now[lattice.pull[i, k]]
                gain -= lattice.rest_shares[i, k] * now[lattice.rest[i, k]]
            out.gains[p, i] = gain


@compiled
def read_indices(swept: Sweep, out: Vector) -> None:
    """Write the lowest price at which resting is as good as pulling to `out`, (node,)."""
    for i in range(out.size):
        p = 1
        while p < swept.prices.size - 1 and swept.gains[p, i] > 0.0:
            p += 1
        before, after = swept.gains[p - 1, i], swept.gains[p, i]
        share = min(max(before / (before - after), 0.0), 1.0) if before > after else 0.0
        out[i] = swept.prices[p - 1] + share * (swept.prices[p] - swept.prices[p - 1])


class OwnIndices(NamedTuple):
    """The tables of all arms, as `Indices` has them, of a policy that fills them itself."""

    grids: Scratch[Any]  # (arm,) records
    values: Scratch[Vector]  # (arm, node)
    sweep: Sweep


def build_own_indices(arms: int) -> OwnIndices:
    """Space for so many arms."""
    return OwnIndices(np.zeros(arms, dtype=GRID), np.zeros((arms, NODES)), build_sweep(OWN_PRICES, NODES))


@compiled_apart
def reindex(indices: OwnIndices, bench: Bench, a: int, believed: Believed) -> None:
    """Fill the table of arm `a` within the compiled loop, for what is believed of it."""
    lay_out(bench, indices.grids[a], believed)
    sweep(bench, NEARLY_SETTLED, indices.sweep)
    read_indices(indices.sweep, indices.values[a])
