"""Schedules of whole pulls, fixed in advance, whose mean costs fit the budgets: what is surely within reach."""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roguewk.allocate.lp import solve_lp
from roguewk.bounds.upper import Bound, upper_bound
from roguewk.kernel.arrays import Vector
from roguewk.problem.constants import mean_rewards, next_states
from roguewk.problem.errors import InputError
from roguewk.problem.ledger import limit_of
from roguewk.relax.lattice import Lattice, build_lattice
from roguewk.world.world import World

IDLE = -1
ROUGH = 1e-3  # shortfall of an interpolation that is good enough for choosing between arms
PARTS = (1.0, 0.97, 0.9)  # of the bound's prices: at the prices themselves a budget may be left over
ENTRIES = 50_000_000  # of the tables of indices; an index far from the end hardly depends on the rounds to go
# What a pull of each arm is worth now, by round and states; the best arm that can still be paid for is played.
Rule = Callable[[int, list[Vector]], Vector]


@dataclass(frozen=True, eq=False)
class Schedule:
    """Whole pulls fixed in advance; `arms` (round,) has -1 for an idle round and ends where the budgets do.

    `reward` is the expected reward if every pull costs its mean. Costs being random, a game may end earlier: `assured`
    is what playing the schedule expects at least, counting only rounds that the budgets surely or almost surely reach.
    """

    name: str
    arms: NDArray[np.int64]
    reward: float
    assured: float


class _Index(NamedTuple):
    """What a pull of one arm is worth beyond its price and its wear, on the nodes of a grid."""

    lattice: Lattice
    worth: NDArray[np.float32]  # (rounds to go, node)

    def at(self, to_go: int, state: Vector) -> float:
        place = np.rint((state - self.lattice.low) / self.lattice.gaps).astype(int)
        place = np.clip(place, 0, self.lattice.counts - 1)
        return float(
            self.worth[min(to_go, len(self.worth) - 1), np.ravel_multi_index(tuple(place), tuple(self.lattice.counts))]
        )


def priced_bound(world: World, idle: bool) -> Bound | None:
    """The certified bound, whose prices make the best schedules; None for arms that it cannot treat."""
    try:
        return upper_bound(world, idle)
    except InputError:
        return None


def payable_share(world: World) -> float:
    """The largest share of the rounds that the budgets can pay for with a pull in each, at mean costs."""
    problem = world.problem
    return solve_lp(np.ones(len(world.arms)), world.mean_costs, problem.budgets / problem.horizon).value


def best_schedule(world: World, idle: bool, bound: Bound | None) -> Schedule:
    """The schedule that earns most among simple ones and those that the prices of `bound` suggest."""
    return max(_schedules(world, idle, bound), key=lambda schedule: schedule.reward)


def _schedules(world: World, idle: bool, bound: Bound | None) -> Iterator[Schedule]:
    problem = world.problem
    size = len(world.arms)
    alone = np.where(np.eye(size, dtype=bool), 1.0, -np.inf)
    for a, arm in enumerate(world.arms):
        yield _play(world, idle, f"only {arm.name!r}", _always(alone[a]))
    yield _play(world, idle, "all arms in turn", lambda t, states: alone[t % size])
    means = _means(world)
    yield _play(world, idle, "the largest mean reward", means)
    start = means(0, list(world.x0))
    prices = solve_lp(start, world.mean_costs, problem.budgets / problem.horizon).prices
    paid = world.mean_costs @ prices
    yield _play(world, idle, "the largest mean reward less its cost", lambda t, states: means(t, states) - paid)
    if idle:
        for wait in itertools.takewhile(lambda rounds: rounds < problem.horizon, (2**k for k in range(31))):
            yield _play(world, True, f"{wait} idle rounds, then the largest mean reward", _after(wait, means))
    if bound is not None:
        for part in PARTS if idle else PARTS[:1]:
            yield from _planned(world, idle, bound, part)


def _means(world: World) -> Rule:
    arms = world.arms
    return lambda t, states: np.array([mean_rewards(arm, x[None, :])[0] for arm, x in zip(arms, states, strict=True)])


