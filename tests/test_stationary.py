"""Policies for stationary arms without budgets, each beside a literal rewrite."""

import math

import numpy as np

from judge import coins, judge, sure
from roguewk.problem.arms import Vector


class Ucb1:
    """Auer, Cesa-Bianchi and Fischer 2002: each arm once, then the largest mean + sqrt(2 log t / n)."""

    def __init__(self, arms: int) -> None:
        self.rewards: list[list[float]] = [[] for _ in range(arms)]

    def shares(self, t: int) -> Vector:
        for a, seen in enumerate(self.rewards):
            if not seen:
                return sure(a, len(self.rewards))
        index = [np.mean(seen) + math.sqrt(2 * math.log(t) / len(seen)) for seen in self.rewards]
        return sure(int(np.argmax(index)), len(index))

    def learn(self, t: int, arm: int | None, reward: float, costs: Vector) -> None:
        assert arm is not None
        self.rewards[arm].append(reward)


def test_ucb1_decides_like_a_literal_rewrite() -> None:
    decisions = judge(Ucb1(3), "ucb1", coins(0.3, 0.5, 0.6), 1000, seed=1)
    assert len({decision.arm for decision in decisions}) == 3
