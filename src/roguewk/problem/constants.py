"""The constants of the paper's assumptions over X, and Theorem 1's radius made of them."""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import Arm
from roguewk.problem.errors import InputError, number, shown, whole
from roguewk.problem.problem import Problem, check_problem

GRID = 2001  # points of X for functions of the user's own
SETTLE = 100  # rounds
REMEMBERED = 1024  # arms, whose constants every policy of a simulation asks for
TAIL = 4.0  # sigmas: rewards further out than that are left out of a Gaussian arm's L_f


@dataclass(frozen=True)
class ArmConstants:
    """The tightest constants of one arm over its state set X.

    `L_h`, `L_g`: slopes of the dynamics and of the mean reward; `L_f`, `L_p`: slopes of the log-likelihood ratio in
    the state and in the reward; `sigma`: sub-Gaussian parameter; `diameter`: of X. `invariant`: X holds every next
    state; `injective`: no two states have the same next one; `numerical`: found on a grid, not by formula.

    >>> import roguewk as rw
    >>> from roguewk.problem.constants import arm_constants
    >>> constants = arm_constants(rw.catalog.paper().problem.arms[0])
    >>> constants.L_h, constants.L_g, constants.diameter
    (0.2, 0.2, 6.0)
    """

    L_h: float
    L_g: float
    L_f: float
    L_p: float
    sigma: float
    diameter: float
    dimension: int
    invariant: bool
    injective: bool
    numerical: bool


def _logistic(level: float) -> float:
    return 1 / (1 + math.exp(-level)) if level >= 0 else math.exp(level) / (1 + math.exp(level))


def _linear_dynamics(arm: Arm) -> tuple[float, bool, bool]:
    """L_h, invariance and injectivity of `A x + B pulled + K`."""
    middle, radius = arm.box.mean(axis=1), np.diff(arm.box, axis=1)[:, 0] / 2
    reach = np.abs(arm.matrix) @ radius
    moves = [np.abs(arm.matrix @ middle + arm.pull_back + arm.push * pulled - middle) for pulled in (0.0, 1.0)]
    invariant = all((move + reach <= radius * (1 + 1e-9)).all() for move in moves)
    injective = int(np.linalg.matrix_rank(arm.matrix)) == arm.dimension
    return float(np.linalg.norm(arm.matrix, 2)), invariant, injective


def _on_grid(arm: Arm, function: Callable[[float], float], what: str) -> tuple[Vector, Vector]:
    states = np.linspace(arm.box[0, 0], arm.box[0, 1], GRID)
    try:
        values = np.array([float(function(float(x))) for x in states])
    except Exception as error:  # it is the user's code: anything may come
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        form = "h(x, pulled)" if what == "h" else "g(x)"
        raise InputError(f"{what} of arm {arm.name!r} fails on X ({reason}): give a function {form}") from None
    if not np.isfinite(values).all():
        x = float(states[~np.isfinite(values)][0])
        raise InputError(f"{what} of arm {arm.name!r} is not finite at state {x:g}: give a function finite on X")
    return states, values


def _custom_dynamics(arm: Arm) -> tuple[float, bool, bool]:
    """L_h, invariance and injectivity of the arm's own h, on a grid."""
    h = arm.h
    assert h is not None
    low, high = arm.box[0]
    slack = 1e-9 * (high - low)
    slope, invariant, injective = 0.0, True, True
    for pulled in (0.0, 1.0):
        states, after = _on_grid(arm, lambda x, pulled=pulled: h(x, pulled), "h")  # type: ignore[misc]
        steps = np.diff(after)
        slope = max(slope, float(np.abs(steps / np.diff(states)).max()))
        invariant &= bool(after.min() >= low - slack and after.max() <= high + slack)
        injective &= bool((steps > 0).all() or (steps < 0).all())
    return slope, invariant, injective


