"""Estimates and confidence sets of one arm's initial state against SciPy, fine grids and the literal divergence."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numba
import numpy as np
import pytest
from benchmarks import reference
from scipy.optimize import linprog
from scipy.special import expit, log_expit, logit

import roguewk as rw
from roguewk.estimate.states.ball import Pulls, divergence, farthest
from roguewk.kernel.arrays import Vector

SCALAR = {
    "paper": rw.Arm("a", A=0.7, B=-1.2, K=0.4, alpha=0.5, beta=0.3, state=(-3, 3)),
    "strong": rw.Arm("a", A=0.5, B=-2.0, K=1.0, alpha=0.1, beta=1.0, state=(-3, 3)),
    "gaussian": rw.Arm("a", A=0.8, B=-0.6, K=0.2, alpha=0.5, beta=1.5, family="gaussian", sigma=0.7, state=(-3, 2)),
    "negative retention": rw.Arm("a", A=-0.8, B=-1.0, K=0.4, alpha=0.2, beta=0.8, state=(-3, 3)),
    "negative weight": rw.Arm("a", A=0.9, B=-0.3, K=0.1, alpha=-0.2, beta=-1.4, state=(-2, 3)),
    "both negative": rw.Arm("a", A=-0.6, B=0.5, alpha=0.3, beta=-2.0, family="gaussian", sigma=2.0, state=(-1, 4)),
    "forgets at once": rw.Arm("a", A=0.0, B=-1.0, K=0.5, state=(-2, 2)),
    "never forgets": rw.Arm("a", A=0.999, B=-0.01, K=0.001, beta=1.2, state=(-2, 2)),
    "200 log-odds wide": rw.Arm("a", A=0.9, B=-1.0, K=0.1, beta=2.0, state=(-50, 50)),
}
RADII = [1e-6, 1e-3, 0.05, 1.0, 1e3]


def problem_of(arm: rw.Arm) -> rw.Problem:
    return rw.Problem([arm], [], 1000)


def history(rng: np.random.Generator, arm: rw.Arm, rounds: int, x0: Any = None) -> tuple[list[int], list[float]]:
    """Random pulls, the first round among them, and rewards from the state `x0` or from anywhere."""
    pulls = [1, *rng.integers(0, 2, rounds - 1).tolist()]
    x: Vector = rng.uniform(*arm.box.T) if x0 is None else np.atleast_1d(x0)  # type: ignore[assignment]
    rewards = []
    for pulled in pulls:
        if pulled:
            mean = float(reference.mean_reward(arm, x))
            rewards.append(float(rng.random() < mean) if arm.sigma is None else rng.normal(mean, arm.sigma))
        x = reference.step(arm, x, bool(pulled))
    return pulls, rewards


def trajectory(arm: rw.Arm, pulls: Sequence[int], rewards: Sequence[float]) -> reference.Trajectory:
    past, seen = reference.Trajectory(arm), iter(rewards)
    for pulled in pulls:
        if pulled:
            past.observe(next(seen))
        past.advance(bool(pulled))
    return past


def followed(arm: rw.Arm, pulls: Sequence[int], x0: Vector) -> tuple[Vector, Vector]:
    """(pull, candidate) levels and (candidate,) the next mean, by stepping every candidate through the rounds."""
    h: Callable[..., Any] = arm.h or (lambda x, pulled: arm.A * x + arm.B * pulled + arm.K)
    own = arm.g
    level: Callable[..., Any] = (lambda x: arm.alpha + arm.beta * x) if own is None else lambda x: logit(own(x))
    x, levels = x0, []
    for pulled in pulls:
        if pulled:
            levels.append(np.vectorize(level, otypes=[float])(x))
        x = np.vectorize(h, otypes=[float])(x, float(pulled))
    now = np.vectorize(level, otypes=[float])(x)
    return np.array(levels).reshape(-1, len(x0)), np.asarray(expit(now) if arm.sigma is None else now)


def literal_divergence(arm: rw.Arm, p: Vector, q: Vector) -> Vector:
    """Of reward distributions at levels p from those at levels q, summed over the first axis."""
    if arm.sigma is not None:
        return np.asarray(((p - q) ** 2 / (2 * arm.sigma**2)).sum(axis=0))
    good = expit(p) * (log_expit(p) - log_expit(q))
    return np.asarray((good + expit(-p) * (log_expit(-p) - log_expit(-q))).sum(axis=0))


def log_likelihood(arm: rw.Arm, rewards: Sequence[float], levels: Vector) -> Vector:
    r = np.array(rewards)[:, None]
    if arm.sigma is not None:
        return np.asarray(-((r - levels) ** 2).sum(axis=0) / (2 * arm.sigma**2))
    return np.asarray(log_expit(np.where(r == 1, levels, -levels)).sum(axis=0))


@pytest.mark.parametrize("radius", RADII)
@pytest.mark.parametrize("kind", SCALAR)
def test_scalar_bounds_are_those_of_scipy(kind: str, radius: float) -> None:
    arm, rng = SCALAR[kind], np.random.default_rng(21)
    for rounds in (1, 2, 5, 12, 40):
        pulls, rewards = history(rng, arm, rounds)
        found = rw.state_bounds(problem_of(arm), 0, pulls, rewards, radius)
        past = trajectory(arm, pulls, rewards)
        estimate = reference.most_likely(past)
        assert past.log_likelihood(np.array([found.mle])) == pytest.approx(past.log_likelihood(estimate), abs=1e-9)
        assert found.reward_ucb == pytest.approx(reference.reward_bound(past, np.array([found.mle]), radius), abs=1e-7)
        assert arm.state[0] <= found.lower <= found.mle <= found.upper <= arm.state[1]


@pytest.mark.parametrize("radius", RADII)
@pytest.mark.parametrize("kind", SCALAR)
def test_scalar_bounds_are_those_of_a_fine_grid(kind: str, radius: float) -> None:
    arm, rng = SCALAR[kind], np.random.default_rng(22)
    grid = np.linspace(arm.state[0], arm.state[1], 4001)
    step = grid[1] - grid[0]
    for rounds in (1, 6, 30):
        pulls, rewards = history(rng, arm, rounds)
        found = rw.state_bounds(problem_of(arm), 0, pulls, rewards, radius)
        levels, now = followed(arm, pulls, grid)
        at_best, promised = followed(arm, pulls, np.array([found.mle]))
        assert log_likelihood(arm, rewards, at_best)[0] >= log_likelihood(arm, rewards, levels).max() - 1e-9

        inside = literal_divergence(arm, levels, at_best) / len(rewards) <= radius
        first, last = grid[inside][[0, -1]] if inside.any() else (found.mle, found.mle)
        slack = step + 1e-6
        assert first - slack <= found.lower <= first + 1e-6
        assert last - 1e-6 <= found.upper <= last + slack
        best = max(now[inside].max(initial=-np.inf), promised[0])
        assert best - 1e-7 <= found.reward_ucb <= best + step * abs(arm.beta) + 1e-7


@pytest.mark.parametrize("radius", [1e-4, 0.01, 0.3])
@pytest.mark.parametrize("kind", SCALAR)
def test_the_divergence_at_an_end_inside_the_state_set_is_the_radius(kind: str, radius: float) -> None:
    """The ends come from F(est) - F(x) - F'(x) (est - x); here the divergences are added up pull by pull."""
    arm, rng = SCALAR[kind], np.random.default_rng(23)
    for rounds in (1, 8, 25):
        pulls, rewards = history(rng, arm, rounds)
        found = rw.state_bounds(problem_of(arm), 0, pulls, rewards, radius)
        at_best, _ = followed(arm, pulls, np.array([found.mle]))
        for end, side in ((found.lower, arm.state[0]), (found.upper, arm.state[1])):
            levels, _ = followed(arm, pulls, np.array([end]))
            per_pull = literal_divergence(arm, levels, at_best)[0] / len(rewards)
            if end == side:
                assert per_pull <= radius * (1 + 1e-6)
            else:
                assert per_pull == pytest.approx(radius, rel=1e-6)


