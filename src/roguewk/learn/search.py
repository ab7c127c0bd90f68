"""Where to start climbing: half-lives on a grid, for a part of the subjects if they are many."""

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.likelihood import LOG_HALF_LIFE, PUSH, WIDTH
from roguewk.learn.model import Model
from roguewk.learn.pulls import Pulls
from roguewk.learn.solve import Region, climb

SHORTEST = 1 / 3  # of the usual shortest gap between two pulls of an arm
LONGEST = 3.0  # times the longest span of a subject: beyond, recovery cannot be told from none
USUAL = 0.01  # share of the gaps that may be shorter: a slip of the clock must not stretch the grid
POINTS = 12
SWEEPS = 4  # at the most
ROUGH, NEARLY = 8, 1e-2  # steps for a point of the grid, and what the next one may still add


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
    """Parameters near the peak: the best half-life of the grid for each arm, until none changes.

    Subjects' levels are held while half-lives are tried, so that one climb tries a half-life of every arm at once.
    """
    half_lives = [model.place(a, LOG_HALF_LIFE) for a in range(model.arms)]
    pushes = [model.place(a, PUSH) for a in range(model.arms)]
    points = grid(np.column_stack([region.low[half_lives], region.high[half_lives]]), POINTS)
    best = climb(model, start, region.without(*half_lives, *pushes), enough=NEARLY).parameters
    chosen = np.full(model.arms, -1)
    for _ in range(SWEEPS):
        given, held = model.given_subjects(), region.without(*half_lives, model.spread, model.size - 1)
        tried = np.array([_tried(given, best, held, half_lives, point) for point in points])  # (point, parameter)
        parts = np.array([given.by_arm(parameters) for parameters in tried])  # (point, arm)
        before, chosen = chosen, parts.argmax(axis=0)
        for a, point in enumerate(chosen):
            best[a * WIDTH : (a + 1) * WIDTH] = tried[point, a * WIDTH : (a + 1) * WIDTH]
        best = climb(model, best, region.without(*half_lives), enough=NEARLY).parameters
        if (chosen == before).all():
            break
    return best


def _tried(given: Model, best: Vector, held: Region, half_lives: list[int], point: Vector) -> Vector:
    start = best.copy()
    start[half_lives] = point
    return climb(given, start, held, ROUGH, NEARLY).parameters
