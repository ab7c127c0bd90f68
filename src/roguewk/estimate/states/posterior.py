"""What is believed of each arm's state now: its mean and its spread.

At first every mean reward that an initial state in X can promise is equally likely; where an arm brings functions of
its own or several coordinates, every place in X is. For scalar states that move linearly the log-likelihood of x0 is
`S z - F(z)`, z its place in X from -1 to 1, kept at Chebyshev points (`scalar.py`). Its exponential is summed up where
it is not negligible: three times the range is narrowed to what is left of it. The other arms have the candidates of
`particles.py`.

The likeliest state is no good to plan with: after one pull it sits at an edge of X.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.estimate.dynamics.parts import MeanDynamics, filter_for
from roguewk.estimate.states.build import lasting
from roguewk.estimate.states.chebyshev import interpolate
from roguewk.estimate.states.particles import Particles, build_particles, settled, weight_of
from roguewk.estimate.states.radius import Radius
from roguewk.estimate.states.scalar import ScalarStates, absorb, amend_score, build_scalar_states, matters
from roguewk.estimate.states.starting import starting
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled_apart
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Learned, Scratch
from roguewk.kernel.records import record_type
from roguewk.part.parameter import COMMON, DYNAMICS, KNOWN, LEARNED
from roguewk.part.part import CONTEXTS, REWARDS, Part
from roguewk.part.verbs import advance, amend_reward, believed_states, learn_reward, prune, retract, reward_bounds
from roguewk.problem.arm import Arm
from roguewk.problem.constants import mean_rewards
from roguewk.problem.dynamics import dispersion, mean_reward, mean_reward_scalar
from roguewk.problem.family.compiled import variance
from roguewk.problem.problem import Problem
from roguewk.relax.lattice import without_faint

POINTS = 17  # at which the density is summed up
PRIOR_POINTS = 2000
NEGLIGIBLE = 9.0  # below the largest log-density
NARROWINGS = 3
CANDIDATES = {1: 64, 2: 400}  # by the number of coordinates

_BELIEF = record_type(("centre", "spread"), ())


class BelievedScalars(NamedTuple):
    """Beliefs about arms with one coordinate that moves linearly."""

    states: ScalarStates
    beliefs: Learned[Any]  # (arm,) records: mean and standard deviation of x0


class BelievedParticles(NamedTuple):
    """Beliefs about arms of any kind."""

    particles: Particles
    means: Scratch[Vector]  # (arm, coordinate)
    spreads: Scratch[Vector]  # (arm, coordinate)


def _build(problem: Problem, doubling: int, dynamics: str = KNOWN) -> Any:
    if dynamics == LEARNED:
        return MeanDynamics(filter_for(problem))
    problem = starting(lasting(problem, doubling))
    dimension = max(arm.dimension for arm in problem.arms)
    if dimension > 1 or any(arm.custom for arm in problem.arms):
        means, spreads = np.zeros((2, len(problem.arms), dimension))
        return BelievedParticles(build_particles(problem, CANDIDATES[min(dimension, 2)], doubling), means, spreads)
    # Nobody begins with an arm that is worn a hundred times as far as makes a difference.
    arms = [arm.with_state(tuple(without_faint(arm, arm.box)[0].tolist())) for arm in problem.arms]
    problem = problem.of_arms(arms)
    states = build_scalar_states(problem, Radius(0.0, "theorem", 0.95), len(arms))
    beliefs = np.zeros(len(problem.arms), dtype=_BELIEF)
    for belief, arm in zip(beliefs, problem.arms, strict=True):
        belief["centre"], belief["spread"] = _at_first(arm)
    return BelievedScalars(states, beliefs)


def _at_first(arm: Arm) -> tuple[float, float]:
    """Mean and spread of x0 before anything is seen."""
    ends = arm.box[0]
    x = ends[0] + (ends[1] - ends[0]) * (np.arange(PRIOR_POINTS) + 0.5) / PRIOR_POINTS
    density = np.array(list(map(arm.reward_family.variance, mean_rewards(arm, x[:, None]).tolist())))
    mean = float(density @ x / density.sum())
    return mean, math.sqrt(float(density @ (x - mean) ** 2 / density.sum()))


@believed_states.body(BelievedScalars)
def _believed_scalars(part: BelievedScalars, now: Now, means: Vector, spreads: Vector) -> None:
    for a in range(part.beliefs.size):
        track, belief = part.states.tracks[a], part.beliefs[a]
        means[a, 0] = track.power * belief.centre + track.offset
        spreads[a, 0] = abs(track.power) * belief.spread


@reward_bounds.body(BelievedScalars)
def _scalar_rewards(part: BelievedScalars, now: Now, out: Vector) -> None:
    for a in range(out.size):
        track = part.states.tracks[a]
        out[a] = mean_reward_scalar(part.states.arms[a], track.power * part.beliefs[a].centre + track.offset)


@advance.body(BelievedScalars)
def _advance_scalars(part: BelievedScalars, now: Now, arm: int, memo: Vector) -> None:
    advance(part.states, now, arm, memo)


@retract.body(BelievedScalars)
def _retract_scalar(part: BelievedScalars, arm: int, memo: Vector, since: int) -> None:
    retract(part.states, arm, memo, since)


@learn_reward.body(BelievedScalars)
def _learn_scalar(part: BelievedScalars, round_: int, arm: int, memo: Vector, reward: float) -> None:
    track = part.states.tracks[arm]
    track.count += 1
    if absorb(part.states, arm, memo[0], memo[1], reward) and matters(part.states, arm, track.power):
        _believe(part, arm)


@amend_reward.body(BelievedScalars)
def _amend_scalar(part: BelievedScalars, arm: int, memo: Vector, told: float, true: float) -> None:
    if amend_score(part.states, arm, memo[0], true - told):
        _believe(part, arm)


@prune.body(BelievedScalars)
def _prune_scalars(part: BelievedScalars) -> None:
    prune(part.states)


@compiled_apart
def _log_density(part: BelievedScalars, a: int, z: float) -> float:
    """Of the place z of x0, up to a constant; at first every mean reward is equally likely."""
    states, arm = part.states, part.states.arms[a]
    told, _ = interpolate(states.grid, states.levels[a], states.slopes[a], z)
    x = 0.5 * (arm.low + arm.high) + 0.5 * (arm.high - arm.low) * z
    prior = math.log(max(variance(arm.family, mean_reward_scalar(arm, x)), 1e-300))
    return (states.tracks[a].score * z - told) / dispersion(arm) + prior


@compiled_apart
def _believe(part: BelievedScalars, a: int) -> None:
    """Mean and spread of x0 by all that was seen."""
    arm = part.states.arms[a]
    low, high = -1.0, 1.0
    for _ in range(NARROWINGS):
        step, best = (high - low) / (POINTS - 1), -np.inf
        for i in range(POINTS):
            best = max(best, _log_density(part, a, low + step * i))
        total = mean = square = 0.0
        first, last = high, low
        for i in range(POINTS):
            z = low + step * i
            log = _log_density(part, a, z) - best
            if log > -NEGLIGIBLE:
                weight = math.exp(log) * (0.5 if i in (0, POINTS - 1) else 1.0)
                total, mean, square = total + weight, mean + weight * z, square + weight * z * z
                first, last = min(first, z), max(last, z)
        low, high = max(first - step, low), min(last + step, high)
    mean /= total
    middle, half = 0.5 * (arm.low + arm.high), 0.5 * (arm.high - arm.low)
    part.beliefs[a].centre = middle + half * mean
    part.beliefs[a].spread = half * math.sqrt(max(square / total - mean * mean, 0.0))


@believed_states.body(BelievedParticles)
def _believed_particles(part: BelievedParticles, now: Now, means: Vector, spreads: Vector) -> None:
    particles = part.particles
    for a in range(means.shape[0]):
        together = settled(particles, a)
        for k in range(means.shape[1]):
            mean = square = 0.0
            for i in range(1 if together else particles.states.shape[1]):
                weight, x = 1.0 if together else weight_of(particles, a, i), particles.states[a, i, k]
                mean, square = mean + weight * x, square + weight * x * x
            means[a, k], spreads[a, k] = mean, math.sqrt(max(square - mean * mean, 0.0))


@reward_bounds.body(BelievedParticles)
def _particle_rewards(part: BelievedParticles, now: Now, out: Vector) -> None:
    believed_states(part, now, part.means, part.spreads)
    for a in range(out.size):
        out[a] = mean_reward(part.particles.dynamics, a, part.means[a])


@advance.body(BelievedParticles)
def _advance_particles(part: BelievedParticles, now: Now, arm: int, memo: Vector) -> None:
    advance(part.particles, now, arm, memo)


@retract.body(BelievedParticles)
def _retract_particle(part: BelievedParticles, arm: int, memo: Vector, since: int) -> None:
    retract(part.particles, arm, memo, since)


@learn_reward.body(BelievedParticles)
def _learn_particle(part: BelievedParticles, round_: int, arm: int, memo: Vector, reward: float) -> None:
    learn_reward(part.particles, round_, arm, memo, reward)


@amend_reward.body(BelievedParticles)
def _amend_particle(part: BelievedParticles, arm: int, memo: Vector, told: float, true: float) -> None:
    amend_reward(part.particles, arm, memo, told, true)


BELIEVED = Part(
    role=REWARDS,
    name="believed",
    summary="the mean reward of the states that are believed, by all that was seen",
    build=_build,
    parameters={"doubling": COMMON["doubling"], "dynamics": DYNAMICS},
    gives=frozenset({"beliefs", CONTEXTS}),
)
PARTS = (BELIEVED,)
