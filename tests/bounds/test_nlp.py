"""The paper's nonlinear program against linear programs, closed forms, SLSQP, and its own first-order conditions."""

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.optimize

import roguewk as rw
from roguewk.kernel.arrays import Vector
from roguewk.problem.constants import mean_rewards, next_states
from tests.plain_worlds import NAMES as PLAIN_WORLDS


def earned(world: rw.World, shares: Vector) -> float:
    total = 0.0
    for a, arm in enumerate(world.problem.arms):
        x = world.x0[a][None, :]
        for share in shares[:, a]:
            total += share * float(mean_rewards(arm, x)[0])
            x = next_states(arm, x, share)
    return total


def still_world(idle: bool, budget: float = 20.0) -> rw.World:
    """Arms that neither wear nor recover, in three units of money."""
    arms = [rw.Arm(name, A=0.5, K=0.0, alpha=alpha, state=(-1, 1)) for name, alpha in (("a", 1.0), ("b", 0.2))]
    resources = [rw.Resource("hours", budget), rw.Resource("cents", 1500.0, largest_cost=100.0)]
    return rw.World(rw.Problem(arms, resources, 40, idle), [0.0, 0.0], [[0.8, 30.0], [0.3, 40.0]])


def random_world(rng: np.random.Generator, rounds: int, idle: bool) -> rw.World:
    arms: list[rw.Arm] = []
    for a in range(2):
        normal = rng.random() < 0.3
        family: dict[str, Any] = {"family": "gaussian", "sigma": 0.5} if normal else {}
        numbers = (rng.uniform(-0.3, 0.9), rng.uniform(-2, 0.3), rng.uniform(-1, 1))
        arms.append(rw.Arm(f"arm {a}", *numbers, rng.uniform(0, 1), rng.uniform(0.2, 1.5), **family))
    resources = [rw.Resource(f"r{j}", float(rng.uniform(0.3, 0.8) * rounds)) for j in range(int(rng.integers(0, 3)))]
    costs = [[float(rng.uniform(0.1, 0.9)) for _ in resources] for _ in arms]
    return rw.World(rw.Problem(arms, resources, rounds, idle), [rng.uniform(*arm.state) for arm in arms], costs)


@pytest.mark.parametrize("idle", [True, False])
def test_without_habituation_it_is_the_linear_program_with_its_prices(idle: bool) -> None:
    world = still_world(idle)
    means = 1 / (1 + np.exp(-np.array([1.0, 0.2])))
    simplex: dict[str, Any] = {"A_eq": [[1.0, 1.0]], "b_eq": [40.0]}
    table, limits = world.mean_costs.T, world.problem.budgets
    if idle:
        simplex, table, limits = {}, np.vstack([table, [1.0, 1.0]]), np.append(limits, 40.0)
    best = scipy.optimize.linprog(-means, table, limits, **simplex)
    plan = rw.nlp(world, rounds=40)
    assert plan.value == pytest.approx(-best.fun, rel=1e-6)
    np.testing.assert_allclose(plan.duals, -best.ineqlin.marginals[:2], atol=1e-6)
    assert plan.status == "converged to a local solution"


def test_duals_are_in_the_users_units() -> None:
    plan, dearer = rw.nlp(still_world(True)), rw.nlp(still_world(True, budget=20.1))
    assert dearer.value - plan.value == pytest.approx(0.1 * plan.duals[0], rel=1e-3)


def test_an_arm_that_recovers_by_itself_is_played_last_as_in_closed_form() -> None:
    arm = rw.Arm("rest", A=0.8, K=0.2, state=(-2, 1))
    world = rw.World(rw.Problem([arm], [rw.Resource("pulls", 4.5)], 12, idle=True), [-2.0], [[1.0]])
    means = 1 / (1 + np.exp(-(1 - 3 * 0.8 ** np.arange(12))))
    plan = rw.nlp(world)
    assert plan.value == pytest.approx(means[-4:].sum() + 0.5 * means[-5], abs=1e-6)
    np.testing.assert_allclose(plan.duals, means[-5], atol=1e-5)
    np.testing.assert_allclose(plan.schedule[:, 0], [0] * 7 + [0.5] + [1] * 4, atol=1e-5)


def test_one_arm_that_must_be_played_earns_its_closed_form() -> None:
    arm = rw.Arm("walk", A=0.6, B=-1.0, K=0.5, alpha=0.3, family="gaussian", sigma=1.0)
    world = rw.World(rw.Problem([arm], [], 30), [1.0], [[]])
    worn = (0.5 - 1.0) / 0.4
    assert rw.nlp(world).value == pytest.approx(sum(0.3 + worn + (1 - worn) * 0.6**t for t in range(30)))


