"""The paper's analysis: every number derived again from the LaTeX, and the schedules played with NumPy."""

import json
import math
from typing import Any

import numpy as np
import pytest
import scipy.optimize
from numpy.typing import NDArray

import roguewk as rw
from roguewk import cli
from roguewk.bounds.reachable import Schedule, best_schedule
from roguewk.kernel.arrays import Vector
from roguewk.problem.constants import mean_rewards, next_states


def free_world(horizon: int = 1000) -> rw.World:
    arm = rw.Arm("free", A=0.2, B=0.0, K=0.8, alpha=0.2, beta=0.8, state=(-2.0, 1.0))
    return rw.World(rw.Problem([arm], [], horizon), [-2.0], [[]])


def random_world(rng: np.random.Generator, horizon: int, fixed: bool = False) -> rw.World:
    arms = []
    for a in range(int(rng.integers(1, 4))):
        ends = {"A": (-0.6, 0.9), "B": (-1.5, 0.5), "K": (-1, 1), "alpha": (-0.5, 0.5), "beta": (-1, 1.5)}
        numbers: dict[str, Any] = {name: rng.uniform(*each) for name, each in ends.items()}
        arms.append(rw.Arm(f"arm {a}", **numbers))
    resources = [
        rw.Resource(f"r{j}", float(rng.uniform(0.2, 0.9) * horizon * scale), scale)
        for j, scale in enumerate(rng.uniform(0.5, 20, int(rng.integers(0, 3))))
    ]
    costs: list[list[Any]] = [
        [
            float(share * each.unit) if fixed else rw.Cost.uniform(0.5 * share, share * each.unit)
            for each, share in zip(resources, rng.uniform(0.1, 1, len(resources)), strict=True)
        ]
        for _ in arms
    ]
    x0 = [rng.uniform(*arm.state) for arm in arms]
    return rw.World(rw.Problem(arms, resources, horizon, bool(rng.random() < 0.5)), x0, costs)


def single_step(world: rw.World) -> float:
    """LP(g0, C) by HiGHS, with idle rounds where they are allowed or needed."""
    problem = world.problem
    means = [float(mean_rewards(arm, x[None, :])[0]) for arm, x in zip(problem.arms, world.x0, strict=True)]
    size = len(means)
    table = np.vstack([world.mean_costs.T, np.ones(size)])
    limits = np.append(problem.budgets / problem.horizon * (1 + 1e-9), 1.0)
    if not problem.idle:
        simplex: Any = {"A_eq": np.ones((1, size)), "b_eq": [1.0]}
        strict = scipy.optimize.linprog(-np.array(means), table, limits, **simplex)
        if strict.success:
            return -float(strict.fun or 0.0)
    return -float(scipy.optimize.linprog(-np.array(means), table, limits).fun or 0.0)


def constants(world: rw.World) -> dict[str, float]:
    """The paper's constants of scalar logistic arms, by differences on a grid."""
    found: dict[str, list[float]] = {key: [] for key in ("L_h", "L_g", "L_f", "L_p", "diameter", "c_f")}
    for arm in world.problem.arms:
        low, high = arm.box[0]
        x = np.linspace(low, high, 40_001)
        level = arm.alpha + arm.beta * x
        mean, log1, log0 = 1 / (1 + np.exp(-level)), -np.log1p(np.exp(-level)), -np.log1p(np.exp(level))
        found["L_h"].append(abs(arm.A))
        found["L_g"].append(float(np.abs(np.gradient(mean, x)).max()))
        found["L_f"].append(max(float(np.abs(np.gradient(log, x)).max()) for log in (log1, log0)))
        found["L_p"].append(float(np.ptp(log1 - log0)))
        found["diameter"].append(high - low)
        scale = found["L_f"][-1] * (high - low)
        c_f = 8 * scale * math.sqrt(math.pi) + 48 * math.sqrt(2) * 2 ** (1 / 1) * scale * math.sqrt(math.pi * 1)
        found["c_f"].append(c_f)
    return {key: max(values) for key, values in found.items()}


def _worlds() -> list[rw.World]:
    rng = np.random.default_rng(0)
    papers = [rw.catalog.paper(budget=budget, horizon=200, idle=idle) for budget in (20, 90) for idle in (True, False)]
    return [rw.catalog.paper(), *papers, *(random_world(rng, 60) for _ in range(6))]


