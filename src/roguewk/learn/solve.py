"""Climb to the peak of a model's likelihood, over some of its parameters and within bounds."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.curvature import newton_step
from roguewk.learn.model import Model, Slopes

STEPS = 60
TRIES = 8  # of a step, each a quarter of the last
ENOUGH = 1e-4  # what Newton's last step may add to the log-likelihood: what is left then is its square, about
KICK = 0.3  # to a spread of subjects that is stuck at 0
LONGEST, LONGEST_LOG = 3.0, 1.0  # steps: of a level, and of a log half-life


class Region(NamedTuple):
    """Which parameters may move, and between which bounds."""

    free: Any  # (parameter,) of bools
    low: Vector  # (parameter,)
    high: Vector  # (parameter,)

    def without(self, *places: int) -> "Region":
        """The region in which these parameters stay as they are."""
        free = self.free.copy()
        free[list(places)] = False
        return self._replace(free=free)


class Peak(NamedTuple):
    """Where a climb ended: a last step beyond the place that was looked at."""

    parameters: Vector
    slopes: Slopes  # before the last step
    gain: float  # what it adds

    @property
    def value(self) -> float:
        """The penalised log-likelihood of the peak."""
        return self.slopes.value + self.gain


def inner(region: Region, parameters: Vector, slopes: Slopes) -> Any:
    """(parameter,) which may move and are not held by a bound that they press against."""
    held_low = (parameters <= region.low) & (slopes.gradient < 0)
    held_high = (parameters >= region.high) & (slopes.gradient > 0)
    return region.free & ~held_low & ~held_high


def _stuck(model: Model, at: Vector, here: Slopes, free: Any) -> list[int]:
    """The spreads in which subjects are alike only because the likelihood, even in them, is level there."""
    near = [place for place in model.spreads if free[place] and abs(at[place]) < KICK / 4]
    return [place for place in near if here.hessian[place - model.size, place] > 0]


def climb(
    model: Model,
    start: Vector,
    region: Region,
    steps: int = STEPS,
    enough: float = ENOUGH,
    step: Callable[[Slopes, Any], Vector] = newton_step,
) -> Peak:
    """The peak near `start` by Newton's method, with steps that never lead down."""
    longest = np.full(model.size, LONGEST)
    longest[model.half_lives] = LONGEST_LOG
    at = np.clip(start, region.low, region.high)
    here = model.at(at)
    for _ in range(steps):
        free = inner(region, at, here)
        if not free.any():
            return Peak(at, here, 0.0)
        move = step(here, free)
        gain = 0.5 * float(move @ here.gradient)
        if gain < enough and (stuck := _stuck(model, at, here, region.free)):
            move[:] = 0.0
            move[stuck] = KICK
        elif gain < enough:
            return Peak(np.clip(at + move, region.low, region.high), here, gain)
        move /= max(1.0, float(np.max(np.abs(move) / longest)))
        for _ in range(TRIES):
            there = np.clip(at + move, region.low, region.high)
            tried = model.at(there)
            if tried.value > here.value:
                break
            move /= 4
        else:
            return Peak(at, here, 0.0)
        at, here = there, tried
    return Peak(at, here, 0.0)