def _always(worth: Vector) -> Rule:
    return lambda t, states: worth


def _after(wait: int, rule: Rule) -> Rule:
    return lambda t, states: np.full(len(states), -np.inf) if t < wait else rule(t, states)


def _planned(world: World, idle: bool, bound: Bound, part: float) -> Iterator[Schedule]:
    """Play the arm whose pull is worth most beyond its price: now, and in what it leaves of the rounds to come."""
    problem = world.problem
    prices = world.mean_costs @ bound.prices * part + bound.round_price
    lattices = [build_lattice(arm, x0, ROUGH) for arm, x0 in zip(world.arms, world.x0, strict=True)]
    rows = max(50, ENTRIES // sum(lattice.rewards.size for lattice in lattices))
    indices = [
        _build_index(lattice, price, min(rows, problem.horizon))
        for lattice, price in zip(lattices, prices.tolist(), strict=True)
    ]

    def ending(rounds: int) -> Rule:
        return lambda t, states: np.array(
            [index.at(max(rounds - 1 - t, 0), x) for index, x in zip(indices, states, strict=True)]
        )

    first = _play(world, idle, "the arm worth most at the bound's prices", ending(problem.horizon))
    yield first
    if first.arms.size < problem.horizon:  # the end was nearer than it knew
        yield _play(world, idle, first.name, ending(first.arms.size))


def _build_index(lattice: Lattice, price: float, rounds: int) -> _Index:
    worth = np.zeros((rounds, lattice.rewards.size), dtype=np.float32)
    value = np.zeros(lattice.rewards.size)
    for s in range(rounds):
        rested = (lattice.rest_shares * value[lattice.rest]).sum(axis=1)
        pulled = lattice.rewards - price + (lattice.pull_shares * value[lattice.pull]).sum(axis=1)
        worth[s] = pulled - rested
        value = np.maximum(pulled, rested)
    return _Index(lattice, worth)


def _play(world: World, idle: bool, name: str, rule: Rule) -> Schedule:
    """Follow a rule on mean costs until the rounds or, where every round must play, the budgets end."""
    problem = world.problem
    costs, left = world.mean_costs, limit_of(problem.budgets)
    states = list(world.x0)
    arms, rewards = [], []
    for t in range(problem.horizon):
        worth = rule(t, states)
        wanted = (costs <= left).all(axis=1) & (worth > (0.0 if idle else -np.inf))
        a = int(np.where(wanted, worth, -np.inf).argmax()) if wanted.any() else IDLE
        if a == IDLE and not idle:
            break
        arms.append(a)
        rewards.append(0.0 if a == IDLE else float(mean_rewards(world.arms[a], states[a][None, :])[0]))
        left = left if a == IDLE else left - costs[a]
        states = [
            next_states(arm, x[None, :], float(each == a))[0]
            for each, (arm, x) in enumerate(zip(world.arms, states, strict=True))
        ]
    played = np.array(arms, dtype=np.int64)
    return Schedule(name, played, sum(rewards), _assured(world, played, np.array(rewards)))


def _assured(world: World, arms: NDArray[np.int64], rewards: Vector) -> float:
    """The expected reward at least: of the rounds reached for sure, or (Hoeffding) with a chance of 1 - 1/T."""
    if (rewards < 0).any():
        return -np.inf  # ending early might then be a gain or a loss

    def spent(table: list[list[float]]) -> Vector:  # (round, resource), cumulative
        rows = np.array([*table, [0.0] * len(world.problem.resources)])
        return np.asarray(rows[arms].cumsum(axis=0))  # the last row is an idle round's

    budgets, horizon = limit_of(world.problem.budgets), world.problem.horizon
    surely = (spent([[cost.largest for cost in row] for row in world.costs]) <= budgets).all(axis=1)
    widths = spent([[(cost.largest - cost.smallest) ** 2 for cost in row] for row in world.costs])
    margin = np.sqrt(widths / 2 * math.log(max(len(budgets), 1) * horizon))
    nearly = (spent(world.mean_costs.tolist()) + margin <= budgets).all(axis=1)
    return max(float(rewards @ surely), (1 - 1 / horizon) * float(rewards @ nearly))
