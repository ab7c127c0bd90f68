"""The online object: equal to the engine, whatever is saved, late or missing, and unmoved by bad input."""

import json
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from scipy.special import expit

import roguewk as rw
from roguewk.kernel.arrays import Vector
from tests.judge import MAIN
from tests.plain_worlds import NAMES as PLAIN_WORLDS

POLICIES = list(MAIN)
PAPER = rw.catalog.paper().problem


def given(name: str, world: rw.World | None = None) -> dict[str, Any]:
    """Parameters under which a policy has something to decide, the truth included where it is needed."""
    if name == "clairvoyant":
        world = world or rw.catalog.paper()
        largest = [[cost.largest for cost in row] for row in world.costs]
        return {"x0": [x0.tolist() for x0 in world.x0], "costs": world.mean_costs.tolist(), "largest": largest}
    return {"cost_scale": 0.1} if name in ("roguewk-ucb", "sw-ucb") else {}


def tired(x: float, pulled: float) -> float:
    return 0.5 * math.tanh(x) - 0.4 * pulled


def hill(x: float) -> float:
    return 0.1 + 0.8 * math.exp(-2 * x * x)


def certain(x: float) -> float:
    return min(max(x, 0.0), 1.0)


def own_world(g: Callable[[float], float] = hill, horizon: int = 60) -> rw.World:
    """Functions of one's own beside a linear arm."""
    own = rw.Arm("own", h=tired, g=g, state=(-2, 2))
    linear = rw.Arm("linear", A=0.6, B=-1.0, K=0.3, state=(-3, 3))
    problem = rw.Problem([own, linear], [rw.Resource("r", 0.35 * horizon)], horizon)
    return rw.World(problem, [0.4, 0.2], [[rw.Cost.uniform(0.2, 0.6)], [rw.Cost.uniform(0.1, 0.7)]])


def mixed_world() -> rw.World:
    """An arm with its own functions beside an arm with two coordinates."""
    both = rw.Arm("both", [[0.4, 0.0], [0.1, 0.8]], [-1.0, -0.1], [0.0, 0.0], 0.5, [1.0, 0.6])
    own = rw.Arm("own", h=tired, g=hill, state=(-2, 2))
    problem = rw.Problem([both, own], [rw.Resource("r", 20.0)], 60)
    return rw.World(problem, [[-0.2, -0.5], 0.3], [[rw.Cost.uniform(0.2, 0.6)], [rw.Cost.fixed(0.3)]])


WORLDS = {
    **{name: rw.catalog.get(name, horizon=70) for name in PLAIN_WORLDS},
    "own functions": own_world(),
    "own functions and certain rewards": own_world(certain),
    "own functions and vectors": mixed_world(),
    "no resources": rw.World(rw.Problem(PAPER.arms, [], 40), [0.1, 0.3, 0.9], [[], [], []]),
}


def saved_and_restored(policy: rw.Policy, problem: rw.Problem) -> rw.Policy:
    text = json.dumps(policy.state(), allow_nan=False)
    custom = any(arm.custom for arm in problem.arms)
    return rw.restore_policy(json.loads(text), problem if custom else None)


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("world", WORLDS)
def test_a_policy_saved_and_restored_again_and_again_plays_the_engines_game(world: str, name: str) -> None:
    place = WORLDS[world]
    parameters = given(name, place)
    runs = rw.simulate(place, (name, parameters), replicates=1, seed=31, curves=True)
    (curves,) = runs.curves.values()
    policy = rw.make_policy(name, place.problem, seed=31, **parameters)
    rounds = int(runs.frame()["rounds"][0])
    for t in range(rounds):
        if t in (0, 1, 2, 5, 20, 21, 50):
            policy = saved_and_restored(policy, place.problem)
        decision = policy.select()
        assert decision.round == t
        assert (-1 if decision.arm is None else decision.arm) == curves.arms[0, t]
        if t in (7, 30):
            policy = saved_and_restored(policy, place.problem)  # with a decision open
        if decision.arm is not None:
            policy.update(decision, curves.rewards[0, t], curves.costs[0, t])
    last = policy.select()
    assert last.arm is None
    stopped = runs.frame()["stopped_by"][0]
    assert ("horizon" if rounds == place.problem.horizon else f"budget of {stopped!r}") in last.status
    assert policy.spent == pytest.approx(runs.spent[runs.policies[0]][0].tolist())


