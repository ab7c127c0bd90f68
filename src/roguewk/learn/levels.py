"""The level of every arm at every row of a log, as a fit has it."""

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.result import Fit
from roguewk.learn.rounds import LoggedRounds
from roguewk.problem.errors import InputError
from roguewk.problem.family.registry import family_named


def arm_levels(fit: Fit, log: LoggedRounds) -> Vector:
    """(row, arm) of the average subject, before the row, given the uses up to then; log-odds, log-rate or reward.

    Arms of which no wear is seen do not wear.
    """
    if fit.shared:
        raise InputError("the fit has effects that arms share, which are not counted here: give one without them")
    family = family_named(fit.family)
    rested = np.array([family.level_of_mean(family.kept(arm.rested.value)) for arm in fit.arms])
    seen = np.array([arm.verdict.seen for arm in fit.arms])
    wear, half_life = (
        np.where(seen, [getattr(arm, name).value for arm in fit.arms], other)
        for name, other in (("wear", 0.0), ("half_life", 1.0))
    )
    start = np.nan_to_num(np.where(seen, [arm.start.value for arm in fit.arms], 0.0))
    lag = 1.0 if fit.regular else 0.0  # where time is counted in rounds, wear begins to fade a round after the use
    begin = np.searchsorted(log.subject, np.arange(len(log.subjects) + 1))
    worn, last = np.zeros((len(log.subjects), len(fit.arms))), log.time[begin[:-1]]
    levels = np.empty((log.arm.size, len(fit.arms)))
    for k in range(int(np.diff(begin).max(initial=0))):
        there = np.flatnonzero(np.diff(begin) > k)
        rows = begin[there] + k
        faded = 0.5 ** ((log.time[rows] - last[there])[:, np.newaxis] / half_life)
        worn[there] *= faded
        elapsed = (log.time[rows] - log.time[begin[there]])[:, np.newaxis]
        levels[rows] = rested - wear * worn[there] + start * 0.5 ** (elapsed / half_life)
        used = log.arm[rows] >= 0
        arms = log.arm[rows][used]
        worn[there[used], arms] += 2.0 ** (lag / half_life[arms])
        last[there] = log.time[rows]
    return levels
