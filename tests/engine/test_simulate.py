"""The compiled engine against the SciPy reference, decision by decision, and its promises about luck and budgets."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pytest
from benchmarks import reference
from hypothesis import given, settings
from hypothesis import strategies as st

import roguewk as rw
from roguewk.estimate.liu_window import windows
from roguewk.kernel.arrays import Vector
from tests.judge import MAIN
from tests.plain_worlds import NAMES as PLAIN_WORLDS

POLICIES = list(MAIN)


class ScaledUCB1(reference.UCB1):
    """UCB1 with twice a Gaussian arm's sigma in place of the unit range."""

    def bounds(self, t: int) -> tuple[Vector, Vector]:
        g, c = super().bounds(t)
        n, rewards, _ = self.sums(t, self.T)
        return rewards / n + spans(self.problem) * (g - rewards / n), c


def spans(problem: rw.Problem) -> Vector:
    return np.array([1.0 if arm.sigma is None else 2 * arm.sigma for arm in problem.arms])


def theorem_constants(problem: rw.Problem, scale: float) -> list[float]:
    return [scale * rw.theorem_radius(problem, a, 1) for a in range(len(problem.arms))]


def judge(policy: str, world: rw.World, given: Mapping[str, Any]) -> tuple[Callable[..., Any], dict[str, Any]]:
    """The reference's algorithm and constants for a policy and its parameters."""
    problem = world.problem
    if policy == "roguewk-ucb":
        constants = theorem_constants(problem, given.get("radius_scale", 1.0))
        return reference.RogueUCB, {"radius_constants": constants, "cost_scale": given.get("cost_scale", 1.0)}
    if policy == "ucb1":
        return ScaledUCB1, {}
    w1, w2 = windows(problem, given.get("w1"), given.get("w2"), None, 0.0)
    radii = given.get("radius_scale", 1.0) * spans(problem)
    scales = {"reward_scale": radii, "cost_scale": given.get("cost_scale", 1.0)}
    return reference.SlidingWindowUCB, {"reward_window": w1, "cost_window": w2, **scales}


def gaussian_world() -> rw.World:
    """Gaussian rewards with different sigmas, negative ones among them; no beta costs, which the reference lacks."""
    return uniform_costs(rw.catalog.gaussian(horizon=150))


def uniform_costs(world: rw.World) -> rw.World:
    rows = [[rw.Cost.uniform(0.5 * cost.mean, 1.2 * cost.mean) for cost in row] for row in world.costs]
    return rw.World(world.problem, world.x0, rows)


def many_resources(idle: bool = False) -> rw.World:
    """Six resources, so that a round's costs take two blocks of luck, and every kind of cost but beta."""
    arms = [rw.Arm(f"a{a}", A=0.3 + 0.1 * a, B=-0.5 - 0.2 * a, K=0.3, beta=1.0, state=(-3, 3)) for a in range(4)]
    resources = [rw.Resource(f"r{j}", 30.0 + 5 * j, largest_cost=2.0) for j in range(6)]
    kinds = [
        rw.Cost.fixed(0.3),
        rw.Cost.uniform(0.1, 0.6),
        rw.Cost.bernoulli(0.4, 1.5),
        rw.Cost.choices([0.0, 0.2, 2.0], [0.5, 0.4, 0.1]),
        rw.Cost.uniform(0.0, 1.0),
        rw.Cost.fixed(0.0),
    ]
    costs = [[kinds[(a + j) % 6] for j in range(6)] for a in range(4)]
    return rw.World(rw.Problem(arms, resources, 150, idle), [0.2, -1.0, 0.5, 2.0], costs)


@dataclass(frozen=True)
class Case:
    world: rw.World
    policy: str
    seed: int = 0
    replicates: int = 1
    parameters: dict[str, Any] = field(default_factory=dict)
    tolerance: float = 1e-8  # of the reward bounds, as far as SciPy itself is exact