def assert_equal_decisions(one: rw.Decision, other: rw.Decision, tolerance: float = 1e-9) -> None:
    assert one.arm == other.arm
    for mine, yours in zip(one[2:6], other[2:6], strict=True):
        assert mine == pytest.approx(yours, abs=tolerance)


def decided(policy: rw.Policy, count: int) -> list[rw.Decision]:
    return [policy.select() for _ in range(count)]


def outcomes(problem: rw.Problem, decisions: list[rw.Decision]) -> Iterator[tuple[rw.Decision, float, Vector]]:
    """A reward and costs for every pull, whatever the order they are asked for in."""
    for decision in decisions:
        if decision.arm is not None:
            rng = np.random.default_rng(decision.round)
            reward = float(rng.integers(0, 2)) if problem.arms[decision.arm].sigma is None else rng.normal()
            yield decision, reward, rng.uniform(0, 1, len(problem.resources)) * problem.scales


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("world", WORLDS)
def test_the_order_in_which_updates_arrive_does_not_matter(world: str, name: str) -> None:
    problem = WORLDS[world].problem
    ends = []
    for order in ("forward", "backward", "shuffled"):
        policy = rw.make_policy(name, problem, seed=32, **given(name, WORLDS[world]))
        found = list(outcomes(problem, decided(policy, 25)))
        places = np.arange(len(found))
        if order != "forward":
            places = places[::-1] if order == "backward" else np.random.default_rng(1).permutation(places)
        for decision, reward, costs in (found[i] for i in places):
            policy.update(decision, reward, costs)
        policy.parts.desk.ledger.spent[:] = 0.0  # all those costs at once may be more than the budget
        ends.append(policy.select())
    for end in ends[1:]:
        assert_equal_decisions(ends[0], end, 1e-7)


@pytest.mark.parametrize("name", POLICIES)
def test_a_late_update_is_saved_with_the_policy(name: str) -> None:
    policy = rw.make_policy(name, PAPER, seed=33, **given(name))
    found = list(outcomes(PAPER, decided(policy, 12)))
    other = saved_and_restored(policy, PAPER)
    for each in (policy, other):
        for decision, reward, costs in reversed(found):
            each.update(decision, reward, costs)
        assert not each.pending
    assert_equal_decisions(policy.select(), other.select(), 0.0)


def test_states_move_with_decisions_not_with_updates() -> None:
    """Without any reward x0 may be anything, and the bound is the best of X after the same pulls."""
    policy = rw.make_policy("roguewk-ucb", PAPER, seed=34)
    states = [np.array(arm.state) for arm in PAPER.arms]
    for _ in range(30):
        decision = policy.select()
        best = [expit(arm.alpha + arm.beta * x).max() for arm, x in zip(PAPER.arms, states, strict=True)]
        assert decision.reward_bounds == pytest.approx(best, abs=1e-12)
        states = [
            arm.A * x + arm.B * (a == decision.arm) + arm.K
            for a, (arm, x) in enumerate(zip(PAPER.arms, states, strict=True))
        ]


def test_updates_that_never_come_leave_means_and_radii_to_those_that_did() -> None:
    policy = rw.make_policy("roguewk-ucb", PAPER, seed=35, cost_scale=0.1)
    sums, counts = np.zeros((3, 3)), np.zeros(3)
    for decision, reward, costs in outcomes(PAPER, decided(policy, 40)):
        assert decision.arm is not None
        if decision.round % 3:
            policy.update(decision, reward, costs)
            sums[decision.arm] += costs
            counts[decision.arm] += 1
    policy.parts.desk.ledger.spent[:] = 0.0
    seen = counts > 0
    assert len(policy.pending) == 14
    radius = 0.1 * np.sqrt(np.log(12 * 3 * 3 * 1000**2) / 2 / counts[seen])
    expected = np.clip(sums[seen] / counts[seen, None] - radius[:, None], 0, 1)
    bounds = policy.select().cost_bounds
    assert bounds[seen] == pytest.approx(expected, abs=1e-12)
    assert not bounds[~seen].any()