@pytest.mark.parametrize("world", _worlds(), ids=lambda world: f"T={world.problem.horizon}")
def test_every_number_is_the_papers_formula(world: rw.World) -> None:
    analysis, c = rw.theorem(world), constants(world)
    m, d, T = len(world.problem.arms), len(world.problem.resources), world.problem.horizon
    value = {row.name.split(":")[0]: row.value for row in analysis.rows}
    for key in ("L_h", "L_g", "L_f", "L_p", "diameter", "c_f"):
        assert value[key] == pytest.approx(c[key], rel=1e-3), key
    lp, sigma = single_step(world), 0.5
    L_g_diam, rest = c["L_g"] * c["diameter"], 1 / (1 - c["L_h"])
    second = 0.0
    if d:
        b = min(each.budget / each.unit for each in world.problem.resources) / T
        log = np.log(12 * m * d * T**2)
        second = 1 / b * (1 + 4 * np.sqrt(m) + np.sqrt(log / 2)) * np.sqrt(T / 2 * log)
        assert value["b"] == pytest.approx(b)
        assert value["Cost radius after one pull"] == pytest.approx(np.sqrt(log / 2))
    noise = np.sqrt(2 * T * sigma**2 * np.log(12 * T))
    drawn = np.sqrt(T / 2 * np.log(12 * T))
    alpha = 1 / (6 * m * T**2)
    assert value["alpha"] == pytest.approx(alpha)
    assert value["LP(g0, C)"] == pytest.approx(lp, rel=1e-6)
    assert value["Proposition 1"] == pytest.approx(T * lp + L_g_diam * rest, rel=1e-3)
    assert value["Proposition 2"] == pytest.approx(second)
    assert value["Proposition 3"] == pytest.approx(noise + (rest + drawn) * L_g_diam, rel=1e-3)
    assert value["Theorem 2"] == pytest.approx(second * lp + (2 * rest + drawn) * L_g_diam + noise + lp, rel=1e-3)
    radius = value["B(alpha)"] * np.sqrt(np.log(1 / alpha) / T)
    if m == 1:  # else the two maxima may be of different arms
        assert value["B(alpha)"] == pytest.approx(
            c["c_f"] / np.sqrt(np.log(1 / alpha)) + c["L_p"] * sigma * 2**0.5, rel=1e-3
        )
    assert value["Theorem 1"] == pytest.approx(radius)


def played(world: rw.World, arms: NDArray[np.int64], costs: Vector | None = None) -> tuple[float, Vector]:
    """Reward and spending of a schedule, at mean costs or until given costs (round, resource) break a budget."""
    states, total, spent = [x[None, :] for x in world.x0], 0.0, np.zeros(len(world.problem.resources))
    for t, pulled in enumerate(arms):
        if pulled >= 0:
            spent = spent + (world.mean_costs[pulled] if costs is None else costs[t])
            if costs is not None and (spent > world.problem.budgets).any():
                break
            total += float(mean_rewards(world.problem.arms[pulled], states[pulled])[0])
        states = [
            next_states(arm, x, float(a == pulled))
            for a, (arm, x) in enumerate(zip(world.problem.arms, states, strict=True))
        ]
    return total, spent


def test_schedules_are_feasible_worth_their_reward_and_below_the_certified_bound() -> None:
    rng = np.random.default_rng(1)
    for world in (rw.catalog.paper(budget=30, horizon=100), *(random_world(rng, 40) for _ in range(6))):
        schedule, bound = rw.theorem(world).schedule, rw.upper_bound(world)
        assert schedule is not None
        reward, spent = played(world, schedule.arms)
        assert schedule.reward == pytest.approx(reward)
        assert (spent <= world.problem.budgets * (1 + 1e-8)).all()
        assert world.problem.idle or (schedule.arms >= 0).all()
        assert schedule.assured <= schedule.reward + 1e-9
        assert schedule.assured <= bound.value


def test_playing_a_schedule_brings_at_least_what_is_assured() -> None:
    world = rw.catalog.paper(budget=30, horizon=100)
    schedule = rw.theorem(world).schedule
    assert schedule is not None
    rng = np.random.default_rng(2)
    low, high = (np.array([[cost.numbers[i] for cost in row] for row in world.costs]) for i in (0, 1))
    earned = [played(world, schedule.arms, rng.uniform(low[schedule.arms], high[schedule.arms]))[0] for _ in range(100)]
    assert 0.8 * schedule.reward < schedule.assured < np.mean(earned) < schedule.reward


