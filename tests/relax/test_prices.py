"""The program that finds prices, against HiGHS and against the certified bound."""

import itertools
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.optimize import linprog

import roguewk as rw
from roguewk.kernel.arrays import Vector
from roguewk.relax.prices import (
    QUANTILES,
    Ahead,
    Plan,
    PriceProgram,
    average_prices,
    build_price_program,
    find_prices,
)
from roguewk.relax.worth import PRICES, Worth, build_worth, worth_by_price


def _random_arm(rng: np.random.Generator) -> rw.Arm:
    gaussian = rng.random() < 0.25
    A, B, K = rng.uniform(-0.5, 0.97), rng.uniform(-2, 0.4), rng.uniform(-1, 1)
    alpha, beta = rng.uniform(-0.5, 0.5), rng.uniform(-1, 1.5)
    return rw.Arm("a", A, B, K, alpha, beta, "gaussian" if gaussian else "bernoulli", 0.5 if gaussian else None)


ARMS = [_random_arm(np.random.default_rng(seed)) for seed in range(60)]


class Case(NamedTuple):
    """A program: everything that `find_prices` is told."""

    worth: Worth
    states: Vector  # (arm, coordinate)
    costs: Vector  # (arm, resource)
    budgets: Vector  # (resource,)
    assumed: float
    most: float
    must_play: bool
    credits: Vector  # (arm,)

    @property
    def told(self) -> tuple[Worth, Ahead]:
        """As `find_prices` takes it."""
        arms, rows = self.costs.shape
        return self.worth, Ahead(
            states=self.states,
            costs=self.costs,
            budgets=self.budgets,
            assumed=self.assumed,
            most=self.most,
            must_play=self.must_play,
            chances=np.ones(arms),
            playable=1.0,
            noises=np.zeros((arms, rows)),
            credits=self.credits,
            steps=np.zeros(rows),
            hazards=np.ones(rows),
            more_pulls=np.zeros((arms, 0)),
            more_rewards=np.zeros((arms, 0)),
        )


def random_case(rng: np.random.Generator, arms: int, resources: int, must_play: bool) -> Case:
    """Any arms in any states; some costs are zero, some budgets plentiful, scarce, spent or overspent."""
    picked = rng.choice(len(ARMS), arms, replace=False)
    worth = build_worth(tuple(ARMS[a] for a in picked))
    states = np.array([rng.uniform(*ARMS[a].state) for a in picked])[:, None]
    costs = rng.uniform(0, 1, (arms, resources)) * (rng.random((arms, resources)) < 0.8)
    most = float(rng.integers(1, 1500))
    plenty = rng.choice([-0.01, 0.0, 0.001, 0.1, 1.0], resources, p=[0.03, 0.03, 0.04, 0.2, 0.7])
    assumed = max(1.0, most * rng.uniform(0.05, 1)) if must_play else most
    credit = rng.uniform(0, 0.3, arms) * (rng.random(arms) < 0.5)
    budgets = rng.uniform(0, 0.6, resources) * most * plenty
    return Case(worth, states, costs, budgets, assumed, most, must_play, credit)


class Ways(NamedTuple):
    """Ways of using each arm, the lines of its worth over prices, per round."""

    pulls: Vector  # (arm, way)
    rewards: Vector  # (arm, way)


def ways_of(case: Case) -> Ways:
    curves = np.zeros((len(case.costs), PRICES))
    for a, state in enumerate(case.states):
        worth_by_price(case.worth, a, state, case.assumed, curves[a])
    curves /= case.assumed
    pulls = np.clip(-np.diff(curves) / np.diff(case.worth.prices), 0, 1)
    return Ways(pulls, curves[:, :-1] + (case.worth.prices[:, :-1] + case.credits[:, None]) * pulls)


def judge(case: Case, ways: Ways, rounds: float | None = None) -> Any:
    """The same program by HiGHS: the best mix of ways per assumed round, of games of `rounds` or of the best length."""
    (arms, resources), count = case.costs.shape, PRICES - 1
    spend = [np.append((ways.pulls * case.costs[:, j, None]).ravel(), 0.0) for j in range(resources)]
    each = [np.append(np.repeat(np.arange(arms) == a, count), -1.0) for a in range(arms)]
    one_a_round = np.append(ways.pulls.ravel(), -1.0)
    rows = [*spend, *each] if case.must_play else [*spend, *each, one_a_round]
    limits = np.zeros(len(rows))
    limits[:resources] = np.maximum(case.budgets, 0) / case.assumed
    length = (0, case.most / case.assumed) if rounds is None else (rounds / case.assumed,) * 2
    return linprog(
        -np.append(ways.rewards.ravel(), 0.0),
        np.array(rows),
        limits,
        one_a_round[None, :] if case.must_play else None,
        [0.0] if case.must_play else None,
        [*[(0, None)] * (arms * count), length],
        method="highs",
    )


