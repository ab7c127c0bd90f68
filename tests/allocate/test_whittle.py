"""Whittle's index rule against a slow computation of the index, state by state."""

import itertools
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

import roguewk as rw
from roguewk.experiment.quality.random_worlds import random_world
from roguewk.kernel.arrays import Vector
from roguewk.problem.family.registry import family_code
from roguewk.relax.index import build_indices, build_own_indices, is_indexable, reindex
from roguewk.relax.retabulate import Believed, build_bench
from roguewk.relax.worth import read
from roguewk.world.game import Game
from tests.judge import coins

LEARNED: dict[str, Any] = {"dynamics": "learned"}
CLOSE = 0.015  # in units of the range of rewards: what a coarse grid may be off


def mean(arm: rw.Arm, states: Vector) -> Vector:
    levels = arm.alpha + states @ arm.weights
    return np.asarray(levels if arm.sigma is not None else 1 / (1 + np.exp(-levels)))


def after(arm: rw.Arm, states: Vector, pulled: float) -> Vector:
    return np.asarray(states @ arm.matrix.T + arm.push * pulled + arm.pull_back)


def interpolation(axes: list[Vector], states: Vector) -> Any:
    """The matrix that takes values at the nodes to values at these states."""
    rows, columns, weights = [], [], []
    for row, state in enumerate(states):
        low, part = [], []
        for axis, x in zip(axes, state, strict=True):
            place = np.clip((x - axis[0]) / (axis[1] - axis[0]), 0, axis.size - 1)
            low.append(min(int(place), axis.size - 2))
            part.append(place - low[-1])
        for corner in itertools.product((0, 1), repeat=len(axes)):
            rows.append(row)
            columns.append(
                np.ravel_multi_index([i + c for i, c in zip(low, corner, strict=True)], [axis.size for axis in axes])
            )
            weights.append(np.prod([p if c else 1 - p for p, c in zip(part, corner, strict=True)]))
    return csr_array((weights, (rows, columns)), shape=(len(states), int(np.prod([axis.size for axis in axes]))))


def slow_index(arm: rw.Arm, states: Vector, nodes: int) -> Vector:
    """(state,) by bisection on the price, each time with value iteration on a fine grid."""
    axes = [np.linspace(low, high, nodes) for low, high in arm.box]
    grid = np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=1)
    rest, pull = (interpolation(axes, after(arm, grid, pulled)) for pulled in (0.0, 1.0))
    own_rest, own_pull = (interpolation(axes, after(arm, states, pulled)) for pulled in (0.0, 1.0))
    rewards, spread = mean(arm, grid)[:, None], np.ptp(mean(arm, grid))
    low, high = np.full(len(states), -20.0 * spread), np.full(len(states), 20.0 * spread)
    values = np.zeros((len(grid), len(states)))
    for _ in range(16):
        price = (low + high) / 2
        for _ in range(3000):
            found = np.maximum(rewards - price + pull @ values, rest @ values)
            change = found - values
            values = 0.4 * values + 0.6 * found  # whole steps would follow the period of the arm's best use
            values -= values[0]
            if np.ptp(change, axis=0).max() < 1e-6 * spread:
                break
        gains = mean(arm, states) - price + np.diagonal(own_pull @ values - own_rest @ values)
        low, high = np.where(gains > 0, price, low), np.where(gains > 0, high, price)
    return (low + high) / 2


ARMS = {
    "dear": rw.catalog.one_resource().problem.arms[0],
    "paper's last": rw.catalog.paper().problem.arms[2],
    "slow": rw.catalog.slow_recovery().problem.arms[0],
    "gaussian": rw.catalog.gaussian().problem.arms[2],
    "swings": rw.Arm("a", A=-0.6, B=-1.0, K=0.3),
    "improves with use": rw.Arm("a", A=0.8, B=0.6, K=-0.4),
    "two coordinates": rw.catalog.two_dimensional().problem.arms[1],
}