CASES = {
    "paper, budget 10": Case(rw.catalog.paper(budget=10), "roguewk-ucb", seed=1, replicates=3),
    "paper, budget 90": Case(rw.catalog.paper(budget=90, horizon=300), "roguewk-ucb", seed=2, replicates=2),
    "paper, idle": Case(rw.catalog.paper(budget=40, horizon=300, idle=True), "roguewk-ucb", seed=3, replicates=2),
    "paper, idle, costs learned fast": Case(
        rw.catalog.paper(budget=40, horizon=200, idle=True), "roguewk-ucb", seed=4, parameters={"cost_scale": 0.05}
    ),
    "paper, costs learned fast": Case(
        rw.catalog.paper(budget=40, horizon=200), "roguewk-ucb", seed=5, parameters={"cost_scale": 0.05}
    ),
    "paper, small radius": Case(
        rw.catalog.paper(budget=60, horizon=200),
        "roguewk-ucb",
        seed=6,
        replicates=2,
        parameters={"radius_scale": 1e-4, "cost_scale": 0.3},
    ),
    "largest seed": Case(rw.catalog.paper(budget=10), "roguewk-ucb", seed=2**64 - 1),
    "gaussian": Case(gaussian_world(), "roguewk-ucb", seed=7, parameters={"cost_scale": 0.2}),
    "gaussian, small radius": Case(gaussian_world(), "roguewk-ucb", seed=8, parameters={"radius_scale": 1e-4}),
    "many resources": Case(many_resources(), "roguewk-ucb", seed=9, parameters={"cost_scale": 0.1}),
    "many resources, idle": Case(many_resources(True), "roguewk-ucb", seed=10, parameters={"cost_scale": 0.1}),
    "two-dimensional": Case(rw.catalog.two_dimensional(horizon=100), "roguewk-ucb", seed=11),
    "two-dimensional, small radius": Case(
        rw.catalog.two_dimensional(horizon=40),
        "roguewk-ucb",
        seed=12,
        parameters={"radius_scale": 1e-5},
        tolerance=1e-5,
    ),
    "slow recovery": Case(
        rw.catalog.slow_recovery(horizon=100), "roguewk-ucb", seed=13, parameters={"radius_scale": 1e-4}
    ),
    "ucb1, budget 90": Case(rw.catalog.paper(budget=90, horizon=300), "ucb1", seed=14, replicates=3),
    "ucb1, gaussian": Case(gaussian_world(), "ucb1", seed=15),
    "ucb1, many resources": Case(many_resources(), "ucb1", seed=16),
    "sw-ucb, default windows": Case(rw.catalog.paper(budget=90, horizon=300), "sw-ucb", seed=17, replicates=3),
    "sw-ucb, own windows": Case(
        rw.catalog.paper(budget=60, horizon=200), "sw-ucb", seed=18, parameters={"w1": 30, "w2": 50, "cost_scale": 0.1}
    ),
    "sw-ucb, idle": Case(
        rw.catalog.paper(budget=30, horizon=200, idle=True), "sw-ucb", seed=19, parameters={"w1": 9, "cost_scale": 0.05}
    ),
    "sw-ucb, gaussian": Case(gaussian_world(), "sw-ucb", seed=20, parameters={"w1": 12, "radius_scale": 0.1}),
    "sw-ucb, many resources": Case(many_resources(True), "sw-ucb", seed=21, parameters={"cost_scale": 0.05}),
    "own units, idle": Case(
        uniform_costs(rw.catalog.advertising(horizon=150)), "roguewk-ucb", seed=22, parameters={"cost_scale": 0.05}
    ),
}


def path_of(runs: rw.Runs, replicate: int = 0) -> tuple[Any, list[int]]:
    """The curves of the only policy, and the arms of a replicate until its end."""
    (curves,) = runs.curves.values()
    arms = curves.arms[replicate]
    return curves, [int(arm) for arm in arms[arms > -2]]


def played(case: Case) -> rw.Runs:
    spec = (case.policy, case.parameters)
    return rw.simulate(case.world, spec, replicates=case.replicates, seed=case.seed, curves=True)


