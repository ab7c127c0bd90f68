"""Gymnasium environments play by the engine's rules, with the engine's luck."""

import copy
import pathlib
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import roguewk as rw
from roguewk.interop.environment import WorldEnv, register

IDS = register()


def _two_arms(idle: bool = False, budget: float = 1.0, horizon: int = 10) -> rw.World:
    """A dear arm and a cheap one."""
    arms = [rw.Arm(name, A=0.5, B=-0.5, state=(-1.0, 1.0)) for name in ("dear", "cheap")]
    problem = rw.Problem(arms, [rw.Resource("money", budget)], horizon, idle)
    return rw.World(problem, [0.0, 0.5], [[rw.Cost.uniform(0.6, 0.8)], [rw.Cost.fixed(0.3)]])


def test_every_world_of_the_catalogue_has_an_id() -> None:
    assert len(IDS) == 1 + len(rw.catalog.names())
    assert {"roguewk/World-v0", "roguewk/Paper-v0", "roguewk/MobileHealth-v0"} <= set(IDS)
    assert set(IDS) <= set(gymnasium.registry)


@pytest.mark.parametrize("observe", ["history", "states"])
@pytest.mark.parametrize("id_", IDS[1:])
def test_gymnasium_finds_no_fault_with(id_: str, observe: str) -> None:
    env = gymnasium.make(id_, horizon=40, observe=observe)
    check_env(env.unwrapped)
    assert env.unwrapped.observation_space.contains(env.reset(seed=0)[0])


