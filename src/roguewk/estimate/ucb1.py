"""UCB1 reward bounds: `mean + scale sqrt(2 log t / n)` (Auer, Cesa-Bianchi and Fischer 2002).

Means are over the rewards that have arrived, radii over the pulls: an arm whose rewards never come is not pulled for
ever. Gaussian rewards have twice their sigma in place of the unit range.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.estimate.verbs import advance, forget, learn_reward, reward_bounds, set_horizon
from roguewk.problem.arms import Vector
from roguewk.problem.model import Problem


class Ucb1Rewards(NamedTuple):
    """Means of all rewards seen."""

    sums: Vector  # (arm,)
    seen: Vector  # (arm,)
    pulls: Vector  # (arm,)
    scales: Vector  # (arm,)


def reward_ranges(problem: Problem) -> Vector:
    """(arm,) the width that takes the place of the unit interval: 1, or twice a Gaussian's sigma."""
    return np.array([1.0 if arm.sigma is None else 2.0 * arm.sigma for arm in problem.arms])


def build_ucb1_rewards(problem: Problem, scale: float) -> Ucb1Rewards:
    """A fresh estimate for this problem."""
    sums, seen, pulls = np.zeros((3, len(problem.arms)))
    return Ucb1Rewards(sums, seen, pulls, scale * reward_ranges(problem))


@forget.body(Ucb1Rewards)
def _forget(part: Ucb1Rewards) -> None:
    part.sums[:] = 0.0
    part.seen[:] = 0.0
    part.pulls[:] = 0.0


@set_horizon.body(Ucb1Rewards)
def _set_horizon(part: Ucb1Rewards, horizon: float) -> None:
    pass


@reward_bounds.body(Ucb1Rewards)
def _reward_bounds(part: Ucb1Rewards, round_: int, out: Vector) -> None:
    explore = 2.0 * math.log(max(round_, 1))
    for a in range(part.sums.size):
        if part.pulls[a] == 0.0:
            out[a] = np.inf
            continue
        mean = part.sums[a] / part.seen[a] if part.seen[a] > 0.0 else 1.0
        out[a] = mean + part.scales[a] * math.sqrt(explore / part.pulls[a])


@advance.body(Ucb1Rewards)
def _advance(part: Ucb1Rewards, round_: int, arm: int, memo: Vector) -> None:
    if arm >= 0:
        part.pulls[arm] += 1.0


@learn_reward.body(Ucb1Rewards)
def _learn_reward(part: Ucb1Rewards, round_: int, arm: int, memo: Vector, reward: float) -> None:
    part.seen[arm] += 1.0
    part.sums[arm] += reward