def test_with_fixed_costs_all_of_the_reward_is_assured_and_the_exact_optimum_is_not_exceeded() -> None:
    rng = np.random.default_rng(3)
    close = 0
    for _ in range(12):
        world = random_world(rng, 5, fixed=True)
        analysis, best = rw.theorem(world), rw.exact(world).value
        assert analysis.schedule is not None
        assert analysis.schedule.assured == pytest.approx(analysis.schedule.reward)
        assert analysis.schedule.reward <= best + 1e-9
        close += analysis.schedule.reward >= 0.98 * best
        first = analysis["Proposition 1"]
        assert first.holds is None or first.holds == (best <= first.value)
    assert close >= 9


def test_the_counterexample_to_proposition_1_is_found_and_shown() -> None:
    analysis = rw.theorem(free_world())
    first = analysis["Proposition 1"]
    assert first.value == pytest.approx(1000 / (1 + math.exp(1.4)) + 0.2 * 3 / 0.8)
    assert first.holds is False
    assert "here it fails" in first.why
    assert analysis.schedule is not None
    x = 1 - 3 * 0.2 ** np.arange(1000)
    assert analysis.schedule.reward == pytest.approx((1 / (1 + np.exp(-0.2 - 0.8 * x))).sum())
    assert analysis.schedule.reward > 0.73 * 1000 > 3 * first.value
    assert "'free' x 1000" in str(analysis)
    assert analysis["Theorem 2"].holds is False
    assert analysis["Growth"].holds is False
    assert not analysis.vacuous


def test_proposition_1_fails_with_budgets_and_random_costs_too() -> None:
    arms = [rw.Arm(name, A=0.5, K=0.6, alpha=-0.2, state=(-4, 1.2)) for name in ("a", "b")]
    resources = [rw.Resource("staff", 60.0)]
    world = rw.World(rw.Problem(arms, resources, 200, idle=True), [-4, -3], [[rw.Cost.uniform(0.1, 0.5)]] * 2)
    analysis = rw.theorem(world)
    assert analysis["Proposition 1"].holds is False
    assert "expects at least" in analysis["Proposition 1"].why


def test_proposition_1_fails_on_the_papers_world_with_idle_rounds_because_arm_2_recovers() -> None:
    analysis = rw.theorem(rw.catalog.paper(budget=50), idle=True)
    rested = 1 / (1 + math.exp(-(0.1 + 1.0 / (1 - 0.5))))  # every sixth round, nearly all wear is gone
    pulls = int(50 / 0.3)
    assert analysis["Proposition 1"].value == pytest.approx(50 / 0.3 / (1 + math.exp(-1)) + 0.25 * 6 / 0.3, rel=1e-6)
    assert analysis["Proposition 1"].holds is False
    assert analysis.schedule is not None
    assert 0.98 * pulls * rested < analysis.schedule.reward < pulls * rested
    assert analysis["OPT(T), at least"].value > analysis["Proposition 1"].value
    assert rw.theorem(rw.catalog.paper(budget=50), idle=False)["Proposition 1"].holds is True


def test_proposition_1_is_called_true_only_where_the_certified_bound_is_lower() -> None:
    seen = set()
    rng = np.random.default_rng(5)
    for world in (rw.catalog.paper(horizon=100, budget=30), free_world(40), *(random_world(rng, 30) for _ in range(8))):
        analysis, bound = rw.theorem(world), rw.upper_bound(world).value
        first = analysis["Proposition 1"]
        assert (first.holds is True) == (bound <= first.value)
        seen.add(first.holds)
    assert {True, False} <= seen


def test_the_regret_bound_is_called_empty_where_it_exceeds_what_can_be_earned() -> None:
    paper = rw.theorem(rw.catalog.paper())
    assert paper["Theorem 2"].value > 1000
    assert paper.vacuous
    assert "empty" in paper.verdict
    far = rw.theorem(rw.catalog.paper(budget=0.3 * 10**9, horizon=10**9))
    assert not far.vacuous
    assert far.schedule is None
    assert far["Theorem 2"].holds is None
    assert "No schedule was looked for" in str(far)