def test_a_world_of_ones_own_is_given_as_it_is_or_by_its_file(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "world.toml"
    path.write_text("horizon = 9\n[[arm]]\nname = 'walk'\nrested = 0.6\nwear = 0.5\nhalf_life = 2\ncosts = []\n")
    for world in (path, str(path), rw.load_world(path)):
        env = gymnasium.make("roguewk/World-v0", world=world)
        check_env(env.unwrapped)
        observation, info = env.reset(seed=3)
        assert set(observation) == {"rounds_left", "recency", "believed"}
        assert info["costs"].shape == (0,)


def _replay(env: Any, arms: Any) -> tuple[list[float], list[Any], dict[str, Any]]:
    rewards, costs, over, info = [], [], False, {}
    for arm in arms[arms > -2]:
        assert not over
        _, reward, over, truncated, info = env.step(env.action_space.n - 1 if arm < 0 else arm)
        rewards.append(reward)
        costs.append(info["costs"])
        assert not truncated
    assert over
    return rewards, costs, info


@pytest.mark.parametrize(
    ("name", "options", "end"),
    [
        ("paper", {"budget": 20.0}, "resource 2"),
        ("paper", {"horizon": 50}, "horizon"),
        ("gaussian", {"horizon": 60}, "goods"),
        ("messages", {"horizon": 80}, "staff minutes"),
        ("two_dimensional", {"horizon": 50}, "energy"),
        ("advertising", {"horizon": 60}, "impressions"),
    ],
)
def test_the_same_arms_earn_and_cost_what_they_do_in_the_engine(name: str, options: dict[str, Any], end: str) -> None:
    world = rw.catalog.get(name, **options)
    runs = rw.simulate(world, ["roguewk-plan", "ucb1"], replicates=3, seed=11, curves=True)
    ends = runs.frame().set_index(["policy", "replicate"])["stopped_by"]
    for policy in runs.policies:
        env, curves = WorldEnv(world, observe="states"), runs.curves[policy]
        for r in range(3):
            env.reset(seed=11 if r == 0 else None)
            rewards, costs, info = _replay(env, curves.arms[r])
            assert rewards == curves.rewards[r, : len(rewards)].tolist()
            assert np.array_equal(np.array(costs), curves.costs[r, : len(costs)])
            assert info["stopped_by"] == ends[policy, r]
            assert info["replicate"] == r
            assert info["round"] == len(rewards)
    assert end in set(ends)
    assert (runs.curves["roguewk-plan"].arms == -1).any() == world.problem.idle


def test_a_budget_that_breaks_ends_the_episode_without_a_reward() -> None:
    env = WorldEnv(_two_arms(budget=0.9), observe="states")
    env.reset(seed=0)
    before, _, over, _, _ = env.step(0)
    assert not over
    observation, reward, terminated, truncated, info = env.step(0)
    assert observation["states"].tolist() == before["states"].tolist()  # as in the engine, nothing moves any more
    assert (reward, terminated, truncated, info["stopped_by"]) == (0.0, True, False, "money")
    assert observation["budgets_left"][0] == 0


def test_the_horizon_terminates_because_the_agent_sees_it_coming() -> None:
    env = WorldEnv(_two_arms(budget=100.0, horizon=3))
    assert env.reset(seed=0)[0]["rounds_left"][0] == 1
    ends = [env.step(1)[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (True, False)]


def test_the_mask_forbids_arms_that_break_a_budget_for_sure() -> None:
    env = WorldEnv(_two_arms())
    _, info = env.reset(seed=0)
    assert info["action_mask"].tolist() == [1, 1]
    assert info["action_mask"].dtype == np.int8
    for mask in ([1, 1], [0, 1], [1, 1]):  # 0.7, 0.4 and 0.1 are left; at last nothing would be legal, so all is
        *_, info = env.step(1)
        assert info["action_mask"].tolist() == mask
    assert env.step(1)[2]


def test_the_smallest_cost_is_the_smallest_that_can_come() -> None:
    costs = {
        rw.Cost.fixed(0.3): 0.3,
        rw.Cost.uniform(0.2, 0.9): 0.2,
        rw.Cost.bernoulli(0.9): 0.0,
        rw.Cost.bernoulli(1.0, 0.7): 0.7,
        rw.Cost.beta(2, 3): 0.0,
        rw.Cost.choices([0.1, 0.2, 0.5], [0.0, 1.0, 1.0]): 0.2,
    }
    for cost, smallest in costs.items():
        assert cost.smallest == smallest


def test_idling_is_the_last_action_and_always_legal() -> None:
    env = WorldEnv(_two_arms(idle=True, budget=0.2))
    _, info = env.reset(seed=0)
    assert info["action_mask"].tolist() == [0, 0, 1]
    observation, reward, terminated, _, info = env.step(2)
    assert (reward, terminated, info["costs"].tolist()) == (0.0, False, [0.0])
    assert observation["recency"].tolist() == [0, 0]


def test_an_observation_shows_the_past_and_the_known_dynamics_but_not_the_truth() -> None:
    env, seeing = WorldEnv(_two_arms(budget=5.0)), WorldEnv(_two_arms(budget=5.0), observe="states")
    for each in (env, seeing):
        each.reset(seed=0)
        for action in (0, 1, 1):
            observation, *_ = each.step(action)
        assert observation["recency"] == pytest.approx([1 / 3, 1])
        believed = [0.25 * -0.5, 0.5 * -0.5 - 0.5]  # from 0, x <- 0.5 x - 0.5 for a pull
        assert observation["believed"] == pytest.approx((np.array(believed) + 1) / 2)
        assert observation["rounds_left"] == pytest.approx([0.7])
    assert observation["states"] == pytest.approx((np.array([believed[0], believed[1] + 0.125 * 0.5]) + 1) / 2)
    assert "states" not in env.observation_space.spaces
    worlds = [rw.World(_two_arms().problem, x0, _two_arms().costs) for x0 in ([0.0, 0.5], [0.9, -0.9])]
    assert env.observation_space == WorldEnv(worlds[1]).observation_space
    seen = []
    for world in worlds:
        env = WorldEnv(world)
        env.reset(seed=5)
        seen.append(env.step(0)[0])
    assert all(np.array_equal(seen[0][key], seen[1][key]) for key in seen[0])


def test_the_environment_plays_what_is_true_and_shows_what_is_believed() -> None:
    world = rw.catalog.two_dimensional(horizon=20)
    scalar = world.believe([rw.Arm(arm.name, A=0.5, B=-0.5) for arm in world.arms])
    right, misled = WorldEnv(world, observe="states"), WorldEnv(scalar, observe="states")
    for env in (right, misled):
        env.reset(seed=3)
    for action in (0, 1, 0, 2, 2):
        seen, reward, *_, info = right.step(action)
        other, same_reward, *_, same_info = misled.step(action)
        assert misled.observation_space.contains(other)
        assert (reward, info["costs"].tolist()) == (same_reward, same_info["costs"].tolist())
        assert seen["states"].tolist() == other["states"].tolist()
    assert (seen["believed"].size, other["believed"].size) == (5, 3)


def test_resets_without_a_seed_differ_between_environments_and_go_on_within_one() -> None:
    env = WorldEnv(_two_arms())
    assert [env.reset(seed=2)[1]["replicate"], env.reset()[1]["replicate"]] == [0, 1]
    assert env.reset(options={"replicate": 7})[1]["replicate"] == 7
    assert env.reset()[1]["replicate"] == 8
    assert env.reset(seed=2)[1]["replicate"] == 0
    costs = set()
    for env in (WorldEnv(_two_arms()), WorldEnv(_two_arms())):
        env.reset()
        costs.add(env.step(0)[4]["costs"][0])
    assert len(costs) == 2


def test_environments_can_be_copied_and_run_side_by_side() -> None:
    env = WorldEnv(_two_arms(budget=5.0))
    env.reset(seed=4)
    env.step(0)
    twin = copy.deepcopy(env)
    assert env.step(1)[4]["costs"] == twin.step(1)[4]["costs"]
    many = gymnasium.make_vec("roguewk/Paper-v0", num_envs=2, horizon=5, vectorization_mode="sync")
    observation, info = many.reset(seed=1)
    assert observation["believed"].shape == (2, 3)
    assert info["action_mask"].shape == (2, 3)
    many.close()


def test_maskable_agents_find_the_masks_through_wrappers_and_vectors() -> None:
    world = _two_arms(idle=True, budget=0.5)
    env = gymnasium.make("roguewk/World-v0", max_episode_steps=5, world=world)
    assert isinstance(env, gymnasium.wrappers.TimeLimit)
    masks = env.get_wrapper_attr("action_masks")
    with pytest.raises(rw.InputError, match=r"no episode is under way: call reset\(\)"):
        masks()
    env.reset(seed=1)
    assert masks().tolist() == [False, True, True]  # the dear arm would break the budget
    many = gymnasium.make_vec("roguewk/World-v0", num_envs=2, vectorization_mode="sync", world=world)
    assert isinstance(many, gymnasium.vector.SyncVectorEnv)
    many.reset(seed=1)
    assert [mask.tolist() for mask in many.call("action_masks")] == [[False, True, True]] * 2
    many.close()


def test_a_render_mode_that_is_not_there_is_a_type_error_as_trainers_expect() -> None:
    with (
        pytest.warns(UserWarning, match="render_mode='rgb_array'"),
        pytest.raises(TypeError, match="unknown render_mode 'rgb_array': known are ansi"),
    ):
        gymnasium.make("roguewk/Paper-v0", render_mode="rgb_array")


def test_a_line_is_shown_for_each_round() -> None:
    env = gymnasium.make("roguewk/World-v0", world=_two_arms(idle=True), render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == "replicate 0"
    env.step(1)
    assert str(env.render()).startswith("round 0: cheap, reward ")
    assert str(env.render()).endswith("costs [0.3]")
    env.step(2)
    assert env.render() == "round 1: idle, reward 0, costs [0.0]"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"world": 3}, "give an rw.World"),
        ({"world": "nowhere.toml"}, "no such file"),
        ({"world": rw.catalog.paper(), "observe": "state"}, "did you mean 'states'"),
        ({"world": rw.catalog.paper(), "render_mode": "human"}, "unknown render_mode"),
    ],
)
def test_bad_environments_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(rw.InputError, match=message):
        WorldEnv(**given)


