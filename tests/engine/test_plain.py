"""Policies in plain Python, beside the same policies compiled."""

from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.kernel.arrays import Vector


class Ucb1:
    """UCB1 in plain Python."""

    def __init__(self, problem: rw.Problem, seed: int, scale: float = 1.0) -> None:
        self.sums, self.counts = np.zeros((2, len(problem.arms)))
        self.round, self.scale = 0, scale

    def select(self) -> int:
        if (self.counts == 0).any():
            return int(np.argmin(self.counts))
        return int(np.argmax(self.sums / self.counts + self.scale * np.sqrt(2 * np.log(self.round) / self.counts)))

    def update(self, decision: int, reward: float, costs: Vector) -> None:
        self.sums[decision] += reward
        self.counts[decision] += 1
        self.round += 1


class Drawn:
    """Always the same probabilities."""

    def __init__(self, problem: rw.Problem, seed: int, shares: Any = (0.2, 0.3, 0.1)) -> None:
        self.shares = shares

    def select(self) -> Any:
        return self.shares

    def update(self, decision: Any, reward: float, costs: Vector) -> None:
        assert decision in (0, 1, 2)


def test_a_plain_policy_meets_the_same_luck_and_earns_the_same() -> None:
    world = rw.catalog.paper(budget=60, horizon=300)
    runs = rw.simulate(world, ["ucb1", Ucb1], replicates=4, seed=9, curves=True, threads=2)
    assert runs.policies == ("ucb1", "Ucb1")
    frame = runs.frame()
    one, other = (
        frame[frame["policy"] == each].drop(columns="policy").reset_index(drop=True) for each in runs.policies
    )
    assert one.drop(columns=["reward", "expected_reward"]).equals(other.drop(columns=["reward", "expected_reward"]))
    assert one["expected_reward"].to_numpy() == pytest.approx(other["expected_reward"].to_numpy(), abs=1e-9)
    for mine, theirs in zip(runs.curves["ucb1"], runs.curves["Ucb1"], strict=True):
        assert mine == pytest.approx(theirs, abs=1e-12)


def test_an_online_policy_is_a_plain_policy_too() -> None:
    world = rw.catalog.messages(horizon=60)

    def online(problem: rw.Problem, seed: int) -> rw.Policy:
        return rw.make_policy("roguewk-ucb", problem, seed, cost_scale=0.1)

    runs = rw.simulate(world, {"fast": ("roguewk-ucb", {"cost_scale": 0.1}), "slow": online}, replicates=1, curves=True)
    assert runs.curves["fast"].arms.tolist() == runs.curves["slow"].arms.tolist()
    assert (runs.curves["fast"].arms == -1).any()


def test_probabilities_are_drawn_from_and_the_rest_is_idle() -> None:
    world = rw.catalog.paper(budget=1e6, horizon=400, idle=True)
    runs = rw.simulate(world, Drawn, replicates=10, curves=True)
    counts = np.bincount(runs.curves["Drawn"].arms.ravel() + 1, minlength=4) / 4000
    assert counts == pytest.approx([0.4, 0.2, 0.3, 0.1], abs=4 * 0.5 / np.sqrt(4000))


def test_parameters_reach_the_class_and_its_label() -> None:
    runs = rw.simulate(rw.catalog.paper(20), [("ucb1", {"scale": 0.5}), (Ucb1, {"scale": 0.5})], replicates=2)
    assert runs.policies == ("ucb1 scale=0.5", "Ucb1 scale=0.5")
    plays = runs.frame().groupby("policy")["plays"].sum()
    assert plays.nunique() == 1


class NoUpdate:
    def __init__(self, problem: rw.Problem, seed: int) -> None:
        pass

    def select(self) -> int:
        return 0


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        ((Drawn, {"shares": 7}), "arm selected by policy 'Drawn shares=7' is 7: give a whole number from 0 to 2"),
        ((Drawn, {"shares": "arm 1"}), "arm selected by policy"),
        ((Drawn, {"shares": [0.5, 0.5]}), "selected [0.5, 0.5]: give an arm, None, or 3 probabilities"),
        ((Drawn, {"shares": [0.5, 0.5, 0.5]}), "give an arm, None, or 3 probabilities"),
        ((Drawn, {"shares": None}), "left round 0 idle, and this problem has none: select an arm"),
        (NoUpdate, "policy 'NoUpdate' has no method update"),
    ],
)
def test_what_no_policy_may_do_gets_a_sentence(policy: Any, sentence: str) -> None:
    with pytest.raises(rw.InputError) as caught:
        rw.simulate(rw.catalog.paper(20), policy, replicates=2)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