def test_a_half_pull_wears_half() -> None:
    arm = rw.Arm("half", A=0.5, B=-1.0, state=(-2, 1))
    world = rw.World(rw.Problem([arm], [rw.Resource("pulls", 0.5)], 1, idle=True), [0.0], [[1.0]])
    plan = rw.nlp(world.with_problem(horizon=2))
    np.testing.assert_allclose(plan.states[0][1], 0.5 * plan.states[0][0] - plan.schedule[0, 0])
    assert plan.schedule.sum() == pytest.approx(0.5)


@pytest.mark.parametrize("idle", [True, False])
def test_small_programs_are_solved_as_well_as_slsqp_does_from_many_starts(idle: bool) -> None:
    rng = np.random.default_rng(4)
    as_good = 0
    for _ in range(8):
        world = random_world(rng, 5, idle)
        plan = rw.nlp(world)
        best = max(_slsqp(world, len(plan.schedule), rng) for _ in range(12))
        assert plan.value >= best - 0.05 * abs(best)  # both are local
        assert plan.value <= best + 1e-3 * abs(best)
        as_good += plan.value >= best - 1e-5
    assert as_good >= 6


def _slsqp(world: rw.World, rounds: int, rng: np.random.Generator) -> float:
    """A local optimum from a random start; minus infinity where it finds none."""
    budgets, costs = world.problem.budgets, world.mean_costs

    def loss(u: Vector) -> float:
        return -earned(world, u.reshape(rounds, 2))

    def unplayed(u: Vector) -> Vector:
        return np.asarray(1 - u.reshape(rounds, 2).sum(axis=1))

    def left(u: Vector) -> Vector:
        return np.asarray(budgets - u.reshape(rounds, 2).sum(axis=0) @ costs)

    limits: Any = [{"type": "ineq" if world.problem.idle else "eq", "fun": unplayed}]
    limits += [{"type": "ineq", "fun": left}] if len(budgets) else []
    start = rng.dirichlet(np.ones(2), rounds).ravel()
    found = scipy.optimize.minimize(loss, start, method="SLSQP", bounds=[(0, 1)] * (2 * rounds), constraints=limits)
    return -float(found.fun) if found.success else -np.inf


def _gap(world: rw.World, plan: rw.FractionalPlan, idle: bool) -> float:
    """How much a small feasible step could still gain, to first order: a linear program on a numerical gradient."""
    rounds, size = plan.schedule.shape
    slope, step = np.zeros((rounds, size)), 1e-5
    for t in range(rounds):
        for a in range(size):
            up, down = plan.schedule.copy(), plan.schedule.copy()
            up[t, a], down[t, a] = up[t, a] + step, down[t, a] - step
            slope[t, a] = (earned(world, up) - earned(world, down)) / (2 * step)
    each_round = np.kron(np.eye(rounds), np.ones(size))
    spend = np.tile(world.mean_costs.T, (1, rounds))
    table, limits = spend, world.problem.budgets
    simplex: dict[str, Any] = {"A_eq": each_round, "b_eq": np.ones(rounds)}
    if idle:
        simplex, table, limits = {}, np.vstack([spend, each_round]), np.append(limits, np.ones(rounds))
    best = scipy.optimize.linprog(-slope.ravel(), table, limits, **simplex)
    return float(-best.fun - slope.ravel() @ plan.schedule.ravel())


@pytest.mark.parametrize("idle", [True, False])
@pytest.mark.parametrize("name", ["paper", "two_dimensional", "gaussian", "advertising"])
def test_no_small_feasible_step_improves_on_a_converged_plan(name: str, idle: bool) -> None:
    world = rw.catalog.get(name, horizon=12, idle=idle)
    plan = rw.nlp(world)
    assert plan.status == "converged to a local solution"
    assert _gap(world, plan, idle) <= 1e-4 * max(1.0, plan.value)


@pytest.mark.parametrize("name", PLAIN_WORLDS)
def test_plans_are_feasible_and_worth_their_value(name: str) -> None:
    world = rw.catalog.get(name, horizon=60, idle=True)
    if name == "many_arms":
        world = rw.catalog.many_arms(horizon=30, idle=True, arms=6)
    plan = rw.nlp(world)
    assert plan.value == pytest.approx(earned(world, plan.schedule))
    assert (plan.schedule >= 0).all()
    assert (plan.schedule.sum(axis=1) <= 1 + 1e-9).all()
    assert (plan.schedule.sum(axis=0) @ world.mean_costs <= world.problem.budgets * (1 + 1e-9)).all()
    for a, arm in enumerate(world.problem.arms):
        np.testing.assert_array_equal(plan.states[a][0], world.x0[a])
        for t in range(len(plan.schedule) - 1):
            after = next_states(arm, plan.states[a][t][None, :], plan.schedule[t, a])
            np.testing.assert_allclose(plan.states[a][t + 1], after[0])