def _linear_rewards(arm: Arm) -> tuple[float, float, float]:
    """L_g, L_f and L_p when the level is `alpha + beta . x`."""
    ends = arm.weights[:, None] * arm.box
    low, high = arm.alpha + float(ends.min(axis=1).sum()), arm.alpha + float(ends.max(axis=1).sum())
    norm = float(np.linalg.norm(arm.weights))
    if arm.sigma is not None:
        variance = arm.sigma**2
        return norm, (high - low + TAIL * arm.sigma) * norm / variance, (high - low) / variance
    steepest = _logistic(min(max(0.0, low), high))
    return steepest * (1 - steepest) * norm, max(_logistic(high), _logistic(-low)) * norm, high - low


def _custom_rewards(arm: Arm) -> tuple[float, float, float]:
    """L_g, L_f and L_p of the arm's own g, on a grid; infinite where a Bernoulli mean touches 0 or 1."""
    assert arm.g is not None
    states, means = _on_grid(arm, arm.g, "g")
    low, high, widths = float(means.min()), float(means.max()), np.diff(states)
    slope = float(np.abs(np.diff(means) / widths).max())
    if arm.sigma is not None:
        variance = arm.sigma**2
        return slope, (high - low + TAIL * arm.sigma) * slope / variance, (high - low) / variance
    if low < 0 or high > 1:
        bad = low if low < 0 else high
        raise InputError(f"g of arm {arm.name!r} gives {bad:g}: give mean rewards from 0 to 1, or use family gaussian")
    if low == 0 or high == 1:
        return slope, math.inf, math.inf
    logs = (np.log(means), np.log1p(-means))
    steepest = max(float(np.abs(np.diff(log) / widths).max()) for log in logs)
    return slope, steepest, float(np.ptp(logs[0] - logs[1]))


@functools.lru_cache(REMEMBERED)
def arm_constants(arm: Arm) -> ArmConstants:
    """Find the constants of an arm over its X.

    A Gaussian log-likelihood ratio has no finite `L_f`, because its slope grows with the reward; the number given
    holds for rewards up to 4 sigma outside the range of the means.

    >>> import roguewk as rw
    >>> from roguewk.problem.constants import arm_constants
    >>> arm_constants(rw.Arm("coin", A=0.5, B=-1.0, state=(-2, 0))).L_p
    2.0
    """
    with np.errstate(all="ignore"):
        dynamics = _linear_dynamics(arm) if arm.h is None else _custom_dynamics(arm)
        rewards = _linear_rewards(arm) if arm.g is None else _custom_rewards(arm)
        diameter = float(np.linalg.norm(arm.box[:, 1] - arm.box[:, 0]))
    sigma = 0.5 if arm.sigma is None else arm.sigma
    slope, invariant, injective = dynamics
    return ArmConstants(slope, *rewards, sigma, diameter, arm.dimension, invariant, injective, arm.custom)


def theorem_radius(
    problem: Problem, arm: int | str, n: int, *, horizon: int | None = None, scale: float = 1.0
) -> float:
    """Return Theorem 1's bound on the mean trajectory divergence after `n` pulls of an arm, times `scale`.

    `[c_f + L_p sigma sqrt(2 log(6 m T^2))] / sqrt(n)`, at the confidence `1/(6 m T^2)` that Algorithm 1 uses.

    >>> import roguewk as rw
    >>> problem = rw.catalog.paper().problem
    >>> round(rw.theorem_radius(problem, "arm 0", n=100), 1)
    115.2
    """
    known = check_problem(problem).horizon
    rounds = known if horizon is None else whole(horizon, "horizon", 1)
    pulls = whole(n, "the number of pulls n", 1)
    factor = number(scale, "scale")
    if factor < 0:
        raise InputError(f"scale is {shown(scale)}: give a number of at least 0")
    if factor == 0:
        return 0.0
    bias, noise = radius_parts(problem.arms[problem.arm_index(arm)])
    log = math.log(6 * len(problem.arms)) + 2 * math.log(rounds)
    return factor * (bias + noise * math.sqrt(2 * log)) / math.sqrt(pulls)


def radius_parts(arm: Arm) -> tuple[float, float]:
    """Find `c_f` and `L_p sigma`, the parts of Theorem 1's radius that do not depend on the horizon."""
    c = arm_constants(arm)
    c_f = (8 + 48 * math.sqrt(2) * 2 ** (1 / c.dimension) * math.sqrt(c.dimension)) * math.sqrt(math.pi)
    return c_f * c.L_f * c.diameter, c.L_p * c.sigma


