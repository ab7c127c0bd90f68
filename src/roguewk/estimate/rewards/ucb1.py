"""UCB1 reward bounds: `mean + scale sqrt(2 log t / n)` (Auer, Cesa-Bianchi and Fischer 2002).

Gaussian rewards have twice their sigma in place of the unit range. Theory asks for scale 1. Means and widths are kept,
as a pull changes those of one arm only: dividing anew for every arm every round would take a fifth of a game's time.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.estimate.rewards.tally import Tally, build_tally, mean_of, reward_ranges
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant, Learned
from roguewk.part.parameter import not_negative
from roguewk.part.part import REWARDS, Part
from roguewk.part.verbs import advance, amend_reward, learn_reward, retract, reward_bounds
from roguewk.problem.problem import Problem


class Ucb1Rewards(NamedTuple):
    """Means of all rewards seen."""

    tally: Tally
    means: Learned[Vector]  # (arm,)
    widths: Learned[Vector]  # (arm,) scale / sqrt(n), infinite at n = 0
    scales: Constant[Vector]  # (arm,)


def _build(problem: Problem, scale: float) -> Ucb1Rewards:
    arms = len(problem.arms)
    return Ucb1Rewards(build_tally(problem), np.ones(arms), np.full(arms, np.inf), scale * reward_ranges(problem))


@reward_bounds.body(Ucb1Rewards)
def _reward_bounds(part: Ucb1Rewards, now: Now, out: Vector) -> None:
    explore = math.sqrt(2.0 * math.log(max(now.t, 1)))
    for a in range(out.size):
        out[a] = part.means[a] + explore * part.widths[a] if part.widths[a] < np.inf else np.inf


@advance.body(Ucb1Rewards)
def _advance(part: Ucb1Rewards, now: Now, arm: int, memo: Vector) -> None:
    if arm >= 0:
        part.tally.pulls[arm] += 1.0
        part.widths[arm] = part.scales[arm] / math.sqrt(part.tally.pulls[arm])


@retract.body(Ucb1Rewards)
def _retract(part: Ucb1Rewards, arm: int, memo: Vector, since: int) -> None:
    part.tally.pulls[arm] -= 1.0
    part.widths[arm] = part.scales[arm] / math.sqrt(part.tally.pulls[arm]) if part.tally.pulls[arm] > 0.0 else np.inf


@learn_reward.body(Ucb1Rewards)
def _learn_reward(part: Ucb1Rewards, round_: int, arm: int, memo: Vector, reward: float) -> None:
    part.tally.seen[arm] += 1.0
    part.tally.sums[arm] += reward
    part.means[arm] = mean_of(part.tally, arm)


@amend_reward.body(Ucb1Rewards)
def _amend_reward(part: Ucb1Rewards, arm: int, memo: Vector, told: float, true: float) -> None:
    part.tally.sums[arm] += true - told
    part.means[arm] = mean_of(part.tally, arm)


UCB1 = Part(
    role=REWARDS,
    name="ucb1",
    summary="mean + sqrt(2 log t / n)",
    build=_build,
    parameters={"scale": not_negative(1.0, "multiplies the confidence radius sqrt(2 log t / n)")},
    first_pulls=True,
)
PARTS = (UCB1,)
