"""Whoever plays a world keeps to its limits: the simulator, games, plain policies, environments, logs."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import roguewk as rw
from roguewk.experiment.explain.explain import tell
from roguewk.interop.environment import WorldEnv
from roguewk.world.game import Game
from tests.problem.limited import largest_costs, worlds
from tests.problem.rules import Pull, Rules

POLICIES = ["roguewk-plan", "roguewk-ucb", "ucb1", "ts-lp-resolved", "whittle", "clairvoyant", "exp3"]
OUTCOMES = {
    "at once": rw.Outcomes(),
    "late": rw.Outcomes(delay=(0, 6)),
    "late and missing": rw.Outcomes(delay=2, missing=0.3),
    "costs at once": rw.Outcomes(delay=3, missing=0.5, costs=rw.Outcomes()),
}


class Referee:
    """Watches a game of which it is told the arms and what they took."""

    def __init__(self, world: rw.World) -> None:
        self.world, self.rules = world, Rules(world.problem, largest_costs(world))

    def free(self, t: int) -> list[bool]:
        return [self.rules.allow(arm.name, t) for arm in self.world.arms]

    def watch(self, t: int, arm: int | None, costs: Any) -> None:
        if arm is not None and arm >= 0:
            assert self.free(t)[arm]
            self.rules.pulls[t] = Pull(self.world.arms[arm].name)
            self.rules.tell(t, [float(cost) for cost in costs[: len(self.world.problem.told)]])
            for resource in self.world.problem.resources:
                if resource.hard:
                    assert self.rules.left(resource, t) >= -1e-9 * resource.budget  # what was taken, not only may be


@pytest.mark.parametrize("outcomes", list(OUTCOMES))
@pytest.mark.parametrize("name", POLICIES)
@settings(max_examples=12, deadline=None, derandomize=True, database=None)
@given(world=worlds(), seed=st.integers(0, 99))
def test_no_policy_breaks_a_limit_in_the_simulator(name: str, outcomes: str, world: rw.World, seed: int) -> None:
    runs = rw.simulate(world.with_outcomes(OUTCOMES[outcomes]), name, replicates=2, seed=seed, curves=True)
    curves = runs.curves[runs.policies[0]]
    for row in range(2):
        referee = Referee(world)
        for t, arm in enumerate(curves.arms[row][curves.arms[row] > -2]):
            if outcomes == "at once" and arm < 0 and not world.problem.idle:
                assert not any(referee.free(t))  # only limits let rounds pass idle that have to be played
            referee.watch(t, int(arm), curves.costs[row, t])


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(world=worlds(soft=False), data=st.data())
def test_a_game_says_what_is_free_and_what_is_left_and_refuses_the_rest(world: rw.World, data: st.DataObject) -> None:
    game, referee, problem = Game(world, seed=3), Referee(world), world.problem
    for t in range(problem.horizon):
        free = referee.free(t)
        assert (game.available() or [True] * len(free)) == free
        for resource, left in zip(problem.resources, game.left, strict=True):
            granted = resource.budget * (1 + t // game_period(problem, resource) if resource.carry_over else 1)
            assert left == pytest.approx(max(float(referee.rules.left(resource, t)) / granted, 0.0), abs=1e-6)
        arm = data.draw(st.none() | st.integers(0, len(free) - 1))
        if arm is not None and not free[arm]:
            with pytest.raises(rw.InputError, match="is left out of round"):
                game.play(arm)
            arm = None
        _, costs = game.play(arm)
        assert costs.shape == (len(problem.told),)
        referee.watch(t, arm, costs)


def game_period(problem: rw.Problem, resource: rw.Resource) -> int:
    return int(problem.periods[problem.resources.index(resource)])


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(world=worlds(), data=st.data())
def test_an_environment_masks_what_limits_leave_out(world: rw.World, data: st.DataObject) -> None:
    env, referee, over = WorldEnv(world), Referee(world), False
    observation, info = env.reset(seed=1)
    while not over:
        t, free = info["round"], referee.free(info["round"])
        assert env.observation_space.contains(observation)
        assert observation.get("available", np.ones(len(free))).astype(bool).tolist() == free
        masked = [bool(each) for each in info["action_mask"][: len(free)]]
        assert all(there for there, one in zip(free, masked, strict=True) if one) or not any(free)
        action = data.draw(st.integers(0, int(env.action_space.n) - 1))
        observation, _, over, _, info = env.step(action)
        pulled = action if action < len(free) and free[action] else None
        referee.watch(t, pulled, info["costs"])


class AtRandom:
    """Any arm that is available, in plain Python."""

    def __init__(self, problem: rw.Problem, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def select(self, available: list[bool] | None = None) -> Any:
        assert available is not None
        free = np.flatnonzero(available)
        return int(self.rng.choice(free)) if free.size else None

    def update(self, decision: Any, reward: float, costs: Any) -> None:
        pass


class Stubborn(AtRandom):
    """Always the first arm."""

    def select(self, available: list[bool] | None = None) -> int:
        return 0


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(world=worlds(), seed=st.integers(0, 99))
def test_a_policy_in_plain_python_is_told_what_limits_leave_out(world: rw.World, seed: int) -> None:
    if not world.problem.limited:
        return
    runs = rw.simulate(world, AtRandom, replicates=2, seed=seed, curves=True)
    for row in range(2):
        referee, arms = Referee(world), runs.curves["AtRandom"].arms[row]
        for t, arm in enumerate(arms[arms > -2]):
            referee.watch(t, int(arm), runs.curves["AtRandom"].costs[row, t])


def test_a_policy_in_plain_python_may_not_play_what_limits_leave_out() -> None:
    problem = rw.Problem([rw.Arm("call", alpha=0.0)], [rw.at_most(1, every=5)], 10)
    with pytest.raises(rw.InputError, match="selected 'call' in round 1, where it is not available"):
        rw.simulate(rw.World(problem, [0.0], [[]]), Stubborn, replicates=1)


def _busy() -> rw.World:
    """Limits of every kind, and arms that come and go."""
    arms = [
        rw.Arm("call", A=0.7, B=-0.8, alpha=1.0, available=0.8),
        rw.Arm("text", A=0.5, B=-0.3, alpha=0.3),
        rw.Arm("visit", A=0.8, B=-1.0, alpha=1.5),
    ]
    limits = [rw.Resource("hours", 3.0, every="5 days"), rw.Resource("euros", 20.0), rw.at_most(3, "4 days", "call")]
    gaps = [rw.Gap("2 days", arms="visit")]
    problem = rw.Problem(arms, limits, "40 days", idle=True, rounds_per_day=1, gaps=gaps)
    costs: Any = [[rw.Cost.uniform(0.2, 1.0), 0.3], [0.2, rw.Cost.bernoulli(0.5)], [rw.Cost.choices([0.5, 2.0]), 1.0]]
    return rw.World(problem, [0.0] * 3, costs)


@pytest.mark.parametrize("outcomes", list(OUTCOMES))
def test_logs_and_stories_are_of_the_decisions_that_the_simulator_sees(outcomes: str) -> None:
    world = _busy().with_outcomes(OUTCOMES[outcomes])
    runs = rw.simulate(world, ["roguewk-plan", "roguewk-ucb"], replicates=2, seed=4, curves=True)
    story = tell(world, "roguewk-plan", rounds=40, seed=4)
    arms = runs.curves["roguewk-plan"].arms[0]
    told = [-1 if decision.arm is None else decision.arm for decision in story.decisions]
    assert told == arms[: len(told)].tolist()
    assert len(told) >= (arms > -2).sum() - 1
    np.testing.assert_allclose(story.costs, runs.curves["roguewk-plan"].costs[0, : len(told)])
    log = rw.log_runs(world, "roguewk-ucb", replicates=2, seed=4)
    for r in range(2):
        played = [arm % 4 for arm in runs.curves["roguewk-ucb"].arms[r] if arm > -2]  # the last action is to idle
        assert log.actions[log.replicates == r].tolist() == played


def test_a_log_has_the_costs_that_are_told_and_says_where_no_arm_was_free() -> None:
    problem = rw.Problem(
        [rw.Arm("call", alpha=0.0), rw.Arm("text", alpha=0.0)], [rw.at_most(1, every=4), rw.Resource("euros", 90.0)], 12
    )
    log = rw.log_runs(rw.World(problem, [0.0, 0.0], [[0.5], [0.5]]), "roguewk-ucb")
    frame = log.frame()
    assert [name for name in frame.columns if name.startswith("cost_")] == ["cost_euros"]
    assert frame["available"].tolist() == [True, False, False, False] * 3
    table = log.micro_randomised()
    assert table["availability"].tolist() == [1, 0, 0, 0] * 3
    assert log.obp()["context"].shape[0] == 12


def test_a_story_shows_what_is_left_of_each_period() -> None:
    story = tell(_busy(), rounds=12, seed=2)
    hours = story.frame()["left_hours"]
    assert hours[0] == hours[5] == hours[10] == 1.0
    assert hours.between(0.0, 1.0).all()
    assert "left_call per 4 days" in story.frame().columns
