"""What is known of an arm before the first round, and of what it costs."""

import json
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.world.plain import world_from_data, world_to_data

LINEAR: dict[str, Any] = {"A": 0.9, "B": -0.4, "K": 0.05, "alpha": 0.1, "beta": 1.0}
EVERYDAY: dict[str, Any] = {"rested": 0.7, "wear": 0.3, "half_life": 40}
PLANE = rw.Arm("plane", [[0.5, 0.1], [0.0, 0.8]], [-0.4, -0.2], [0.1, 0.0], 0.2, [1.0, 0.5])


def world(cost: Any = 0.5, **keys: Any) -> rw.World:
    arms = [{"name": name, **keys, "costs": [cost]} for name in ("call", "mail")]
    staff = {"name": "staff", "budget": 30, "largest_cost": 1}
    return world_from_data({"horizon": 150, "idle": True, "resource": [staff], "arm": arms})


def test_rested_is_where_the_state_comes_to_without_pulls() -> None:
    assert rw.everyday_arm("walk", **EVERYDAY).knowing("rested").starts.tolist() == [[0.0, 0.0]]
    assert rw.Arm("call", **LINEAR).knowing("rested").starts[0] == pytest.approx([0.5, 0.5])
    x = PLANE.knowing("rested").starts[:, 0]
    assert PLANE.matrix @ x + PLANE.pull_back == pytest.approx(x)


@pytest.mark.parametrize(
    ("start", "starts"),
    [(0.2, [[0.2, 0.2]]), ([0.1, 0.3], [[0.1, 0.3]]), ((0.1, 0.3), [[0.1, 0.3]]), (None, [[-3.5, 0.5]])],
)
def test_a_scalar_state_may_be_known_or_its_range(start: Any, starts: Any) -> None:
    assert np.array(rw.Arm("call", **LINEAR, known_start=start).starts) == pytest.approx(np.array(starts))


def test_a_state_of_two_coordinates_may_be_known_or_its_box() -> None:
    assert PLANE.knowing([0.0, -0.1]).starts.tolist() == [[0.0, 0.0], [-0.1, -0.1]]
    assert PLANE.knowing([[-0.1, 0.1], [-0.2, 0.0]]).starts.tolist() == [[-0.1, 0.1], [-0.2, 0.0]]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (7.0, "give a state, or a range, within"),
        ([0.3, 0.1], "give a state, or a range, within"),
        ("worn", "known_start of arm 'call' is 'worn'"),
        ([[1]], "known_start of arm 'call' has shape"),
        (float("nan"), "give finite numbers"),
        (True, "give numbers"),
        ({}, "known_start of arm 'call'"),
        (object(), "known_start of arm 'call'"),
    ],
)
def test_what_cannot_be_known_of_a_start_is_refused(wrong: Any, message: str) -> None:
    with pytest.raises(rw.InputError, match=message):
        rw.Arm("call", **LINEAR, known_start=wrong)


def test_functions_of_ones_own_have_no_rested_state_that_could_be_worked_out() -> None:
    with pytest.raises(rw.InputError, match='a range, or without an h "rested"'):
        rw.Arm("own", h=lambda x, pulled: 0.5 * x - pulled, state=(-2, 0), known_start="rested")


STARTS = [
    ({**EVERYDAY, "start": "rested"}, [0.0, 0.0], 0.0),
    ({**EVERYDAY, "start": {"known": 0.7}}, [0.0, 0.0], 0.0),
    ({**EVERYDAY, "start": {"known": [0.5, 0.7], "at": 0.6}}, [-0.847298, 0.0], -0.441833),
    ({**EVERYDAY, "start": 0.6}, None, -0.441833),
    ({**EVERYDAY}, None, 0.0),
    ({**LINEAR, "x0": "rested"}, [0.5, 0.5], 0.5),
    ({**LINEAR, "x0": {"known": 0.3}}, [0.3, 0.3], 0.3),
    ({**LINEAR, "x0": {"known": [0.1, 0.4], "at": 0.2}}, [0.1, 0.4], 0.2),
    ({**LINEAR, "x0": 0.2}, None, 0.2),
]


@pytest.mark.parametrize(("keys", "known", "x0"), STARTS)
def test_world_files_say_where_arms_start_and_what_is_known_of_that(keys: Any, known: Any, x0: float) -> None:
    made = world(**keys)
    found = made.problem.arms[0].known_start
    assert found is None if known is None else found == pytest.approx(known, abs=1e-5)
    assert made.x0[0] == pytest.approx([x0], abs=1e-5)
    data = json.loads(json.dumps(world_to_data(made)))
    assert world_to_data(world_from_data(data)) == data


@pytest.mark.parametrize(
    ("start", "message"),
    [("worn", "start of arm 'call' is 'worn'"), ({"at": 0.3}, "has no 'known'"), ({"known": 2.0}, "strictly between")],
)
def test_a_start_that_is_none_is_refused(start: Any, message: str) -> None:
    with pytest.raises(rw.InputError, match=message):
        world(**EVERYDAY, start=start)


def test_a_start_elsewhere_than_it_is_known_to_be_is_refused() -> None:
    with pytest.raises(rw.InputError, match="is not where its known_start says"):
        world(**EVERYDAY, start={"known": [0.5, 0.6], "at": 0.65})