@pytest.mark.parametrize("name", POLICIES)
def test_an_arm_whose_rewards_never_come_is_not_pulled_for_ever(name: str) -> None:
    problem = rw.catalog.paper(horizon=400).problem
    policy = rw.make_policy(name, problem, seed=36, **given(name))
    for decision, reward, costs in outcomes(problem, decided(policy, 3)):
        if decision.arm:
            policy.update(decision, reward, costs * 0.1)
    pulls = [0, 0, 0]
    for _ in range(300):
        decision = policy.select()
        assert decision.arm is not None
        pulls[decision.arm] += 1
        if decision.arm:
            policy.update(decision, 1.0, [0.01] * 3)
    assert pulls[0] < 290


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("available", [["arm 1", "arm 2"], [1, 2], [False, True, True], [2, "arm 1"], np.array([1, 2])])
def test_only_available_arms_are_played_however_they_are_named(name: str, available: Any) -> None:
    policy, twin = (rw.make_policy(name, PAPER, seed=37, **given(name)) for _ in range(2))
    for t in range(40):
        decision = policy.select(available=available)
        assert decision.arm in (1, 2)
        assert decision.probabilities[0] == 0
        assert_equal_decisions(decision, twin.select(available=[1, 2]), 0.0)
        for each in (policy, twin):
            each.update(t, 1.0, [0.3, 0.3, 0.3])


@pytest.mark.parametrize("name", POLICIES)
def test_when_no_arm_is_available_the_round_is_idle_and_passes(name: str) -> None:
    policy = rw.make_policy(name, PAPER, seed=38, **given(name))
    decision = policy.select(available=[])
    assert (decision.arm, decision.name, decision.round) == (None, None, 0)
    assert decision.status == "no arm is available: an idle round"
    assert not decision.probabilities.any()
    assert policy.round == 1
    assert policy.select().arm is not None


def test_an_arm_that_was_not_available_has_its_first_pull_later() -> None:
    policy = rw.make_policy("roguewk-ucb", PAPER, seed=39)
    arms = [policy.select(available=["arm 1"]).arm for _ in range(3)] + [policy.select().arm for _ in range(2)]
    assert arms == [1, 1, 1, 0, 2]


def test_idle_rounds_are_decided_where_they_are_allowed() -> None:
    problem = rw.catalog.paper(budget=20, idle=True).problem
    policy = rw.make_policy("roguewk-ucb", problem, seed=40, cost_scale=0.01)
    idle = []
    for _ in range(100):
        decision = policy.select()
        if decision.arm is None:
            idle.append(decision)
        else:
            policy.update(decision, 1, [0.02, 0.05, 0.1])
    assert idle
    assert all(decision.status == "optimal" and decision.probabilities.sum() < 1 for decision in idle)
    with pytest.raises(rw.InputError, match="was left idle: there is nothing to update"):
        policy.update(idle[0], 1, [0.1, 0.1, 0.1])


@pytest.mark.parametrize("name", POLICIES)
def test_after_the_horizon_rounds_are_idle_and_late_updates_still_welcome(name: str) -> None:
    problem = rw.catalog.paper(horizon=5).problem
    policy = rw.make_policy(name, problem, seed=41, **given(name))
    found = list(outcomes(problem, decided(policy, 5)))
    for _ in range(2):
        over = policy.select()
        assert (over.arm, over.round) == (None, 5)
        assert over.status == "the horizon of 5 rounds is over: an idle round"
        assert not over.probabilities.any()
    for decision, reward, costs in found:
        policy.update(decision, reward, costs)
    assert policy.round == 5


def test_after_a_budget_is_spent_rounds_are_idle() -> None:
    problem = rw.Problem(PAPER.arms, [rw.Resource("staff", 1.0), rw.Resource("rooms", 0.6)], 50)
    policy = rw.make_policy("ucb1", problem)
    for _ in range(2):
        policy.update(policy.select(), 1, [0.4, 0.3])
    assert policy.select().arm is not None  # spent exactly, but not overspent
    policy.update(2, 0, {"rooms": 0.1, "staff": 0.0})
    over = policy.select()
    assert (over.arm, over.status) == (None, "the budget of 'rooms' is spent: an idle round")


