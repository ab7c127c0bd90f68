"""The planner against the exact optimum of tiny worlds, and everything it promises as a policy."""

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from benchmarks.reference import ahead

import roguewk as rw
from tests.judge import MAIN

PLANNERS = ["roguewk-plan", "clairvoyant"]


def tired(x: float, pulled: float) -> float:
    return 0.5 * math.tanh(x) - 0.4 * pulled


def hill(x: float) -> float:
    return 0.1 + 0.8 * math.exp(-2 * x * x)


OWN = rw.Arm("own", h=tired, g=hill, state=(-2, 2))
BOTH = rw.Arm("both", [[0.4, 0.0], [0.1, 0.8]], [-1.0, -0.1], [0.0, 0.0], 0.5, [1.0, 0.6])
LINEAR = rw.Arm("linear", A=0.6, B=-1.0, K=0.3, state=(-3, 3))


def small_world(arms: list[rw.Arm], x0: list[Any], idle: bool = False) -> rw.World:
    costs = [[rw.Cost.uniform(0.1, 0.2 + 0.2 * a)] for a in range(len(arms))]
    return rw.World(rw.Problem(arms, [rw.Resource("r", 15.0)], 60, idle), x0, costs)


WORLDS = {
    "paper": rw.catalog.paper(budget=25, horizon=80),
    "paper, idle": rw.catalog.paper(budget=15, horizon=80, idle=True),
    "gaussian": rw.catalog.gaussian(horizon=80),
    "other units": rw.catalog.messages(horizon=80),
    "no resources": rw.World(rw.Problem(rw.catalog.paper().problem.arms, [], 50), [0.1, 0.3, 0.9], [[], [], []]),
    "two coordinates": small_world([BOTH, LINEAR], [[-0.2, -0.5], 0.2]),
    "own functions": small_world([OWN, LINEAR], [0.4, 0.2], idle=True),
    "own functions and two coordinates": small_world([OWN, BOTH], [0.4, [-0.2, -0.5]]),
}


def truth(name: str, world: rw.World) -> dict[str, Any]:
    """What only clairvoyant is told."""
    largest = [[cost.largest for cost in row] for row in world.costs]
    return {"x0": world.x0, "costs": world.mean_costs, "largest": largest} if name == "clairvoyant" else {}


def made(name: str, world: rw.World, **parameters: Any) -> rw.Policy:
    return rw.make_policy(name, world.problem, seed=81, **truth(name, world), **parameters)


def restored(policy: rw.Policy) -> rw.Policy:
    state = json.loads(json.dumps(policy.state(), allow_nan=False))
    return rw.restore_policy(state, policy.problem if any(arm.custom for arm in policy.problem.arms) else None)


def outcome(problem: rw.Problem, round_: int, arm: int) -> tuple[float, list[float]]:
    """A reward and costs for a pull, whatever the order they are asked for in."""
    rng = np.random.default_rng(round_)
    reward = float(rng.integers(0, 2)) if problem.arms[arm].sigma is None else rng.normal(1.0)
    return reward, (0.1 * rng.uniform(0, 1, len(problem.resources)) * problem.scales).tolist()


