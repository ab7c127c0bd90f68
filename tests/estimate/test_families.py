"""State estimates for families beyond coins and normal rewards, against SciPy's minimisers and fine grids."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import poisson

import roguewk as rw
from roguewk.estimate.states.particles import PARTICLES, posterior_rewards
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.part.desk import MEMO, SHIFT
from roguewk.part.verbs import advance, learn_reward
from roguewk.problem.constants import mean_rewards, next_states

SCALAR = {
    "poisson": rw.Arm("a", A=0.8, B=-0.7, K=0.2, alpha=1.0, beta=0.9, family="poisson", state=(-3, 2)),
    "many counts": rw.Arm("a", A=0.9, B=-0.4, K=0.1, alpha=4.0, beta=1.3, family="poisson", state=(-3, 3)),
    "few counts": rw.Arm("a", A=-0.7, B=-0.5, K=0.1, alpha=-2.0, beta=-1.0, family="poisson", state=(-2, 2)),
    "wide": rw.Arm("a", A=0.95, B=-1.0, K=0.5, alpha=-4.0, beta=2.0, family="poisson", state=(-8, 8)),
    "bounded": rw.Arm("a", A=0.7, B=-1.2, K=0.4, alpha=0.5, beta=0.7, family="bounded", state=(-3, 3)),
    "bounded, steep": rw.Arm("a", A=0.5, B=-2.0, K=1.0, beta=3.0, family="bounded", state=(-3, 3)),
}
PLANE = {
    family: rw.Arm(
        "a", [[0.8, 0.1], [0.0, 0.5]], [-0.5, -0.8], [0.1, 0.2], 0.4, [0.7, 0.9], family, None, [(-2, 2), (-2, 2)]
    )
    for family in ("poisson", "bounded")
}
RADII = [1e-3, 0.05, 1.0]


def history(rng: np.random.Generator, arm: rw.Arm, rounds: int) -> tuple[list[int], list[float]]:
    pulls = [1, *rng.integers(0, 2, rounds - 1).tolist()]
    x = rng.uniform(arm.box[:, 0], arm.box[:, 1])[None, :]
    rewards = []
    for pulled in pulls:
        mean = float(mean_rewards(arm, x)[0])
        if pulled:
            rewards.append(float(rng.poisson(mean) if arm.family == "poisson" else rng.beta(5 * mean, 5 * (1 - mean))))
        x = next_states(arm, x, float(pulled))
    return pulls, rewards


def levels_of(arm: rw.Arm, pulls: Sequence[int], x0: Vector) -> tuple[Vector, Vector]:
    """(pull, candidate) levels and (candidate,) the next, by stepping every candidate through the rounds."""
    x, levels = x0.reshape(-1, arm.dimension), []
    for pulled in pulls:
        if pulled:
            levels.append(arm.alpha + x @ arm.weights)
        x = next_states(arm, x, float(pulled))
    return np.array(levels), arm.alpha + x @ arm.weights


def misfit(arm: rw.Arm, rewards: Sequence[float], levels: Vector) -> Vector:
    """Minus the log-likelihood, as SciPy or as a textbook has it."""
    r = np.array(rewards)[:, None]
    if arm.family == "poisson":
        return -np.asarray(poisson.logpmf(r, np.exp(levels))).sum(axis=0)
    return np.asarray((np.logaddexp(0, levels) - r * levels).sum(axis=0))


def divergence(arm: rw.Arm, p: Vector, q: Vector) -> Vector:
    """Kullback and Leibler's, summed over the pulls."""
    if arm.family == "poisson":
        return np.asarray((np.exp(p) * (p - q) - np.exp(p) + np.exp(q)).sum(axis=0))
    m = 1 / (1 + np.exp(-p))
    return np.asarray((m * (p - q) - np.logaddexp(0, p) + np.logaddexp(0, q)).sum(axis=0))


def mean_of(arm: rw.Arm, level: Any) -> Any:
    return np.exp(level) if arm.family == "poisson" else 1 / (1 + np.exp(-level))


@pytest.mark.parametrize("radius", RADII)
@pytest.mark.parametrize("kind", SCALAR)
@pytest.mark.parametrize("own", [False, True], ids=["linear", "own functions"])
def test_scalar_estimates_and_bounds_are_those_of_a_fine_grid(kind: str, radius: float, own: bool) -> None:
    arm, rng = SCALAR[kind], np.random.default_rng(31)
    A, B, K, alpha, beta, link = arm.A, arm.B, arm.K, arm.alpha, arm.beta, arm.reward_family.name
    if own:
        exp = np.exp
        g = (lambda x: exp(alpha + beta * x)) if link == "poisson" else (lambda x: 1 / (1 + exp(-alpha - beta * x)))
        asked = rw.Arm("a", h=lambda x, pulled: A * x + B * pulled + K, g=g, family=arm.family, state=arm.state)
    else:
        asked = arm
    grid = np.linspace(arm.state[0], arm.state[1], 8001)
    step = grid[1] - grid[0]
    for rounds in (1, 6, 30):
        pulls, rewards = history(rng, arm, rounds)
        found = rw.state_bounds(rw.Problem([asked], [], 1000), 0, pulls, rewards, radius)
        levels, now = levels_of(arm, pulls, grid)
        at_best, promised = levels_of(arm, pulls, np.array([found.mle]))
        least = misfit(arm, rewards, levels).min()
        assert misfit(arm, rewards, at_best)[0] <= least + 1e-7 * (1 + abs(least))
        inside = divergence(arm, levels, at_best) / len(rewards) <= radius
        first, last = grid[inside][[0, -1]] if inside.any() else (found.mle, found.mle)
        slack = step + 1e-5
        assert first - slack <= found.lower <= first + 1e-5
        assert last - 1e-5 <= found.upper <= last + slack
        best = max(now[inside].max(initial=-np.inf), promised[0])
        reach = abs(arm.beta) * step + 1e-6
        assert mean_of(arm, best - 1e-6) <= found.reward_ucb <= mean_of(arm, best + reach)