@pytest.mark.parametrize("name", CASES)
def test_rewards_costs_and_the_end_are_those_of_the_reference_on_the_same_path(name: str) -> None:
    case = CASES[name]
    runs = played(case)
    frame = runs.frame()
    for r in range(case.replicates):
        curves, arms = path_of(runs, r)
        expected = reference.run(case.world, reference.SlidingWindowUCB, seed=case.seed, replicate=r, follow=arms)
        row = frame.iloc[r]
        last = len(arms) if row["stopped_by"] == "horizon" else len(arms) - 1
        assert row["stopped_by"] == expected.stopped_by
        assert (row["rounds"], row["plays"]) == (expected.rounds, expected.plays)
        assert row["reward"] == pytest.approx(expected.reward, abs=1e-9)
        assert row["expected_reward"] == pytest.approx(expected.expected_reward, abs=1e-9)
        assert runs.spent[runs.policies[0]][r] == pytest.approx(expected.spent, rel=1e-9)
        assert curves.rewards[r, :last] == pytest.approx(np.array(expected.rewards[:last]), abs=1e-9)
        assert curves.expected[r, :last] == pytest.approx(np.array(expected.means[:last]), abs=1e-9)
        assert curves.costs[r, : len(arms)] == pytest.approx(np.array(expected.costs), rel=1e-9)
        assert not curves.rewards[r, last:].any()


def lp_value(problem: rw.Problem, g: Vector, c: Vector, shares: Vector) -> float:
    """What shares are worth per round within the budgets; shares that were scaled up to one are scaled down again."""
    use = shares @ c
    lasts = min((rate / spent for rate, spent in zip(problem.rates, use, strict=True) if spent > 0), default=1.0)
    return float(g @ shares) * (1.0 if problem.idle else min(lasts, 1.0))


@pytest.mark.parametrize("name", CASES)
def test_every_decision_is_that_of_the_reference(name: str) -> None:
    """Bounds, the value of the linear program and the arm drawn, round by round, along the engine's first replicate."""
    case = CASES[name]
    problem = case.world.problem
    curves, arms = path_of(played(case))
    algorithm, constants = judge(case.policy, case.world, case.parameters)
    expected = reference.run(case.world, algorithm, seed=case.seed, follow=arms, **constants)
    policy = rw.make_policy(case.policy, problem, seed=case.seed, **case.parameters)
    drawn = 0
    for t, arm in enumerate(arms):
        decision = policy.select()
        assert (-1 if decision.arm is None else decision.arm) == arm
        number = reference.unit(reference.philox_words(case.seed, 0, t, 0, 0)[2])
        assert reference.draw_arm(decision.probabilities, number, problem.idle) == arm
        if not np.isnan(expected.reward_bounds[t]).any():
            g, c = decision.reward_bounds, decision.cost_bounds / problem.scales
            assert g == pytest.approx(expected.reward_bounds[t], abs=case.tolerance), t
            assert c == pytest.approx(expected.cost_bounds[t], abs=1e-8), t
            value = float(g[arm]) if case.policy == "ucb1" else lp_value(problem, g, c, decision.probabilities)
            assert value == pytest.approx(expected.values[t], abs=max(case.tolerance, 1e-8)), t
            drawn += 1
        if arm >= 0:
            policy.update(decision, curves.rewards[0, t], curves.costs[0, t])
    assert drawn >= len(arms) - len(problem.arms)


def test_the_cases_hold_idle_rounds_and_rounds_with_mixed_shares() -> None:
    idle = path_of(played(CASES["paper, idle, costs learned fast"]))[1]
    mixed = path_of(played(CASES["paper, costs learned fast"]))[1]
    assert idle.count(-1) > 20
    assert len(set(mixed[50:])) > 1


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("world", rw.catalog.names())
def test_results_do_not_depend_on_the_number_of_threads_or_replicates(policy: str, world: str) -> None:
    place = rw.catalog.get(world, horizon=60)
    whole = rw.simulate(place, policy, replicates=25, seed=5, threads=1)
    for replicates, threads in ((25, 2), (25, 3), (7, 2), (1, 1)):
        part = rw.simulate(place, policy, replicates=replicates, seed=5, threads=threads)
        assert part.totals[policy].tolist() == whole.totals[policy][:replicates].tolist()
        assert part.spent[policy].tolist() == whole.spent[policy][:replicates].tolist()


def test_pieces_of_long_games_are_joined_in_order() -> None:
    """More rounds than one piece of work holds."""
    world = rw.catalog.paper(budget=1e6, horizon=30_000)
    runs = rw.simulate(world, "ucb1", replicates=15, seed=3, threads=2)
    assert rw.simulate(world, "ucb1", replicates=4, seed=3).totals["ucb1"].tolist() == runs.totals["ucb1"][:4].tolist()
    assert len(set(runs.totals["ucb1"]["reward"].tolist())) > 5


