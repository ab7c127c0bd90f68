"""What the planner is told: mean costs against NumPy, likely states against SciPy, and the truth against itself."""

import math
from typing import Any

import numpy as np
import pytest
from benchmarks.reference import ahead
from scipy.optimize import Bounds, minimize
from scipy.special import log_expit, logit

import roguewk as rw
from roguewk.estimate.costs.doubted import build_doubted_costs
from roguewk.estimate.known import KnownCosts, build_known_states
from roguewk.estimate.states.history import ESTIMATE
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.part.verbs import (
    advance,
    cost_bounds,
    cost_doubts,
    learn_costs,
    learn_reward,
    likely_states,
    reward_bounds,
    set_horizon,
)
from tests.judge import doubted_costs


def now(t: int) -> Now:
    return Now(t, np.uint64(0), 0, t)


def tired(x: float, pulled: float) -> float:
    return 0.8 * math.tanh(x) - 0.5 * pulled


def slope(x: float) -> float:
    return 0.5 + 0.4 * math.tanh(x)


SCALAR = [
    rw.Arm("wears off", A=0.9, B=-0.8, K=0.1, alpha=0.5, beta=0.8, state=(-3, 3)),
    rw.Arm("turnover", A=0.8, B=-0.6, K=0.2, beta=1.5, family="gaussian", sigma=0.7, state=(-3, 2)),
    rw.Arm("swings", A=-0.9, B=-1.0, K=0.4, alpha=0.2, beta=-0.8, state=(-3, 3)),
]
OWN = rw.Arm("own", h=tired, g=slope, state=(-2, 2))
BOTH = rw.Arm("both", [[0.5, 0.0], [0.1, 0.9]], [-1.0, -0.1], [0.1, 0.0], 0.5, [1.0, 0.6])
SETS: dict[str, list[rw.Arm]] = {
    "ScalarStates": SCALAR,
    "HistoryStates": [OWN, SCALAR[0], SCALAR[1]],
    "VectorStates": [BOTH, SCALAR[0], SCALAR[1]],
    "MixedStates": [OWN, BOTH, SCALAR[2]],
}
RESOURCES = [rw.Resource("staff", 9.0), rw.Resource("minutes", 50.0, largest_cost=12.0)]


def minus_log_likelihood(arm: rw.Arm, x0: Vector, pulls: list[int], rewards: list[float]) -> float:
    """Of an initial state, stepped through the rounds."""
    x, total, seen = np.asarray(x0, dtype=float), 0.0, iter(rewards)
    for pulled in pulls:
        if pulled:
            reward, mean = next(seen), float(ahead.means(arm, x))
            if arm.sigma is not None:
                total += (reward - mean) ** 2 / (2 * arm.sigma**2)
            else:
                level = float(logit(mean))
                total -= float(log_expit(level if reward == 1 else -level))
        x = ahead.moved(arm, x, float(pulled))
    return total


def by_scipy(arm: rw.Arm, pulls: list[int], rewards: list[float]) -> float:
    """The least of minus the log-likelihood over X, from several starts."""

    def misfit(x: Vector) -> float:
        return minus_log_likelihood(arm, x, pulls, rewards)

    starts = [low + share * (high - low) for low, high in [arm.box.T] for share in (0.0, 0.3, 0.5, 0.8, 1.0)]
    limits = Bounds(arm.box[:, 0], arm.box[:, 1])
    return min(float(minimize(misfit, x, bounds=limits, method="L-BFGS-B").fun) for x in starts)


def estimate_of(part: Any, a: int, arm: rw.Arm) -> Vector:
    """The estimate of x0 within a part."""
    kind = type(part).__name__
    if kind == "MixedStates":
        inner = part.own if arm.custom else part.vector
        return estimate_of(inner, int(part.places[a, 1]), arm)
    if kind == "ScalarStates":
        return np.array([part.tracks[a].estimate])
    return part.candidates[a, [ESTIMATE], 0] if kind == "HistoryStates" else part.estimates[a, : arm.dimension]


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("kind", SETS)
def test_likely_states_are_the_most_likely_initial_ones_led_through_the_rounds(kind: str, late: bool) -> None:
    """With a radius of zero; rewards may also arrive in the end, the last first."""
    arms, rng = SETS[kind], np.random.default_rng(71)
    out = np.zeros((3, max(arm.dimension for arm in arms)))
    for rounds in (1, 4, 25):
        policy = rw.make_policy("whittle", rw.Problem(arms, [], 60))
        part = policy.parts.rewards
        assert type(part).__name__ == kind
        history = rng.integers(-1, 3, rounds).tolist()
        rewards: list[list[float]] = [[], [], []]
        waiting: list[tuple[int, float]] = []
        for t, arm in enumerate(history):
            assert policy.select(available=[] if arm < 0 else [arm]).arm == (None if arm < 0 else arm)
            if arm >= 0:
                reward = float(rng.integers(0, 2)) if arms[arm].sigma is None else rng.normal()
                rewards[arm].append(reward)
                waiting.append((t, reward))
            while waiting and (not late or t == rounds - 1):
                policy.update(*waiting.pop())
        likely_states(part, out)
        for a, arm in enumerate(arms):
            pulls = [int(each == a) for each in history]
            x = estimate_of(part, a, arm)
            assert (arm.box[:, 0] - 1e-12 <= x).all()
            assert (x <= arm.box[:, 1] + 1e-12).all()
            found = minus_log_likelihood(arm, x, pulls, rewards[a])
            assert found == pytest.approx(by_scipy(arm, pulls, rewards[a]), abs=1e-6)
            if not rewards[a]:
                assert x == pytest.approx(arm.box.mean(axis=1))
            for pulled in pulls:
                x = ahead.moved(arm, x, float(pulled))
            assert out[a, : arm.dimension] == pytest.approx(x, abs=1e-9)


