"""Outcomes in units that suit the likelihood, and the way back."""

import math
from typing import NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.likelihood import fill_certain
from roguewk.learn.rounds import LoggedRounds
from roguewk.learn.usable import are_alike
from roguewk.problem.family.family import RewardFamily
from roguewk.problem.family.registry import family_code


class Scaled(NamedTuple):
    """The outcomes of a log; those of families with noise have mean 0 and spread 1, so that priors suit any unit."""

    outcome: Vector  # (row,) NaN if idle or not observed
    certain: Vector  # (row,) as in Pulls
    middle: float
    unit: float
    noisy: bool  # whether the dispersion is to be estimated
    varies: bool  # whether outcomes differ at all: nothing else tells of their dispersion
    constant: float  # what the log-likelihood of the model leaves out


def scaled(log: LoggedRounds, family: RewardFamily) -> Scaled:
    """The outcomes of a log whose rewards are of this family."""
    outcome = np.where(log.arm >= 0, log.reward, np.nan).astype(np.float64)
    seen = outcome[~np.isnan(outcome)]
    middle, unit, constant = 0.0, 1.0, 0.0
    # Shares that are all 0 or 1 are coins; of others the likelihood of coins would be too unsure.
    noisy = family.wants_sigma or (family.rewards.unit and bool(((seen > 0) & (seen < 1)).any()))
    if family.wants_sigma and seen.size:
        middle, unit = (float(seen[0]), 1.0) if are_alike(seen) else (float(seen.mean()), float(seen.std()))
        outcome = (outcome - middle) / unit * (not are_alike(seen))  # else rounding would be taken for a change
        constant = -seen.size * (0.5 * math.log(2 * math.pi) + math.log(unit))
    if family.name == "poisson":
        counts, times = np.unique(seen, return_counts=True)
        constant = -float(sum(n * math.lgamma(y + 1) for y, n in zip(counts, times, strict=True)))
    certain = np.zeros(outcome.size)
    if noisy:
        fill_certain(family_code(family.name), outcome, certain)
    return Scaled(outcome, certain, middle, unit, noisy, not are_alike(seen), constant)