@pytest.mark.parametrize("seed", [0, 2**64 - 1])
def test_another_seed_is_another_game(seed: int) -> None:
    world = rw.catalog.paper(budget=50)
    first, again, other = (rw.simulate(world, "ucb1", seed=s).totals["ucb1"].tolist() for s in (seed, seed, 17))
    assert first == again != other


def test_every_policy_meets_the_same_luck() -> None:
    runs = rw.simulate(rw.catalog.paper(budget=1000), POLICIES, replicates=4, seed=6, curves=True)
    first = runs.curves[POLICIES[0]]
    for name in POLICIES[1:]:
        other = runs.curves[name]
        together = (first.arms == other.arms) & (first.arms >= 0)
        assert together.sum() > 500
        assert first.costs[together].tolist() == other.costs[together].tolist()


def test_with_one_arm_every_policy_plays_the_same_game() -> None:
    arm = rw.Arm("only", A=0.5, B=-1.0, K=0.5)
    world = rw.World(rw.Problem([arm], [rw.Resource("r", 20.0)], 100), [0.0], [[rw.Cost.uniform(0.1, 0.5)]])
    runs = rw.simulate(world, POLICIES, replicates=5, seed=7)
    results = [runs.totals[name].tolist() for name in POLICIES]
    assert results[0] == results[1] == results[2]


def test_a_policy_plays_the_same_game_alone_and_in_company() -> None:
    world = rw.catalog.paper(budget=80)
    together = rw.simulate(world, POLICIES, replicates=5, seed=8)
    for name in POLICIES:
        assert rw.simulate(world, name, replicates=5, seed=8).totals[name].tolist() == together.totals[name].tolist()


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("world", rw.catalog.names())
def test_totals_are_the_sums_of_the_curves(policy: str, world: str) -> None:
    runs = rw.simulate(rw.catalog.get(world, horizon=80), policy, replicates=6, seed=9, curves=True)
    curves, frame = runs.curves[policy], runs.frame()
    assert frame["reward"].to_numpy() == pytest.approx(curves.rewards.sum(axis=1))
    assert frame["expected_reward"].to_numpy() == pytest.approx(curves.expected.sum(axis=1))
    assert runs.spent[policy] == pytest.approx(curves.costs.sum(axis=1))
    assert frame["rounds"].tolist() == (curves.arms > -2).sum(axis=1).tolist()
    pulls = (curves.arms >= 0).sum(axis=1) - (frame["stopped_by"] != "horizon").to_numpy()
    assert frame["plays"].tolist() == pulls.tolist()


@pytest.mark.parametrize("world", PLAIN_WORLDS)
def test_states_move_as_the_dynamics_say_and_show_in_the_mean_rewards(world: str) -> None:
    place = rw.catalog.get(world, horizon=50)
    curves, arms = path_of(rw.simulate(place, "ucb1", replicates=1, seed=10, curves=True))
    states = list(place.x0)
    for t, pulled in enumerate(arms[:-1]):
        for a, arm in enumerate(place.problem.arms):
            assert curves.states[0, t, a, : arm.dimension] == pytest.approx(states[a], abs=1e-12)
        mean = float(reference.mean_reward(place.problem.arms[pulled], states[pulled]))
        assert curves.expected[0, t] == pytest.approx(mean, abs=1e-12)
        pairs = zip(place.problem.arms, states, strict=True)
        states = [reference.step(arm, x, a == pulled) for a, (arm, x) in enumerate(pairs)]


