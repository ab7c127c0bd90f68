"""What is believed of each arm's initial state: a posterior over a fixed set of candidates, uniform on X at first.

Every candidate follows the known dynamics of whatever kind; a reward multiplies the weight of each by its likelihood.
Scalar states have candidates at equal distances, others spread evenly over the box (the R-sequence of Roberts). Once
all candidates have reached the same state there is nothing left to believe, and only one is followed.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.estimate.dynamics.parts import SampledDynamics, filter_for
from roguewk.estimate.states.starting import starting
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.luck import REWARD_DRAW, Now, unit, words
from roguewk.kernel.memory import Constant, Learned, Scratch, copy_into
from roguewk.kernel.records import record_type
from roguewk.kernel.verbs import optional_verb
from roguewk.part.desk import SHIFT
from roguewk.part.parameter import COMMON, DYNAMICS, KNOWN, LEARNED, counted
from roguewk.part.part import CONTEXTS, REWARDS, Part
from roguewk.part.room import Room, check_within
from roguewk.part.verbs import (
    FORGOTTEN,
    advance,
    amend_reward,
    believed_states,
    check_state,
    learn_reward,
    retract,
    reward_bounds,
)
from roguewk.problem.arm import Arm
from roguewk.problem.constants import forgetting_horizon
from roguewk.problem.dynamics import Dynamics, build_dynamics, mean_reward, move_one, without_push
from roguewk.problem.family.compiled import likelihood
from roguewk.problem.occasions import shifted_mean
from roguewk.problem.problem import Problem

LONGEST_MEMORY = 100_000  # rounds; beyond, candidates that still differ no longer learn

_TRACK = record_type((), ("elapsed", "seen_at"))


class Candidates(NamedTuple):
    """Initial states to choose from."""

    x0: Constant[Vector]  # (arm, candidate, coordinate)


class Particles(NamedTuple):
    """The reward estimate of ROGUE-TS."""

    dynamics: Dynamics
    candidates: Candidates
    memory: Constant[Any]  # (arm,) rounds in which candidates differ
    tracks: Learned[Any]  # (arm,) records: rounds gone by, the round of the last pull
    states: Learned[Vector]  # (arm, candidate, coordinate) now
    at_pull: Learned[Vector]  # (arm, candidate) mean rewards at the last pull
    evidence: Learned[Vector]  # (arm, candidate) log-likelihood
    sums: Learned[Vector]  # (arm, candidate) of the weights up to each candidate, the last one 1
    pulled: Learned[Vector]  # (arm, round) for rewards that come late
    spare: Scratch[Vector]  # (2, coordinate)


def _spread(arm: Arm, count: int, size: int) -> Vector:
    """(candidate, coordinate) points in the box."""
    k = arm.dimension
    if k == 1:
        places = (np.arange(count)[:, None] + 0.5) / count
    else:
        root = 1.5
        for _ in range(60):
            root = (1 + root) ** (1 / (k + 1))
        places = (0.5 + np.outer(np.arange(1, count + 1), root ** -np.arange(1.0, k + 1))) % 1.0
    points = np.zeros((count, size))
    points[:, :k] = arm.box[:, 0] + places * (arm.box[:, 1] - arm.box[:, 0])
    return points


def build_particles(problem: Problem, candidates: int, doubling: int) -> Particles:
    """Nothing seen yet."""
    problem = starting(problem)
    dynamics = build_dynamics(problem.arms)
    arms, size = dynamics.vectors.shape[:2]
    x0 = np.stack([_spread(arm, candidates, size) for arm in problem.arms])
    tracks = np.zeros(arms, dtype=_TRACK)
    most = LONGEST_MEMORY if doubling else min(problem.horizon, LONGEST_MEMORY)
    memory = np.array([min(forgetting_horizon(arm, FORGOTTEN), most) for arm in problem.arms], dtype=np.int64)
    tracks["seen_at"] = -1
    shape = arms, candidates
    even = np.tile(np.arange(1, candidates + 1) / candidates, (arms, 1))
    log = np.zeros((arms, int(memory.max())))
    tables = np.zeros(shape), np.zeros(shape), even, log, np.zeros((2, size))
    return Particles(dynamics, Candidates(x0), memory, tracks, x0.copy(), *tables)


@compiled
def settled(part: Particles, a: int) -> bool:
    """Whether all candidates have reached the same state."""
    return part.tracks[a].elapsed > part.memory[a]


@compiled
def _drawn(part: Particles, a: int, number: float) -> int:
    """The candidate that a uniform number falls on."""
    low, high = 0, part.sums.shape[1] - 1
    while low < high:
        middle = (low + high) // 2
        if number < part.sums[a, middle]:
            high = middle
        else:
            low = middle + 1
    return low


@check_state.body(Particles)
def _check_state(part: Particles, room: Room) -> None:
    check_within(part.tracks["elapsed"], room.since, room.since, "the age of a history")
    check_within(part.tracks["seen_at"], -1, room.since, "the round of a pull")


@compiled
def _this_round(part: Particles, a: int, now: Now) -> int:
    """The candidate that is drawn this round."""
    return 0 if settled(part, a) else _drawn(part, a, unit(words(now, REWARD_DRAW, a)[0]))


@reward_bounds.body(Particles)
def _reward_bounds(part: Particles, now: Now, out: Vector) -> None:
    for a in range(out.size):
        out[a] = mean_reward(part.dynamics, a, part.states[a, _this_round(part, a, now)])


@believed_states.body(Particles)
def _believed_states(part: Particles, now: Now, means: Vector, spreads: Vector) -> None:
    spreads[:] = 0.0  # a sample has its doubts in it
    for a in range(means.shape[0]):
        copy_into(means[a], part.states[a, _this_round(part, a, now)])


@compiled
def weight_of(part: Particles, a: int, i: int) -> float:
    """How likely a candidate is."""
    return float(part.sums[a, i] - (part.sums[a, i - 1] if i > 0 else 0.0))


@optional_verb
def posterior_rewards(part: Any, values: Any, weights: Any) -> None:
    """Write what the mean reward of each arm now may be, and how likely that is, to (arm, candidate) tables."""


@posterior_rewards.body(Particles)
def _posterior_rewards(part: Particles, values: Vector, weights: Vector) -> None:
    for a in range(values.shape[0]):
        if settled(part, a):
            weights[a, :] = 0.0
            weights[a, 0] = 1.0
            values[a, 0] = mean_reward(part.dynamics, a, part.states[a, 0])
            continue
        for i in range(values.shape[1]):
            weights[a, i] = weight_of(part, a, i)
            values[a, i] = mean_reward(part.dynamics, a, part.states[a, i])


@advance.body(Particles)
def _advance(part: Particles, now: Now, arm: int, memo: Vector) -> None:
    for a in range(part.tracks.size):
        track = part.tracks[a]
        pulled = 1.0 if a == arm else 0.0
        if a == arm:
            memo[0] = track.elapsed
            track.seen_at = track.elapsed
        together = settled(part, a)
        if track.elapsed < part.memory[a]:
            part.pulled[a, track.elapsed] = pulled
        for i in range(1 if together else part.states.shape[1]):
            if a == arm and not together:
                part.at_pull[a, i] = mean_reward(part.dynamics, a, part.states[a, i])
            move_one(part.dynamics, a, part.states[a, i], pulled, part.spare[0])
        track.elapsed += 1


@retract.body(Particles)
def _retract(part: Particles, arm: int, memo: Vector, since: int) -> None:
    track, slot = part.tracks[arm], int(memo[0])
    track.seen_at = -1
    if 0 <= slot < part.memory[arm]:
        part.pulled[arm, slot] = 0.0
    if part.dynamics.arms[arm].h == 0:
        for i in range(part.states.shape[1]):
            without_push(part.dynamics, arm, part.states[arm, i], since, part.spare)
        return
    if not 0 <= slot < track.elapsed <= part.memory[arm]:
        return  # functions of one's own cannot be turned back, only begun anew
    for i in range(part.states.shape[1]):
        x = part.states[arm, i]
        copy_into(x, part.candidates.x0[arm, i])
        for s in range(track.elapsed):
            move_one(part.dynamics, arm, x, part.pulled[arm, s], part.spare[0])


@learn_reward.body(Particles)
def _learn_reward(part: Particles, round_: int, arm: int, memo: Vector, reward: float) -> None:
    slot = int(memo[0])
    if 0 <= slot < part.memory[arm]:
        _weigh(part, arm, slot, memo[SHIFT], reward, 1.0)


@amend_reward.body(Particles)
def _amend_reward(part: Particles, arm: int, memo: Vector, told: float, true: float) -> None:
    slot = int(memo[0])
    if 0 <= slot < part.memory[arm]:
        _weigh(part, arm, slot, memo[SHIFT], told, -1.0)
        _weigh(part, arm, slot, memo[SHIFT], true, 1.0)


@compiled_apart
def _weigh(part: Particles, a: int, slot: int, shift: float, reward: float, sign: float) -> None:
    """Multiply the weights by the likelihood of a reward that was seen in round `slot`, or divide by it.

    Contexts shifted the level then.
    """
    arm, fresh = part.dynamics.arms[a], part.tracks[a].seen_at == slot
    largest = -np.inf
    for i in range(part.evidence.shape[1]):
        mean = part.at_pull[a, i] if fresh else _mean_at(part, a, i, slot)
        mean = shifted_mean(arm.family, mean, shift)
        part.evidence[a, i] += sign * likelihood(arm.family, mean, reward, arm.sigma)
        largest = max(largest, part.evidence[a, i])
    total = 0.0
    for i in range(part.evidence.shape[1]):
        total += math.exp(part.evidence[a, i] - largest)
        part.sums[a, i] = total
    for i in range(part.evidence.shape[1]):
        part.sums[a, i] /= total


@compiled
def _mean_at(part: Particles, a: int, i: int, slot: int) -> float:
    """The mean reward that a candidate promised in an earlier round."""
    x = part.spare[1]
    copy_into(x, part.candidates.x0[a, i])
    for s in range(slot):
        move_one(part.dynamics, a, x, part.pulled[a, s], part.spare[0])
    return mean_reward(part.dynamics, a, x)


def _build(problem: Problem, candidates: int, doubling: int, dynamics: str = KNOWN) -> Any:
    if dynamics == LEARNED:
        return SampledDynamics(filter_for(problem))
    return build_particles(problem, candidates, doubling)


PARTICLES = Part(
    role=REWARDS,
    name="rogue-sample",
    summary="the mean reward of a state drawn from what is believed of it",
    build=_build,
    parameters={
        "candidates": counted(64, 2, 10_000, "initial states between which the posterior decides"),
        "doubling": COMMON["doubling"],
        "dynamics": DYNAMICS,
    },
    gives=frozenset({"posterior", "beliefs", CONTEXTS}),
    draws=True,
)
PARTS = (PARTICLES,)