@pytest.mark.parametrize("name", ["roguewk-plan", "roguewk-ucb", "roguewk-ts", "rogue-ucb"])
@pytest.mark.parametrize("arm", [rw.Arm("call", **LINEAR), PLANE], ids=["scalar", "plane"])
def test_a_state_that_is_known_is_led_through_the_rounds_and_no_reward_changes_it(name: str, arm: rw.Arm) -> None:
    known = arm.knowing("rested")
    problem = rw.Problem([known], [rw.Resource("staff", 100.0)], 100)
    policy = rw.make_policy(name, problem)
    x, rng = known.starts[:, 0], np.random.default_rng(1)
    for _ in range(12):
        pulled = bool(rng.integers(2))
        decision = policy.preview()
        mean = 1 / (1 + np.exp(-(known.alpha + known.weights @ x)))
        assert decision.reward_bounds[0] == pytest.approx(mean, abs=1e-6)
        if pulled:
            policy.update(policy.follow(0), reward=float(rng.integers(2)), costs=[0.1])
        else:
            policy.follow(None)
        x = known.matrix @ x + known.push * pulled + known.pull_back


def test_what_is_believed_of_a_start_lies_in_the_range_that_is_known() -> None:
    arm = rw.everyday_arm("call", rested=0.7, wear=0.3, half_life=400, known_start=(-1.0, -0.5))
    policy = rw.make_policy("roguewk-plan", rw.Problem([arm], [], 300))
    for _ in range(40):
        policy.update(policy.follow(0), reward=1)
    belief = policy.parts.rewards.beliefs[0]
    assert -1.0 < belief["centre"] < -0.5
    assert belief["spread"] < 0.2


@pytest.mark.parametrize("name", ["roguewk-plan", "roguewk-ucb", "recharging", "roguewk-ts", "ts-lp"])
def test_costs_that_are_known_need_not_be_learned(name: str) -> None:
    made = world({"fixed": 0.5, "known": True}, **EVERYDAY)
    assert made.problem.known_costs == ((0.5,), (0.5,))
    assert rw.make_policy(name, made.problem).select().cost_bounds.tolist() == [[0.5], [0.5]]


def test_the_gain_of_knowing_starts_and_costs_is_there() -> None:
    unknown = world(0.5, **EVERYDAY, start=0.45)
    known = world({"fixed": 0.5, "known": True}, **EVERYDAY, start={"known": 0.45})
    earned = [
        rw.simulate(each, "roguewk-ucb", replicates=40).frame()["expected_reward"].mean() for each in (unknown, known)
    ]
    assert earned[1] > 1.1 * earned[0]


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ([[0.5]], "give a row for each arm"),
        ([[0.5], [0.1, 0.2]], "give a row for each arm"),
        ("free", "give a row for each arm"),
        (np.array(5.0), "give a row for each arm"),
        ([b"a", b"b"], "give a row for each arm"),
        ([[0.5], [-1.0]], "outside"),
        ([[0.5], [3.0]], "outside"),
        ([[0.5], ["x"]], "known cost of arm 'mail' on 'staff' is 'x'"),
    ],
)
def test_wrong_known_costs_are_refused(costs: Any, message: str) -> None:
    problem = world(0.5, **EVERYDAY).problem
    with pytest.raises(rw.InputError, match=message):
        rw.Problem(problem.arms, problem.resources, 100, known_costs=costs)


def test_what_is_known_stays_known_in_other_worlds_made_from_it() -> None:
    made = world({"uniform": [0.2, 0.4], "known": True}, **EVERYDAY, start="rested")
    for other in (made.with_budget(10), made.with_problem(idle=False), made.believe(made.arms)):
        assert other.problem.known_costs == made.problem.known_costs
        assert other.problem.arms[0].known_start == [0.0, 0.0]
    policy = rw.make_policy("roguewk-plan", made.problem)
    again = rw.restore_policy(json.loads(json.dumps(policy.state())))
    assert again.problem.known_costs == made.problem.known_costs


def test_a_mistaken_belief_does_not_forget_what_is_known_of_the_start() -> None:
    data = world_to_data(world(**EVERYDAY, start="rested"))
    data["belief"] = [{"name": "call", "A": 0.5}]
    assert world_from_data(data).problem.arms[0].known_start == [0.0, 0.0]
    arms = [{"name": "call", **EVERYDAY, "start": "rested"}]
    told = {"horizon": 50, "arm": arms, "belief": [{"name": "call", "half_life": 3}]}
    assert world_from_data(told).problem.arms[0].known_start == [0.0, 0.0]


def test_a_state_that_is_known_may_have_functions_of_ones_own() -> None:
    own = rw.Arm("h", h=lambda x, u: 0.8 * x - 0.3 * u, g=lambda x: 0.5 + 0.2 * x, state=(-1.6, 0.1), known_start=0.0)
    policy = rw.make_policy("roguewk-ucb", rw.Problem([own], [rw.Resource("r", 8.0)], 200, idle=True))
    assert policy.preview().reward_bounds == pytest.approx([0.5], abs=1e-5)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"start": {"known": "rested", "at": 0.3}}, 'write "rested" alone'),
        ({"start": {"known": 0.4, "at": "rested"}}, 'write "rested" alone'),
        ({"start": {"known": 0.5}, "known_start": -0.5}, "has both 'start' that is known and 'known_start'"),
    ],
)
def test_starts_that_contradict_themselves_are_refused(keys: Any, message: str) -> None:
    with pytest.raises(rw.InputError, match=message):
        world(**EVERYDAY, **keys)


def test_beliefs_beside_known_starts_survive_writing_and_reading() -> None:
    arms = [{"name": "w", "rested": 0.6, "wear": 0.5, "half_life": 2, "start": {"known": [0.4, 0.6], "at": 0.5}}]
    for belief in ({"wear": 0.01}, {"available": 0.3}):
        made = world_from_data({"horizon": 50, "arm": arms, "belief": [{"name": "w", **belief}]})
        assert made.misjudged == ("w",)
        data = world_to_data(made)
        assert world_to_data(world_from_data(json.loads(json.dumps(data)))) == data
