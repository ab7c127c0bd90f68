"""The steps of Algorithm 1 of the paper, one function each."""

from collections.abc import Callable

import numpy as np
from scipy.optimize import Bounds, brentq, linprog, minimize

from benchmarks.reference.arms import Trajectory, kl, mean_reward
from roguewk.kernel.arrays import Vector

IDLE = -1
STARTS = 8  # of SLSQP: the trajectory divergence is not convex in its first argument


def most_likely(past: Trajectory) -> Vector:
    """(coordinate,) the x0 in X under which the rewards are most likely."""
    if past.arm.dimension > 1:
        return _most_likely_vector(past)
    low, high = past.arm.box[:, 0], past.arm.box[:, 1]
    if past.score(low)[0] <= 0:
        return low
    if past.score(high)[0] >= 0:
        return high
    return np.array([brentq(lambda x: past.score(np.array([x]))[0], low[0], high[0])])


def _most_likely_vector(past: Trajectory) -> Vector:
    def loss(x0: Vector) -> float:
        return -past.log_likelihood(x0)

    def gradient(x0: Vector) -> Vector:
        return -past.score(x0)

    low, high = past.arm.box.T
    found = minimize(
        loss,
        (low + high) / 2,
        jac=gradient,
        method="L-BFGS-B",
        bounds=Bounds(low, high),
        options={"ftol": 0.0, "gtol": 1e-11},
    )
    return np.asarray(found.x)


def trajectory_divergence(past: Trajectory, x0: Vector, other: Vector) -> float:
    """D(x0 || other): the sum of the divergences of the states in which the arm was pulled."""
    return float(kl(past.arm, past.at_pulls(x0), past.at_pulls(other)).sum())


def reward_bound(past: Trajectory, estimate: Vector, radius: float) -> float:
    """The largest g(x_t) over the x0 in X with D(x0 || estimate) / n <= radius."""
    arm, slope = past.arm, past.arm.weights @ past.power
    if radius == 0 or not slope.any():
        return float(mean_reward(arm, past.now(estimate)))

    def room(x0: Vector) -> float:
        return 1 - trajectory_divergence(past, x0, estimate) / len(past.rewards) / radius

    best = np.where(slope > 0, arm.box[:, 1], arm.box[:, 0])  # g(x_t) grows with slope . x0
    if room(best) < 0 and arm.dimension == 1:
        best = np.array([brentq(lambda x: room(np.array([x])), estimate[0], best[0])])
    elif room(best) < 0:
        best = _furthest(slope / np.abs(slope).max(), room, estimate, arm.box)
    return float(mean_reward(arm, past.now(best)))


def _furthest(direction: Vector, room: Callable[[Vector], float], estimate: Vector, box: Vector) -> Vector:
    """The x0 in the box that is furthest in a direction while there is room."""

    def loss(x0: Vector) -> float:
        return -float(direction @ x0)

    def gradient(x0: Vector) -> Vector:
        return -direction

    low, high = box.T
    candidates = [estimate]
    for start in [estimate, *np.random.default_rng(0).uniform(low, high, (STARTS - 1, len(low)))]:
        found = minimize(
            loss,
            start,
            jac=gradient,
            method="SLSQP",
            bounds=Bounds(low, high),
            constraints={"type": "ineq", "fun": room},
            options={"ftol": 1e-12, "maxiter": 200},
        )
        if room(found.x) >= -1e-9:
            candidates.append(np.asarray(found.x))
    return min(candidates, key=loss)


def cost_bounds(means: Vector, n: Vector, radius: float) -> Vector:
    """(arm, resource) the means less radius / sqrt(n), kept in [0, 1]."""
    return np.clip(means - radius / np.sqrt(n)[:, None], 0, 1)


def single_step_lp(g: Vector, c: Vector, rates: Vector) -> tuple[float, Vector]:
    """Value and solution of: maximise g . pi over pi >= 0 with c_j . pi <= b_j and sum pi <= 1."""
    found = linprog(-g, A_ub=np.vstack([c.T, np.ones(len(g))]), b_ub=np.append(rates, 1.0), method="highs")
    if found.x is None or found.fun is None:
        raise ArithmeticError(f"HiGHS found no solution: {found.message}")
    return -float(found.fun), np.maximum(found.x, 0.0)


def play_always(g: Vector, pi: Vector) -> Vector:
    """`pi` without idle rounds: its proportions, or the best arm where it only idles."""
    return np.asarray(pi / pi.sum() if pi.sum() > 0 else np.eye(len(g))[np.argmax(g)])


def draw_arm(pi: Vector, u: float, idle: bool) -> int:
    """The first arm whose cumulative probability exceeds u."""
    reached = np.flatnonzero(u < np.cumsum(pi))
    if len(reached):
        return int(reached[0])
    return IDLE if idle else int(np.flatnonzero(pi)[-1])