def test_an_arms_own_functions_are_played_as_the_linear_forms_are() -> None:
    """The truth's dynamics; UCB1 does not look at them."""
    linear = rw.Arm("a", A=0.6, B=-1.1, K=0.3, alpha=0.2, beta=0.9, state=(-3, 3))
    own = rw.Arm(
        "a",
        h=lambda x, pulled: 0.6 * x - 1.1 * pulled + 0.3,
        g=lambda x: 1 / (1 + np.exp(-0.2 - 0.9 * x)),
        state=(-3, 3),
    )
    other = rw.Arm("b", A=0.5, B=-0.5, state=(-3, 3))
    games = []
    for arm in (linear, own):
        problem = rw.Problem([arm, other], [rw.Resource("r", 40.0)], 200)
        world = rw.World(problem, [0.5, -0.2], [[rw.Cost.uniform(0.1, 0.5)], [rw.Cost.uniform(0.2, 0.3)]])
        games.append(rw.simulate(world, "ucb1", replicates=5, seed=11, curves=True))
    assert games[0].curves["ucb1"].arms.tolist() == games[1].curves["ucb1"].arms.tolist()
    assert games[0].curves["ucb1"].expected == pytest.approx(games[1].curves["ucb1"].expected, abs=1e-12)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("factor", [1024.0, 2.0**-10])  # exact: a planner's ties would show the last digit
def test_units_of_costs_do_not_change_a_single_decision(policy: str, factor: float) -> None:
    plain = rw.catalog.paper(budget=60, horizon=300)
    resources = [rw.Resource(r.name, factor * r.budget, largest_cost=factor) for r in plain.problem.resources]
    costs = [[rw.Cost.uniform(factor * c.numbers[0], factor * c.numbers[1]) for c in row] for row in plain.costs]
    scaled = rw.World(rw.Problem(plain.problem.arms, resources, 300), plain.x0, costs)
    parameters = {"cost_scale": 0.1} if policy in ("roguewk-ucb", "sw-ucb") else {}
    one, other = (rw.simulate(w, (policy, parameters), replicates=5, seed=12, curves=True) for w in (plain, scaled))
    label = one.policies[0]
    assert one.curves[label].arms.tolist() == other.curves[label].arms.tolist()
    assert other.spent[label] == pytest.approx(factor * one.spent[label])
    assert one.frame()["stopped_by"].tolist() == other.frame()["stopped_by"].tolist()


costs_strategy = st.one_of(
    st.floats(0, 1).map(rw.Cost.fixed),
    st.tuples(st.floats(0, 1), st.floats(0, 1)).map(lambda ends: rw.Cost.uniform(min(ends), max(ends))),
    st.floats(0, 1).map(rw.Cost.bernoulli),
    st.tuples(st.floats(0.1, 5), st.floats(0.1, 5)).map(lambda shape: rw.Cost.beta(*shape)),
    st.lists(st.floats(0, 1), min_size=1, max_size=3).map(rw.Cost.choices),
)
arm_numbers = st.tuples(st.floats(-0.95, 0.95), st.floats(-2, 2), st.floats(-1, 1), st.floats(-1, 1), st.floats(-2, 2))


@st.composite
def worlds(draw: st.DrawFn) -> rw.World:
    m, d = draw(st.integers(1, 4)), draw(st.integers(0, 3))
    arms = [
        rw.Arm(f"a{a}", A=A, B=B, K=K, alpha=alpha, beta=beta, state=(-3, 3))
        for a, (A, B, K, alpha, beta) in enumerate(draw(st.lists(arm_numbers, min_size=m, max_size=m)))
    ]
    resources = [rw.Resource(f"r{j}", draw(st.floats(0.05, 30))) for j in range(d)]
    costs = draw(st.lists(st.lists(costs_strategy, min_size=d, max_size=d), min_size=m, max_size=m))
    x0 = draw(st.lists(st.floats(-3, 3), min_size=m, max_size=m))
    return rw.World(rw.Problem(arms, resources, draw(st.integers(1, 80)), draw(st.booleans())), x0, costs)


@settings(max_examples=120, deadline=None, derandomize=True, database=None)
@given(
    world=worlds(),
    policy=st.sampled_from(POLICIES),
    scale=st.sampled_from([0.0, 0.05, 1.0]),
    seed=st.integers(0, 2**64 - 1),
)
def test_no_resource_is_overspent_by_more_than_the_round_that_stops_the_game(
    world: rw.World, policy: str, scale: float, seed: int
) -> None:
    problem = world.problem
    budgets = problem.budgets * (1 + 1e-9)
    spec = (policy, {"cost_scale": scale}) if policy in ("roguewk-ucb", "sw-ucb") else policy
    runs = rw.simulate(world, spec, replicates=2, seed=seed, curves=True, threads=1)
    frame, (label,) = runs.frame(), runs.policies
    for r in range(2):
        rounds, stopped = int(frame["rounds"][r]), str(frame["stopped_by"][r])
        spent = runs.curves[label].costs[r, :rounds].cumsum(axis=0)  # (round, resource)
        assert (spent[: rounds - 1] <= budgets).all()
        over = [resource.name for resource, end in zip(problem.resources, spent[-1] > budgets, strict=True) if end]
        assert stopped == (over[0] if over else "horizon")
        assert rounds == problem.horizon or over
        assert (spent[-1] <= budgets + 1).all()
        assert frame["plays"][r] <= rounds
        if not problem.idle and not over:
            assert frame["plays"][r] == rounds