def test_where_every_round_must_play_the_game_ends_with_the_budget_or_is_refused() -> None:
    world = rw.catalog.paper(budget=20, horizon=100)
    plan = rw.nlp(world)
    assert len(plan.schedule) < 100
    np.testing.assert_allclose(plan.schedule.sum(axis=1), 1)
    assert (plan.schedule.sum(axis=0) @ world.mean_costs <= world.problem.budgets * (1 + 1e-6)).all()
    assert rw.nlp(world, idle=True).value > plan.value
    with pytest.raises(rw.InputError, match="the budgets pay for 66 of 100 rounds at the most"):
        rw.nlp(world, rounds=100)
    assert len(rw.nlp(rw.catalog.paper(budget=40, horizon=100), rounds=100).schedule) == 100


def test_states_of_three_coordinates_are_planned_too() -> None:
    matrix = [[0.5, 0.1, 0.0], [0.0, 0.6, 0.1], [0.1, 0.0, 0.3]]
    cube = rw.Arm("cube", A=matrix, B=[-1, -0.5, 0], K=[0.2, 0.1, 0], beta=[1, 1, 1], state=[[-4, 4]] * 3)
    world = rw.World(rw.Problem([cube], [rw.Resource("r", 5.0)], 20, idle=True), [[0, 0, 0]], [[0.5]])
    plan = rw.nlp(world)
    assert plan.states[0].shape == (20, 3)
    assert plan.value == pytest.approx(earned(world, plan.schedule))
    assert plan.status == "converged to a local solution"


def _own(h: Callable[[Any, Any], Any], g: Callable[[Any], Any] | None = None) -> rw.World:
    arm = rw.Arm("own", h=h, g=g, state=(-3, 3))
    return rw.World(rw.Problem([arm], [rw.Resource("r", 5.0)], 20, idle=True), [0.5], [[1.0]])


def test_functions_of_ones_own_are_traced() -> None:
    linear = rw.Arm("own", A=0.5, B=-1.0, K=0.5, state=(-3, 3))
    world = _own(lambda x, pulled: 0.5 * x - pulled + 0.5, lambda x: 1 / (1 + np.exp(-x)))
    twin = rw.World(rw.Problem([linear], world.problem.resources, 20, idle=True), [0.5], [[1.0]])
    assert rw.nlp(world).value == pytest.approx(rw.nlp(twin).value, rel=1e-4)


def _calls_math(x: float, pulled: float) -> float:
    return math.sin(0.5 * x) - pulled


def _branches(x: float, pulled: float) -> float:
    return 0.5 * x - 1 if pulled > 0 else 0.5 * x


def _tells_numbers(x: Any, pulled: Any) -> Any:
    return 0.5 * x - 1.0 * pulled if isinstance(x, float) else 0.3 * x


@pytest.mark.parametrize("h", [_branches, _tells_numbers, _calls_math])
def test_functions_that_are_no_formula_are_refused(h: Callable[[Any, Any], Any]) -> None:
    with pytest.raises(rw.InputError, match="h of arm 'own' cannot be written as a formula"):
        rw.nlp(_own(h))


def test_bad_input_is_refused_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    world = rw.catalog.paper(budget=20, horizon=100)
    with pytest.raises(rw.InputError, match="the world is a Problem"):
        rw.nlp(world.problem)  # type: ignore[arg-type]
    with pytest.raises(rw.InputError, match="rounds is 101"):
        rw.nlp(world, rounds=101)
    with pytest.raises(rw.InputError, match="idle is 3"):
        rw.nlp(world, idle=3)  # type: ignore[arg-type]
    with pytest.raises(rw.InputError, match="no arm can be paid even once"):
        rw.nlp(world.with_budget(0.1))
    with pytest.raises(rw.InputError, match="shorten the horizon to 50,000 rounds"):
        rw.nlp(rw.catalog.paper(horizon=100_000))
    monkeypatch.setitem(sys.modules, "casadi", None)
    with pytest.raises(rw.InputError, match=r"pip install 'roguewk\[nlp\]'"):
        rw.nlp(world)


def test_the_solver_is_quiet(capfd: pytest.CaptureFixture[str]) -> None:
    world = rw.catalog.paper(budget=5, horizon=30)
    rw.nlp(world, idle=True)  # may compile, and says so
    capfd.readouterr()
    rw.nlp(world, idle=True)
    assert capfd.readouterr() == ("", "")


def test_on_the_papers_world_it_comes_close_to_the_certified_bound() -> None:
    world = rw.catalog.paper(budget=100)
    plan, bound = rw.nlp(world, idle=True), rw.upper_bound(world, idle=True)
    assert 0.995 * bound.value <= plan.value <= bound.value
    assert rw.nlp(rw.catalog.paper(budget=300), rounds=1000).value < 135  # to the letter: only arm 2 lasts
