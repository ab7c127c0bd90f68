"""Arms that come and go: in worlds, and in plans."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.experiment.explain.explain import tell
from roguewk.kernel.arrays import Vector
from roguewk.world.game import Game
from roguewk.world.plain import world_from_data, world_to_data


def coming_and_going(chance: float = 0.3, *, said: bool = True, budget: float = 15.0, horizon: int = 80) -> rw.World:
    arms = [
        rw.everyday_arm(name, rested=rested, wear=wear, half_life=half_life, available=chance)
        for name, rested, wear, half_life in (
            ("call", 0.8, 1.2, 6.0),
            ("mail", 0.5, 0.4, 3.0),
            ("visit", 0.9, 2.0, 12.0),
        )
    ]
    told = arms if said else [replace(arm, available=None) for arm in arms]
    problem = rw.Problem(told, [rw.Resource("staff", budget)], horizon, idle=True)
    return rw.World(problem, [0.0] * 3, [[rw.Cost.uniform(0.2, 0.8)], [rw.Cost.fixed(0.3)], [0.9]], arms)


@pytest.mark.parametrize("name", ["roguewk-plan", "clairvoyant", "roguewk-ucb", "exp3", "recharging", "lagrange-bwk"])
def test_the_engine_offers_what_the_game_offers_and_decides_as_online(name: str) -> None:
    world = coming_and_going()
    runs = rw.simulate(world, name, replicates=1, seed=4, curves=True)
    arms = runs.curves[name].arms[0]
    story = tell(world, name, rounds=80, seed=4)
    online = [-1 if decision.arm is None else decision.arm for decision in story.decisions]
    assert arms[: len(online)].tolist() == online
    game = Game(world, seed=4)
    for arm in online:
        offered = game.available()
        assert offered is not None
        assert arm < 0 or offered[arm]
        game.play(None if arm < 0 else arm)


def test_arms_are_available_as_often_as_said_and_independently() -> None:
    game, seen = Game(coming_and_going(0.3, horizon=5000), seed=1), []
    for _ in range(4000):
        seen.append(game.available())
        game.play(None)
    table = np.array(seen, dtype=np.float64)
    assert table.mean(axis=0) == pytest.approx([0.3] * 3, abs=0.03)
    assert np.abs(np.corrcoef(table.T) - np.eye(3)).max() < 0.06


def best_alone(arm: rw.Arm, chance: float, budget: int, horizon: int) -> float:
    """What an arm alone can bring at the most with whole pulls to spend, by dynamic programming on a fine grid."""
    low, high = arm.box[0]
    x = np.linspace(low, high, 801)
    reward = 1 / (1 + np.exp(-(arm.alpha + arm.weights[0] * x)))
    after = [arm.matrix[0, 0] * x + arm.push[0] * pulled + arm.pull_back[0] for pulled in (0, 1)]

    def move(values: Vector, pulled: int) -> Vector:
        return np.asarray(np.interp(after[pulled], x, values))

    values = np.zeros((budget + 1, x.size))
    for _ in range(horizon):
        rested = np.array([move(row, 0) for row in values])
        pulled = np.array([np.full(x.size, -np.inf), *(reward + move(row, 1) for row in values[:-1])])
        values = rested + chance * np.maximum(pulled - rested, 0.0)
    return float(np.interp(0.0, x, values[budget]))


@pytest.mark.parametrize(("chance", "budget"), [(0.2, 12), (0.4, 12), (0.25, 25)])
def test_with_one_arm_the_plan_is_nearly_the_best_there_is(chance: float, budget: int) -> None:
    arm = rw.everyday_arm("call", rested=0.8, wear=1.5, half_life=5, available=chance)
    problem = rw.Problem([arm], [rw.Resource("staff", float(budget))], 90, idle=True)
    world = rw.World(problem, [0.0], [[rw.Cost.fixed(1.0)]])
    best = best_alone(arm, chance, budget, 90)
    earned = rw.simulate(world, "clairvoyant", replicates=600, seed=2).frame()["expected_reward"].mean()
    assert 0.97 * best < earned < 1.02 * best


def test_how_often_arms_are_available_is_learned_if_it_is_not_said() -> None:
    said, learned = (coming_and_going(0.2, said=said, horizon=200) for said in (True, False))
    mistaken = said.believe([replace(arm, available=1.0) for arm in said.arms])
    earned = [
        rw.simulate(world, "roguewk-plan", replicates=200, seed=5).frame()["expected_reward"].mean()
        for world in (said, learned, mistaken)
    ]
    assert earned[0] > earned[1] > 1.01 * earned[2]
    assert earned[1] > 0.95 * earned[0]


def test_only_rounds_in_which_it_was_asked_count() -> None:
    policy = rw.make_policy("roguewk-plan", coming_and_going(said=False).problem)
    for t in range(6):
        before = policy.preview(["call"] if t % 2 else None)
        assert policy.select(["call"] if t % 2 else None).arm == before.arm
    policy.follow("mail")
    policy.skip(3)
    assert policy.parts.desk.shown.tolist() == [6, 3, 3, 6]
    again = rw.restore_policy(json.loads(json.dumps(policy.state())))
    assert again.parts.desk.shown.tolist() == [6, 3, 3, 6]
    assert again.select().arm == policy.select().arm


def test_world_files_say_how_often_an_arm_is_available() -> None:
    data = world_to_data(coming_and_going(0.3))
    assert [arm["available"] for arm in data["arm"]] == [0.3] * 3
    assert world_to_data(world_from_data(json.loads(json.dumps(data)))) == data
    data["belief"] = [{"name": "call", "available": 1.0}]
    assert world_from_data(data).problem.arms[0].available == 1.0


@pytest.mark.parametrize("wrong", [0, -0.1, 1.5, "often", float("nan"), True])
def test_a_chance_that_is_none_is_refused(wrong: Any) -> None:
    with pytest.raises(rw.InputError, match="available of arm 'call'"):
        rw.Arm("call", A=0.5, available=wrong)


class First:
    """Pulls the first arm that is there."""

    def __init__(self, problem: rw.Problem, seed: int) -> None: ...

    def select(self, available: list[bool]) -> int | None:
        return available.index(True) if any(available) else None

    def update(self, decision: int, reward: float, costs: object) -> None: ...


class Always(First):
    """Asks for an arm whether it is there or not."""

    def select(self, available: list[bool]) -> int | None:
        return 0


class Unaware(First):
    """Does not ask what is there."""

    def select(self) -> int | None:  # type: ignore[override]  # that is the point
        return 0


def test_plain_policies_are_told_what_is_available() -> None:
    world = coming_and_going(budget=100)
    runs = rw.simulate(world, First, replicates=1, seed=4, curves=True)
    game = Game(world, seed=4)
    for arm in runs.curves["First"].arms[0]:
        offered = game.available()
        assert offered is not None
        assert arm == (offered.index(True) if any(offered) else -1)
        game.play(None if arm < 0 else int(arm))


@pytest.mark.parametrize(
    ("policy", "why"),
    [(Unaware, "let its select take `available`"), (Always, "selected 'call' in round 1, where it is not available")],
)
def test_plain_policies_that_do_not_heed_it_are_refused(policy: type[First], why: str) -> None:
    with pytest.raises(rw.InputError, match=why):
        rw.simulate(coming_and_going(), policy, replicates=1, seed=4)


def test_environments_show_what_is_available_and_pull_nothing_else() -> None:
    from roguewk.interop.environment import WorldEnv

    world = coming_and_going(budget=100)
    env, game = WorldEnv(world), Game(world, seed=3)
    observation, info = env.reset(seed=3)
    pulled = 0
    for _ in range(40):
        offered = game.available()
        assert offered is not None
        assert env.observation_space.contains(observation)
        assert observation["available"].tolist() == [float(there) for there in offered]
        assert info["action_mask"].tolist() == [*map(int, offered), 1]
        assert env.action_masks().tolist() == [*offered, True]
        observation, reward, _, _, info = env.step(0)
        expected, costs = game.play(0 if offered[0] else None)
        assert (reward, info["costs"].tolist()) == (expected, costs.tolist())
        pulled += offered[0]
    assert 0 < pulled < 40