def test_a_budget_that_is_used_up_exactly_does_not_end_the_game() -> None:
    arm = rw.Arm("a", A=0.5, B=-1.0)
    world = rw.World(rw.Problem([arm], [rw.Resource("r", 1.0)], 10), [0.0], [[rw.Cost.fixed(0.1)]])
    row = rw.simulate(world, "ucb1", replicates=1).frame().iloc[0]
    assert (row["rounds"], row["plays"], row["stopped_by"]) == (10, 10, "horizon")
    short = rw.simulate(world.with_budget(0.9999), "ucb1", replicates=1).frame().iloc[0]
    assert (short["rounds"], short["plays"], short["stopped_by"]) == (10, 9, "r")


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("policy", POLICIES)
def test_policies_play_without_knowing_the_horizon(policy: str, restart: bool) -> None:
    world = rw.catalog.paper(budget=100, horizon=350)
    unknown = (policy, {"doubling": 50, "restart": restart})
    runs = rw.simulate(world, {"known": policy, "unknown": unknown}, replicates=20, seed=13)
    frame = runs.frame().groupby("policy")["expected_reward"].mean()
    assert 0.7 * frame["known"] < frame["unknown"] < 1.4 * frame["known"]


def test_the_three_kinds_of_frame_agree() -> None:
    runs = rw.simulate(rw.catalog.messages(horizon=60), POLICIES, replicates=3, seed=14)
    arrow, polars = (runs.frame(kind) for kind in ("arrow", "polars"))
    expected = runs.frame().to_dict(orient="list")
    assert arrow.to_pydict() == expected
    assert polars.to_dict(as_series=False) == expected
    names = ["policy", "replicate", "reward", "expected_reward", "plays", "rounds", "stopped_by"]
    assert list(expected) == [*names, "spent_interruptions", "spent_staff minutes"]
    assert expected["policy"] == [name for name in POLICIES for _ in range(3)]
    assert expected["replicate"] == [0, 1, 2] * len(POLICIES)


def test_the_summary_has_the_means_of_the_frame() -> None:
    runs = rw.simulate(rw.catalog.paper(budget=60), POLICIES, replicates=8, seed=15)
    summary, frame = runs.summary(), runs.frame()
    assert summary["policy"].tolist() == POLICIES
    for name, row in zip(POLICIES, summary.to_dict("records"), strict=True):
        mine = frame[frame["policy"] == name]
        assert row["reward"] == pytest.approx(mine["reward"].mean())
        assert row["standard_error"] == pytest.approx(mine["reward"].sem())
        assert row["reward_per_play"] == pytest.approx(mine["reward"].sum() / mine["plays"].sum())
        assert row["spent_resource 1"] == pytest.approx(mine["spent_resource 1"].mean())


def test_policies_are_labelled_by_their_parameters_or_as_one_likes() -> None:
    world = rw.catalog.paper(budget=10)
    one = rw.simulate(world, ("sw-ucb", {"w1": 5}), replicates=1)
    two = rw.simulate(world, ["ucb1", ("sw-ucb", {"w1": 5, "w2": 9})], replicates=1)
    own = rw.simulate(world, {"mine": "ucb1", "yours": ("ucb1", {"scale": 0.5})}, replicates=1)
    assert [runs.policies for runs in (one, two, own)] == [
        ("sw-ucb w1=5",),
        ("ucb1", "sw-ucb w1=5, w2=9"),
        ("mine", "yours"),
    ]


def test_curves_are_kept_only_when_asked_for() -> None:
    assert not rw.simulate(rw.catalog.paper(budget=10), "ucb1", replicates=1).curves


