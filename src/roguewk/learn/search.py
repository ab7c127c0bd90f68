"""Where to start climbing: half-lives on a grid, arm by arm, for a part of the subjects if they are many."""

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.likelihood import LOG_HALF_LIFE, PUSH, RESTED, START, WIDTH
from roguewk.learn.model import Model
from roguewk.learn.pulls import Pulls
from roguewk.learn.solve import Peak, Region, climb

SHORTEST = 1 / 3  # of the usual shortest gap between two pulls of an arm
LONGEST = 3.0  # times the longest span of a subject: beyond, recovery cannot be told from none
USUAL = 0.01  # share of the gaps that may be shorter: a slip of the clock must not stretch the grid
POINTS = 12
SWEEPS = 2  # at the most
ROUGH, NEARLY = 4, 1e-2  # steps for a point of the grid, and what the next one may still add


def half_life_range(pulls: Pulls, arms: int) -> Vector:
    """(arm, 2) the shortest and the longest half-life that the log could tell of, as logs."""
    longest = float(pulls.elapsed.max(initial=0.0)) or 1.0
    ends = np.empty((arms, 2))
    for a in range(arms):
        gaps = pulls.gap[(pulls.arm == a) & (pulls.before >= 0)]
        gaps = gaps[gaps > 0]
        shortest = float(np.quantile(gaps, USUAL, method="lower")) if gaps.size else longest
        ends[a] = SHORTEST * shortest, LONGEST * longest
    return np.log(ends)


def grid(ends: Vector, points: int) -> Vector:
    """(point, arm) log half-lives at even distances from end to end."""
    return np.asarray(np.linspace(ends[:, 0], ends[:, 1], points))


def search(model: Model, start: Vector, region: Region) -> Vector:
    """Parameters near the peak: for each arm the best half-life of the grid, the others given, until none changes."""
    half_lives = [model.place(a, LOG_HALF_LIFE) for a in range(model.arms)]
    pushes = [model.place(a, PUSH) for a in range(model.arms)]
    points = grid(np.column_stack([region.low[half_lives], region.high[half_lives]]), POINTS)
    best = climb(model, start, region.without(*half_lives, *pushes), enough=NEARLY)
    chosen = np.full(model.arms, -1)
    for _ in range(SWEEPS):
        before = chosen.copy()
        for a in range(model.arms):
            tried = [_try(model, best, region, a, point) for point in points[:, a]]
            chosen[a] = int(np.argmax([peak.value for peak in tried]))
            best = max(best, tried[chosen[a]], key=lambda peak: peak.value)
        if (chosen == before).all():
            break
    return best.parameters


def _try(model: Model, best: Peak, region: Region, arm: int, log_half_life: float) -> Peak:
    """The peak over an arm's other parameters at this half-life, and over what all arms share."""
    free = np.zeros_like(region.free)
    for which in (RESTED, PUSH, START):
        free[model.place(arm, which)] = True
    free[model.arms * WIDTH :] = True
    start = best.parameters.copy()
    start[model.place(arm, LOG_HALF_LIFE)] = log_half_life
    return climb(model, start, region._replace(free=free & region.free), ROUGH, NEARLY)