def tiny_world(rng: np.random.Generator, idle: bool, whole: bool = False) -> rw.World:
    """Eight rounds, two or three arms, one or two resources with fixed costs; or one with a whole number of pulls."""
    arms = []
    for a in range(int(rng.integers(2, 4))):
        A, B, K = rng.uniform(0.1, 0.9), -rng.uniform(0.1, 2.0), rng.uniform(0, 0.8)
        arms.append(rw.Arm(f"arm {a}", A, B, K, rng.uniform(-0.5, 0.5), rng.uniform(0.3, 1.5)))
    x0 = [rng.uniform(arm.box[:, 0], arm.box[:, 1]) for arm in arms]
    resources = [rw.Resource(f"r{j}", float(rng.uniform(1.6, 4.8))) for j in range(int(rng.integers(1, 3)))]
    costs = [[rw.Cost.fixed(float(rng.uniform(0.1, 1))) for _ in resources] for _ in arms]
    if whole:
        resources, costs = [rw.Resource("pulls", float(rng.integers(2, 9)))], [[rw.Cost.fixed(1.0)] for _ in arms]
    return rw.World(rw.Problem(arms, resources, 8, idle), x0, costs)


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("idle", [True, False])
def test_the_bound_is_above_the_best_of_all_sequences_and_every_policy_below(
    idle: bool, whole: bool, record_property: Callable[[str, object], None]
) -> None:
    """A budget that is no whole number of pulls makes plans worse: prices know nothing of pulls that cannot be paid.

    Over long games that is soon forgotten, see below.
    """
    rng = np.random.default_rng(82)
    shares, bounds = [], []
    for _ in range(50):
        world = tiny_world(rng, idle, whole)
        best = ahead.best_total(world)
        runs = rw.simulate(world, list(MAIN), replicates=8, threads=1)
        expected = runs.frame().groupby("policy")["expected_reward"]
        assert expected.max().max() <= best * (1 + 1e-9)
        shares.append([expected.mean()[name] / best for name in PLANNERS])
        bounds.append(rw.upper_bound(world).value / best)
    learned, known = np.array(shares).T
    for what, found in (("bound", bounds), ("clairvoyant", known), ("roguewk-plan", learned)):
        record_property(
            f"{what} / optimum: least, mean, most", [float(each(found)) for each in (np.min, np.mean, np.max)]
        )
    assert np.min(bounds) >= 1 - 1e-9
    assert np.mean(bounds) <= (1.05 if whole else 1.15)
    assert known.mean() >= (0.99 if whole else 0.93)
    assert known.min() >= (0.92 if whole else 0.6)
    assert (known >= 1 - 1e-9).mean() >= (0.4 if whole else 0.2)
    assert learned.mean() >= (0.8 if whole else 0.75)


def test_no_policy_expects_more_than_the_exact_optimum_when_costs_are_random() -> None:
    """Within what chance does to the mean of 400 games."""
    rng = np.random.default_rng(91)
    shares = []
    for number in range(30):
        fixed = tiny_world(rng, idle=number % 2 == 0)
        resources = [rw.Resource(each.name, 0.5 * each.budget) for each in fixed.problem.resources]
        costs = [
            [rw.Cost.bernoulli(float(rng.uniform(0.3, 0.9)), float(rng.uniform(0.3, 1))) for _ in row]
            for row in fixed.costs
        ]
        problem = rw.Problem(fixed.problem.arms, resources, 4, fixed.problem.idle)
        world = rw.World(problem, fixed.x0, costs)
        best = rw.exact(world).value
        runs = rw.simulate(world, list(MAIN), replicates=400, seed=number, threads=1)
        expected = runs.frame().groupby("policy")["expected_reward"]
        assert (expected.mean() <= best + 4 * expected.std() / 20 + 1e-9).all()
        assert rw.upper_bound(world).value >= best - 1e-9
        shares.append(expected.mean()["clairvoyant"] / best)
    assert np.mean(shares) >= 0.85


def test_enumeration_and_the_exact_optimum_agree() -> None:
    rng = np.random.default_rng(83)
    for idle in (True, False):
        for _ in range(5):
            world = tiny_world(rng, idle)
            short = world.with_problem(horizon=5)
            assert rw.exact(short).value == pytest.approx(ahead.best_total(short), abs=1e-9)


@pytest.mark.parametrize("name", rw.catalog.names())
def test_over_long_games_the_planner_is_within_a_few_hundredths_of_the_bound(name: str) -> None:
    world = rw.catalog.get(name)
    bound = rw.upper_bound(world).value
    learned, known = rw.simulate(world, PLANNERS, replicates=6, seed=84).summary()["expected_reward"] / bound
    assert 0.965 <= known <= 1
    assert 0.94 <= learned <= 1


@pytest.mark.parametrize("name", PLANNERS)
@pytest.mark.parametrize("world", WORLDS)
def test_saved_and_restored_it_plays_the_engines_game(world: str, name: str) -> None:
    place = WORLDS[world]
    runs = rw.simulate(place, name, replicates=1, seed=81, curves=True)
    curves, policy = runs.curves[name], made(name, place)
    rounds = int(runs.frame()["rounds"][0])
    assert rounds > 30
    for t in range(rounds):
        if t in (0, 1, 3, 17, 40):
            policy = restored(policy)
        decision = policy.select()
        assert (-1 if decision.arm is None else decision.arm) == curves.arms[0, t]
        if t in (5, 26):
            policy = restored(policy)  # with a decision open
        if decision.arm is not None:
            assert decision.probabilities.tolist() == [
                float(a == decision.arm) for a in range(len(curves.states[0, t]))
            ]
            policy.update(decision, curves.rewards[0, t], curves.costs[0, t])
    assert len(np.unique(curves.arms[0, :rounds])) >= 2