@pytest.mark.parametrize("kind", ARMS)
def test_the_index_is_the_price_at_which_a_pull_and_a_rest_are_equally_good(kind: str) -> None:
    arm = ARMS[kind]
    states = np.random.default_rng(1).uniform(arm.box[:, 0], arm.box[:, 1], (8, arm.dimension))
    tables = build_indices((arm,))
    found = [read(tables.grids[0], tables.values[0], x) for x in states]
    corners = mean(arm, np.array(list(itertools.product(*arm.box))))
    assert found == pytest.approx(
        slow_index(arm, states, 801 if arm.dimension == 1 else 41), abs=CLOSE * np.ptp(corners)
    )
    assert np.ptp(found) > 0.2 * np.ptp(corners) or kind == "improves with use"


def test_known_indices_are_found() -> None:
    """Of an arm that a pull does not change, the reward; of others so at rest: at that price, no pull follows."""
    for arm in coins(0.3, 0.7).problem.arms:
        tables = build_indices((arm,))
        nodes = np.linspace(arm.box[0, 0], arm.box[0, 1], tables.values.shape[1])[:, None]
        assert tables.values[0] == pytest.approx(mean(arm, nodes), abs=1e-4)
    arm = rw.everyday_arm("a", rested=0.6, wear=0.5, half_life=2, state=(-2.0, 0.5))
    tables = build_indices((arm,))
    for x in (0.0, 0.25, 0.5):
        reward = mean(arm, np.array([[x]]))[0]
        assert read(tables.grids[0], tables.values[0], np.array([x])) == pytest.approx(reward, abs=0.01)


@pytest.mark.parametrize("name", rw.catalog.names())
def test_the_arms_of_the_catalogue_are_indexable(name: str) -> None:
    assert all(is_indexable(arm) for arm in rw.catalog.get(name).problem.arms)


def test_an_arm_that_is_not_indexable_is_told_apart() -> None:
    """From place 0 a rest leads to three fair rewards and a pull, itself well paid, to a single good one.

    At no price rest is better, 1.5 > 0.6 + 0.7; at a price of 0.3 the pull is, 1.3 - 0.6 > 1.5 - 0.9.
    """

    def detour(x: float, pulled: float) -> float:
        place = int(x + 0.5)
        if place == 0:
            return 4.0 if pulled > 0 else 1.0
        return 0.0 if place in (3, 6) else place + 1.0

    def paid(x: float) -> float:
        place = int(x + 0.5)
        if place == 0:
            return 0.6
        return 0.5 if place <= 3 else 0.7 if place == 4 else 0.001

    assert not is_indexable(rw.Arm("detour", h=detour, g=paid, state=(0.0, 6.0)))


@pytest.mark.parametrize("half_life", [0.4, 3.0, 30.0])
@pytest.mark.parametrize(("push", "family"), [(-0.1, "bernoulli"), (-0.9, "bernoulli"), (-0.3, "gaussian")])
def test_indices_made_in_the_loop_are_those_made_at_leisure(half_life: float, push: float, family: str) -> None:
    sigma = 1.0 if family == "gaussian" else None
    retention = 0.5 ** (1 / half_life)
    lowest = max(push / (1 - retention), -7.0)
    arm = rw.Arm("a", A=retention, B=push, alpha=0.4, state=(lowest, 0.25), family=family, sigma=sigma)
    own: Any = build_own_indices(2)
    reindex(own, build_bench(), 1, Believed(family_code(family), sigma is None, retention, 0.4, push, 0.25, -0.1))
    known = build_indices((arm,))
    states = np.linspace(lowest, 0.25, 25)[:, None]
    found = [read(own.grids[1], own.values[1], x) for x in states]
    expected = [read(known.grids[0], known.values[0], x) for x in states]
    assert found == pytest.approx(expected, abs=2 * CLOSE * np.ptp(mean(arm, states)))


def slow_tables(problem: rw.Problem) -> list[tuple[Vector, Vector]]:
    """Indices of scalar arms at some states."""
    return [
        (states, slow_index(arm, states[:, None], 301))
        for arm in problem.arms
        for states in [np.linspace(arm.box[0, 0], arm.box[0, 1], 60)]
    ]


