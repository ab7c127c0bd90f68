"""One game of an algorithm in a world, recorded round by round."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.reference.algorithms import Algorithm, Decision
from benchmarks.reference.arms import mean_reward, step
from benchmarks.reference.luck import DECISION, draw_costs, draw_reward, philox_words, unit
from benchmarks.reference.steps import IDLE, draw_arm
from roguewk.kernel.arrays import Vector
from roguewk.world.world import World


@dataclass
class ReferenceRun:
    """What was decided and what happened in each round, and the totals. Costs and spent are in the user's units."""

    spent: Vector  # (resource,) with the round that overspends
    arms: list[int] = field(default_factory=list)  # IDLE where none was pulled
    reward_bounds: list[Vector] = field(default_factory=list)  # (arm,)
    cost_bounds: list[Vector] = field(default_factory=list)  # (arm, resource), on the scale of [0, 1]
    values: list[float] = field(default_factory=list)  # of the LP
    probabilities: list[Vector] = field(default_factory=list)  # (arm,)
    rewards: list[float] = field(default_factory=list)
    costs: list[Vector] = field(default_factory=list)  # (resource,)
    means: list[float] = field(default_factory=list)  # g(x_t) of the arm pulled
    reward: float = 0.0  # without the round that overspends, as are the next two
    expected_reward: float = 0.0
    plays: int = 0
    stopped_by: str = "horizon"  # or the name of a resource, or "rounds" when fewer were asked for

    @property
    def rounds(self) -> int:
        """With the one that overspends."""
        return len(self.arms)

    def record(self, decision: Decision, arm: int, reward: float, mean: float, costs: Vector) -> None:
        self.arms.append(arm)
        self.reward_bounds.append(decision.g)
        self.cost_bounds.append(decision.c)
        self.values.append(decision.value)
        self.probabilities.append(decision.pi)
        self.rewards.append(reward)
        self.means.append(mean)
        self.costs.append(costs)
        self.spent = self.spent + costs

    def count(self, arm: int, reward: float, mean: float) -> None:
        self.reward += reward
        self.expected_reward += mean
        self.plays += arm != IDLE


def run(
    world: World,
    algorithm: Callable[..., Algorithm],
    seed: int = 0,
    replicate: int = 0,
    rounds: int | None = None,
    follow: Sequence[int] | None = None,
    **constants: Any,
) -> ReferenceRun:
    """One game. With `follow` those arms are pulled, and what the algorithm would have decided is recorded."""
    problem, states = world.problem, list(world.x0)
    player, result = algorithm(problem, **constants), ReferenceRun(spent=np.zeros(len(problem.resources)))
    last = min(problem.horizon, rounds or problem.horizon, problem.horizon if follow is None else len(follow))
    for t in range(last):
        decision, words = player.decide(t), philox_words(seed, replicate, t, DECISION, 0)
        arm = draw_arm(decision.pi, unit(words[2]), problem.idle) if follow is None else follow[t]
        reward, mean, costs = 0.0, 0.0, np.zeros(len(problem.resources))
        if arm != IDLE:
            mean = float(mean_reward(world.arms[arm], states[arm]))
            reward = draw_reward(world.arms[arm], states[arm], words)
            costs = draw_costs(world.costs[arm], seed, replicate, t)
        result.record(decision, arm, reward, mean, costs)
        overspent = np.flatnonzero(result.spent > problem.budgets * (1 + 1e-9))
        if len(overspent):
            result.stopped_by = problem.resources[overspent[0]].name
            return result
        result.count(arm, reward, mean)
        player.observe(t, arm, reward, costs / problem.scales)
        states = [step(each, x, a == arm) for a, (each, x) in enumerate(zip(world.arms, states, strict=True))]
    result.stopped_by = "horizon" if last == problem.horizon else "rounds"
    return result
