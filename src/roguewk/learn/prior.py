"""What a log says of the next subject, as the prior of an arm: what the arm may be, and how subjects differ."""

import math
from typing import NamedTuple

import numpy as np

from roguewk.estimate.dynamics.prior import RESTED
from roguewk.kernel.arrays import Vector
from roguewk.learn.fitted import FittedArm
from roguewk.learn.verdict import Verdict
from roguewk.problem.family.family import RewardFamily
from roguewk.problem.prior import DEVIATIONS, LONGEST, POINTS, SHORTEST, Prior, PriorTable
from roguewk.problem.unknown import level_unit

LEAST = 1e-4  # chance of half-lives at either end that are not followed
SAME = 1e-9  # of two log half-lives
UPPER = np.triu_indices(3)


def _places(half_lives: Vector, weights: Vector) -> Vector:
    """Half-lives, evenly apart in their logarithms, over all that have some weight."""
    first, last = np.searchsorted(np.cumsum(weights), [LEAST, 1.0 - LEAST])
    low, high = np.clip(half_lives[[first, min(int(last), half_lives.size - 1)]], SHORTEST, LONGEST).tolist()
    return np.exp(np.linspace(math.log(low), math.log(high), POINTS))


def _chances(places: Vector, half_lives: Vector, weights: Vector) -> Vector:
    """The weight of the half-lives that are nearest to each place."""
    middles = (np.log(places[1:]) + np.log(places[:-1])) / 2
    # One in the very middle goes to the same side however it is rounded.
    chances = np.bincount(np.searchsorted(middles, np.log(half_lives) - SAME), weights, POINTS)
    return np.asarray(chances / chances.sum())


class NextSubject(NamedTuple):
    """What else is known of one who is not in the log."""

    family: RewardFamily
    sigma: float | None
    regular: bool  # whether the log counts rounds
    round_length: float
    level_sd: float  # how much subjects differ, nan if nothing tells it
    wear_sd: float


def _of_rested_effect(arm: FittedArm, subject: NextSubject) -> Prior:
    """Where the log does not tell how sure the rested effect is, it is as doubtful as that of any arm."""
    if arm.verdict is Verdict.TOO_FEW or not math.isfinite(arm.rested.value):
        return Prior()
    family = subject.family
    if math.isfinite(arm.rested.high - arm.rested.low):
        low, high = (family.level_of_mean(family.kept(mean)) for mean in (arm.rested.low, arm.rested.high))
        reach = (high - low) / DEVIATIONS
    else:
        reach = RESTED[1] * level_unit(subject.sigma)
    reach = DEVIATIONS / 2 * math.hypot(reach, float(np.nan_to_num(subject.level_sd)))
    about = family.kept(arm.rested.value)
    ends = [family.kept(family.mean_of_level(family.level_of_mean(about) + side * reach)) for side in (-1, 1)]
    return Prior(rested={"about": about, "between": ends})


def prior_of(arm: FittedArm, subject: NextSubject) -> Prior:
    """What is believed of an arm for a subject who is not in the log, in rounds of the problem.

    A subject's own level and wear are added to the doubts about the arm's. Of an arm whose wear the log does not tell,
    only the rested effect is believed; of one of which it tells nothing, nothing.
    """
    posterior = arm.posterior
    if posterior is None:
        return _of_rested_effect(arm, subject)
    round_length = subject.round_length
    half_lives = posterior.half_lives / round_length
    places = _places(half_lives, posterior.weights)
    along, at = np.log(half_lives), np.log(places)
    means = np.column_stack([np.interp(at, along, column) for column in posterior.means.T])
    flat = posterior.covariances.reshape(half_lives.size, -1)
    covariances = np.column_stack([np.interp(at, along, column) for column in flat.T]).reshape(POINTS, 3, 3)
    covariances[:, 0, 0] += 0.0 if math.isnan(subject.level_sd) else subject.level_sd**2
    covariances[:, 2, 2] += 0.0 if math.isnan(subject.wear_sd) else subject.wear_sd**2
    # Where time is counted in rounds wear is what is missing one round later; else what is missing at once.
    fading = 0.5 ** ((1.0 - 1.0 / round_length if subject.regular else 1.0) / places)
    means[:, 2] *= fading
    covariances[:, 2, :] *= fading[:, np.newaxis]
    covariances[:, :, 2] *= fading[:, np.newaxis]
    chances = _chances(places, half_lives, posterior.weights)
    return Prior(table=PriorTable(places, chances, means, covariances[:, UPPER[0], UPPER[1]]))
