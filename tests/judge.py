"""Play a policy beside a literal rewrite of it, round by round."""

from typing import Any, Protocol

import numpy as np
import pytest

import roguewk as rw
from roguewk.kernel.arrays import Vector
from roguewk.world.game import Game

# What tests that need no more than some policies play.
MAIN = ("roguewk-plan", "roguewk-ucb", "ucb1", "sw-ucb", "clairvoyant")


class Literal(Protocol):
    """A policy written down word for word, slow and readable. Rounds count from 0."""

    def shares(self, t: int) -> Vector:
        """(arm,) the probability of each arm in round t, whose remainder is the chance of an idle round."""

    def learn(self, t: int, arm: int | None, reward: float, costs: Vector) -> None:
        """What round t brought; costs are in the user's units. Called for idle rounds too, with arm None."""


def judge(
    literal: Literal, policy: str | dict[str, str], world: rw.World, rounds: int, seed: int = 0, **parameters: Any
) -> list[rw.Decision]:
    """Play so many rounds; wherever the policy decides, it has the literal's probabilities. Returns all decisions."""
    game, player = Game(world, seed), rw.make_policy(policy, world.problem, seed, **parameters)
    decisions = []
    for t in range(rounds):
        decision = player.select()
        if player.round == t:
            break  # a budget is spent
        assert decision.probabilities == pytest.approx(literal.shares(t), abs=1e-9), f"round {t}"
        reward, costs = game.play(decision.arm)
        if decision.arm is not None:
            player.update(decision, reward, costs)
        literal.learn(t, decision.arm, reward, costs)
        decisions.append(decision)
    return decisions


def sure(arm: int, arms: int) -> Vector:
    """(arm,) shares of a policy that plays this arm for certain."""
    return np.eye(arms)[arm]


def coins(*means: float, rounds: int = 1000) -> rw.World:
    """A textbook world: stationary Bernoulli arms, nothing to spend."""
    levels = [float(np.log(mean / (1 - mean))) for mean in means]
    arms = [rw.Arm(f"arm {a}", A=0.5, B=0.0, alpha=level, beta=1.0) for a, level in enumerate(levels)]
    return rw.World(rw.Problem(arms, [], rounds), [0.0] * len(arms), [[] for _ in arms])


def regret(policy: str, *means: float, rounds: int, replicates: int = 200, seed: int = 0, **parameters: Any) -> Vector:
    """(replicate,) what is lost, in expectation, against the best of these coins."""
    runs = rw.simulate(coins(*means, rounds=rounds), (policy, parameters), replicates, seed)
    return np.asarray(max(means) * rounds - runs.frame()["expected_reward"].to_numpy())


def doubted_costs(seen: list[list[Vector]], rates: Vector) -> tuple[Vector, Vector]:
    """(arm, resource) mean costs and how far they may be off, by the costs seen of each arm, word for word."""
    if not rates.size:
        return np.zeros((len(seen), 0)), np.zeros((len(seen), 0))
    tables = [np.array(each).reshape(-1, rates.size) for each in seen]
    tried = [table for table in tables if len(table)]
    unit = np.max([np.minimum(rates, 1.0), *(table.max(axis=0) for table in tried)], axis=0)
    common = np.mean([0.5 * unit, *(table.mean(axis=0) for table in tried)], axis=0)
    scatter = sum((table.var(axis=0) * len(table) for table in tried), np.zeros(rates.size))
    noise = (scatter + 2 * common**2 / 4) / (sum(len(table) - 1 for table in tried) + 2)
    apart = 2 * common**2
    for table in tried:
        apart = apart + np.maximum((table.mean(axis=0) - common) ** 2 - noise / len(table), 0)
    apart = apart / (len(tried) + 2)
    means, doubts = np.zeros((2, len(seen), rates.size))
    for a, table in enumerate(tables):
        n = len(table)
        own = ((table.var(axis=0) * n if n else 0.0) + 2 * noise) / (max(n - 1, 0) + 2)
        means[a] = (table.sum(axis=0) / own + common / apart) / (n / own + 1 / apart)
        doubts[a] = np.sqrt(1 / (n / own + 1 / apart))
    return means, doubts
