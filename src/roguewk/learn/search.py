"""Where to start climbing: half-lives on a grid, for a part of the subjects if they are many."""

import math

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.model import Model
from roguewk.learn.pulls import Pulls
from roguewk.learn.setting import LOG_HALF_LIFE, PUSH, WIDTH
from roguewk.learn.solve import Region, climb

SHORTEST = 1 / 3  # of the usual shortest gap between two pulls of an arm
LONGEST = 3.0  # times the longest span of a subject: beyond, recovery cannot be told from none
USUAL = 0.01  # share of the gaps that may be shorter: a slip of the clock must not stretch the grid
POINTS, WIDEST = 12, 1.0  # at the least, and at the most so far apart in log half-life
AGAIN = 2  # times that further states are searched for
SWEEPS = 4  # at the most
EQUAL = 0.1  # log-likelihood, of two half-lives of which neither is better
ROUGH, NEARLY = 8, 1e-2  # steps for a point of the grid, and what the next one may still add


def usual_range(gaps: Vector, pulls: Pulls) -> tuple[float, float]:
    """The shortest and the longest half-life that pulls with these gaps could tell of, as logs."""
    longest = float(pulls.elapsed.max(initial=0.0)) or 1.0
    gaps = gaps[gaps > 0]
    shortest = float(np.quantile(gaps, USUAL, method="lower")) if gaps.size else longest
    return float(np.log(SHORTEST * shortest)), float(np.log(LONGEST * longest))


def half_life_range(pulls: Pulls, arms: int) -> Vector:
    """(arm, 2) the shortest and the longest half-life that the log could tell of, as logs."""
    again = pulls.before >= 0
    return np.array([usual_range(pulls.gap[again & (pulls.arm == a)], pulls) for a in range(arms)]).reshape(arms, 2)


def grid(low: Vector, high: Vector, points: int = POINTS) -> Vector:
    """(point, ...) log half-lives at even distances from end to end, more of them if these are very far apart."""
    return np.linspace(low, high, max(points, math.ceil(float(np.max(high - low, initial=0.0)) / WIDEST)))


def search(model: Model, start: Vector, region: Region) -> Vector:
    """Parameters near the peak: the best half-life of the grid for each arm and further state."""
    pushes = [model.place(a, PUSH) for a in range(model.arms)]
    further = [q for q in model.setting.states.tolist() if region.free[q]]
    best = climb(model, start, region.without(*model.half_lives, *pushes), enough=NEARLY).parameters
    best = _search_arms(model, best, region)
    for _ in range(AGAIN if further else 0):
        for place in further:
            best = _search_state(model, best, region, place)
        best = _search_arms(model, best, region)
    return best


def _search_arms(model: Model, start: Vector, region: Region) -> Vector:
    """The best half-life of each arm, until none changes.

    Subjects' levels and all that arms share are held while half-lives are tried, so that one climb tries a half-life of
    every arm at once.
    """
    own = [model.place(a, LOG_HALF_LIFE) for a in range(model.arms)]
    points, best, chosen = (
        grid(region.low[own], region.high[own]),
        start,
        np.full(len(own), -1),
    )
    tried = np.tile(best, (len(points), 1))  # (point, parameter)
    tried[:, own] = points
    parts = np.empty(points.shape)  # (point, arm)
    for _ in range(SWEEPS):
        given, held = model.given_subjects(), region.without(*own, *range(model.setting.shared, model.size))
        tried[:, model.setting.shared :] = best[model.setting.shared :]
        for g, near in enumerate(tried):
            tried[g] = climb(given, near, held, ROUGH, NEARLY).parameters
            parts[g] = given.last_by_arm()  # but for a last step, which adds next to nothing
        before, chosen = chosen, parts.argmax(axis=0)
        for a, point in enumerate(chosen):
            best[a * WIDTH : (a + 1) * WIDTH] = tried[point, a * WIDTH : (a + 1) * WIDTH]
        best = climb(model, best, region.without(*model.half_lives), enough=NEARLY).parameters
        if (chosen == before).all():
            break
    return best


def _search_state(model: Model, start: Vector, region: Region, place: int) -> Vector:
    """The best half-life of a further state, to which those of the arms give way."""
    held, best = region.without(*model.setting.states.tolist()), None
    for log_half_life in grid(region.low[place], region.high[place])[::-1]:
        begin = start.copy()
        begin[place] = log_half_life
        peak = climb(model, begin, held, ROUGH, NEARLY)
        # A lone arm's two states may change places: of equals the longer half-life is taken.
        if best is None or peak.value > best.value + EQUAL:
            best = peak
    return start if best is None else best.parameters