def dual_value(case: Case, ways: Ways, prices: Vector, round_price: float) -> float:
    """What the prices prove that no mix exceeds: budgets and rounds sold at them, every arm used in its best way."""
    per_pull = case.costs @ prices + round_price
    best = np.maximum((ways.rewards - ways.pulls * per_pull[:, None]).max(axis=1), 0).sum()
    sold = float(prices @ np.maximum(case.budgets, 0))
    return (sold + max(round_price + best, 0.0) * case.most) / case.assumed


def solve(case: Case) -> tuple[Plan, Vector, PriceProgram]:
    program, prices = build_price_program(*case.costs.shape), np.full(case.costs.shape[1], np.nan)
    return find_prices(program, *case.told, prices, np.zeros(len(case.costs))), prices, program


def assert_optimal(case: Case) -> None:
    """As good as HiGHS, proved by the prices, and of a length with which HiGHS does as well."""
    ways, (plan, prices, program) = ways_of(case), solve(case)
    best = -judge(case, ways).fun
    dust = 1e-7 * (1 + abs(best)) * (1 + len(ARMS) * case.must_play)
    assert (prices >= 0).all()
    assert plan.round_price >= 0 or case.must_play
    assert dual_value(case, ways, prices, plan.round_price) == pytest.approx(best, abs=dust)
    # A hair shorter: budgets that are just enough are taken as a hair larger than they are.
    assert -judge(case, ways, plan.rounds * (1 - 1e-8)).fun == pytest.approx(best, abs=dust)
    assert 0 <= plan.rounds <= case.most * (1 + 1e-9)
    assert plan.pulls <= plan.rounds + 1e-6 * case.most
    if case.must_play:
        assert plan.pulls == pytest.approx(plan.rounds, abs=1e-6 * case.most)

    shares = (
        program.shares[:-1].reshape(ways.pulls.shape) / max(program.shares[-1], 1e-300) * plan.rounds / case.assumed
    )
    spent = (shares * ways.pulls).sum(axis=1) @ case.costs * case.assumed
    slack = np.maximum(case.budgets, 0) - spent
    assert (slack >= -1e-7 * case.most).all()
    assert prices * slack == pytest.approx(np.zeros(prices.size), abs=1e-6 * case.most)
    assert float((shares * ways.rewards).sum()) == pytest.approx(best, abs=dust)
    assert plan.pulls == pytest.approx(float((shares * ways.pulls).sum()) * case.assumed, abs=1e-7 * case.most)


@pytest.mark.parametrize("must_play", [False, True])
def test_prices_are_those_of_highs_and_prove_the_optimum(must_play: bool) -> None:
    rng = np.random.default_rng(51)
    for _ in range(300):
        assert_optimal(random_case(rng, int(rng.integers(2, 9)), int(rng.integers(0, 5)), must_play))


@pytest.mark.parametrize("must_play", [False, True])
def test_fifty_arms_and_ten_resources_are_priced_as_well(must_play: bool) -> None:
    rng = np.random.default_rng(52)
    for _ in range(8):
        assert_optimal(random_case(rng, 50, 10, must_play))


def test_one_arm_alone_is_priced_as_well() -> None:
    rng = np.random.default_rng(53)
    for resources in (0, 1, 3):
        for _ in range(30):
            assert_optimal(random_case(rng, 1, resources, must_play=False))


def test_one_arm_that_must_play_plays_as_long_as_its_budget_lasts() -> None:
    """It has no choice, whether or not its tables hold a way of pulling it in every round."""
    rng = np.random.default_rng(54)
    for _ in range(60):
        case = random_case(rng, 1, 1, must_play=True)._replace(costs=np.array([[0.5]]))
        case = case._replace(worth=build_worth((ARMS[0],)))
        plan, prices, _ = solve(case._replace(states=np.array([[float(ARMS[0].box.mean())]])))
        lasts = min(max(float(case.budgets[0]), 0.0) / 0.5, case.most)
        assert plan.rounds == pytest.approx(lasts, rel=0.02, abs=1e-6 * case.most)
        assert np.isfinite(prices).all()