def test_a_decision_may_be_updated_by_its_round_and_costs_given_by_name() -> None:
    one, other = (rw.make_policy("roguewk-ucb", PAPER, seed=42) for _ in range(2))
    for t in range(10):
        decision = one.select()
        other.select()
        one.update(decision, 1, [0.1, 0.2, 0.3])
        round_: Any = np.int64(t)
        other.update(round_, 1.0, {"resource 3": 0.3, "resource 1": 0.1, "resource 2": np.float64(0.2)})
    assert one.spent == other.spent == pytest.approx([1, 2, 3])
    assert_equal_decisions(one.select(), other.select(), 0.0)


def test_bounds_prices_and_costs_are_in_the_users_units() -> None:
    plain = rw.catalog.paper(budget=20, horizon=100)
    resources = [rw.Resource(r.name, 50 * r.budget, largest_cost=50.0) for r in plain.problem.resources]
    scaled = rw.Problem(plain.problem.arms, resources, 100)
    one, other = (rw.make_policy("roguewk-ucb", p, seed=43, cost_scale=0.05) for p in (plain.problem, scaled))
    priced = 0
    for t in range(60):
        mine, yours = one.select(), other.select()
        assert mine.arm == yours.arm
        assert yours.cost_bounds == pytest.approx(50 * mine.cost_bounds)
        assert yours.prices == pytest.approx(mine.prices / 50)
        priced += bool(mine.prices.any())
        costs = np.random.default_rng(t).uniform(0, 0.4, 3)
        one.update(mine, t % 2, costs)
        other.update(yours, t % 2, 50 * costs)
    assert priced > 10
    assert other.spent == pytest.approx([50 * spent for spent in one.spent])


def test_a_decision_is_not_changed_by_later_rounds() -> None:
    policy = rw.make_policy("roguewk-ucb", PAPER, seed=44)
    first = policy.select()
    before = first.to_data()
    policy.update(first, 1, [0.5, 0.5, 0.5])
    decided(policy, 5)
    assert first.to_data() == before


def epoch_length(t: int, first: int, restart: bool) -> int:
    """The horizon that a policy believes in at round t."""
    end = first
    while t >= end:
        end *= 2
    return end // 2 if restart and end > first else end


@pytest.mark.parametrize("restart", [False, True])
def test_with_doubling_the_constants_change_at_rounds_100_200_and_400(restart: bool) -> None:
    problem = rw.catalog.paper(budget=1e6, horizon=150).problem  # shorter than it is played: it is not trusted
    policy = rw.make_policy("roguewk-ucb", problem, seed=45, cost_scale=0.1, doubling=100, restart=restart)
    sums, counts = np.zeros((3, 3)), np.zeros(3)
    rng = np.random.default_rng(1)
    for t in range(450):
        if restart and t in (100, 200, 400):
            sums[:], counts[:] = 0, 0
        decision = policy.select()
        assert decision.arm is not None
        if (counts > 0).all():
            horizon = epoch_length(t, 100, restart)
            radius = 0.1 * np.sqrt(np.log(12 * 3 * 3 * horizon**2) / 2 / counts)
            expected = np.clip(sums / counts[:, None] - radius[:, None], 0, 1)
            assert decision.cost_bounds == pytest.approx(expected, abs=1e-12), t
        else:
            assert decision.status == "first pull of this arm"
        costs = rng.uniform(0.3, 0.9, 3)
        policy.update(decision, int(rng.integers(0, 2)), costs)
        sums[decision.arm] += costs
        counts[decision.arm] += 1


def test_the_windows_radius_doubles_its_horizon_too() -> None:
    policy = rw.make_policy("sw-ucb", rw.catalog.paper(budget=1e6).problem, seed=46, doubling=100)
    bounds = [decision.reward_bounds for decision in decided(policy, 401)]
    for t in (0, 99, 100, 199, 200, 399, 400):
        horizon = epoch_length(t, 100, restart=False)
        unseen = math.sqrt(2 * math.log(12 * 3 * horizon**3))
        assert (bounds[t] / unseen <= 1 + 1e-12).all()
        n = (unseen / bounds[t]) ** 2  # pulls in the window, and one
        assert n == pytest.approx(np.round(n), abs=1e-6)


