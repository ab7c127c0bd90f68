"""What a policy takes idle rounds to bring: the mean that it is told, or one that it learns from those it has.

What is learned follows a mean that wanders (a Kalman filter): with P the variance of what is believed, in units of that
of one outcome, an outcome that is r rounds older than the newest one moves the mean by P / (P + 1 + r q) of its
surprise, and P grows by q every round. It begins as if one idle round had brought what the best arm brings at best: who
never idles never learns more, and who idles for nothing soon knows it. q = DRIFT T^(-4/3) over T rounds: so a drift
over the whole game is followed about as precisely as the noise allows. On 60 kinds of drifting coins, over 60 to 5,000
rounds of which 10 to 90 % were idle, errors were within 9 % of those with the best of seven such constants; without
forgetting they were 31 % larger.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.memory import Constant, Learned
from roguewk.kernel.records import record_type
from roguewk.part.room import LATEST, Room, check_within
from roguewk.problem.arm import Arm
from roguewk.problem.constants import mean_rewards
from roguewk.problem.idling import build_line, line_mean
from roguewk.problem.problem import Problem

DRIFT = 0.5
BELIEF = record_type(("mean", "variance"), ("newest",))


class BaselineEstimate(NamedTuple):
    """What idle rounds bring. All arrays are empty where that is nothing."""

    line: Constant[Any]  # (1,) record, where it is told
    first: Constant[Any]  # (1,) record of BELIEF before anything is seen, where it is learned
    belief: Learned[Any]  # (1,) record of BELIEF, where it is learned; `newest` is the latest round that was told
    drift: Constant[Vector]  # (1,) q, where it is learned


def build_baseline(problem: Problem) -> BaselineEstimate:
    """Before anything is seen."""
    baseline = problem.baseline
    if baseline is None or baseline.known:
        none = np.zeros(0, dtype=BELIEF)
        return BaselineEstimate(build_line(baseline, problem.horizon), none, none.copy(), np.zeros(0))
    first = np.zeros(1, dtype=BELIEF)
    first["mean"], first["variance"], first["newest"] = _hoped_for(problem), 1.0, -1
    drift = np.full(1, DRIFT * problem.horizon ** (-4 / 3))
    return BaselineEstimate(build_line(None, problem.horizon), first, first.copy(), drift)


def _hoped_for(problem: Problem) -> float:
    """The largest mean reward of any arm that is rested, or used all the time, as far as an idle round can bring it."""
    assert problem.baseline is not None
    rewards = problem.baseline.reward_family.rewards
    return float(np.clip(max(_best_mean(arm) for arm in problem.arms), rewards.lowest, rewards.highest))


def _best_mean(arm: Arm) -> float:
    if arm.custom:
        states = np.asarray(arm.box.T, dtype=np.float64)
    else:
        pushed = np.stack([arm.pull_back, arm.pull_back + arm.push])
        states = np.asarray(np.linalg.solve(np.eye(arm.dimension) - arm.matrix, pushed.T).T)
    return float(mean_rewards(arm, states).max())


@compiled
def is_learned(part: BaselineEstimate) -> bool:
    """Whether idle rounds tell something that is not known."""
    return part.belief.size > 0


@compiled
def expected_idle(part: BaselineEstimate, round_: int) -> float:
    """What an idle round brings on average, by what is told or was seen; 0 where that is nothing."""
    if part.line.size > 0:
        return line_mean(part.line[0], round_)
    return part.belief[0].mean if part.belief.size > 0 else 0.0


@compiled
def learn_baseline(part: BaselineEstimate, round_: int, reward: float) -> None:
    """Take in what an idle round brought."""
    if part.belief.size > 0:
        belief, drift = part.belief[0], part.drift[0]
        newest = max(belief.newest, round_)
        spread = belief.variance + drift * (newest - belief.newest)
        noise = 1.0 + drift * (newest - round_)
        belief.mean += spread / (spread + noise) * (reward - belief.mean)
        belief.variance = spread * noise / (spread + noise)
        belief.newest = newest


@compiled
def forget_baseline(part: BaselineEstimate, round_: int) -> None:
    """Return to what was believed before the first round; this is the first one now."""
    if part.belief.size > 0:
        part.belief[0].mean, part.belief[0].variance = part.first[0].mean, part.first[0].variance
        part.belief[0].newest = round_ - 1


def check_belief(part: BaselineEstimate, problem: Problem, room: Room) -> None:
    """Refuse what cannot have been learned."""
    if problem.baseline is not None:
        rewards = problem.baseline.reward_family.rewards
        check_within(part.belief["mean"], rewards.lowest, rewards.highest, "what idle rounds bring")
    check_within(part.belief["variance"], 0, LATEST, "what is not known of idle rounds")
    check_within(part.belief["newest"], -1, room.round - 1, "the newest idle round")