def likeliest(arm: rw.Arm, pulls: Sequence[int], rewards: Sequence[float], start: tuple[float, float]) -> float:
    """The least misfit that SciPy finds from here."""

    def cost(x: Vector) -> float:
        return float(misfit(arm, rewards, levels_of(arm, pulls, x)[0])[0])

    box = [(float(low), float(high)) for low, high in arm.box]
    tight: Any = {"ftol": 1e-15, "gtol": 1e-10}
    return float(minimize(cost, start, bounds=box, method="L-BFGS-B", options=tight).fun)


@pytest.mark.parametrize("family", PLANE)
def test_estimates_in_the_plane_are_those_of_scipy(family: str) -> None:
    arm, rng = PLANE[family], np.random.default_rng(32)
    for rounds in (2, 8, 20, 20, 20):
        pulls, rewards = history(rng, arm, rounds)
        radius = 10 ** rng.uniform(-3, 0)
        found = rw.state_bounds(rw.Problem([arm], [], 1000), 0, pulls, rewards, radius)
        judged = [likeliest(arm, pulls, rewards, start) for start in ((0.0, 0.0), (1.5, -1.5), (-1.0, 1.0))]
        at_best, _ = levels_of(arm, pulls, np.asarray(found.mle))
        assert misfit(arm, rewards, at_best)[0] <= min(judged) + 1e-8 * (1 + abs(min(judged)))

        axis = np.linspace(-2, 2, 401)
        grid = np.stack([each.ravel() for each in np.meshgrid(axis, axis)], axis=1)
        levels, now = levels_of(arm, pulls, grid)
        inside = divergence(arm, levels, at_best) / len(rewards) <= radius
        best = now[inside].max(initial=levels_of(arm, pulls, np.asarray(found.mle))[1][0])
        assert mean_of(arm, best - 1e-6) <= found.reward_ucb <= mean_of(arm, best + 0.01 * np.abs(arm.weights).sum())


@pytest.mark.parametrize("spread", [0.0, 0.7], ids=["plain", "in contexts"])
@pytest.mark.parametrize("kind", ["poisson", "few counts", "bounded"])
def test_the_weights_of_particles_are_their_likelihoods(kind: str, spread: float) -> None:
    arm, rng = SCALAR[kind], np.random.default_rng(33)
    pulls, rewards = history(rng, arm, 12)
    shifts = iter(spread * rng.standard_normal((len(rewards), 1)))
    told = []
    part = PARTICLES.build(rw.Problem([arm], [], 100), candidates=50, doubling=0)
    seen = iter(rewards)
    for t, pulled in enumerate(pulls):
        memo = np.zeros(MEMO)
        if pulled:
            told.append(next(shifts))
            memo[SHIFT] = told[-1].item()
        advance(part, Now(t, np.uint64(0), 0, t), 0 if pulled else -1, memo)
        if pulled:
            learn_reward(part, t, 0, memo, next(seen))
    x0 = arm.box[0, 0] + (np.arange(50) + 0.5) / 50 * (arm.box[0, 1] - arm.box[0, 0])
    levels, now = levels_of(arm, pulls, x0)
    evidence = -misfit(arm, rewards, levels + np.array(told))
    weights = np.exp(evidence - evidence.max())
    values, found = np.zeros((2, 1, 50))
    posterior_rewards(part, values, found)
    assert found[0] == pytest.approx(weights / weights.sum(), abs=1e-10)
    assert values[0] == pytest.approx(mean_of(arm, now), rel=1e-9)


def test_wilks_sets_hold_the_true_state_about_as_often_as_they_promise() -> None:
    arm, rng = SCALAR["poisson"], np.random.default_rng(34)
    radius, held, games = 3.841 / 2, 0, 300
    for _ in range(games):
        x0 = np.array([[0.3]])
        pulls, x, rewards = [1] * 12, x0, []
        for _pulled in pulls:
            rewards.append(float(rng.poisson(mean_rewards(arm, x)[0])))
            x = next_states(arm, x, 1.0)
        found = rw.state_bounds(rw.Problem([arm], [], 1000), 0, pulls, rewards, radius / len(pulls))
        held += bool(found.lower <= 0.3 <= found.upper)
    assert held / games == pytest.approx(0.95, abs=0.05)
