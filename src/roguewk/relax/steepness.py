"""The largest slope of functions of the user's own, looked for where it grows under refinement.

A grid shows nothing of a peak between its nodes, so states that simple schedules lead through are looked at as well:
there a narrow peak can be made use of. The steepest places are then cut in halves until their slope no longer grows.
Where it grows for ever the function jumps, and nothing can be certified by slopes.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import Arm
from roguewk.problem.constants import mean_rewards, next_states

GRID = 4097  # states to begin with
PERIODS, ROUNDS = 8, 200  # schedules that pull every so many rounds, for so long
STEEPEST = 32  # places that are cut in halves at a time
CUTS, CALM = 60, 6  # cuts at the most, and without growth until the slope has settled
GROWTH = 1.01
NARROWEST, JUMP = 1e-10, 1e-4  # of X, and of the range of values: so much within so little is a jump


class Steepness(NamedTuple):
    """The largest slope that was found, whether it settled, and the largest value that was seen."""

    slope: float
    settled: bool
    largest: float


def steepest_rewards(arm: Arm, x0: Vector) -> Steepness:
    """How steep the mean rewards of a scalar arm are over X."""
    return _steepest(lambda x: mean_rewards(arm, x[:, None]), _looked_at(arm, x0))


def _looked_at(arm: Arm, x0: Vector) -> Vector:
    """States on a grid, and those that schedules lead through from here."""
    low, high = arm.box[0]
    found = [np.linspace(low, high, GRID)]
    for period in range(PERIODS + 1):  # 0: never
        x = x0[None, :]
        for t in range(ROUNDS):
            found.append(x[0])
            x = next_states(arm, x, float(period > 0 and t % period == 0))
    return np.unique(np.clip(np.concatenate(found), low, high))


def _steepest(function: Callable[[Vector], Vector], x: Vector) -> Steepness:
    values = function(x)
    width, largest, calm = x[-1] - x[0], 0.0, 0
    for _ in range(CUTS):
        gaps, steps = np.diff(x), np.abs(np.diff(values))
        if steps[gaps <= NARROWEST * width].max(initial=0.0) > JUMP * np.ptp(values):
            break
        slopes = np.divide(steps, gaps, out=np.zeros(gaps.size), where=gaps > NARROWEST * width)
        steep = float(slopes.max())
        calm = calm + 1 if steep <= GROWTH * largest else 0
        largest = max(largest, steep)
        if calm == CALM:
            return Steepness(largest, True, float(values.max()))
        places = np.argsort(slopes)[-STEEPEST:]
        middles = 0.5 * (x[places] + x[places + 1])
        order = np.argsort(np.concatenate([x, middles]), kind="stable")
        x = np.concatenate([x, middles])[order]
        values = np.concatenate([values, function(middles)])[order]
    return Steepness(largest, False, float(values.max()))