def test_mean_costs_and_doubts_are_those_of_numpy() -> None:
    rng = np.random.default_rng(72)
    problem = rw.Problem(SCALAR, RESOURCES, 100)
    part, (means, doubts, noises) = build_doubted_costs(problem), np.zeros((3, 3, 2))
    seen: list[list[Vector]] = [[], [], []]
    for t in range(40):
        cost_bounds(part, now(t), means)
        cost_doubts(part, doubts, noises)
        expected = doubted_costs(seen, problem.rates)
        assert means == pytest.approx(expected[0], abs=1e-12)
        assert doubts == pytest.approx(expected[1], abs=1e-9)
        assert noises == pytest.approx(expected[2], abs=1e-12)
        arm = int(rng.integers(0, 2 if t < 25 else 3))
        costs = rng.choice([0.0, 0.3, 1.0], 2)
        advance(part, now(t), arm, np.zeros(2))
        learn_costs(part, t, arm, costs)
        seen[arm].append(costs)


def test_doubts_shrink_and_means_approach_the_truth() -> None:
    rng = np.random.default_rng(73)
    part, (means, doubts, noises) = build_doubted_costs(rw.Problem(SCALAR, RESOURCES, 100)), np.zeros((3, 3, 2))
    widths = []
    for t in range(3000):
        learn_costs(part, t, t % 3, (rng.random(2) < [0.3, 0.7]).astype(float))
        if t in (3, 30, 300, 2999):
            cost_doubts(part, doubts, noises)
            widths.append(doubts.max())
    cost_bounds(part, now(0), means)
    assert means == pytest.approx(np.tile([0.3, 0.7], (3, 1)), abs=3 * widths[-1])
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < 0.02


@pytest.mark.parametrize("kind", SETS)
def test_known_states_follow_the_true_ones_and_forget_nothing(kind: str) -> None:
    arms, rng = SETS[kind], np.random.default_rng(74)
    x0 = [rng.uniform(arm.box[:, 0], arm.box[:, 1]) for arm in arms]
    part = build_known_states(rw.Problem(arms, [], 50), [x.tolist() for x in x0])
    out, bounds = np.zeros((3, max(arm.dimension for arm in arms))), np.zeros(3)
    for t in range(30):
        chosen = int(rng.integers(-1, 3))
        advance(part, now(t), chosen, np.zeros(2))
        x0 = [ahead.moved(arm, x, float(a == chosen)) for a, (arm, x) in enumerate(zip(arms, x0, strict=True))]
        learn_reward(part, t, max(chosen, 0), np.zeros(2), 1.0)
        set_horizon(part, 10.0)
        likely_states(part, out)
        reward_bounds(part, now(t), bounds)
        for a, arm in enumerate(arms):
            assert out[a, : arm.dimension] == pytest.approx(x0[a], abs=1e-12)
            assert bounds[a] == pytest.approx(float(ahead.means(arm, x0[a])), abs=1e-12)


def test_known_costs_are_known_from_the_start_and_without_doubt() -> None:
    means = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])
    part, out, doubts = KnownCosts(means.copy(), 1.5 * means), np.zeros((3, 2)), np.ones((3, 2))
    set_horizon(part, 100.0)
    learn_costs(part, 0, 1, np.ones(2))
    advance(part, now(0), 1, np.zeros(2))
    cost_bounds(part, now(1), out)
    cost_doubts(part, doubts, np.zeros((3, 2)))
    assert out.tolist() == means.tolist()
    assert not doubts.any()