def test_what_the_proofs_need_is_checked() -> None:
    apart = [rw.Arm(name, A=0.5, alpha=alpha, beta=0.1, state=(-1, 1)) for name, alpha in (("low", -3), ("high", 3))]
    third = rw.theorem(rw.World(rw.Problem(apart, [], 50), [0, 0], [[], []]))["Proposition 3"]
    assert third.holds is False
    assert "they span" in third.why
    poor = rw.theorem(rw.catalog.paper(budget=10, horizon=100))
    assert poor["Proposition 2"].holds is False
    assert poor["LP(g0, C)"].holds is False
    assert rw.theorem(rw.catalog.paper(budget=10, horizon=100), idle=True)["Proposition 2"].holds is True
    shear = rw.Arm("shear", A=[[0.5, 2.0], [0.0, 0.5]], B=[-1, 0], K=[0, 0], beta=[1, 1])
    unstable = rw.theorem(rw.World(rw.Problem([shear], [], 20, idle=True), [[0, 0]], [[]]))
    for name in ("Proposition 1", "Proposition 3", "Theorem 2"):
        assert unstable[name].holds is False
        assert math.isinf(unstable[name].value)
    assert unstable.to_data()["rows"][0]["value"] is None
    leaving = rw.Arm("leaving", A=0.5, B=-2.0, state=(-1, 1))
    assert rw.theorem(rw.World(rw.Problem([leaving], [], 20), [0], [[]]))["Proposition 3"].holds is False


def test_negative_rewards_assure_nothing() -> None:
    arm = rw.Arm("loss", A=0.5, alpha=-1.0, family="gaussian", sigma=1.0, state=(-0.5, 0.5))
    world = rw.World(rw.Problem([arm], [rw.Resource("r", 5.0)], 20), [0.0], [[rw.Cost.bernoulli(0.5)]])
    analysis = rw.theorem(world)
    assert analysis.schedule is not None
    assert analysis.schedule.assured == -math.inf
    json.dumps(analysis.to_data(), allow_nan=False)
    assert rw.theorem(world, idle=True).schedule.reward == 0.0  # type: ignore[union-attr]


def test_without_a_bound_the_simple_schedules_remain() -> None:
    world = rw.catalog.paper(budget=30, horizon=100)
    plain = best_schedule(world, True, None)
    assert isinstance(plain, Schedule)
    assert plain.reward <= best_schedule(world, True, rw.upper_bound(world, idle=True)).reward


@pytest.mark.parametrize("name", ["paper", "two_dimensional", "gaussian", "messages"])
def test_the_text_fits_80_columns(name: str) -> None:
    world = rw.catalog.get(name, horizon=50)
    analysis = rw.theorem(world, plan=rw.nlp(world))
    assert max(map(len, str(analysis).splitlines())) <= 80
    assert analysis["NLP(x0, T, C)"].value == rw.nlp(world).value


def test_bad_input_is_refused_in_one_sentence() -> None:
    with pytest.raises(rw.InputError, match="the world is a Problem"):
        rw.theorem(rw.catalog.paper().problem)  # type: ignore[arg-type]
    with pytest.raises(rw.InputError, match="the plan is a float"):
        rw.theorem(free_world(5), plan=1.0)  # type: ignore[arg-type]
    with pytest.raises(rw.InputError, match="there is no row 'Lemma'"):
        rw.theorem(free_world(5))["Lemma"]


def test_the_command_prints_the_analysis(capsys: pytest.CaptureFixture[str]) -> None:
    name = "catalog:paper:horizon=50:budget=10"
    world = rw.catalog.paper(horizon=50, budget=10)
    rw.theorem(world)  # compiles
    capsys.readouterr()
    assert cli.main(["theorem", name]) == 0
    assert capsys.readouterr() == (f"{rw.theorem(world)}\n", "")
    assert cli.main(["theorem", name, "--idle", "--json", "--nlp"]) == 0
    data = json.loads(capsys.readouterr().out)
    expected = rw.theorem(world, idle=True, plan=rw.nlp(world, idle=True)).to_data()
    assert data == json.loads(json.dumps(expected))
    assert len(data["schedule"]["arms"]) == 50
    assert cli.main(["theorem", "nope.toml"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
