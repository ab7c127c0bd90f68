"""Rounds in which someone else chose: learned from as if the policy had."""

import json
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.world.game import Game

PAPER = rw.catalog.paper(budget=30, horizon=60)


@pytest.mark.parametrize("name", ["ucb1", "sw-ucb", "roguewk-ucb", "rogue-ucb"])
def test_a_policy_that_follows_another_of_its_kind_comes_to_know_the_same(name: str) -> None:
    game = Game(PAPER, seed=4)
    leader, follower = (rw.make_policy(name, PAPER.problem, seed) for seed in (4, 9))
    for _ in range(25):
        decision = leader.select()
        assert decision.arm is not None
        reward, costs = game.play(decision.arm)
        leader.update(decision, reward, costs)
        follower.update(follower.follow(decision.arm), reward, costs)
    assert follower.spent == leader.spent
    assert follower.round == leader.round == 25
    ours, theirs = follower.select(), leader.select()
    np.testing.assert_array_equal(ours.reward_bounds, theirs.reward_bounds)
    np.testing.assert_array_equal(ours.cost_bounds, theirs.cost_bounds)
    np.testing.assert_array_equal(ours.probabilities, theirs.probabilities)


def test_what_was_followed_may_be_told_late_and_after_restoring() -> None:
    policy = rw.make_policy("roguewk-ucb", PAPER.problem)
    rounds = [policy.follow(arm) for arm in ("arm 2", 0, 2)]
    assert rounds == [0, 1, 2]
    again = rw.restore_policy(json.loads(json.dumps(policy.state())))
    for each in (policy, again):
        for t in reversed(rounds):
            each.update(t, t % 2, [0.1, 0.2, 0.3])
    one, other = policy.select(), again.select()
    np.testing.assert_array_equal(one.reward_bounds, other.reward_bounds)
    assert one.arm == other.arm


def test_importance_weights_of_what_others_chose_are_those_of_certain_pulls() -> None:
    told, drawn = (rw.make_policy("exp3", PAPER.problem, gamma=0.3) for _ in range(2))
    told.update(told.follow(1), 1, [0.0, 0.0, 0.0])
    decision = drawn.select([1])
    drawn.update(decision, 1, [0.0, 0.0, 0.0])
    np.testing.assert_array_equal(told.select().probabilities, drawn.select().probabilities)


def test_nothing_can_be_followed_when_the_game_is_over_or_the_arm_is_unknown() -> None:
    policy = rw.make_policy("ucb1", rw.catalog.paper(horizon=1).problem)
    with pytest.raises(rw.InputError, match="there is no arm 'walk'"):
        policy.follow("walk")
    policy.follow(0)
    with pytest.raises(rw.InputError, match=r"arm 'arm 1' cannot have been pulled \(.*\): begin a new game"):
        policy.follow(1)
    assert policy.round == 1


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("largest", [{"known_costs": [[0.0], [None]]}, {"largest_costs": [[0.0], [40.0]]}])
def test_what_costs_nothing_is_still_pulled_where_somebody_else_overdrew_a_budget(largest: Any, told: bool) -> None:
    nudge = rw.everyday_arm("free nudge", rested=0.4, wear=0.1, half_life=1, known_start="rested")
    call = rw.everyday_arm("call", rested=0.8, wear=0.5, half_life=2, known_start="rested")
    minutes = rw.Resource("minutes", 60.0, 40.0, every=7)
    problem = rw.Problem([nudge, call], [minutes], 28, idle=True, **largest)
    policy = rw.make_policy("ucb1", problem, seed=1)
    for _ in range(2):
        followed = policy.follow("call")
        if told:
            policy.update(followed, reward=1, costs={"minutes": 35})
    decision = policy.select()
    assert decision.name == "free nudge"
    assert [each.arm for each in decision.left_out] == ["call"]