def test_a_spent_budget_leaves_only_the_arms_that_are_free() -> None:
    rng = np.random.default_rng(55)
    for must_play in (False, True):
        case = random_case(rng, 4, 2, must_play)
        free = case._replace(costs=np.array([[0.5, 0.5], [0.0, 0.0], [0.2, 0.0], [0.0, 0.9]]), budgets=np.zeros(2))
        assert_optimal(free)
        _, _, program = solve(free)
        pulled = (program.shares[:-1] * program.costs[:-1, 2]).reshape(4, -1).sum(axis=1)
        assert pulled[[0, 2, 3]] == pytest.approx([0, 0, 0], abs=1e-9)


def test_the_memory_of_another_program_does_not_matter() -> None:
    rng = np.random.default_rng(56)
    cases = [random_case(rng, 5, 3, must_play) for must_play in (True, False, True, False)]
    program = build_price_program(5, 3)
    for case in [*cases, *cases]:
        prices, fresh = np.zeros((2, 3))
        used = find_prices(program, *case.told, prices, np.zeros(5))
        assert used == find_prices(build_price_program(5, 3), *case.told, fresh, np.zeros(5))
        assert prices.tolist() == fresh.tolist()


@pytest.mark.parametrize(("budget", "idle"), [*itertools.product((50, 100, 200, 300), (True, False))])
def test_on_the_papers_world_prices_at_the_start_are_those_of_the_bound(budget: float, idle: bool) -> None:
    world = rw.catalog.paper(budget=budget, idle=idle)
    bound = rw.upper_bound(world)
    means = world.mean_costs.tolist()
    # Costs that are never larger than their mean are certain, as the bound takes them to be.
    truth: dict[str, Any] = {"x0": [x0.tolist() for x0 in world.x0], "costs": means, "largest": means}
    policy = rw.make_policy("clairvoyant", world.problem, **truth)
    prices = policy.select().prices
    plan = policy.parts.allocation.part.plan[0]
    assert prices == pytest.approx(bound.prices, rel=0.06, abs=1e-6)
    assert plan.round_price == pytest.approx(bound.round_price, abs=0.04)
    lasts = world.problem.horizon if idle else min(world.problem.horizon, 3.07 * budget)
    assert plan.rounds == pytest.approx(lasts, rel=0.01)


@pytest.mark.parametrize("must_play", [False, True])
def test_prices_are_averages_over_the_luck_of_the_costs_to_come(must_play: bool) -> None:
    compared = same_rounds = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        case = random_case(rng, 4, 2, must_play)
        if (case.budgets < 1).any():
            continue
        noises = rng.uniform(0.0, 0.25, case.costs.shape)
        worth, ahead = case.told
        program, prices = build_price_program(4, 2), np.zeros(2)
        plan = find_prices(program, worth, ahead, prices, np.zeros(4))
        shares = program.shares[:-1].reshape(4, -1) * program.costs[:-1, 2].reshape(4, -1)
        pulls = plan.pulls * shares.sum(axis=1) / shares.sum()
        luck = np.minimum(np.sqrt(pulls @ noises) / case.budgets, 1)
        round_price = average_prices(program, ahead._replace(noises=noises), plan, prices)
        each = []
        for k in range(len(QUANTILES)):
            quantiles = [QUANTILES[k], QUANTILES[(6 * k + 3) % 16 // 2]]
            moved = case._replace(budgets=case.budgets * np.exp(np.array(quantiles) * luck))
            found, fresh, _ = solve(moved)
            each.append([*fresh, found.round_price])
        *expected, expected_round = np.mean(each, axis=0)
        assert prices == pytest.approx(expected, abs=1e-6)
        compared += 1
        same_rounds += round_price == pytest.approx(expected_round, abs=1e-6)
    # Where rounds are scarce in one place and not in another just beside it, any price between the two is right.
    assert compared > 10
    assert same_rounds >= compared - 1


def test_prices_stay_as_they_are_where_costs_are_certain() -> None:
    case = random_case(np.random.default_rng(3), 4, 2, must_play=False)
    plan, prices, program = solve(case)
    before = prices.copy()
    assert average_prices(program, case.told[1], plan, prices) == plan.round_price
    assert prices.tolist() == before.tolist()
