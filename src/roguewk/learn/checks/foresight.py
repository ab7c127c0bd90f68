"""What a fit expects of each pull, given only what its subject did before.

Outcomes less such expectations have mean zero given the past, so that they may be summed over any pulls that were
chosen by what was known before them: also those of logs that an adaptive policy made. Expectations of the average
subject, or with levels of subjects estimated from the same outcomes, have no such right.

The level of a subject is followed on a grid, `mode + sd sinh(u)` around where it ends up: fine there, and as wide as
the population, so that it suits what is believed after the first pull and after the last.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_for_threads, compiling
from roguewk.learn.likelihood import find_mode, level_of
from roguewk.learn.model import Model
from roguewk.learn.setting import Room, Setting
from roguewk.learn.wear import wear_further, wear_out
from roguewk.problem.family import compiled as families

NODES = 49
WIDEST = 6.0  # standard deviations of the population


class Foresight(NamedTuple):
    """What was to be expected, in the units of the model."""

    mean: Vector  # (pull,)
    variance: Vector  # (pull,)
    level: Vector  # (pull,) of the average subject
    own: Vector  # (subject,) what is added to it, as all outcomes together say
    own_sd: Vector  # (subject,)


class Grid(NamedTuple):
    """Memory for the grid of a subject."""

    place: Vector  # (node,)
    weight: Vector  # (node,) logs
    share: Vector  # (node,)


@compiled
def lay_out(grid: Grid, mode: float, sd: float) -> None:
    """Places around the mode, weighed by the population."""
    far = math.asinh((WIDEST + abs(mode)) / sd)
    for k in range(NODES):
        u = far * (2.0 * k / (NODES - 1) - 1.0)
        v = mode + sd * math.sinh(u)
        grid.place[k] = v
        grid.weight[k] = -0.5 * v * v + math.log(math.cosh(u))


@compiled
def share_out(grid: Grid) -> None:
    """Turn the logs of the weights into shares."""
    top, whole = -math.inf, 0.0
    for k in range(NODES):
        top = max(top, grid.weight[k])
    for k in range(NODES):
        grid.weight[k] -= top
        grid.share[k] = math.exp(grid.weight[k])
        whole += grid.share[k]
    for k in range(NODES):
        grid.share[k] /= whole


@compiled
def foresee_pull(setting: Setting, at: Vector, grid: Grid, level: float, y: float) -> tuple[float, float]:
    """The mean and variance of an outcome; then its subject's level is weighed by it."""
    spread, precision = at[at.size - 2], math.exp(-2.0 * at[at.size - 1])
    share_out(grid)
    first, second, within = 0.0, 0.0, 0.0
    for k in range(NODES):
        there = level + spread * grid.place[k]
        b, mean = families.log_partition(setting.family, there)
        first += grid.share[k] * mean
        second += grid.share[k] * mean * mean
        within += grid.share[k] * families.variance(setting.family, mean)
        if y == y:
            grid.weight[k] += precision * (y * there - b)
    return first, within / precision + max(second - first * first, 0.0)


@compiled_for_threads
def foresee_all(setting: Setting, at: Vector, room: Room, levels: Vector, grid: Grid, found: Foresight) -> None:
    """Fill `found`, subject by subject."""
    precision = math.exp(-2.0 * at[at.size - 1])
    for s in range(setting.pulls.begin.size - 1):
        begin, end = setting.pulls.begin[s], setting.pulls.begin[s + 1]
        wear_out(setting.pulls, setting.lag, at, begin, end, room.worn)
        wear_further(setting, at, begin, end, room.further)
        for i in range(begin, end):
            levels[i - begin] = level_of(setting, at, room, i)
        sd = find_mode(setting, at, room, s, levels, precision)
        lay_out(grid, room.mode[s], sd)
        for i in range(begin, end):
            level = levels[i - begin]
            found.level[i] = level
            found.mean[i], found.variance[i] = foresee_pull(setting, at, grid, level, setting.pulls.outcome[i])
        share_out(grid)
        first, second = 0.0, 0.0
        for k in range(NODES):
            first += grid.share[k] * grid.place[k]
            second += grid.share[k] * grid.place[k] * grid.place[k]
        found.own[s] = at[at.size - 2] * first
        found.own_sd[s] = at[at.size - 2] * math.sqrt(max(second - first * first, 0.0))


def foresee(model: Model, parameters: Vector) -> Foresight:
    """What a model with these parameters expects of the pulls that it is made of, one after the other."""
    pulls, subjects = model.setting.pulls.arm.size, model.setting.pulls.begin.size - 1
    found = Foresight(*(np.zeros(size) for size in (pulls, pulls, pulls, subjects, subjects)))
    grid = Grid(np.zeros(NODES), np.zeros(NODES), np.zeros(NODES))
    with compiling("the checks of fits"):
        foresee_all(model.setting, parameters, model.rooms[0], model.levels[0], grid, found)
    return found