def test_a_restart_forgets_also_what_arrives_too_late() -> None:
    problem = rw.catalog.paper(budget=1e6).problem
    policies = [rw.make_policy("roguewk-ucb", problem, seed=47, doubling=10, restart=True) for _ in range(2)]
    before = [decided(policy, 10) for policy in policies]
    after = [decided(policy, 5) for policy in policies]
    for decision, reward, costs in outcomes(problem, before[0]):
        policies[0].update(decision, reward, costs)
    for policy, decisions in zip(policies, after, strict=True):
        for decision, reward, costs in outcomes(problem, decisions):
            policy.update(decision, reward, costs)
    assert_equal_decisions(policies[0].select(), policies[1].select(), 0.0)


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1, np.uint64(2**64 - 1)])
def test_every_64_bit_seed_can_be_saved(seed: int) -> None:
    policy = rw.make_policy("sw-ucb", rw.catalog.paper(budget=50).problem, seed=seed, cost_scale=0.01)
    decided(policy, 3)
    assert [d.arm for d in decided(saved_and_restored(policy, PAPER), 20)] == [d.arm for d in decided(policy, 20)]


def test_a_restored_policy_takes_the_updates_of_decisions_made_before() -> None:
    policy = rw.make_policy("ucb1", PAPER)
    decision = policy.select()
    other = saved_and_restored(policy, PAPER)
    other.update(decision, 1, [0.1, 0.1, 0.1])
    assert other.spent == [0.1] * 3
    assert policy.spent == [0.0] * 3


def test_a_policy_says_what_it_is() -> None:
    policy = rw.make_policy("ucb1", PAPER)
    decided(policy, 2)
    assert repr(policy) == "<policy 'ucb1' for 3 arms, round 2>"


def test_policies_are_listed_with_a_line_each() -> None:
    assert set(POLICIES) <= set(rw.policies())
    assert all(len(line) > 20 and "\n" not in line for line in rw.policies().values())


