"""One round of the world, whoever plays it."""

from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.kernel.arrays import Vector
from roguewk.problem.ledger import WITHIN
from roguewk.world.game import Game

ARM = rw.everyday_arm("walk", rested=0.999, wear=0.5, half_life=2)
DEAR = rw.World(rw.Problem([ARM], [rw.Resource("staff", 2.5)], horizon=10, idle=True), [0.0], [[1.0]])


class Replay:
    """Plays the arms it is given."""

    def __init__(self, problem: rw.Problem, seed: int, arms: Any = ()) -> None:
        self.arms = iter(arms.tolist())

    def select(self) -> int | None:
        arm = next(self.arms)
        return None if arm < 0 else arm

    def update(self, decision: int, reward: float, costs: Vector) -> None:
        pass


def test_the_round_that_breaks_a_budget_takes_its_costs_brings_nothing_and_moves_no_state() -> None:
    game = Game(DEAR, seed=1)
    for _ in range(2):
        assert game.play(0)[0] == 1.0  # almost sure
    before = game.states.copy()
    assert game.stopped_by == WITHIN
    reward, costs = game.play(0)
    assert (reward, game.mean, costs.tolist(), game.spent.tolist()) == (0.0, 0.0, [1.0], [3.0])
    assert (game.stopped_by, game.round) == (0, 3)
    assert np.array_equal(game.states, before)


def test_a_game_that_is_over_cannot_go_on() -> None:
    game = Game(DEAR.with_budget(0.5), seed=1)
    game.play(0)
    with pytest.raises(rw.InputError, match="the game is over since round 0, which broke 'staff': begin another one"):
        game.play(None)


def test_an_idle_round_costs_nothing_and_rests_every_arm() -> None:
    game = Game(DEAR, seed=1)
    game.play(0)
    worn = game.states.copy()
    reward, costs = game.play(None)
    assert (reward, game.mean, costs.tolist(), game.spent.tolist()) == (0.0, 0.0, [0.0], [1.0])
    assert game.states == pytest.approx(worn * 0.5**0.5)


@pytest.mark.parametrize(
    ("name", "policy"),
    [("paper", "ucb1"), ("messages", "ucb1"), ("messages", "randomised"), ("gaussian", "ucb1")],
)
def test_engine_game_and_plain_policies_play_the_same_rounds_to_the_last_bit(name: str, policy: str) -> None:
    world = rw.catalog.get(name, horizon=60)
    world = world.with_budget((15 * world.mean_costs.mean(axis=0)).tolist())
    runs = rw.simulate(world, policy, replicates=3, seed=4, curves=True)
    curves = runs.curves[policy]
    for r in range(3):
        rounds = int(runs.totals[policy]["rounds"][r])
        game, arms = Game(world, 4, r), curves.arms[r, :rounds]
        plain = rw.simulate(world, (Replay, {"arms": arms}), 1, seed=4, curves=True, first_replicate=r)
        (label,) = plain.policies
        for t, arm in enumerate(arms.tolist()):
            assert np.array_equal(curves.states[r, t], game.states)
            reward, costs = game.play(None if arm < 0 else arm)
            assert (reward, game.mean) == (curves.rewards[r, t], curves.expected[r, t])
            assert np.array_equal(costs, curves.costs[r, t])
        assert np.array_equal(game.spent, runs.spent[policy][r])
        assert game.stopped_by == runs.totals[policy]["stopped_by"][r]
        assert (game.stopped_by != WITHIN) == (policy == "ucb1")  # the other one idles before that
        for mine, theirs in zip(plain.curves[label], curves, strict=True):
            assert np.array_equal(mine[0], theirs[r])
        assert np.array_equal(plain.totals[label][0], runs.totals[policy][r])