@pytest.mark.parametrize("policy", ["whittle", "whittle-known"])
@pytest.mark.parametrize("world", [rw.catalog.paper(horizon=250), rw.catalog.gaussian(horizon=250, idle=True)])
def test_whittle_plays_the_arm_with_the_largest_index(policy: str, world: rw.World) -> None:
    tables = slow_tables(world.problem)
    game, known = Game(world, 3), {"x0": world.x0} if policy == "whittle-known" else {}
    player = rw.make_policy(policy, world.problem, 3, **known)
    clear = 0
    for t in range(250):
        decision = player.select()
        if player.round == t:
            break
        indices = [float(np.interp(x, *table)) for (x,), table in zip(game.states, tables, strict=True)]
        reward, costs = game.play(decision.arm)
        if decision.arm is not None:
            player.update(decision, reward, costs)
        if t < 60 and policy == "whittle":
            continue  # the states are still being learned
        order = np.argsort(indices)
        if indices[order[-1]] - indices[order[-2]] > 0.1 and indices[order[-1]] > 0.1:
            clear += 1
            assert decision.arm == order[-1], f"round {t}"
    assert clear > 30


def test_whittle_earns_almost_as_much_as_the_planner_that_knows_the_truth() -> None:
    paper = rw.catalog.paper(horizon=1000)
    world = rw.World(rw.Problem(paper.problem.arms, [], 1000), paper.x0, [[] for _ in range(3)])
    policies = ["whittle", "whittle-known", "clairvoyant", "ucb1"]
    earned = rw.simulate(world, policies, replicates=20).frame().groupby("policy")["expected_reward"].mean()
    assert earned["whittle"] > 0.97 * earned["clairvoyant"]
    assert earned["whittle-known"] > 0.97 * earned["clairvoyant"]
    assert earned["clairvoyant"] > 1.1 * earned["ucb1"]


def test_whittle_waits_when_no_index_is_positive_and_a_round_may_be_idle() -> None:
    arm = rw.everyday_arm("a", rested=-0.5, wear=1.0, half_life=2, family="gaussian", sigma=0.1)
    for idle, played in ((True, None), (False, 0)):
        problem = rw.Problem([arm], [], 20, idle=idle)
        assert rw.make_policy("whittle-known", problem, x0=[0.0]).select().arm == played


def test_states_of_three_coordinates_are_refused() -> None:
    arm = rw.Arm("a", A=np.diag([0.1, 0.2, 0.3]), B=[-1.0] * 3, K=[0.0] * 3, beta=[1.0] * 3)
    with pytest.raises(rw.InputError, match="3 coordinates, and plans are for states of one or two: use roguewk-ucb"):
        rw.make_policy("whittle", rw.Problem([arm], [], 10))


def test_nothing_known_earns_most_of_what_knowing_the_dynamics_does() -> None:
    known = learned = none = 0.0
    for seed in (100, 102, 104):
        world = random_world(seed)
        problem = rw.Problem(world.problem.arms, [], 600, world.problem.idle)
        policies = {"known": "whittle", "learned": ("whittle", LEARNED), "none": "sw-ucb"}
        runs = rw.simulate(rw.World(problem, world.x0, [[] for _ in problem.arms]), policies, replicates=4, seed=5)
        earned = runs.frame().groupby("policy")["expected_reward"].mean()
        known, learned, none = known + earned["known"], learned + earned["learned"], none + earned["none"]
    assert learned > 0.92 * known
    assert learned > 1.1 * none


def test_a_learned_state_that_no_table_can_be_made_for_is_refused() -> None:
    policy = rw.make_policy("whittle", rw.catalog.paper().problem, **LEARNED)
    for _ in range(4):
        policy.update(policy.select(), 1.0, [0.1, 0.1, 0.1])
        rw.restore_policy(policy.to_bytes(), problem=policy.problem)
    policy.parts.allocation.planned.wanted[1, 0] = 1.0
    with pytest.raises(rw.InputError, match="the state is damaged, a retention that is planned for"):
        rw.restore_policy(policy.to_bytes(), problem=policy.problem)
    assert list(policy.beliefs()["arm"]) == ["arm 0", "arm 1", "arm 2"]