NAN = float("nan")
SQUARE: Any = np.ones((3, 3), bool)
NESTED: Any = [[0], [1]]
BAD_UPDATES: list[tuple[Callable[[rw.Policy, rw.Decision], Any], str]] = [
    (lambda p, d: p.update(d, 0.5, [0, 0, 0]), "reward 0.5 of arm 'arm 1' is not 0 or 1: its family is bernoulli"),
    (lambda p, d: p.update(d, 2, [0, 0, 0]), "reward 2 of arm 'arm 1' is not 0 or 1"),
    (lambda p, d: p.update(d, NAN, [0, 0, 0]), "reward of arm 'arm 1' is nan: give a finite number"),
    (lambda p, d: p.update(d, "1", [0, 0, 0]), "reward of arm 'arm 1' is '1': give a number"),  # type: ignore[arg-type]
    (lambda p, d: p.update(d, 1, [0, 0]), "2 costs for 3 resources: give one each, in their order"),
    (lambda p, d: p.update(d, 1, []), "0 costs for 3 resources"),
    (lambda p, d: p.update(d, 1, [0, 0, 0, 0]), "4 costs for 3 resources"),
    (lambda p, d: p.update(d, 1, [0, 1.5, 0]), "cost of arm 'arm 1' on 'resource 2' is 1.5, outside [0, 1]"),
    (
        lambda p, d: p.update(d, 1, [0, 0, -0.1]),
        "on 'resource 3' is -0.1, outside [0, 1]: give a number of at least 0",
    ),
    (lambda p, d: p.update(d, 1, [NAN, 0, 0]), "on 'resource 1' is nan: give a finite number"),
    (lambda p, d: p.update(d, 1, ["a", 0, 0]), "on 'resource 1' is 'a': give a number"),  # type: ignore[list-item]
    (lambda p, d: p.update(d, 1, 0.5), "costs are 0.5: give a list, or a dict by resource"),  # type: ignore[arg-type]
    (lambda p, d: p.update(d, 1, {"resource 1": 0.1}), "name each of 'resource 1', 'resource 2', 'resource 3'"),
    (lambda p, d: p.update(d, 1, {"a": 0, "b": 0, "c": 0}), "costs name 'a', 'b', 'c'"),
    (lambda p, d: p.update(d.round - 1, 1, [0, 0, 0]), "round 0 has no pull that waits for an update"),
    (lambda p, d: p.update(99, 1, [0, 0, 0]), "round 99 has no pull that waits for an update"),
    (lambda p, d: p.update(-1, 1, [0, 0, 0]), "round -1 has no pull that waits for an update"),
    (lambda p, d: p.update("arm 1", 1, [0, 0, 0]), "the decision is 'arm 1': give what select() returned"),  # type: ignore[arg-type]
    (lambda p, d: p.update(True, 1, [0, 0, 0]), "the decision is True"),
    (lambda p, d: p.update(1.0, 1, [0, 0, 0]), "the decision is 1.0"),  # type: ignore[arg-type]
    (lambda p, d: p.select(available=["arm 7"]), "there is no arm 'arm 7'"),
    (lambda p, d: p.select(available=[3]), "arm is 3: give a whole number from 0 to 2"),
    (lambda p, d: p.select(available=[-1]), "arm is -1"),
    (lambda p, d: p.select(available=[0.5]), "arm is 0.5"),  # type: ignore[list-item]
    (lambda p, d: p.select(available=[True, False]), "available has 2 flags for 3 arms: give one each"),
    (lambda p, d: p.select(available=[True, 1]), "arm is True"),
    (
        lambda p, d: p.select(available=SQUARE),
        "in it: give a flat list of names or indices, or a true or",
    ),
    (lambda p, d: p.select(available=NESTED), "available has [0] in it: give a flat list"),
    (lambda p, d: p.select(available="arm 1"), "available is 'arm 1': give a list of arms"),
    (lambda p, d: p.select(available=1), "available is 1: give a list of arms"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "sentence"), BAD_UPDATES)
def test_bad_input_gets_a_sentence_and_changes_nothing(
    call: Callable[[rw.Policy, rw.Decision], Any], sentence: str
) -> None:
    policy = rw.make_policy("roguewk-ucb", PAPER, seed=48)
    policy.update(policy.select(), 1, [0.1, 0.1, 0.1])
    decision = policy.select()
    before = policy.state()
    with pytest.raises(rw.InputError) as caught:
        call(policy, decision)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
    assert policy.state() == before
    policy.update(decision, 1, [0.1, 0.1, 0.1])


def test_a_decision_is_updated_once_and_only_by_its_own_policy() -> None:
    one, other = (rw.make_policy("ucb1", PAPER, seed=seed) for seed in (49, 50))
    decision, foreign = one.select(), other.select()
    one.update(decision, 1, [0.1, 0.1, 0.1])
    before = one.state()
    with pytest.raises(rw.InputError, match="round 0 was updated or given up before"):
        one.update(decision, 1, [0.1, 0.1, 0.1])
    with pytest.raises(rw.InputError, match="round 0 is another policy's: update that one"):
        one.update(foreign, 1, [0.1, 0.1, 0.1])
    assert one.state() == before


@pytest.mark.parametrize("reward", [1, 1.0, True, np.float64(1), np.int64(1), np.bool_(True)])
def test_a_bernoulli_arm_takes_a_one_of_any_kind(reward: Any) -> None:
    policy, twin = (rw.make_policy("ucb1", PAPER) for _ in range(2))
    policy.update(policy.select(), reward, [0.1, 0.1, 0.1])
    twin.update(twin.select(), 1, [0.1, 0.1, 0.1])
    assert policy.to_bytes() == twin.to_bytes()