@pytest.mark.parametrize("family", ["bernoulli", "gaussian"])
def test_the_divergence_of_summed_log_partitions_is_the_sum_of_divergences(family: str) -> None:
    rng = np.random.default_rng(24)
    for size in (1, 2, 3):
        arm = vector_arm(rng, size, family)
        pulls, rewards = history(rng, arm, 15)
        past, kernel = trajectory(arm, pulls, rewards), kernel_pulls(arm, pulls, rewards)
        for _ in range(20):
            x, estimate = rng.uniform(-2, 2, (2, size))
            literal = reference.trajectory_divergence(past, x, estimate) * (arm.sigma or 1.0) ** 2
            assert divergence(kernel, x, estimate) == pytest.approx(literal, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("kind", SCALAR)
def test_a_radius_of_zero_leaves_the_estimate(kind: str) -> None:
    arm = SCALAR[kind]
    pulls, rewards = history(np.random.default_rng(25), arm, 20)
    found = rw.state_bounds(problem_of(arm), 0, pulls, rewards, 0.0)
    at_best, promised = followed(arm, pulls, np.array([found.mle]))
    assert found.reward_ucb == pytest.approx(promised[0], abs=1e-6)
    ends, _ = followed(arm, pulls, np.array([found.lower, found.upper]))
    assert literal_divergence(arm, ends, at_best) == pytest.approx([0, 0], abs=1e-11)


@pytest.mark.parametrize("kind", SCALAR)
def test_without_pulls_every_state_is_possible(kind: str) -> None:
    arm = SCALAR[kind]
    for pulls in ([], [0], [0] * 7):
        found = rw.state_bounds(problem_of(arm), 0, pulls, [], 0.01)
        _, promised = followed(arm, pulls, np.array(arm.state))
        assert (found.lower, found.upper) == arm.state
        assert found.reward_ucb == pytest.approx(promised.max(), abs=1e-12)


@pytest.mark.parametrize("reward", [0.0, 1.0])
@pytest.mark.parametrize("kind", ["paper", "strong", "negative weight", "never forgets", "200 log-odds wide"])
def test_rewards_that_are_all_equal_put_the_estimate_at_an_end_of_the_state_set(kind: str, reward: float) -> None:
    arm = SCALAR[kind]
    found = rw.state_bounds(problem_of(arm), 0, [1] * 5, [reward] * 5, 0.1)
    end = arm.state[1] if (reward == 1) == (arm.beta > 0) else arm.state[0]
    assert found.mle == end
    assert end in (found.lower, found.upper)


@pytest.mark.parametrize("kind", ["paper", "strong", "gaussian", "negative retention", "forgets at once"])
def test_pulls_long_after_the_start_say_nothing_of_it(kind: str) -> None:
    arm = SCALAR[kind]
    pulls = [0] * 400 + [1, 0, 1]
    found = rw.state_bounds(problem_of(arm), 0, pulls, [1.0, 0.0], 1e-3)
    _, promised = followed(arm, pulls, np.array(arm.state))
    assert (found.lower, found.upper) == arm.state
    assert promised[0] == pytest.approx(promised[1], abs=1e-12)
    assert found.reward_ucb == pytest.approx(promised[0], abs=1e-9)


@pytest.mark.parametrize("kind", ["paper", "strong", "gaussian", "negative retention", "negative weight"])
def test_pulls_long_after_the_start_dilute_the_radius_but_move_nothing_else(kind: str) -> None:
    arm, rng = SCALAR[kind], np.random.default_rng(26)
    pulls, rewards = history(rng, arm, 8)
    later = [*pulls, *[0] * 400, *[1] * 4]
    rewards_later = [*rewards, 1.0, 0.0, 0.0, 1.0]
    early = rw.state_bounds(problem_of(arm), 0, pulls, rewards, 0.02 * len(rewards_later) / len(rewards))
    late = rw.state_bounds(problem_of(arm), 0, later, rewards_later, 0.02)
    assert (late.mle, late.lower, late.upper) == pytest.approx((early.mle, early.lower, early.upper), abs=1e-7)


def vector_arm(rng: np.random.Generator, size: int, family: str) -> rw.Arm:
    matrix = rng.normal(size=(size, size))
    matrix *= rng.uniform(0.2, 0.98) / np.abs(np.linalg.eigvals(matrix)).max()
    push, pull_back, weights = rng.normal(size=(3, size))
    sigma = 0.7 if family == "gaussian" else None
    box: Any = (-2, 2) if size == 1 else [(-2, 2)] * size
    return rw.Arm("a", matrix, push, pull_back, 0.3, weights, family, sigma, box)


def kernel_pulls(arm: rw.Arm, pulls: Sequence[int], rewards: Sequence[float]) -> Pulls:
    """The history as the kernel keeps it."""
    past, k = trajectory(arm, pulls, rewards), arm.dimension
    slopes, levels = arm.weights @ past.powers, arm.alpha + past.offsets @ arm.weights
    rows = np.column_stack([slopes, levels, np.ones(len(rewards)), rewards])
    return Pulls(rows, np.array(arm.box), np.zeros((2 * k + 8, k)), int(arm.sigma is not None))


@pytest.mark.parametrize("family", ["bernoulli", "gaussian"])
@pytest.mark.parametrize("size", [2, 3])
def test_vector_bounds_are_those_of_slsqp_from_many_starts(size: int, family: str) -> None:
    rng = np.random.default_rng(27)
    for trial in range(25):
        arm = vector_arm(rng, size, family)
        pulls, rewards = history(rng, arm, int(rng.integers(2, 20)))
        radius = 10 ** rng.uniform(-4, 0.5)
        found = rw.state_bounds(problem_of(arm), 0, pulls, rewards, radius)
        past = trajectory(arm, pulls, rewards)
        mle = np.asarray(found.mle)
        # The likelihood is log-concave: a slope that only points out of the box proves a maximum.
        assert (past.score(mle)[mle < 2] <= 1e-6).all(), trial
        assert (past.score(mle)[mle > -2] >= -1e-6).all(), trial
        assert past.log_likelihood(mle) >= past.log_likelihood(reference.most_likely(past)) - 1e-9, trial
        assert found.reward_ucb >= reference.reward_bound(past, mle, radius) - 1e-6, trial

        kernel, limit = kernel_pulls(arm, pulls, rewards), radius * len(rewards) * (arm.sigma or 1.0) ** 2
        best = np.zeros(size)
        farthest(kernel, mle, arm.weights @ past.power, limit, best)
        assert reference.trajectory_divergence(past, best, mle) / len(rewards) <= radius * (1 + 1e-6), trial
        assert found.reward_ucb == pytest.approx(float(reference.mean_reward(arm, past.now(best))), abs=1e-7), trial
        assert (arm.box[:, 0] <= found.lower).all()
        assert (found.lower <= mle).all()
        assert (mle <= found.upper).all()
        assert (found.upper <= arm.box[:, 1]).all()


def furthest_by_scipy(past: reference.Trajectory, mle: Vector, direction: Vector, radius: float) -> float:
    """The height of the confidence set in a direction, by SLSQP through an arm whose next level is that direction."""
    arm = past.arm
    probe = rw.Arm("p", arm.matrix, arm.push, arm.pull_back, arm.alpha, arm.weights, arm.family, arm.sigma, arm.box)
    other = reference.Trajectory(probe)
    other.powers, other.offsets, other.rewards = past.powers, past.offsets, past.rewards
    # With A' w = direction the reward bound of `probe` is that of the direction itself.
    other.power = np.asarray(np.linalg.lstsq(arm.weights[None, :], direction[None, :], rcond=None)[0], dtype=np.float64)
    bound = reference.reward_bound(other, mle, radius)
    return float(logit(bound) if arm.sigma is None else bound) - arm.alpha


@pytest.mark.parametrize("family", ["bernoulli", "gaussian"])
@pytest.mark.parametrize("size", [2, 3])
def test_the_ends_in_every_coordinate_are_those_of_slsqp_with_sides_of_the_box_active_and_not(
    size: int, family: str
) -> None:
    rng = np.random.default_rng(28)
    active = inner = 0
    for trial in range(12):
        arm = vector_arm(rng, size, family)
        pulls, rewards = history(rng, arm, 15)
        radius = 10 ** rng.uniform(-5, -1)
        found = rw.state_bounds(problem_of(arm), 0, pulls, rewards, radius)
        past, mle = trajectory(arm, pulls, rewards), np.asarray(found.mle)
        kernel, limit = kernel_pulls(arm, pulls, rewards), radius * len(rewards) * (arm.sigma or 1.0) ** 2
        for i in range(size):
            for sign, ends in ((-1.0, found.lower), (1.0, found.upper)):
                direction, best = sign * np.eye(size)[i], np.zeros(size)
                farthest(kernel, mle, direction, limit, best)
                end = float(np.asarray(ends)[i])
                assert best[i] == pytest.approx(end, abs=1e-6)
                assert reference.trajectory_divergence(past, best, mle) / len(rewards) <= radius * (1 + 1e-6)
                assert sign * end >= furthest_by_scipy(past, mle, direction, radius) - 1e-5, trial
                touching = bool((np.abs(best) >= 2).any())
                active, inner = active + touching, inner + (not touching)
    assert min(active, inner) > 2


def test_one_gaussian_pull_bounds_a_slab_whose_ends_a_linear_program_finds() -> None:
    rng = np.random.default_rng(29)
    for size in (2, 3, 4):
        for _ in range(15):
            arm = vector_arm(rng, size, "gaussian")
            assert arm.sigma is not None
            radius = 10 ** rng.uniform(-8, 0)
            found = rw.state_bounds(problem_of(arm), 0, [1], [float(rng.normal())], radius)
            past = trajectory(arm, [1], [0.0])
            u, slope = arm.weights, arm.weights @ past.power
            middle, half = float(u @ np.asarray(found.mle)), math.sqrt(2 * radius) * arm.sigma
            best = linprog(-slope, [u, -u], [middle + half, half - middle], bounds=[(-2, 2)] * size)
            expected = -float(best.fun or 0.0) + float(arm.weights @ past.offset) + arm.alpha
            assert found.reward_ucb == pytest.approx(expected, abs=1e-6)


def test_a_vector_arm_of_independent_copies_is_bounded_as_the_scalar_arm_is() -> None:
    """The second coordinate never shows, so the first is a scalar arm of its own."""
    scalar = rw.Arm("s", A=0.7, B=-1.2, K=0.4, alpha=0.5, beta=0.9, state=(-3, 3))
    both = rw.Arm("v", [[0.7, 0], [0, 0.5]], [-1.2, 1], [0.4, 0], 0.5, [0.9, 0], state=[(-3, 3), (-1, 1)])
    rng = np.random.default_rng(30)
    for radius in (1e-3, 0.05, 2.0):
        pulls, rewards = history(rng, scalar, 20)
        one = rw.state_bounds(problem_of(scalar), 0, pulls, rewards, radius)
        two = rw.state_bounds(problem_of(both), 0, pulls, rewards, radius)
        ends = [np.asarray(numbers)[0] for numbers in (two.mle, two.lower, two.upper)]
        assert ends == pytest.approx([one.mle, one.lower, one.upper], abs=1e-6)
        assert two.reward_ucb == pytest.approx(one.reward_ucb, abs=1e-8)
        assert (np.asarray(two.lower)[1], np.asarray(two.upper)[1]) == (-1, 1)


@pytest.mark.parametrize("radius", [1e-4, 0.01, 0.3, 50.0])
@pytest.mark.parametrize("kind", [kind for kind in SCALAR if kind != "never forgets"])
def test_functions_equal_to_the_linear_forms_give_the_linear_bounds(kind: str, radius: float) -> None:
    linear, rng = SCALAR[kind], np.random.default_rng(31)
    A, B, K, alpha, beta = (float(number) for number in (linear.A, linear.B, linear.K, linear.alpha, linear.beta))
    gaussian = linear.sigma is not None

    def h(x: float, pulled: float) -> float:
        return A * x + B * pulled + K

    def g(x: float) -> float:
        level = alpha + beta * x
        return level if gaussian else 1 / (1 + math.exp(-level))

    shared: Any = {"family": linear.family, "sigma": linear.sigma, "state": linear.state}
    own_h = rw.Arm("a", h=h, alpha=alpha, beta=beta, **shared)
    own_both = rw.Arm("a", h=h, g=g, **shared)
    for rounds in (1, 10):
        pulls, rewards = history(rng, linear, rounds)
        expected = rw.state_bounds(problem_of(linear), 0, pulls, rewards, radius)
        for arm in (own_h, own_both) if kind != "200 log-odds wide" else (own_h,):
            found = rw.state_bounds(problem_of(arm), 0, pulls, rewards, radius)
            assert found.reward_ucb == pytest.approx(expected.reward_ucb, abs=1e-6)
            if kind != "forgets at once" or pulls[0]:
                ends = [expected.mle, expected.lower, expected.upper]
                assert [found.mle, found.lower, found.upper] == pytest.approx(ends, abs=2e-6 * np.ptp(linear.state))


def tired(x: float, pulled: float) -> float:
    return 0.5 * math.tanh(x) - 0.4 * pulled


def hill(x: float) -> float:
    return 0.1 + 0.8 * math.exp(-2 * x * x)


def slope(x: float) -> float:
    return 0.5 + 0.4 * math.tanh(x)


def own_history(rng: np.random.Generator, arm: rw.Arm, rounds: int) -> tuple[list[int], list[float]]:
    pulls = [1, *rng.integers(0, 2, rounds - 1).tolist()]
    levels, _ = followed(arm, pulls, rng.uniform(arm.state[0], arm.state[1], 1))
    return pulls, [float(rng.random() < expit(level)) for level in levels[:, 0]]


@pytest.mark.parametrize("radius", [1e-3, 0.02, 0.2, 5.0])
def test_a_nonlinear_h_and_a_monotone_g_are_bounded_as_by_brute_force(radius: float) -> None:
    arm, rng = rw.Arm("a", h=tired, g=slope, state=(-2, 2)), np.random.default_rng(32)
    grid = np.linspace(-2, 2, 8001)
    for rounds in (1, 3, 9):
        pulls, rewards = own_history(rng, arm, rounds)
        found = rw.state_bounds(problem_of(arm), 0, pulls, rewards, radius)
        levels, now = followed(arm, pulls, grid)
        at_best, _ = followed(arm, pulls, np.array([found.mle]))
        assert log_likelihood(arm, rewards, at_best)[0] >= log_likelihood(arm, rewards, levels).max() - 1e-9
        inside = literal_divergence(arm, levels, at_best) / len(rewards) <= radius
        assert found.lower == pytest.approx(grid[inside].min(), abs=6e-4)
        assert found.upper == pytest.approx(grid[inside].max(), abs=6e-4)
        assert found.reward_ucb == pytest.approx(now[inside].max(), abs=3e-4)


@pytest.mark.parametrize("radius", [1e-2, 0.1, 5.0])
def test_a_g_that_rises_and_falls_is_bounded_to_the_spacing_of_the_candidates(radius: float) -> None:
    arm, rng = rw.Arm("a", h=tired, g=hill, state=(-2, 2)), np.random.default_rng(33)
    grid = np.linspace(-2, 2, 8001)
    for rounds in (1, 2, 6):
        pulls, rewards = own_history(rng, arm, rounds)
        found = rw.state_bounds(problem_of(arm), 0, pulls, rewards, radius)
        levels, now = followed(arm, pulls, grid)
        at_best, _ = followed(arm, pulls, np.array([found.mle]))
        assert log_likelihood(arm, rewards, at_best)[0] >= log_likelihood(arm, rewards, levels).max() - 1e-6
        inside = literal_divergence(arm, levels, at_best) / len(rewards) <= radius
        assert now[inside].max() - 0.01 <= found.reward_ucb <= now[inside].max() + 1e-3
        assert found.lower == pytest.approx(grid[inside].min(), abs=4 / 32)
        assert found.upper == pytest.approx(grid[inside].max(), abs=4 / 32)


def test_functions_compiled_by_numba_are_taken_as_they_are() -> None:
    plain = rw.Arm("a", h=tired, g=hill, state=(-2, 2))
    compiled = rw.Arm("a", h=numba.njit(tired), g=numba.njit(hill), state=(-2, 2))
    pulls, rewards = own_history(np.random.default_rng(34), plain, 12)
    found = [rw.state_bounds(problem_of(arm), 0, pulls, rewards, 0.05) for arm in (plain, compiled)]
    assert [found[0].mle, found[0].lower, found[0].upper] == [found[1].mle, found[1].lower, found[1].upper]
    assert found[0].reward_ucb == found[1].reward_ucb


def test_an_own_h_with_a_wide_linear_link_keeps_states_whose_reward_is_certain() -> None:
    """Means of 1 - 1e-17 round to 1; the divergence must not be lost there."""
    linear = rw.Arm("a", A=0.5, B=-0.4, state=(-100, 100))
    own = rw.Arm("a", h=lambda x, pulled: 0.5 * x - 0.4 * pulled, state=(-100, 100))
    for radius in (0.5, 1.0, 5.0, 50.0):
        expected, found = (rw.state_bounds(problem_of(arm), 0, [1, 0, 1], [1, 0], radius) for arm in (linear, own))
        assert [found.lower, found.upper] == pytest.approx([expected.lower, expected.upper], abs=1e-4)
        assert found.reward_ucb == pytest.approx(expected.reward_ucb, abs=1e-6)


@pytest.mark.parametrize("kind", ["paper", "strong", "gaussian", "negative retention"])
def test_at_the_theorems_radius_the_true_state_is_always_inside(kind: str) -> None:
    """Also: that radius is so wide that here it holds all of X, as the notes say of the paper's own constants."""
    arm, rng = SCALAR[kind], np.random.default_rng(35)
    problem = problem_of(arm)
    for _ in range(200):
        x0 = float(rng.uniform(*arm.state))
        pulls, rewards = history(rng, arm, int(rng.integers(1, 60)), x0)
        found = rw.state_bounds(problem, 0, pulls, rewards, rw.theorem_radius(problem, 0, len(rewards)))
        assert found.lower <= x0 <= found.upper
        assert (found.lower, found.upper) == arm.state


def test_coverage_grows_with_the_radius_and_is_what_wilks_theorem_says() -> None:
    """An arm that hardly forgets: twice the divergence at the truth is then about chi-squared with one degree."""
    arm, rng = rw.Arm("a", A=0.995, B=-0.02, K=0.01, state=(-3, 3)), np.random.default_rng(36)
    quantiles = {0.5: 0.455, 0.8: 1.642, 0.95: 3.841}
    covered = dict.fromkeys(quantiles, 0)
    for _ in range(400):
        x0 = float(rng.uniform(-1, 1))
        pulls, rewards = history(rng, arm, 120, x0)
        ends = []
        for level, quantile in quantiles.items():
            found = rw.state_bounds(problem_of(arm), 0, pulls, rewards, quantile / 2 / len(rewards))
            covered[level] += bool(found.lower <= x0 <= found.upper)
            ends.append((found.lower, found.upper))
        assert ends[0][0] >= ends[1][0] >= ends[2][0]
        assert ends[0][1] <= ends[1][1] <= ends[2][1]
    for level, count in covered.items():
        assert count / 400 == pytest.approx(level, abs=4 * math.sqrt(level * (1 - level) / 400))


def test_the_theorems_radius_shrinks_like_one_over_the_root_of_the_pulls() -> None:
    problem = rw.catalog.paper().problem
    for arm in range(3):
        at_one = rw.theorem_radius(problem, arm, 1)
        for n in (2, 10, 1000, 10**6):
            assert rw.theorem_radius(problem, arm, n) * math.sqrt(n) == pytest.approx(at_one, rel=1e-12)
        assert rw.theorem_radius(problem, arm, 7, scale=0.25) == pytest.approx(0.25 * at_one / math.sqrt(7))


def test_the_theorems_radius_is_its_formula() -> None:
    problem = rw.catalog.paper().problem
    slope, width, spread = expit(0.2 + 0.8 * 3) * 0.8, 6.0, 0.8 * 6 * 0.5
    c_f = 8 * slope * width * math.sqrt(math.pi) + 48 * math.sqrt(2) * 2 * slope * width * math.sqrt(math.pi)
    expected = c_f + spread * math.sqrt(2 * math.log(6 * 3 * 1000**2))
    assert rw.theorem_radius(problem, "arm 0", 1) == pytest.approx(expected, rel=1e-9)


def test_an_arm_is_found_by_name_and_by_index() -> None:
    problem = rw.catalog.paper().problem
    by_name = rw.state_bounds(problem, "arm 2", [1, 0, 1], [1, 0], 0.1)
    by_index = rw.state_bounds(problem, 2, np.array([1, 0, 1]), np.array([1.0, 0.0]), 0.1)
    assert by_name.reward_ucb == by_index.reward_ucb


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("arm 9", [1], [1], 0.1), "there is no arm 'arm 9'"),
        ((3, [1], [1], 0.1), "arm is 3: give a whole number from 0 to 2"),
        ((0, [1, 1], [1], 0.1), "arm 'arm 0' has 2 pulls and 1 rewards: give a reward for each pull"),
        ((0, [1, 2], [1], 0.1), "pulls of arm 'arm 0' hold other numbers than 0 and 1"),
        ((0, [1], [0.5], 0.1), "reward 0.5 of arm 'arm 0' is not 0 or 1"),
        ((0, [1], [float("nan")], 0.1), "reward of arm 'arm 0' is nan: give a finite number"),
        ((0, [1], ["good"], 0.1), "reward of arm 'arm 0' is 'good': give a number"),
        ((0, 1, [1], 0.1), "not lists of numbers"),
        ((0, ["yes"], [1], 0.1), "not lists of numbers"),
        ((0, [float("nan")], [], 0.1), "hold other numbers than 0 and 1"),
        ((0, [1], [1], -0.1), "radius is -0.1: give a number of at least 0"),
        ((0, [1], [1], float("nan")), "radius is nan: give a finite number"),
        ((0, [1], [1], "wide"), "radius is 'wide': give a number"),
    ],
)
def test_bad_input_gets_a_sentence(arguments: tuple[Any, ...], sentence: str) -> None:
    with pytest.raises(rw.InputError) as caught:
        rw.state_bounds(rw.catalog.paper().problem, *arguments)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("radius", [0.003, 0.01, 0.03, 0.1, 1.0])