@pytest.mark.parametrize("name", PLANNERS)
@pytest.mark.parametrize("world", ["paper", "other units", "two coordinates", "own functions"])
def test_late_updates_in_any_order_lead_to_the_same_decisions(world: str, name: str) -> None:
    problem = WORLDS[world].problem
    ends = []
    for order in ("forward", "backward", "saved before"):
        policy = made(name, WORLDS[world])
        open_ones = [decision for decision in (policy.select() for _ in range(25)) if decision.arm is not None]
        policy = restored(policy) if order == "saved before" else policy
        for decision in open_ones if order == "forward" else reversed(open_ones):
            assert decision.arm is not None
            policy.update(decision, *outcome(problem, decision.round, decision.arm))
        ends.append([policy.select() for _ in range(10)])
    assert len(open_ones) >= 3
    for end in ends[1:]:
        for one, other in zip(ends[0], end, strict=True):
            assert one.arm == other.arm
            assert one.prices == pytest.approx(other.prices, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("name", PLANNERS)
@pytest.mark.parametrize("world", ["paper", "paper, idle"])
def test_only_available_arms_are_played(world: str, name: str) -> None:
    policy, rng = made(name, WORLDS[world]), np.random.default_rng(85)
    seen = set()
    for t in range(60):
        mask = rng.random(3) < 0.5
        decision = policy.select(available=mask.tolist())
        if not mask.any():
            assert (decision.arm, decision.status) == (None, "no arm is available: an idle round")
        elif decision.arm is None:
            assert decision.status == "waiting is worth more than any arm now: an idle round"
            assert world == "paper, idle"
        else:
            assert mask[decision.arm]
            policy.update(t, *outcome(policy.problem, t, decision.arm))
        seen.add(decision.arm)
    assert seen >= {0, 1, 2, None}


@pytest.mark.parametrize("name", PLANNERS)
def test_the_number_of_threads_does_not_matter(name: str) -> None:
    frames = [
        rw.simulate(WORLDS["paper"], name, replicates=40, seed=86, threads=threads).frame() for threads in (1, 2, 5)
    ]
    lone = rw.simulate(WORLDS["paper"], name, replicates=3, seed=86, threads=1).frame()
    for frame in frames[1:]:
        assert frame.equals(frames[0])
    assert lone["reward"].tolist() == frames[0]["reward"][:3].tolist()


def test_no_arm_has_to_be_tried_first() -> None:
    place = WORLDS["paper"]
    known, learned = (made(name, place) for name in ("clairvoyant", "roguewk-plan"))
    assert known.select().status == "the best in the long run at the prices of today"
    assert learned.select().status == known.select().status
    assert learned.select().cost_bounds[0] == pytest.approx(learned.select().cost_bounds[1])  # nothing is known of them
    assert known.select().cost_bounds == pytest.approx(place.mean_costs)


def test_idle_rounds_are_left_where_waiting_is_worth_more() -> None:
    """One budget for one pull of an arm that is worn: the rest of the game is for its recovery."""
    arm = rw.Arm("call", A=0.9, B=-3.0, alpha=2.0, state=(-30, 0))
    problem = rw.Problem([arm], [rw.Resource("staff", 1.0)], 40, idle=True)
    world = rw.World(problem, [-6.0], [[rw.Cost.fixed(1.0)]])
    runs = rw.simulate(world, "clairvoyant", replicates=1, curves=True)
    (pulled,) = np.flatnonzero(runs.curves["clairvoyant"].arms[0] == 0)
    assert pulled >= 30
    assert runs.frame()["expected_reward"][0] >= 0.97 * rw.upper_bound(world).value
    must = rw.simulate(world.with_problem(idle=False), "clairvoyant", replicates=1).frame()
    assert (must["plays"][0], must["rounds"][0]) == (1, 2)


def test_no_pull_that_is_paid_for_is_left_over() -> None:
    """As many pulls as rounds to come: rounds are scarce then, not the budget, and waiting would lose a pull."""
    rng = np.random.default_rng(92)
    for _ in range(20):
        world = tiny_world(rng, idle=True, whole=True)
        (budget,) = world.problem.budgets
        plays = rw.simulate(world, "clairvoyant", replicates=1, threads=1).frame()["plays"][0]
        assert plays == budget


def test_fifty_arms_and_ten_resources_are_planned_for() -> None:
    rng = np.random.default_rng(87)
    arms = [
        rw.Arm(f"a{a}", rng.uniform(0.3, 0.9), rng.uniform(-1.5, -0.2), rng.uniform(0, 0.3), rng.uniform(-0.5, 0.5))
        for a in range(50)
    ]
    resources = [rw.Resource(f"r{j}", float(rng.uniform(15, 40))) for j in range(10)]
    costs = [[rw.Cost.uniform(0.0, float(rng.uniform(0.2, 0.8))) for _ in resources] for _ in arms]
    x0 = [rng.uniform(arm.box[:, 0], arm.box[:, 1]) for arm in arms]
    for idle in (True, False):
        world = rw.World(rw.Problem(arms, resources, 120, idle), x0, costs)
        runs = rw.simulate(world, PLANNERS, replicates=2, seed=88, curves=True)
        shares = runs.summary()["expected_reward"] / rw.upper_bound(world).value
        assert 0.9 <= shares[1] <= 1
        assert 0.6 <= shares[0] <= 1
        assert all(np.isfinite(curves.rewards).all() for curves in runs.curves.values())


def test_without_resources_nothing_has_a_price() -> None:
    place = WORLDS["no resources"]
    for name in PLANNERS:
        policy = made(name, place)
        for t in range(50):
            decision = policy.select()
            assert decision.arm is not None
            assert decision.prices.shape == (0,)
            policy.update(t, 1.0)
    bound = rw.upper_bound(place).value
    learned, known = rw.simulate(place, PLANNERS, replicates=20, seed=89).summary()["expected_reward"] / bound
    assert 0.97 <= known <= 1
    assert 0.95 <= learned <= 1


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("idle", [True, False])
def test_an_unknown_horizon_costs_little(idle: bool, restart: bool) -> None:
    """The end of an epoch is not the end of the game: the budgets outlast it."""
    world = rw.catalog.paper(budget=150, horizon=500, idle=idle)
    specs = {
        "known": ("roguewk-plan", {}),
        "unknown": ("roguewk-plan", {"doubling": 40, "restart": restart}),
        "truth": ("clairvoyant", {"doubling": 40, "restart": restart}),
    }
    summary = rw.simulate(world, specs, replicates=20, seed=90).summary().set_index("policy")["expected_reward"]
    assert summary["unknown"] >= (0.93 if restart else 0.97) * summary["known"]
    assert summary["truth"] >= 0.97 * summary["known"]


def test_a_restart_forgets_costs_and_states_but_not_what_is_spent() -> None:
    policy = made("roguewk-plan", rw.catalog.paper(budget=100, horizon=200), doubling=10, restart=True)
    forgotten = []
    for t in range(45):
        decision = policy.select()
        if np.ptp(decision.cost_bounds, axis=0) == pytest.approx(0):
            forgotten.append(t)
        policy.update(t, 1.0, [0.2 + 0.1 * (decision.arm or 0), 0.3, 0.1])
    assert forgotten == [0, 10, 20, 40]
    assert policy.parts.desk.ledger.spent[1:] == pytest.approx([13.5, 4.5])
    assert policy.parts.costs.tally.counts.sum() == 5


def price_solves(horizon: int, idle: bool) -> tuple[int, int]:
    """How often prices were found and depths compared over a game, and the most rounds between."""
    world = rw.catalog.paper(budget=0.3 * horizon, horizon=horizon, idle=idle)
    policy = made("roguewk-plan", world)
    solved = compared = 0
    before = policy.parts.allocation.part.plan.copy()
    for t in range(horizon):
        decision = policy.select()
        if decision.arm is not None:
            rng = np.random.default_rng(t)
            policy.update(decision, float(rng.integers(0, 2)), (0.8 * rng.uniform(0, 1, 3)).tolist())
        now = policy.parts.allocation.part.plan
        solved += int(now["next_prices"][0] != before["next_prices"][0])
        compared += int(now["next_review"][0] != before["next_review"][0])
        before = now.copy()
        if decision.status.startswith("the budget"):
            break
    return solved, compared


def test_work_per_round_does_not_grow_with_the_game() -> None:
    """Prices are found after a share of the rounds played or left, so their number grows like a logarithm."""
    counts = {horizon: price_solves(horizon, idle=True) for horizon in (500, 1000, 2000, 4000)}
    steps = np.diff([counts[horizon] for horizon in (500, 1000, 2000, 4000)], axis=0)
    assert counts[500][0] <= 250
    assert (steps <= [60, 10]).all()
    assert (steps >= 0).all()


def test_memory_does_not_grow_with_the_horizon() -> None:
    sizes = []
    for horizon in (1000, 1_000_000):
        planner = made("roguewk-plan", rw.catalog.paper(budget=0.3 * horizon, horizon=horizon)).parts.allocation.part
        sizes.append(sum(each.nbytes for each in [*planner.worth, *planner.notes, *planner.beam, *planner.program[1:]]))
    assert sizes[0] == sizes[1]


def test_copies_of_a_policy_share_the_tables_and_nothing_that_changes() -> None:
    one, other = (made("roguewk-plan", WORLDS["paper"]) for _ in range(2))
    for t in range(6):
        one.update(one.select(), *outcome(one.problem, t, 0))
    assert other.select().round == 0
    assert not other.parts.costs.tally.sums.any()


CUBE = rw.Arm("cube", A=(0.5 * np.eye(3)).tolist(), B=[-1, -1, -1], K=[0, 0, 0], beta=[1, 1, 1])
PAPER = rw.catalog.paper()
X0, COSTS = [x.tolist() for x in PAPER.x0], PAPER.mean_costs.tolist()
BAD: list[tuple[str, dict[str, Any], str]] = [
    ("clairvoyant", {}, "known states needs the truth: simulate gives it, make_policy takes x0"),
    ("clairvoyant", {"x0": X0}, "known costs needs the truth: simulate gives it, make_policy takes costs"),
    ("clairvoyant", {"costs": COSTS}, "known states needs the truth"),
    ("clairvoyant", {"x0": X0[:2], "costs": COSTS}, "x0 has 2 states for 3 arms: give one each"),
    ("clairvoyant", {"x0": [[0.1, 0.2], [0.3], [0.9]], "costs": COSTS}, "x0 of arm 'arm 0' has shape"),
    ("clairvoyant", {"x0": X0, "costs": COSTS[:2]}, "mean costs has shape"),
    ("clairvoyant", {"x0": ["a", "b", "c"], "costs": COSTS}, "x0 of arm 'arm 0' is 'a': give numbers"),
    ("clairvoyant", {"x0": 0.5, "costs": COSTS}, "x0 of policy 'clairvoyant' is 0.5: give a list, one for each arm"),
    ("clairvoyant", {"x0": X0, "costs": COSTS, "optimism": 1.0}, "parameter of policy 'clairvoyant':"),
    ("roguewk-plan", {"x0": X0}, "parameter of policy 'roguewk-plan':"),
    ("roguewk-plan", {"optimism": -0.1}, "optimism of policy 'roguewk-plan' is -0.1: give a number of at least 0"),
    ("roguewk-plan", {"optimism": "much"}, "optimism of policy 'roguewk-plan' is 'much'"),
    ("believed/hoeffding/plan", {"cost_scale": -1.0}, "cost_scale of policy 'believed/hoeffding/plan' is -1.0"),
    ("roguewk-plan", {"doubling": -1}, "doubling of policy 'roguewk-plan' is -1"),
]


@pytest.mark.parametrize(("name", "parameters", "message"), BAD)
def test_bad_parameters_are_refused_in_one_sentence(name: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(rw.InputError) as caught:
        rw.make_policy(name, PAPER.problem, **parameters)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", PLANNERS)
def test_states_of_three_coordinates_are_refused_in_one_sentence(name: str) -> None:
    world = rw.World(rw.Problem([CUBE], [], 10), [[-1, -1, -1]], [[]])
    with pytest.raises(
        rw.InputError, match=r"has 3 coordinates, and plans are for states of one or two: use roguewk-ucb$"
    ):
        made(name, world)
    with pytest.raises(rw.InputError, match="'cube' has 3 coordinates"):
        rw.simulate(world, name, replicates=1)


def test_states_that_leave_x_are_planned_for_as_if_at_its_edge() -> None:
    out = rw.Arm("out", h=tired, g=hill, state=(-0.1, 0.1))
    policy = rw.make_policy("roguewk-plan", rw.Problem([out], [], 10))
    assert [policy.select().arm for _ in range(10)] == [0] * 10