def test_a_gaussian_arm_takes_any_finite_reward() -> None:
    policy = rw.make_policy("roguewk-ucb", rw.catalog.gaussian().problem)
    policy.update(policy.select(), -3.7, [0.1, 0.1])
    with pytest.raises(rw.InputError, match="is inf: give a finite number"):
        policy.update(policy.select(), math.inf, [0.1, 0.1])


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: rw.make_policy("roguew-ucb", PAPER), "unknown policy 'roguew-ucb': did you mean 'roguewk-ucb'?"),
        (
            lambda: rw.make_policy("zzz", PAPER),
            "unknown policy 'zzz': known are roguewk-plan, roguewk-ucb, sw-ucb",
        ),
        (lambda: rw.make_policy(3, PAPER), "name of a policy is 3"),  # type: ignore[arg-type]
        (lambda: rw.make_policy("ucb1", rw.catalog.paper()), "the problem is a World: give an rw.Problem"),  # type: ignore[arg-type]
        (lambda: rw.make_policy("ucb1", PAPER, seed=-1), "seed is -1: give a whole number from 0 to"),
        (lambda: rw.make_policy("ucb1", PAPER, seed=2**64), "seed is 18446744073709551616"),
        (lambda: rw.make_policy("ucb1", PAPER, seed=1.5), "seed is 1.5"),  # type: ignore[arg-type]
        (lambda: rw.make_policy("roguewk-ucb", PAPER, radius_scal=1), "did you mean 'radius_scale'?"),
        (lambda: rw.make_policy("ucb1", PAPER, w1=1), "unknown parameter of policy 'ucb1': 'w1'"),
        (lambda: rw.make_policy("ucb1", PAPER, scale=NAN), "scale of policy 'ucb1' is nan: give a finite number"),
        (lambda: rw.make_policy("ucb1", PAPER, scale="1"), "scale of policy 'ucb1' is '1': give a number"),
        (lambda: rw.make_policy("ucb1", PAPER, doubling=-1), "doubling of policy 'ucb1' is -1"),
        (lambda: rw.make_policy("ucb1", PAPER, restart=1), "restart of policy 'ucb1' is 1: give true or false"),
        (lambda: rw.make_policy("sw-ucb", PAPER, w2=1.5), "w2 of policy 'sw-ucb' is 1.5"),
        (lambda: rw.make_policy("sw-ucb", PAPER, variation=-1), "variation of policy 'sw-ucb' is -1"),
        (lambda: rw.make_policy("sw-ucb", PAPER, infeasible=[]), "infeasible of policy 'sw-ucb' is []"),
    ],
)
def test_a_policy_that_cannot_be_made_gets_a_sentence(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(rw.InputError) as caught:
        call()
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_with_an_unknown_horizon_states_are_remembered_beyond_the_problems_own() -> None:
    linear = rw.Arm("linear", A=0.9, B=-0.5, K=0.3, alpha=0.0, beta=1.0, state=(-3.0, 3.5))
    own = rw.Arm("own", h=lambda x, pulled: 0.9 * x - 0.5 * pulled + 0.3, state=(-3.0, 3.5))
    bounds = []
    for arm in (linear, own):
        policy = rw.make_policy("roguewk-ucb", rw.Problem([arm], [], horizon=5), doubling=10)
        for t in range(12):
            policy.update(policy.select(), t % 2)
        bounds.append(policy.select().reward_bounds[0])
    np.testing.assert_allclose(bounds[0], bounds[1], rtol=1e-6)


@pytest.mark.parametrize("scale", [1e-5, 1e-3, 3e-3])
def test_own_functions_agree_with_the_linear_form_while_the_radius_grows_with_the_epochs(scale: float) -> None:
    linear = rw.Arm("linear", A=0.95, B=-0.1, K=0.05, state=(-3.0, 3.0))
    own = rw.Arm("own", h=lambda x, pulled: 0.95 * x - 0.1 * pulled + 0.05, state=(-3.0, 3.0))
    policies = [
        rw.make_policy("roguewk-ucb", rw.Problem([arm], [], horizon=100), doubling=2, radius_scale=scale)
        for arm in (linear, own)
    ]
    for t in range(60):
        decisions = [policy.select() for policy in policies]
        np.testing.assert_allclose(decisions[0].reward_bounds, decisions[1].reward_bounds, rtol=1e-6)
        for policy, decision in zip(policies, decisions, strict=True):
            policy.update(decision, t % 3 == 0)