def test_a_reward_that_peaks_inside_a_set_of_two_pieces_is_found(radius: float) -> None:
    def bell(x: float) -> float:
        return 0.1 + 0.8 * math.exp(-4 * (x - 0.3) ** 2)

    problem = rw.Problem([rw.Arm("bell", g=bell, A=0.7, B=-0.3, K=0.1, state=(-1.3, 1.3))], [], horizon=100)
    found = rw.state_bounds(problem, 0, [1], [0], radius)
    grid = np.linspace(-1.3, 1.3, 40_001)
    p, q = np.array([bell(x) for x in grid]), bell(float(found.mle))
    inside = p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q)) <= radius
    exact = max(bell(0.7 * x - 0.2) for x in grid[inside])
    np.testing.assert_allclose(found.reward_ucb, exact, atol=1e-4)


def test_a_vector_set_of_radius_zero_holds_what_no_pull_can_tell_apart() -> None:
    arm = rw.Arm("two", A=[[0.9, 0.0], [0.0, 0.1]], B=[0, 0], K=[0, 0], beta=[1, 1], family="gaussian", sigma=1.0)
    problem = rw.Problem([arm.with_state([[-1, 1], [-1, 1]])], [], horizon=10)
    np.testing.assert_allclose(rw.state_bounds(problem, 0, [1], [0.0], radius=0.0).reward_ucb, 0.8, atol=1e-6)


def test_a_world_in_place_of_a_problem_is_named() -> None:
    world: Any = rw.catalog.paper()
    with pytest.raises(rw.InputError, match="the problem is a World"):
        rw.theorem_radius(world, 0, 1)
    with pytest.raises(rw.InputError, match="the problem is a World"):
        rw.state_bounds(world, 0, [1], [1], radius=1.0)
