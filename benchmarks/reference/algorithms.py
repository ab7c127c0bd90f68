"""The three algorithms: what they saw, the bounds they draw from it, and the arm probabilities those give."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from benchmarks.reference.arms import Trajectory
from benchmarks.reference.steps import IDLE, cost_bounds, most_likely, play_always, reward_bound, single_step_lp
from roguewk.kernel.arrays import Vector
from roguewk.problem.problem import Problem


class Decision(NamedTuple):
    g: Vector  # (arm,) reward bounds; NaN in the initial phase, as are the next two
    c: Vector  # (arm, resource) cost bounds, on the scale of [0, 1]
    value: float  # of the LP, before idle rounds are taken out
    pi: Vector  # (arm,) probabilities


class Algorithm(ABC):
    """Pulls each arm once, then solves the single-step LP on its bounds."""

    initial_phase = True

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.m, self.d, self.T = len(problem.arms), len(problem.resources), problem.horizon
        self.arms = np.full(self.T, IDLE)  # (round,)
        self.rewards, self.costs = np.zeros(self.T), np.zeros((self.T, self.d))

    def sums(self, t: int, window: int) -> tuple[Vector, Vector, Vector]:
        """(arm,) pulls, (arm,) rewards and (arm, resource) costs over the `window` rounds before round t."""
        recent = slice(max(t - window, 0), t)
        pulled = (self.arms[recent] == np.arange(self.m)[:, None]).astype(np.float64)  # (arm, round)
        return pulled.sum(axis=1), pulled @ self.rewards[recent], pulled @ self.costs[recent]

    @abstractmethod
    def bounds(self, t: int) -> tuple[Vector, Vector]:
        """(arm,) reward bounds and (arm, resource) cost bounds in round t."""

    def allocate(self, g: Vector, c: Vector) -> tuple[float, Vector]:
        value, pi = single_step_lp(g, c, self.problem.rates)
        return value, pi if self.problem.idle else play_always(g, pi)

    def decide(self, t: int) -> Decision:
        if self.initial_phase and t < self.m:
            return Decision(np.full(self.m, np.nan), np.full((self.m, self.d), np.nan), np.nan, np.eye(self.m)[t])
        g, c = self.bounds(t)
        return Decision(g, c, *self.allocate(g, c))

    def observe(self, t: int, arm: int, reward: float, costs: Vector) -> None:
        self.arms[t], self.rewards[t], self.costs[t] = arm, reward, costs


class RogueUCB(Algorithm):
    """ROGUEwK-UCB. The radius of an arm after n pulls is its constant / sqrt(n), by default that of the theorem."""

    def __init__(
        self, problem: Problem, radius_constants: Sequence[float] | None = None, cost_scale: float = 1.0
    ) -> None:
        super().__init__(problem)
        self.radius_constants = np.array(theorem_constants(problem) if radius_constants is None else radius_constants)
        self.cost_radius = cost_scale * math.sqrt(math.log(12 * self.m * max(self.d, 1) * self.T**2) / 2)
        self.past = [Trajectory(arm) for arm in problem.arms]

    def bounds(self, t: int) -> tuple[Vector, Vector]:
        n, _, costs = self.sums(t, self.T)
        radii = self.radius_constants / np.sqrt(n)
        g = [reward_bound(past, most_likely(past), radius) for past, radius in zip(self.past, radii, strict=True)]
        return np.array(g), cost_bounds(costs / n[:, None], n, self.cost_radius)

    def observe(self, t: int, arm: int, reward: float, costs: Vector) -> None:
        super().observe(t, arm, reward, costs)
        if arm != IDLE:
            self.past[arm].observe(reward)
        for a, past in enumerate(self.past):
            past.advance(a == arm)


def theorem_constants(problem: Problem) -> list[float]:
    """(arm,) the radius of Theorem 1 after one pull."""
    from roguewk.problem.constants import theorem_radius

    return [theorem_radius(problem, a, 1) for a in range(len(problem.arms))]


class UCB1(Algorithm):
    """Auer, Cesa-Bianchi and Fischer 2002: the largest mean + sqrt(2 log t / n), whatever it costs."""

    def bounds(self, t: int) -> tuple[Vector, Vector]:
        n, rewards, _ = self.sums(t, self.T)
        return rewards / n + np.sqrt(2 * math.log(t) / n), np.zeros((self.m, self.d))

    def allocate(self, g: Vector, c: Vector) -> tuple[float, Vector]:
        return float(g.max()), np.eye(self.m)[np.argmax(g)]


class SlidingWindowUCB(Algorithm):
    """Liu, Jiang and Li 2022: bounds from the last rounds only, as if each arm had one more pull, of reward zero."""

    initial_phase = False

    def __init__(
        self,
        problem: Problem,
        reward_window: int | None = None,
        cost_window: int | None = None,
        reward_scale: float = 1.0,
        cost_scale: float = 1.0,
    ) -> None:
        super().__init__(problem)
        self.reward_window, self.cost_window = reward_window or self.T, cost_window or self.T
        self.reward_radius = reward_scale * math.sqrt(2 * math.log(12 * self.m * self.T**3))
        self.cost_radius = cost_scale * math.sqrt(2 * math.log(12 * self.m * max(self.d, 1) * self.T**3))

    def bounds(self, t: int) -> tuple[Vector, Vector]:
        n, rewards, _ = self.sums(t, self.reward_window)
        g = rewards / (n + 1) + self.reward_radius / np.sqrt(n + 1)
        n, _, costs = self.sums(t, self.cost_window)
        return g, cost_bounds(costs / (n + 1)[:, None], n + 1, self.cost_radius)