def test_progress_is_reported_up_to_the_last_replicate() -> None:
    seen: list[tuple[int, int]] = []
    policies = ["roguewk-ucb", "ucb1", "sw-ucb"]
    rw.simulate(rw.catalog.paper(), policies, replicates=700, progress=lambda done, all_: seen.append((done, all_)))
    assert seen == sorted(seen)
    assert len(seen) > 3
    assert seen[-1] == (2100, 2100)


def test_an_error_in_the_progress_report_ends_the_simulation() -> None:
    def stop(done: int, all_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rw.simulate(rw.catalog.paper(), "ucb1", replicates=500, progress=stop)


PAPER = rw.catalog.paper(budget=10)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: rw.simulate(PAPER.problem, "ucb1"), "the world is a Problem: give an rw.World"),  # type: ignore[arg-type]
        (lambda: rw.simulate(PAPER, "ucb2"), "unknown policy 'ucb2': did you mean 'ucb1'?"),
        (lambda: rw.simulate(PAPER, []), "policies are []: give the name of at least one policy"),
        (lambda: rw.simulate(PAPER, {}), "give the name of at least one policy"),
        (lambda: rw.simulate(PAPER, 3), "policies are 3"),  # type: ignore[arg-type]
        (lambda: rw.simulate(PAPER, [3]), "policy 3 is neither a name nor a pair"),  # type: ignore[list-item]
        (lambda: rw.simulate(PAPER, {"mine": 3}), "policy 3 is neither a name nor a pair"),
        (lambda: rw.simulate(PAPER, {3: "ucb1"}), "label of a policy is 3"),  # type: ignore[arg-type]  # on purpose
        (lambda: rw.simulate(PAPER, [(3, {})]), "name of a policy is 3"),  # type: ignore[list-item]
        (lambda: rw.simulate(PAPER, ["ucb1", "ucb1"]), "'ucb1' is the name of two policies"),
        (lambda: rw.simulate(PAPER, ("ucb1", {"sale": 1.0})), "did you mean 'scale'?"),
        (lambda: rw.simulate(PAPER, ("ucb1", {"scale": -1.0})), "scale of policy 'ucb1' is -1.0"),
        (lambda: rw.simulate(PAPER, ("sw-ucb", {"w1": 0})), "w1 of policy 'sw-ucb' is 0: give a whole number"),
        (lambda: rw.simulate(PAPER, ("sw-ucb", {"infeasible": "x"})), "give one of 'normalise', 'longest', 'ignore'"),
        (lambda: rw.simulate(PAPER, "ucb1", replicates=0), "replicates is 0: give a whole number from 1"),
        (lambda: rw.simulate(PAPER, "ucb1", replicates=2.5), "replicates is 2.5"),  # type: ignore[arg-type]
        (lambda: rw.simulate(PAPER, "ucb1", seed=-1), "seed is -1: give a whole number from 0"),
        (lambda: rw.simulate(PAPER, "ucb1", seed=2**64), "seed is 18446744073709551616"),
        (lambda: rw.simulate(PAPER, "ucb1", threads=0), "threads is 0"),
        (lambda: rw.simulate(PAPER, "ucb1", curves=1), "curves is 1: give true or false"),  # type: ignore[arg-type]
        (lambda: rw.simulate(PAPER, "ucb1", replicates=1).frame("excel"), "unknown kind of frame 'excel'"),
    ],
)
def test_bad_input_gets_a_sentence(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(rw.InputError) as caught:
        call()
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_long_replicate_played_in_stretches_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = rw.simulate(PAPER, list(MAIN), replicates=2, curves=True, threads=2)
    monkeypatch.setattr("roguewk.engine.simulate.ROUNDS_AT_ONCE", 100)
    stretched = rw.simulate(PAPER, list(MAIN), replicates=2, curves=True, threads=2)
    pd.testing.assert_frame_equal(whole.frame(), stretched.frame())
    for name in whole.policies:
        for mine, theirs in zip(whole.curves[name], stretched.curves[name], strict=True):
            np.testing.assert_array_equal(mine, theirs)


def test_curves_that_no_memory_could_hold_are_refused() -> None:
    with pytest.raises(rw.InputError, match="fewer replicates"):
        rw.simulate(rw.catalog.paper(horizon=10**9), "ucb1", curves=True)