def test_unknown_options_of_a_catalogue_world_are_refused() -> None:
    with pytest.raises(rw.InputError, match="did you mean 'budget'"):
        gymnasium.make("roguewk/Paper-v0", budgets=3)


def test_bad_moves_are_refused() -> None:
    env = WorldEnv(_two_arms(horizon=1))
    with pytest.raises(rw.InputError, match=r"no episode is under way: call reset\(\)"):
        env.step(0)
    with pytest.raises(rw.InputError, match="did you mean 'replicate'"):
        env.reset(options={"replicates": 1})
    with pytest.raises(rw.InputError, match="seed is -1"):
        env.reset(seed=-1)
    env.reset(seed=0)
    for action in (2, -1, 0.5):
        with pytest.raises(rw.InputError, match=f"action is {action}: give a whole number from 0 to 1"):
            env.step(action)
    assert env.step(1)[2]
    with pytest.raises(rw.InputError, match="call reset"):
        env.step(1)


def _python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_registering_loads_no_compiler() -> None:
    assert _python("import sys, roguewk.interop.environment; print('numba' in sys.modules)") == "False"


def test_an_id_may_name_the_module_instead_of_importing_it() -> None:
    made = 'gymnasium.make("roguewk.interop.environment:roguewk/Paper-v0", budget=9).unwrapped.world.problem.budgets[0]'
    assert _python(f"import gymnasium; print({made})") == "9.0"


def test_without_gymnasium_the_remedy_is_named() -> None:
    code = "import sys; sys.modules['gymnasium'] = None\ntry: import roguewk.interop.environment\n"
    assert "pip install 'roguewk[gymnasium]'" in _python(code + "except ValueError as error: print(error)")
