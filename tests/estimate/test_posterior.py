"""What is believed of states: mean and spread against a fine grid of initial states, led through every round."""

import numpy as np
import pytest

import roguewk as rw
from roguewk.estimate.states.posterior import BELIEVED, BelievedParticles, BelievedScalars
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.part.desk import MEMO, SHIFT
from roguewk.part.verbs import advance, believed_states, learn_reward, reward_bounds
from roguewk.problem.constants import mean_rewards, next_states
from roguewk.problem.family.registry import family_named

ROUNDS = 25


def own_h(x: float, pulled: float) -> float:
    return 0.97 * x - 0.1 * pulled


def own_g(x: float) -> float:
    return 0.5 + 0.1 * x


ARMS = {
    "bernoulli": rw.Arm("a", A=0.97, B=-0.1, alpha=1.0),
    "no rest": rw.Arm("a", A=0.9998, B=-0.0005, alpha=0.5),
    "downwards": rw.Arm("a", A=0.9, B=0.3, alpha=0.5, beta=-1.0),
    "poisson": rw.Arm("a", A=0.95, B=-0.1, alpha=1.0, family="poisson"),
    "gaussian": rw.Arm("a", A=0.97, B=-0.1, alpha=1.0, family="gaussian", sigma=0.7),
    "own functions": rw.Arm("a", h=own_h, g=own_g, state=(-4.0, 0.0)),
    "two coordinates": rw.Arm("a", A=[[0.95, 0], [0, 0.8]], B=[-0.1, -0.3], K=[0.0, 0.0], alpha=1.0, beta=[1.0, 0.5]),
}


def grid_of(arm: rw.Arm) -> Vector:
    """(candidate, coordinate) initial states, evenly over X."""
    count = 4001 if arm.dimension == 1 else 201
    axes = [low + (high - low) * (np.arange(count) + 0.5) / count for low, high in arm.box]
    return np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=1)


def shifted(arm: rw.Arm, states: Vector, shift: float) -> Vector:
    """Mean rewards where contexts shift the level."""
    if shift == 0.0:
        return mean_rewards(arm, states)
    family = family_named(arm.family)
    return np.array([family.mean_of_level(level) for level in arm.alpha + states @ arm.weights + shift])


@pytest.mark.parametrize("shifts", [False, True], ids=["plain", "in contexts"])
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("kind", ARMS)
def test_beliefs_are_those_of_a_fine_grid(kind: str, late: bool, shifts: bool) -> None:
    if shifts and ARMS[kind].custom:
        pytest.skip("no context shifts an arm with its own g")
    arm, rng = ARMS[kind], np.random.default_rng(3)
    part = BELIEVED.build(rw.Problem([arm], (), 100), doubling=0)
    assert isinstance(part, BelievedScalars if arm.dimension == 1 and not arm.custom else BelievedParticles)
    family, sigma = family_named(arm.family), arm.sigma or 1.0
    states = grid_of(arm)
    log = np.zeros(len(states))
    if isinstance(part, BelievedScalars):  # every mean reward is equally likely
        log = np.log([family.variance(mean) for mean in mean_rewards(arm, states)])
    means, spreads, rewards = np.zeros((1, arm.dimension)), np.zeros((1, arm.dimension)), np.zeros(1)
    waiting = []
    width = arm.box[:, 1] - arm.box[:, 0]
    for t in range(ROUNDS):
        now = Now(t, np.uint64(1), 0, t)
        believed_states(part, now, means, spreads)
        weights = np.exp(log - log.max()) / np.exp(log - log.max()).sum()
        mean = weights @ states
        spread = np.sqrt(weights @ (states - mean) ** 2)
        rough = 0.004 if isinstance(part, BelievedScalars) else 0.03  # of X
        assert np.abs(means[0] - mean).max() <= rough * width.max()
        assert np.abs(spreads[0] - spread).max() <= rough * width.max()
        reward_bounds(part, now, rewards)
        assert rewards[0] == pytest.approx(float(mean_rewards(arm, means)[0]))
        pulled, memo = float(rng.uniform() < 0.7), np.zeros(MEMO)
        memo[SHIFT] = rng.normal(0.0, 0.8) if shifts else 0.0
        advance(part, now, 0 if pulled else -1, memo)
        if pulled:
            reward = float(rng.integers(0, 2) if arm.reward_family.rewards.whole else rng.normal(0.5, 0.7))
            at_pull = [family.likelihood(m, reward, sigma) for m in shifted(arm, states, memo[SHIFT])]
            waiting.append((t, memo, reward, np.array(at_pull)))
        states = next_states(arm, states, pulled)
        while waiting and (not late or waiting[0][0] < t - 4):
            when, memo, reward, told = waiting.pop(0)
            learn_reward(part, when, 0, memo, reward)
            log += told


def test_one_unlucky_pull_does_not_put_the_state_at_the_edge() -> None:
    part = BELIEVED.build(rw.Problem([ARMS["no rest"]], (), 100), doubling=0)
    memo, means, spreads = np.zeros(MEMO), np.zeros((1, 1)), np.zeros((1, 1))
    believed_states(part, Now(0, np.uint64(1), 0, 0), means, spreads)
    before = means[0, 0]
    advance(part, Now(0, np.uint64(1), 0, 0), 0, memo)
    learn_reward(part, 0, 0, memo, 0.0)
    believed_states(part, Now(1, np.uint64(1), 0, 1), means, spreads)
    low, high = ARMS["no rest"].box[0]
    assert low + 0.2 * (high - low) < means[0, 0] < before
    assert spreads[0, 0] > 0.15 * (high - low)


@pytest.mark.parametrize("seen", [1, 10, 300, 10_000])
def test_beliefs_narrow_like_one_over_the_square_root_of_what_was_seen(seen: int) -> None:
    arm = rw.Arm("a", A=1.0 - 1e-9, B=-1e-9, alpha=1.0, family="gaussian", sigma=1.0, state=(-5.0, 5.0))
    part = BELIEVED.build(rw.Problem([arm], (), 100_000), doubling=0)
    memo, means, spreads = np.zeros(MEMO), np.zeros((1, 1)), np.zeros((1, 1))
    for t in range(seen):
        advance(part, Now(t, np.uint64(1), 0, t), 0, memo)
        learn_reward(part, t, 0, memo, 0.3)
    believed_states(part, Now(seen, np.uint64(1), 0, seen), means, spreads)
    assert means[0, 0] == pytest.approx(0.3 - 1.0, abs=0.01)
    assert spreads[0, 0] == pytest.approx(1 / np.sqrt(seen), rel=0.05)
