"""What a filter believes of an arm's dynamics before anything was seen, as a table over half-lives.

In units of the family's level (log-odds, log-rate; sigma for measurements, two of them for rested levels): the level of
a rested arm, how far from it the arm starts, and how far a pull moves it. Where nothing is said the prior is weak
enough for most worlds.
"""

import math

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import Arm, link
from roguewk.problem.errors import InputError
from roguewk.problem.prior import DEVIATIONS, PAIRS, POINTS, Guess, PriorTable, log_deviation
from roguewk.problem.unknown import HALF_LIFE, level_unit, wear_unit

APART = 1.2  # standard deviation of the logarithm of the half-life
FAR = 3.0  # standard deviations from the likeliest that half-lives are followed
RESTED = (0.0, 1.5)  # mean and standard deviation of the level of a rested arm
START = (-0.5, 0.9)  # of what its start adds: rested, or worn by what was before
# Of what a pull adds there are two kinds. Most wear off mildly: used all the time they end at push / (1 - A), which
# is a few log-odds, so what stays for long comes little by little. Others are used up by a few pulls, however slowly
# they recover. One Gaussian over both is too wide for the first and too narrow for the second.
MILD = (-2.0, 1.0)  # per part that is forgotten in a round
MILD_ANYWAY = 0.05  # standard deviation beside that
STRONG = (-0.7, 0.4)
MILD_POINTS = 16  # of the half-lives
STRONG_SHARE = 0.4
MILD_ENDS, STRONG_ENDS = (0.3, 300.0), (1.0, 40.0)  # rounds, from and to
STRONG_HALF_LIFE = 5.0  # about
DIAGONAL = [0, 3, 5]  # of the pairs


def _two_kinds(sigma: float | None, mild: tuple[Vector, Vector], strong: tuple[Vector, Vector]) -> PriorTable:
    """Arms that wear off mildly or strongly: the half-lives of each kind with their chances, in rising order."""
    units = np.array([level_unit(sigma), wear_unit(sigma), wear_unit(sigma)])
    half_lives = np.concatenate([mild[0], strong[0]])
    chances = np.concatenate([(1.0 - STRONG_SHARE) * mild[1], STRONG_SHARE * strong[1]])
    is_mild, forgotten = np.arange(POINTS) < MILD_POINTS, 1.0 - 0.5 ** (1.0 / half_lives)
    push = np.where(is_mild, MILD[0] * forgotten, STRONG[0])
    push_sd = np.where(is_mild, MILD[1] * forgotten + MILD_ANYWAY, STRONG[1])
    means = np.column_stack([np.full(POINTS, RESTED[0]), np.full(POINTS, START[0]), push])
    deviations = np.column_stack([np.full(POINTS, RESTED[1]), np.full(POINTS, START[1]), push_sd])
    order = np.argsort(half_lives, kind="stable")
    covariances = _diagonal(units * deviations)
    return PriorTable(half_lives[order], chances[order], units * means[order], covariances[order])


def _spread_out(ends: tuple[float, float], count: int) -> Vector:
    return np.exp(np.linspace(math.log(ends[0]), math.log(ends[1]), count))


def weak_table(sigma: float | None = None) -> PriorTable:
    """Where nothing is said; `sigma` is that of measurements.

    >>> table = weak_table()
    >>> table.half_lives.size, float(table.chances.sum().round(6))
    (24, 1.0)
    """
    mild, strong = _spread_out(MILD_ENDS, MILD_POINTS), _spread_out(STRONG_ENDS, POINTS - MILD_POINTS)
    return _two_kinds(
        sigma,
        (mild, _chances(mild, HALF_LIFE, APART, APART)),
        (strong, _chances(strong, STRONG_HALF_LIFE, 1.0, 1.0)),
    )