def largest_divergence(arm: Arm) -> float:
    """Find the largest divergence of the rewards of two states in X; infinite where states may leave X.

    >>> import roguewk as rw
    >>> from roguewk.problem.constants import largest_divergence
    >>> round(largest_divergence(rw.catalog.paper().problem.arms[2]), 3)
    2.778
    """
    c = arm_constants(arm)
    if not c.invariant:
        return math.inf
    if arm.g is None:
        ends = arm.weights[:, None] * arm.box
        levels = arm.alpha + np.array([ends.min(axis=1).sum(), ends.max(axis=1).sum()])
    else:
        means = _on_grid(arm, arm.g, "g")[1]
        levels = np.array([means.min(), means.max()])
        if arm.sigma is None:
            levels = np.log(np.clip(levels, 1e-12, 1)) - np.log(np.clip(1 - levels, 1e-12, 1))
    if arm.sigma is not None:
        return float(((levels[1] - levels[0]) / arm.sigma) ** 2 / 2) * (1 + 1e-6)
    low, high = (_logistic(float(level)) for level in levels)
    spread = float(levels[1] - levels[0])
    drop = float(np.logaddexp(0, levels[1]) - np.logaddexp(0, levels[0]))
    return max(drop - low * spread, high * spread - drop) * (1 + 1e-6) + 1e-12


def forgetting_horizon(arm: Arm, precision: float) -> float:
    """Find after how many rounds all initial states in X lead to the same state, within `precision`; maybe never."""
    c = arm_constants(arm)
    if c.L_h < 1:
        lasting = c.L_h > 0 and precision < c.diameter
        steps = (math.log(precision) - math.log(c.diameter)) / math.log(c.L_h) if lasting else 0
        return 1 + math.ceil(steps)
    if arm.h is not None:
        return math.inf
    # A matrix may stretch states at first and still wipe them out: square it until it has.
    power, rounds = arm.matrix, 1
    with np.errstate(all="ignore"):
        while np.linalg.norm(power, 2) * c.diameter > precision and rounds < 2**40:
            power, rounds = power @ power, 2 * rounds
    return rounds


def change_in_turn(problem: Problem) -> float:
    """Find how much the mean rewards move per round when the arms are taken in turn: the largest move, on average.

    Every arm starts in the middle of X and settles before the rounds that count.

    >>> import roguewk as rw
    >>> from roguewk.problem.constants import change_in_turn
    >>> round(change_in_turn(rw.catalog.paper().problem), 3)
    0.245
    """
    return _change_in_turn(problem.arms)


@functools.lru_cache(REMEMBERED)
def _change_in_turn(arms: tuple[Arm, ...]) -> float:
    size = len(arms)
    settle = size * max(1, SETTLE // size)
    moves = np.zeros((size, size))  # (arm, round since its pull)
    for arm, row in zip(arms, moves, strict=True):
        state = arm.box.mean(axis=1)[None, :]
        for t in range(settle + size):
            after = next_states(arm, state, 1.0 if t % size == 0 else 0.0)
            if t >= settle:
                row[t - settle] = abs(mean_rewards(arm, after)[0] - mean_rewards(arm, state)[0])
            state = after
    return float(np.mean([max(moves[a, (t - a) % size] for a in range(size)) for t in range(size)]))


def mean_rewards(arm: Arm, states: Vector) -> Vector:
    """Evaluate g at each of `states`, (state, coordinate)."""
    if arm.g is not None:
        return np.array([float(arm.g(float(x))) for x in states[:, 0]])
    levels = arm.alpha + states @ arm.weights
    return levels if arm.sigma is not None else 1 / (1 + np.exp(-np.clip(levels, -700, 700)))


def next_states(arm: Arm, states: Vector, pulled: float) -> Vector:
    """Move each of `states`, (state, coordinate), by a round."""
    if arm.h is not None:
        return np.array([[float(arm.h(float(x), pulled))] for x in states[:, 0]])
    return np.asarray(states @ arm.matrix.T + arm.push * pulled + arm.pull_back)
