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


def doubted_costs(seen: list[list[Vector]], rates: Vector) -> tuple[Vector, Vector, Vector]:
    """(arm, resource) mean costs, how far they may be off, and the variance of one, by the costs seen of each arm."""
    means, doubts, noises = np.zeros((3, len(seen), rates.size))
    for j, rate in enumerate(rates):
        arms = [np.array([costs[j] for costs in each]) for each in seen]
        tried = [costs for costs in arms if costs.size]
        guess = 0.5 * max(min(rate, 1.0), *(costs.max() for costs in tried), 0.0)
        pulls = 1 + sum(costs.size for costs in tried)
        pooled = (guess + sum(costs.sum() for costs in tried)) / pulls
        spread = (1.25 * guess**2 + sum((costs**2).sum() for costs in tried)) / pulls - pooled**2
        scatter = sum(costs.size * costs.var() for costs in tried)
        noise = (scatter + 2 * spread) / (sum(costs.size - 1 for costs in tried) + 2)
        drawn = noise / pooled**2
        weights = [1 / (1 + drawn)] + [costs.size / (costs.size + drawn) for costs in tried]
        common = np.average([guess] + [costs.mean() for costs in tried], weights=weights)
        apart = [common**2, common**2] + [max((costs.mean() - common) ** 2 - noise / costs.size, 0) for costs in tried]
        between = np.average(apart, weights=[1.0, 1.0, *weights[1:]])
        for a, costs in enumerate(arms):
            n = costs.size
            tells = (n - 1) * min(costs.mean() / common, 1) if n else 0.0
            own = noises[a, j] = ((n * costs.var() if n else 0.0) + 2 * noise) / (tells + 2)
            means[a, j] = (costs.sum() / own + common / between) / (n / own + 1 / between)
            doubts[a, j] = np.sqrt(1 / (n / own + 1 / between))
    return means, doubts, noises
