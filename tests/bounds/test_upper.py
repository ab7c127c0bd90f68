"""The bound against enumeration, the exact optimum, and everything that policies earn."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import linprog

import roguewk as rw
from roguewk.bounds.priced import build_game
from roguewk.kernel.arrays import Vector
from roguewk.problem.dynamics import build_dynamics
from roguewk.relax.lattice import build_lattice
from roguewk.relax.schedule import build_table, follow, solve_arm
from tests.judge import MAIN
from tests.plain_worlds import NAMES as PLAIN_WORLDS


def _random_arm(rng: np.random.Generator, name: str, kind: str) -> tuple[rw.Arm, Vector]:
    if kind == "two":
        matrix = np.diag(rng.uniform(0.1, 0.9, 2)) + np.array([[0.0, rng.uniform(-0.1, 0.1)], [0.0, 0.0]])
        arm = rw.Arm(
            name, matrix.tolist(), rng.uniform(-1, 0, 2), rng.uniform(0, 0.5, 2), 0.1, rng.uniform(0.3, 1.0, 2)
        )
    elif kind == "own":
        bend = rng.uniform(0.3, 0.9)
        arm = rw.Arm(
            name,
            h=lambda x, pulled: bend * math.sin(x) - 0.5 * pulled,
            g=lambda x: 0.5 + 0.4 * math.tanh(x),
            state=(-3.0, 3.0),
        )
    else:
        family = {"gaussian": "gaussian"}.get(kind, "bernoulli")
        arm = rw.Arm(
            name,
            rng.uniform(-0.5, 0.95),
            rng.uniform(-2, 0.5),
            rng.uniform(-1, 1),
            rng.uniform(-0.5, 0.5),
            rng.uniform(-1, 1.5),
            family,
            0.5 if family == "gaussian" else None,
        )
    return arm, rng.uniform(arm.box[:, 0], arm.box[:, 1])


def _earned(arm: rw.Arm, x0: Vector, pulls: tuple[int, ...]) -> float:
    x, total = x0.copy(), 0.0
    for pulled in pulls:
        level = arm.alpha + float(arm.weights @ x)
        mean = arm.g(float(x[0])) if arm.g else level if arm.sigma else 1 / (1 + math.exp(-level))
        total += mean * pulled
        x = (
            np.array([arm.h(float(x[0]), float(pulled))])
            if arm.h
            else arm.matrix @ x + arm.push * pulled + arm.pull_back
        )
    return total


@pytest.mark.parametrize("kind", ["scalar", "gaussian", "two", "own"])
def test_an_arm_alone_is_worth_what_enumerating_its_schedules_says(kind: str) -> None:
    rng = np.random.default_rng(1)
    rounds = 9
    for _ in range(6):
        arm, x0 = _random_arm(rng, "arm", kind)
        price = rng.uniform(0, 0.6)
        lattice = build_lattice(arm, x0, 1e-4 if kind == "own" else 1e-6)
        table = build_table(lattice, rounds)
        solve_arm(lattice, price, table)
        for length in (1, 4, rounds):
            options = itertools.product((0, 1), repeat=length)
            truth = max(_earned(arm, x0, pulls) - price * sum(pulls) for pulls in options)
            assert truth - 1e-12 <= table.values[length] <= truth + 2 * (length + 1) * lattice.slack + 2e-3
        state = np.zeros((2, arm.dimension))
        state[0] = x0
        pulls, reward = follow(lattice, build_dynamics((arm,)), 0, table, rounds, state)
        assert reward - price * pulls <= table.values[rounds] + 1e-9
        assert reward - price * pulls >= table.values[rounds] - 0.05


def _tiny_world(rng: np.random.Generator, idle: bool) -> rw.World:
    count = int(rng.integers(1, 4))
    found = [_random_arm(rng, f"arm {a}", str(rng.choice(["scalar", "gaussian", "two"]))) for a in range(count)]
    horizon = int(rng.integers(2, 6))
    resources = [rw.Resource(f"r{j}", float(rng.uniform(0.5, 2.5))) for j in range(int(rng.integers(0, 3)))]
    costs = [
        [
            rw.Cost.fixed(float(rng.uniform(0.1, 1)))
            if rng.random() < 0.4
            else rw.Cost.bernoulli(float(rng.uniform(0.2, 0.9)), float(rng.uniform(0.2, 1)))
            for _ in resources
        ]
        for _ in found
    ]
    return rw.World(rw.Problem([arm for arm, _ in found], resources, horizon, idle), [x0 for _, x0 in found], costs)


@pytest.mark.parametrize("idle", [True, False])
def test_the_bound_is_never_below_the_exact_optimum_of_tiny_worlds(idle: bool) -> None:
    rng = np.random.default_rng(2)
    for _ in range(25):
        world = _tiny_world(rng, idle)
        assert rw.upper_bound(world).value >= rw.exact(world).value - 1e-9


def test_the_bound_is_close_to_the_exact_optimum_when_nothing_couples_the_rounds() -> None:
    arm = rw.Arm("only", A=0.6, B=-1.0, K=0.4, beta=1.0)
    world = rw.World(rw.Problem([arm], [], 8, idle=True), [0.5], [[]])
    best = rw.exact(world)
    assert best.value <= rw.upper_bound(world).value <= best.value + 1e-3


def test_idle_rounds_never_lower_the_exact_optimum_and_waiting_can_pay() -> None:
    rng = np.random.default_rng(3)
    for _ in range(10):
        world = _tiny_world(rng, False)
        assert rw.exact(world, idle=True).value >= rw.exact(world).value - 1e-12
    arm = rw.Arm("call", A=0.5, B=-1.0, K=0.5)
    waiting = rw.World(rw.Problem([arm], [rw.Resource("s", 1.0)], 4), [0.0], [[rw.Cost.fixed(1.0)]])
    assert rw.exact(waiting, idle=True).first is None
    assert rw.exact(waiting, idle=False).first == 0


@pytest.mark.parametrize("name", PLAIN_WORLDS)
@pytest.mark.parametrize("idle", [True, False])
def test_no_policy_earns_more_than_the_bound(name: str, idle: bool) -> None:
    world = rw.catalog.get(name).with_problem(idle=idle)
    bound = rw.upper_bound(world)
    runs = rw.simulate(world, [*MAIN, ("roguewk-ucb", {"cost_scale": 0.1})], replicates=20)
    expected = runs.frame().groupby("policy")["expected_reward"]
    assert (expected.mean() <= bound.value + 3 * expected.std() / math.sqrt(20)).all()
    assert bound.gap <= 2e-3 * bound.value
    assert bound.prices.shape == (len(world.problem.resources),)
    assert (bound.prices >= 0).all()


def test_the_bound_on_the_papers_world_is_where_it_should_be() -> None:
    values = [rw.upper_bound(rw.catalog.paper(budget=budget), idle=True).value for budget in (50, 100, 300)]
    np.testing.assert_allclose(values, [147.4, 274.0, 612.9], atol=0.2)


def test_more_budget_is_never_worth_less_and_prices_are_its_slope() -> None:
    bounds = [rw.upper_bound(rw.catalog.paper(budget=budget), idle=True) for budget in (60, 100, 140)]
    assert bounds[0].value < bounds[1].value < bounds[2].value
    for other in (bounds[0], bounds[2]):  # a concave function lies below its tangents
        step = 40 if other is bounds[2] else -40
        assert other.value <= bounds[1].value + bounds[1].prices.sum() * step + 2 * bounds[1].gap + 1e-6


def test_a_coarser_grid_gives_a_bound_that_still_holds() -> None:
    world = rw.catalog.slow_recovery()
    fine, coarse = (rw.upper_bound(world, idle=True, precision=precision) for precision in (1e-7, 1e-3))
    assert fine.value - fine.gap <= coarse.value <= 1.1 * fine.value


@pytest.mark.parametrize("idle", [True, False])
@pytest.mark.parametrize("name", ["paper", "slow_recovery", "gaussian", "two_dimensional"])
def test_a_finer_grid_lowers_the_bound_by_no_more_than_the_error_that_was_added(name: str, idle: bool) -> None:
    world = rw.catalog.get(name, idle=idle, horizon=200)
    found = []
    for precision in (1e-3, 1e-4, 1e-5, 1e-6)[: 3 if name == "two_dimensional" else 4]:
        game = build_game(world, not idle, precision)
        added = sum(201 * lattice.slack + 200 * table.tolerance for lattice, table in zip(*game[1:3], strict=True))
        found.append((rw.upper_bound(world, precision=precision), added))
    for (coarse, added), (fine, _) in itertools.pairwise(found):
        assert coarse.value - added - coarse.gap <= fine.value <= coarse.value + fine.gap


@pytest.mark.parametrize("idle", [True, False])
def test_without_habituation_the_bound_is_the_fluid_linear_program(idle: bool) -> None:
    """Arms that rest where they are: T times the best mix, by HiGHS."""
    rng = np.random.default_rng(5)
    for resources in (0, 1, 3):
        alpha, costs, horizon = rng.uniform(-1, 1, 4), rng.uniform(0.1, 1, (4, resources)), 100
        budgets = rng.uniform(20, 60, resources)
        arms = [rw.Arm(f"a{a}", A=0.5, B=0.0, alpha=alpha[a]) for a in range(4)]
        stock = [rw.Resource(f"r{j}", budget) for j, budget in enumerate(budgets)]
        fixed = [[rw.Cost.fixed(cost) for cost in row] for row in costs]
        world = rw.World(rw.Problem(arms, stock, horizon, idle), [0.0] * 4, fixed)
        rows, limits = np.vstack([costs.T, np.ones(4)]), np.append(budgets, horizon)
        fluid = -float(linprog(-1 / (1 + np.exp(-alpha)), rows, limits, method="highs").fun or 0.0)
        assert fluid * (1 - 1e-9) <= rw.upper_bound(world).value <= fluid * (1 + 1e-3)


def test_one_arm_that_must_play_is_worth_what_playing_it_brings() -> None:
    rng = np.random.default_rng(6)
    for kind in ("scalar", "gaussian", "two"):
        arm, x0 = _random_arm(rng, "arm", kind)
        arm = rw.Arm("arm", arm.A, arm.B, arm.K, arm.alpha + 5, arm.beta, arm.family, arm.sigma)  # no round is a loss
        world = rw.World(rw.Problem([arm], [], 30), [x0], [[]])
        truth = _earned(arm, x0, (1,) * 30)
        assert truth - 1e-9 <= rw.upper_bound(world).value <= truth + 5e-3


@pytest.mark.parametrize("pulls", [1, 4, 10])
def test_one_arm_that_recovers_at_once_is_worth_a_fresh_reward_for_each_pull_it_can_pay(pulls: int) -> None:
    arm = rw.Arm("arm", A=0.0, B=-2.0, alpha=1.0)
    world = rw.World(rw.Problem([arm], [rw.Resource("r", pulls)], 20, idle=True), [0.0], [[rw.Cost.fixed(1.0)]])
    assert rw.upper_bound(world).value == pytest.approx(pulls / (1 + math.exp(-1.0)), rel=1e-3)


def test_worlds_that_cannot_be_bounded_are_refused_in_one_sentence() -> None:
    cube = rw.Arm("cube", A=(0.5 * np.eye(3)).tolist(), B=[-1, -1, -1], K=[0, 0, 0], beta=[1, 1, 1])
    world = rw.World(rw.Problem([cube], [], 10), [[-1, -1, -1]], [[]])
    with pytest.raises(rw.InputError, match="'cube' has 3 coordinates"):
        rw.upper_bound(world)
    with pytest.raises(rw.InputError, match="uniform"):
        rw.exact(rw.catalog.paper())
    with pytest.raises(rw.InputError, match="the world is a Problem"):
        rw.exact(rw.catalog.paper().problem)  # type: ignore[arg-type]
    with pytest.raises(rw.InputError, match="precision"):
        rw.upper_bound(rw.catalog.paper(), precision=0)
    with pytest.raises(rw.InputError, match="the world is a Problem"):
        rw.upper_bound(rw.catalog.paper().problem)  # type: ignore[arg-type]


@pytest.mark.parametrize(("amounts", "budget", "spendable"), [
    ((1.0, 1.0), 3.7, 3.0),
    ((0.2, 0.3), 1.05, 1.0),
    ((0.1, 0.1), 0.3, 0.3),
    ((7.0, 3.5), 20.0, 17.5),
    ((1.0, math.pi), 20.0, 20.0),
])  # fmt: skip
def test_the_rest_of_a_budget_that_no_costs_add_up_to_is_worth_nothing(
    amounts: tuple[float, float], budget: float, spendable: float
) -> None:
    arms = [rw.Arm(name, A=0.8, B=-0.5, alpha=0.4) for name in "ab"]
    costs = [[rw.Cost.bernoulli(0.3, amount)] for amount in amounts]
    problem = rw.Problem(arms, [rw.Resource("coins", budget)], 40, idle=True)
    game = build_game(rw.World(problem, [0.0, 0.0], costs), must_play=False, precision=1e-4)
    assert game.budgets[0] == pytest.approx(spendable + 0.7 * max(amounts))


@pytest.mark.parametrize(("budget", "coins"), [(1.0, 2), (1.9, 2), (2.0, 3)])
def test_the_bound_of_coins_is_what_one_earns_until_the_coin_that_breaks_the_budget(budget: float, coins: int) -> None:
    arm = rw.Arm("a", A=0.0, B=0.0, alpha=0.0)
    problem = rw.Problem([arm], [rw.Resource("coins", budget)], 200, idle=True)
    pulls = coins / 0.2 - 1  # on average, and the last one does not count
    assert rw.upper_bound(rw.World(problem, [0.0], [[rw.Cost.bernoulli(0.2)]])).value == pytest.approx(pulls / 2, 1e-3)