def table_of(arm: Arm) -> PriorTable:
    """What the prior of an arm says."""
    if arm.prior is None:
        raise InputError(f"arm {arm.name!r} has no prior: give one, or ask for weak_table")
    if arm.prior.table is not None:
        found: PriorTable = arm.prior.table
        return found
    said, table = arm.prior.said, weak_table(arm.sigma)
    if "half_life" in said:
        count = MILD_POINTS, POINTS - MILD_POINTS
        table = _two_kinds(arm.sigma, *(_half_lives(said["half_life"], points) for points in count))
    half_lives, chances = table.half_lives, table.chances
    if "half_life" in said and "wear" in said:
        half_lives, chances = _half_lives(said["half_life"])
    means, deviations = table.means.copy(), np.sqrt(table.covariances[:, DIAGONAL])
    if "wear" in said:
        means[:, 2], deviations[:, 2] = -said["wear"].about, (said["wear"].high - said["wear"].low) / DEVIATIONS
    if "rested" in said:
        about, low, high = (link(end, arm.family, f"rested of arm {arm.name!r}") for end in said["rested"])
        means[:, 0], deviations[:, 0] = about, (high - low) / DEVIATIONS
    if arm.known_start is not None:
        means[:, 1], deviations[:, 1] = _start(arm)
    return PriorTable(half_lives, chances, means, _diagonal(deviations))


def table_of_nothing(arm: Arm) -> PriorTable:
    """An arm whose numbers are not looked at; that it begins rested does not depend on them."""
    table = weak_table(arm.sigma)
    if arm.known_start is not None and not arm.custom and arm.dimension == 1 and _start(arm) == (0.0, 0.0):
        table.means[:, 1], table.covariances[:, DIAGONAL[1]] = 0.0, 0.0
    return table


def table_of_known(arm: Arm) -> PriorTable:
    """An arm whose dynamics are known, beside others whose are not."""
    if arm.custom or arm.dimension > 1 or not 0.0 < float(arm.matrix[0, 0]) < 1.0:
        raise InputError(
            f"the dynamics of arm {arm.name!r} are known and cannot stand beside such that are learned: write it with"
            " `rested`, `wear` and `half_life`, or leave them open too"
        )
    retention, weight = float(arm.matrix[0, 0]), float(arm.weights[0])
    half_lives, chances = _half_lives(Guess(*[-math.log(2.0) / math.log(retention)] * 3))
    means, deviations = np.zeros((2, POINTS, 3))
    means[:, 0] = arm.alpha + weight * float(arm.pull_back[0]) / (1.0 - retention)
    means[:, 1], deviations[:, 1] = _start(arm)
    means[:, 2] = weight * float(arm.push[0])
    return PriorTable(half_lives, chances, means, _diagonal(deviations))


def _start(arm: Arm) -> tuple[float, float]:
    """Mean and standard deviation of what an arm's start adds to its level, anywhere in its range alike."""
    rested, weight = float(arm.pull_back[0]) / (1.0 - float(arm.matrix[0, 0])), float(arm.weights[0])
    low, high = arm.starts[0] - rested
    return float(weight * (low + high) / 2), float(abs(weight) * (high - low) / math.sqrt(12.0))


def _half_lives(guess: Guess, points: int = POINTS) -> tuple[Vector, Vector]:
    """Half-lives around the one that is likeliest, and their chances; one that is known has all of these."""
    below, above = log_deviation(guess)
    middle = math.log(guess.about)
    half_lives = np.exp(np.linspace(middle - FAR * below, middle + FAR * above, points))
    if below + above < 1e-6:
        return half_lives, np.eye(points)[0]
    return half_lives, _chances(half_lives, guess.about, max(below, 1e-6), max(above, 1e-6))


def _chances(half_lives: Vector, about: float, below: float, above: float) -> Vector:
    """Log-normal, with another standard deviation on either side."""
    away = np.log(half_lives / about)
    weights = np.exp(-0.5 * (away / np.where(away < 0, below, above)) ** 2)
    return np.asarray(weights / weights.sum())


def _diagonal(deviations: Vector) -> Vector:
    covariances = np.zeros((POINTS, PAIRS))
    covariances[:, DIAGONAL] = deviations**2
    return covariances
