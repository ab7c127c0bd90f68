"""Looking ahead, the slow way: value iteration with SciPy's interpolation, and every sequence of arms there is."""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from scipy.interpolate import RegularGridInterpolator
from scipy.special import expit

from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import Arm
from roguewk.world.world import World


def moved(arm: Arm, x: Vector, pulled: float) -> Vector:
    """The states, (..., coordinate), after a round."""
    if arm.h is not None:
        return np.vectorize(arm.h, otypes=[float])(x, pulled)
    return np.asarray(x @ arm.matrix.T + arm.push * pulled + arm.pull_back)


def means(arm: Arm, x: Vector) -> Vector:
    """The mean rewards, (...,), in the states (..., coordinate)."""
    if arm.g is not None:
        return np.vectorize(arm.g, otypes=[float])(x[..., 0])
    level = arm.alpha + x @ arm.weights
    return np.asarray(level if arm.sigma is not None else expit(level))


def interpolated(axes: Sequence[Vector], table: Vector, x: Vector) -> Vector:
    """A table over the grid of these axes at states (..., coordinate); outside, at the nearest point of the grid."""
    inside = np.clip(x, [axis[0] for axis in axes], [axis[-1] for axis in axes])
    return np.asarray(RegularGridInterpolator(tuple(axes), table)(inside))


def values(arm: Arm, axes: Sequence[Vector], price: float, rounds: int) -> Iterator[Vector]:
    """What the arm alone brings at this price with 1, 2, ... rounds to go, at each node of the grid."""
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    rested, pulled, rewards = moved(arm, nodes, 0.0), moved(arm, nodes, 1.0), means(arm, nodes)
    table = np.zeros(nodes.shape[:-1])
    for _ in range(rounds):
        with_pull = rewards - price + interpolated(axes, table, pulled)
        table = np.maximum(with_pull, interpolated(axes, table, rested))
        yield table


def best_total(world: World) -> float:
    """The most that any sequence of arms earns in a world of fixed costs, all sequences tried."""
    problem = world.problem
    choices = range(-1 if problem.idle else 0, len(problem.arms))
    sequences = np.array(list(itertools.product(choices, repeat=problem.horizon)))
    states = [np.tile(x0, (len(sequences), 1)) for x0 in world.x0]
    spent, total = np.zeros((len(sequences), len(problem.resources))), np.zeros(len(sequences))
    going = np.ones(len(sequences), dtype=bool)
    for chosen in sequences.T:
        for a, arm in enumerate(world.arms):
            hit = chosen == a
            spent[hit] += world.mean_costs[a]
            going &= ~hit | (spent <= problem.budgets * (1 + 1e-9)).all(axis=1)
            total += np.where(hit & going, means(arm, states[a]), 0.0)
            states[a] = np.where(hit[:, None], moved(arm, states[a], 1.0), moved(arm, states[a], 0.0))
    return float(total.max())
