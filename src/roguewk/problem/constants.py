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


@dataclass(frozen=True)
class ArmConstants:
    """The tightest constants of one arm over its state set X.

    `L_h`, `L_g`: slopes of the dynamics and of the mean reward; `L_f`, `L_p`: slopes of the log-likelihood ratio in
    the state and in the reward; `sigma`: see `reward_noise`; `diameter`: of X. `invariant`: X holds every next
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
    family, sigma, (low, high) = arm.reward_family, arm.sigma or 1.0, arm.level_range()
    norm, dispersion = float(np.linalg.norm(arm.weights)), family.dispersion(sigma)
    L_f = family.spread(low, high, sigma) * norm / dispersion
    return family.steepest(low, high) * norm, L_f, (high - low) / dispersion


def _custom_rewards(arm: Arm) -> tuple[float, float, float]:
    """L_g, L_f and L_p of the arm's own g, on a grid; infinite where a mean touches the end of its range."""
    states, means = _own_means(arm)
    widths = np.diff(states)
    slope = float(np.abs(np.diff(means) / widths).max())
    return slope, *arm.reward_family.own_slopes(means, widths, arm.sigma or 1.0)


def _own_means(arm: Arm) -> tuple[Vector, Vector]:
    """States on a grid, and what the arm's own g makes of them."""
    assert arm.g is not None
    states, means = _on_grid(arm, arm.g, "g")
    low, high = arm.reward_family.means
    bad = next((float(mean) for mean in (means.min(), means.max()) if not low <= mean <= high), None)
    if bad is not None:
        remedy = f"give mean rewards from {low:g} to {high:g}, or use family gaussian"
        raise InputError(f"g of arm {arm.name!r} gives {bad:g}: {remedy}")
    return states, means


def reward_noise(arm: Arm) -> float:
    """The sub-Gaussian parameter of an arm's rewards; where there is none, their largest standard deviation over X.

    >>> import roguewk as rw
    >>> visits = rw.everyday_arm("visits", rested=9, wear=0, half_life=1, family="poisson", state=[-1, 0])
    >>> reward_noise(rw.Arm("coin", alpha=0.0)), round(reward_noise(visits), 6)
    (0.5, 3.0)
    """
    family = arm.reward_family
    if arm.sigma is not None:
        return arm.sigma
    if family.sub_gaussian is not None:
        return family.sub_gaussian
    largest = family.mean_of_level(arm.level_range()[1]) if arm.g is None else float(_own_means(arm)[1].max())
    return math.sqrt(family.variance(largest))


@functools.lru_cache(REMEMBERED)
def arm_constants(arm: Arm) -> ArmConstants:
    """Find the constants of an arm over its X.

    Where rewards have no largest, the log-likelihood ratio has no finite `L_f`, because its slope grows with the
    reward; the number given holds for rewards up to 4 standard deviations outside the range of the means.

    >>> import roguewk as rw
    >>> from roguewk.problem.constants import arm_constants
    >>> arm_constants(rw.Arm("coin", A=0.5, B=-1.0, state=(-2, 0))).L_p
    2.0
    """
    with np.errstate(all="ignore"):
        dynamics = _linear_dynamics(arm) if arm.h is None else _custom_dynamics(arm)
        rewards = _linear_rewards(arm) if arm.g is None else _custom_rewards(arm)
        diameter = float(np.linalg.norm(arm.box[:, 1] - arm.box[:, 0]))
        sigma = reward_noise(arm)
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
    family, sigma = arm.reward_family, arm.sigma or 1.0
    if arm.g is None:
        low, high = arm.level_range()
    else:
        means = _own_means(arm)[1]
        low, high = (family.level_of_mean(family.kept(float(mean))) for mean in (means.min(), means.max()))
    return max(family.divergence(low, high, sigma), family.divergence(high, low, sigma)) * (1 + 1e-6) + 1e-12


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
    return arm.reward_family.means_of_levels(arm.alpha + states @ arm.weights)


def next_states(arm: Arm, states: Vector, pulled: float) -> Vector:
    """Move each of `states`, (state, coordinate), by a round."""
    if arm.h is not None:
        return np.array([[float(arm.h(float(x), pulled))] for x in states[:, 0]])
    return np.asarray(states @ arm.matrix.T + arm.push * pulled + arm.pull_back)
