"""What a log says of the next subject, as the prior of an arm: what the arm may be, and how subjects differ."""

import math

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.fitted import FittedArm
from roguewk.problem.prior import LONGEST, POINTS, SHORTEST, Prior, PriorTable

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


def prior_of(arm: FittedArm, subject_sd: float, round_length: float, regular: bool, wear_sd: float = 0.0) -> Prior:
    """What is believed of an arm for a subject who is not in the log, in rounds of this length.

    A subject's own level and wear are added to the doubts about the arm's. An arm of which the log tells nothing is
    believed as if there were none.
    """
    posterior = arm.posterior
    if posterior is None:
        return Prior()
    half_lives = posterior.half_lives / round_length
    places = _places(half_lives, posterior.weights)
    along, at = np.log(half_lives), np.log(places)
    means = np.column_stack([np.interp(at, along, column) for column in posterior.means.T])
    flat = posterior.covariances.reshape(half_lives.size, -1)
    covariances = np.column_stack([np.interp(at, along, column) for column in flat.T]).reshape(POINTS, 3, 3)
    covariances[:, 0, 0] += 0.0 if math.isnan(subject_sd) else subject_sd**2
    covariances[:, 2, 2] += 0.0 if math.isnan(wear_sd) else wear_sd**2
    # Where time is counted in rounds wear is what is missing one round later; else what is missing at once.
    fading = 0.5 ** ((1.0 - 1.0 / round_length if regular else 1.0) / places)
    means[:, 2] *= fading
    covariances[:, 2, :] *= fading[:, np.newaxis]
    covariances[:, :, 2] *= fading[:, np.newaxis]
    chances = _chances(places, half_lives, posterior.weights)
    return Prior(table=PriorTable(places, chances, means, covariances[:, UPPER[0], UPPER[1]]))
