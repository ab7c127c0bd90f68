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
from roguewk.kernel.compile import compiled_for_threads
from roguewk.kernel.memory import Constant
from roguewk.problem.arm import Arm
from roguewk.relax.lattice import Lattice, planning_lattice
from roguewk.relax.schedule import step
from roguewk.relax.worth import grids_of

PRICES = {1: 257, 2: 129}  # by the number of coordinates
SETTLED = 1e-7  # of the range of rewards: values whose increments differ by less do not change any more
MOST_STEPS = 5000
WIDENINGS = 60  # of the range of prices at the most, each doubling it
NOISE = 1e-3  # of the range of prices: how much a grid may err about a gain


class Indices(NamedTuple):
    """The tables of all arms."""

    grids: Constant[Any]  # (arm,) records: where the nodes are
    values: Constant[Vector]  # (arm, node)


def build_indices(arms: tuple[Arm, ...]) -> Indices:
    """The indices of these arms."""
    lattices = [planning_lattice(arm) for arm in arms]
    values = np.zeros((len(arms), max(lattice.rewards.size for lattice in lattices)))
    for lattice, row in zip(lattices, values, strict=True):
        prices, gains = _gains(lattice)
        row[: lattice.rewards.size] = _crossing(prices, gains)
    return Indices(grids_of(lattices), values)


def is_indexable(arm: Arm) -> bool:
    """Whether, on a grid, no price makes a pull worth while that is not at a lower price.

    >>> import roguewk as rw
    >>> from roguewk.relax.index import is_indexable
    >>> is_indexable(rw.catalog.paper().problem.arms[0])
    True
    """
    prices, gains = _gains(planning_lattice(arm))
    lowest = np.minimum.accumulate(gains, axis=0)
    noise = NOISE * (prices[-1] - prices[0])
    return not ((lowest < -noise) & (gains > noise)).any()


def _gains(lattice: Lattice) -> tuple[Vector, Vector]:
    """(price,) and (price, node): what pulling gains over resting, between prices at which it does always and never."""
    low, high = float(lattice.rewards.min()), float(lattice.rewards.max())
    reach = max(high - low, 1e-6 * max(abs(low), abs(high), 1.0))
    low, high = low - 0.01 * reach, high + 0.01 * reach
    spare, choices = np.zeros((2, lattice.rewards.size)), np.zeros(lattice.rewards.size, dtype=np.bool_)
    precision, wider = SETTLED * reach, reach
    gains = np.zeros((2, lattice.rewards.size))
    for _ in range(WIDENINGS):
        _iterate(lattice, np.array([low, high]), precision, gains, spare, choices)
        if gains[0].min() > 0 and gains[1].max() < 0:
            break
        low, high = (low if gains[0].min() > 0 else low - wider), (high if gains[1].max() < 0 else high + wider)
        wider *= 2
    prices = np.linspace(low, high, PRICES[lattice.counts.size])
    gains = np.zeros((prices.size, lattice.rewards.size))
    _iterate(lattice, prices, precision, gains, spare, choices)
    return prices, gains


@compiled_for_threads
def _iterate(lattice: Lattice, prices: Vector, precision: float, gains: Vector, spare: Vector, choices: Any) -> None:
    """Value iteration at each price, from the values at the one before.

    Half of each step only: the best use of an arm may be periodic, and full steps would go round in circles with it.
    """
    nodes, corners = lattice.rest.shape
    now, after = spare[0], spare[1]
    now[:] = 0.0
    for p in range(prices.size):
        for _ in range(MOST_STEPS):
            step(lattice, prices[p], now, after, choices)
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
            gain = lattice.rewards[i] - prices[p]
            for k in range(corners):
                gain += lattice.pull_shares[i, k] * now[lattice.pull[i, k]]
                gain -= lattice.rest_shares[i, k] * now[lattice.rest[i, k]]
            gains[p, i] = gain


def _crossing(prices: Vector, gains: Vector) -> Vector:
    """(node,) the lowest price at which resting is as good as pulling."""
    at = np.clip(np.argmax(gains <= 0, axis=0), 1, None)
    nodes = np.arange(gains.shape[1])
    before, after = gains[at - 1, nodes], gains[at, nodes]
    part = np.clip(before / np.where(before > after, before - after, 1.0), 0.0, 1.0)
    return prices[at - 1] + part * (prices[at] - prices[at - 1])
