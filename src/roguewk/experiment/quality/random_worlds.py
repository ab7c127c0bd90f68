"""Random worlds to judge policies on: a few arms that wear off and recover, a few resources, budgets that bind.

Everything follows from the seed. Coins, which cost everything or nothing, are the harshest noise that costs of a given
mean can have, so worlds with coins are a family of their own.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from roguewk.bounds.upper import Bound, upper_bound
from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import Arm, link
from roguewk.problem.errors import known, text, whole
from roguewk.problem.problem import Problem
from roguewk.problem.resource import Resource
from roguewk.world.cost import Cost
from roguewk.world.world import World

KINDS = {"plain": ("fixed", "uniform", "beta"), "coins": ("fixed", "uniform", "beta", "bernoulli")}
ARMS, RESOURCES, HORIZONS = (2, 8), (1, 4), (500, 2000)  # from, to
RETENTION, RESTED, DROPS = (0.1, 0.95), (0.2, 0.9), (0.5, 4.0)  # of states, mean reward, log-odds
COSTS, TIGHTNESS = (0.05, 0.95), (0.3, 0.9)  # means; budgets over what the arms in turn would cost
CONCENTRATION = 4.0  # of beta costs
TIGHTER = 0.7  # what is left of budgets that nobody would miss
MATTERS = 0.01  # of the bound: what all budgets are worth at their prices, at the least
LARGEST_SEED = 2**63 - 1


class BoundedWorld(NamedTuple):
    """A world with its bound, which is known anyway from making sure that a budget binds."""

    world: World
    bound: Bound


def random_world(seed: int, kind: str = "plain") -> World:
    """A world of this family.

    >>> world = random_world(3)
    >>> len(world.problem.arms), len(world.problem.resources), world.problem.horizon
    (5, 4, 1932)
    """
    return bounded_random_world(seed, kind).world


def bounded_random_world(seed: int, kind: str = "plain") -> BoundedWorld:
    """The same with its bound; budgets shrink until they are worth something."""
    seed = whole(seed, "seed of a random world", 0, LARGEST_SEED)
    known(text(kind, "kind of random worlds"), KINDS, "kind of random worlds")
    rng = np.random.default_rng([list(KINDS).index(kind), seed])
    arms, resources, horizon = (int(rng.integers(low, high + 1)) for low, high in (ARMS, RESOURCES, HORIZONS))
    world = drawn(rng, arms, resources, horizon, bool(rng.integers(2)), KINDS[kind])
    bound = upper_bound(world)
    while bound.prices @ world.problem.budgets < MATTERS * bound.value:
        world = world.with_budget((TIGHTER * world.problem.budgets).tolist())
        bound = upper_bound(world)
    return BoundedWorld(world, bound)


def drawn(rng: np.random.Generator, arms: int, resources: int, horizon: int, idle: bool, kinds: Sequence[str]) -> World:
    """A world of this size; whether a budget binds is up to luck."""
    drops = rng.uniform(*DROPS, arms)
    each = [_arm(rng, f"arm {a}", drop) for a, drop in enumerate(drops)]
    x0 = rng.uniform(-drops, 0.0)
    means = rng.uniform(*COSTS, (arms, resources))
    costs = [[_cost(str(rng.choice(kinds)), float(mean)) for mean in row] for row in means]
    budgets: Vector = horizon * means.mean(axis=0) * rng.uniform(*TIGHTNESS, resources)
    stock = [Resource(f"resource {j}", budget, 1.0) for j, budget in enumerate(budgets.tolist())]
    return World(Problem(each, stock, horizon, idle), x0.tolist(), costs)


def _arm(rng: np.random.Generator, name: str, drop: float) -> Arm:
    """`drop` is how far the log-odds of a reward fall from fully rested to fully worn."""
    retention, rested = rng.uniform(*RETENTION), rng.uniform(*RESTED)
    return Arm(name, A=retention, B=-drop * (1 - retention), alpha=link(rested, "bernoulli", "rested"))


def _cost(kind: str, mean: float) -> Cost:
    if kind == "uniform":
        half = min(mean, 1 - mean)  # as wide as fits
        return Cost.uniform(mean - half, mean + half)
    if kind == "beta":
        return Cost.beta(CONCENTRATION * mean, CONCENTRATION * (1 - mean))
    return Cost.bernoulli(mean) if kind == "bernoulli" else Cost.fixed(mean)
