"""Idle rounds that bring something: whoever plays, and after the end of a game."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.kernel.arrays import Vector
from roguewk.world.game import Game

DRIFTING = rw.Baseline(0.3, at_end=0.1)
ARMS = [rw.everyday_arm(name, rested=0.7, wear=0.8, half_life=4) for name in ("walk", "call")]
HORIZON = 40


def world_of(baseline: rw.Baseline | None, budget: float = 7.0) -> rw.World:
    problem = rw.Problem(ARMS, [rw.Resource("staff", budget)], HORIZON, idle=True, baseline=baseline)
    return rw.World(problem, [0.0, -0.5], [[rw.Cost.uniform(0.2, 0.9)], [0.4]])


class Half:
    """Pulls the first arm in half of the rounds, and writes down what it is told."""

    def __init__(self, problem: rw.Problem, seed: int, told: Any = None) -> None:
        self.told = told

    def select(self) -> list[float]:
        return [0.5, 0.0]

    def update(self, decision: int | None, reward: float, costs: Vector) -> None:
        if self.told is not None:
            self.told.append((decision, reward, costs.tolist()))


class Replay:
    """Pulls the arms it is given."""

    def __init__(self, problem: rw.Problem, seed: int, arms: Any = ()) -> None:
        self.arms = iter(arms.tolist())

    def select(self) -> int | None:
        arm = next(self.arms)
        return None if arm < 0 else arm

    def update(self, decision: int | None, reward: float, costs: Vector) -> None:
        pass


@pytest.mark.parametrize("policy", ["rogue/mean/lp", Half])
def test_totals_are_of_all_rounds_of_the_horizon(policy: Any) -> None:
    world = world_of(DRIFTING)
    runs = rw.simulate(world, policy, replicates=50, seed=2, curves=True)
    label, idle = runs.policies[0], DRIFTING.means(HORIZON)
    curves, frame = runs.curves[label], runs.frame()
    assert curves.rewards.sum(axis=1) == pytest.approx(frame["reward"].to_numpy())
    assert curves.expected.sum(axis=1) == pytest.approx(frame["expected_reward"].to_numpy())
    broken = np.cumsum(curves.costs[..., 0], axis=1) > 7.0
    assert broken[:, -1].sum() > 5  # after which life goes on
    counts = (curves.arms >= 0) & ~broken
    assert (curves.arms[broken] != -1).all()
    assert counts.sum(axis=1).tolist() == frame["plays"].tolist()
    assert np.where(counts, idle, curves.expected) == pytest.approx(np.tile(idle, (50, 1)))
    effects = np.where(counts, curves.expected - idle, 0.0).sum(axis=1)
    assert frame["effect"].to_numpy() == pytest.approx(effects)
    assert set(np.unique(curves.rewards)) == {0.0, 1.0}


def test_idle_rewards_are_about_their_mean() -> None:
    world = world_of(replace(DRIFTING, family="bounded"))
    runs = rw.simulate(world, ("randomised", {"chances": [0.0, 0.0]}), replicates=2000, curves=True)
    rewards = runs.curves[runs.policies[0]].rewards
    assert rewards.mean(axis=0) == pytest.approx(DRIFTING.means(HORIZON), abs=0.02)
    assert runs.frame()["effect"].abs().max() < 1e-9
    assert runs.summary()["effect"][0] == pytest.approx(0.0, abs=1e-9)


def test_a_plain_policy_has_the_luck_of_a_compiled_one() -> None:
    world = world_of(DRIFTING, budget=3.0)
    runs = rw.simulate(world, "rogue/mean/lp", 8, seed=6, curves=True)
    (label,) = runs.policies
    assert 0 < (runs.totals[label]["stopped_by"] == 0).sum() < 8
    for r, arms in enumerate(runs.curves[label].arms):
        again = rw.simulate(world, (Replay, {"arms": arms}), 1, seed=6, curves=True, first_replicate=r)
        assert again.totals[again.policies[0]][0] == runs.totals[label][r]
        for mine, yours in zip(again.curves[again.policies[0]], runs.curves[label], strict=True):
            assert np.array_equal(mine[0], yours[r])


def test_a_plain_policy_is_told_at_once_what_its_idle_rounds_bring() -> None:
    told: list[Any] = []
    late = world_of(DRIFTING).with_outcomes(rw.Outcomes(delay=3))
    runs = rw.simulate(late, (Half, {"told": told}), 1, seed=4, curves=True)
    curves = runs.curves[runs.policies[0]]
    idle = curves.rewards[0][curves.arms[0] == -1]
    assert [(reward, costs) for arm, reward, costs in told if arm is None] == [(reward, [0.0]) for reward in idle]
    told.clear()
    rw.simulate(world_of(None), (Half, {"told": told}), 1, seed=4)
    assert told
    assert all(arm == 0 for arm, _, _ in told)


def test_pulls_and_their_rewards_are_the_same_whatever_idle_rounds_bring() -> None:
    runs = [rw.simulate(world_of(each), "ucb1", 20, curves=True) for each in (None, DRIFTING)]
    without, with_ = (each.curves["ucb1"] for each in runs)
    assert np.array_equal(without.arms, with_.arms)
    assert np.array_equal(without.costs, with_.costs)
    pulled = without.expected > 0
    assert np.array_equal(without.rewards[pulled], with_.rewards[pulled])


def test_a_game_tells_what_rounds_after_its_end_bring() -> None:
    world = world_of(DRIFTING, budget=0.3)
    game = Game(world, seed=1, replicate=3)
    reward, costs = game.play(1)
    assert (game.stopped_by, costs.tolist()) == (0, [0.4])
    assert reward == Game(world, seed=1, replicate=3).play(None)[0]
    assert game.mean == pytest.approx(0.3)
    rewards, means = game.live_on()
    assert means == pytest.approx(DRIFTING.means(HORIZON)[1:])
    resting = Game(world, seed=1, replicate=3)
    assert [resting.play(None)[0] for _ in range(HORIZON)][1:] == rewards.tolist()
    assert Game(world_of(None), seed=1).live_on()[0].tolist() == [0.0] * HORIZON


def test_the_rewards_of_an_environment_add_up_to_those_of_the_simulation() -> None:
    pytest.importorskip("gymnasium")
    from roguewk.interop.environment import WorldEnv

    world = world_of(DRIFTING)
    runs = rw.simulate(world, "rogue/mean/lp", replicates=6, seed=3, curves=True)
    curves = runs.curves[runs.policies[0]]
    env = WorldEnv(world)
    for r, arms in enumerate(curves.arms):
        env.reset(seed=3, options={"replicate": r})
        total = sum(env.step(2 if arm < 0 else arm)[1] for arm in arms[arms > -2])
        assert total == runs.frame()["reward"][r]


def test_logs_and_trials_show_outcomes_and_effects() -> None:
    world = world_of(DRIFTING)
    policy = "rogue/mean/lp"
    log = rw.log_runs(world, policy, replicates=8, seed=5)
    runs = rw.simulate(world, policy, replicates=8, seed=5, curves=True)
    curves, idle = runs.curves[runs.policies[0]], DRIFTING.means(HORIZON)
    frame = log.frame()
    assert frame["reward"].tolist() == curves.rewards[curves.arms > -2].tolist()
    assert log.mean_rewards[:, -1] == pytest.approx(idle[log.rounds])
    trial = log.micro_randomised()
    assert trial["outcome"].tolist() == curves.rewards.ravel().tolist()
    counts = (curves.arms >= 0) & (np.cumsum(curves.costs[..., 0], axis=1) <= 7.0)
    effects = np.where(counts, curves.rewards - idle, 0.0)
    assert trial["effect"].to_numpy() == pytest.approx(effects.ravel())
    assert frame["effect"].to_numpy() == pytest.approx(effects[curves.arms > -2])
    assert "effect" not in rw.log_runs(world_of(None), policy).frame()
    assert "effect" not in rw.log_runs(world_of(None), policy).micro_randomised()


def test_what_logs_show_can_be_read() -> None:
    log = rw.log_runs(world_of(DRIFTING), ("randomised", {"chances": [0.5, 0.1]}), replicates=8)
    assert rw.read_log(log.frame()).subjects
