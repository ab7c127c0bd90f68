"""What the spacing of pulls can tell, whatever the outcomes were.

Outcomes are weighed by the variance that they have in each arm. In that geometry the wear before each pull, at a
half-life, is freed of what rested levels, subjects, other arms' wear and unknown starts explain: what is left is all
that the log can say about wear (the efficient score).

Without wear there is no half-life, so the likelihood ratio against no wear is the largest of many, one for each
half-life: a chi-square process. Its 95 % quantile is found by drawing normal scores with the correlations that this
log has (Hansen, Econometrica 64, 1996).
"""

import functools
import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.model import Model
from roguewk.learn.search import grid
from roguewk.learn.setting import LOG_2, LOG_HALF_LIFE, PUSH, WIDTH

POINTS = 24  # half-lives from the shortest to the longest
DRAWS = 20_000
LEVEL = 0.95
SAME = 1e-10  # share of a column, squared, that others do not explain: with less it is one of them
APART = 1e-8  # share with which it may be taken out of the inverse of all


class Evidence(NamedTuple):
    """What the log could tell of one arm."""

    threshold: float  # of the likelihood ratio against no wear: exceeded by chance in one log of twenty
    share: float  # of the wear, squared and at the best half-life, that nothing else explains
    information: float  # about the level: that share of all the arm's outcomes, each counted by its variance
    start_share: float  # what unknown starts would leave of the information
    beside_trend: float = math.inf  # about the likelihood ratio of wear against none, had the arm a trend in time too


class Geometry(NamedTuple):
    """The inner product in which outcomes are weighed and subjects differ."""

    weight: Vector  # (pull,) zero where the outcome was not observed
    subject: Any  # (pull,)
    shrink: Vector  # (subject,) what a subject's own level takes off

    def sums(self, features: Vector, rows: Any = slice(None)) -> Vector:
        """(subject, feature) weighed sums of the columns of (row, feature)."""
        subject, weight = self.subject[rows], self.weight[rows]
        sums = [np.bincount(subject, weight * column, self.shrink.size) for column in features.T]
        return np.asarray(sums, dtype=np.float64).reshape(features.shape[1], self.shrink.size).T


class Given:
    """Columns that explain what they can of others, which are then freed of them."""

    def __init__(self, geometry: Geometry, columns: Vector) -> None:
        """Columns are (pull, given)."""
        self.geometry, self.columns = geometry, columns
        self.sums = geometry.sums(columns)
        weighted = columns * geometry.weight[:, np.newaxis]
        self.products = columns.T @ weighted - self.sums.T @ (self.sums * geometry.shrink[:, np.newaxis])
        # Scaled, or a start that has all but faded would be taken for nothing.
        self.scale = np.sqrt(np.maximum(np.diag(self.products), 1e-300))
        self.inverse = self._inverse(np.arange(columns.shape[1]))

    def _inverse(self, chosen: Any) -> Vector:
        scaled = self.products[np.ix_(chosen, chosen)] / np.outer(self.scale[chosen], self.scale[chosen])
        return np.asarray(np.linalg.pinv(scaled, rcond=SAME, hermitian=True))

    def freed(self, features: Vector, rows: Any, without: int | None = None) -> tuple[Vector, Vector]:
        """(feature, feature) products of what is left of features, and of themselves.

        Features are (row, feature), nothing in other rows; `without` is a given column that is not to be taken off.
        """
        geometry = self.geometry
        sums, weighted = geometry.sums(features, rows), features * geometry.weight[rows][:, np.newaxis]
        shrunk = (sums * geometry.shrink[:, np.newaxis]).T
        whole = features.T @ weighted - shrunk @ sums
        across = (weighted.T @ self.columns[rows] - shrunk @ self.sums) / self.scale
        inverse = self.inverse
        if without is not None and inverse[without, without] > 1 / APART:  # the column is nearly one of the others
            chosen = np.delete(np.arange(self.scale.size), without)
            across, inverse, without = across[:, chosen], self._inverse(chosen), None
        explained = across @ inverse @ across.T
        if without is not None and inverse[without, without] > 0:
            alone = across @ inverse[:, without]
            explained -= np.outer(alone, alone) / inverse[without, without]
        return whole - explained, whole


def _geometry(model: Model, weights: Vector, spread: float) -> Geometry:
    pulls = model.setting.pulls
    weight = np.where(np.isnan(pulls.outcome), 0.0, weights[pulls.arm])
    subject = np.repeat(np.arange(pulls.begin.size - 1), np.diff(pulls.begin))
    total = np.bincount(subject, weight, pulls.begin.size - 1)
    return Geometry(weight, subject, np.asarray(spread**2 / (1 + spread**2 * total), dtype=np.float64))


def _each_freed(left: Vector, whole: Vector, columns: Any, own: Any) -> Vector:
    """(column, column) products of columns from which each one's own, another column, is taken off too."""
    known = np.diag(left)[own] > SAME * np.diag(whole)[own]
    shares = np.where(known, left[columns, own] / np.where(known, np.diag(left)[own], 1.0), 0.0)
    each = np.eye(left.shape[0])[:, columns] - np.eye(left.shape[0])[:, own] * shares
    return np.asarray(each.T @ left @ each)


@functools.lru_cache(maxsize=1)
def _normal(count: int) -> Vector:
    """(draw, count) always the same: most arms ask for as many."""
    return np.random.default_rng(0).standard_normal((DRAWS, count))


def _threshold(gram: Vector, raw: Vector) -> float:
    """The quantile of the largest squared score over half-lives."""
    told = np.diag(gram) > 1e-9 * raw
    if not told.any():
        return np.inf
    deviation = np.sqrt(np.diag(gram)[told])
    correlation = gram[np.ix_(told, told)] / np.outer(deviation, deviation)
    values, vectors = np.linalg.eigh(correlation)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    scores = _normal(values.size) @ root.T
    return float(np.quantile((scores**2).max(axis=1), LEVEL))


def _shared(model: Model, parameters: Vector, further: Vector, without: int = -1) -> Vector:
    """(pull, feature) what levels change by with the parameters that arms share, but for those of one state."""
    features = [model.setting.pulls.columns]
    for s, place in enumerate(model.setting.states.tolist()):
        if s != without:
            pushed = model.setting.pulls.states.push[s][:, np.newaxis] == np.arange(_pushes(model, s))
            slope = parameters[place + 1 + model.setting.pulls.states.push[s]] * further[s, :, 1]
            features += [pushed * further[s, :, [0]].T, slope[:, np.newaxis]]
    return np.column_stack(features)


def _pushes(model: Model, state: int) -> int:
    """How many a further state has."""
    places = [*model.setting.states.tolist(), model.spreads[0]]
    return int(places[state + 1] - places[state]) - 1


def weigh_evidence(model: Model, parameters: Vector, ends: Vector, weights: Vector, whole: float) -> list[Evidence]:
    """What the log could tell of each arm.

    `ends` (arm, 2) are the logs of the shortest and longest half-lives, `weights` (arm,) the information that an
    outcome has about its level, and `whole` how many times larger the log is than that of the model.
    """
    pulls, spread = model.setting.pulls, float(parameters[model.spread])
    geometry = _geometry(model, weights, spread)
    now, further = model.worn_with_slopes(parameters)
    indicator = (pulls.arm[:, np.newaxis] == np.arange(model.arms)).astype(np.float64)
    given = Given(
        geometry,
        np.column_stack([indicator, _centred(geometry, indicator, now[:, 0]), _shared(model, parameters, further)]),
    )
    worn, starts = _worn_and_starts(model, parameters, grid(ends[:, 0], ends[:, 1], POINTS))
    points = worn.shape[1]
    wear, own = np.arange(points), np.arange(points, 2 * points)
    found = []
    for a in range(model.arms):
        rows = np.flatnonzero(pulls.arm == a)
        features = np.column_stack([worn[rows], starts[rows], now[rows, 0], pulls.elapsed[rows]])
        left, whole_products = given.freed(features, rows, without=model.arms + a)
        raw = np.einsum("ig,ig,i->g", worn[rows], worn[rows], geometry.weight[rows]) + 1e-300
        rested, unknown = left[:points, :points], _each_freed(left, whole_products, wear, own)
        gram = unknown if model.setting.starts else rested
        share = max(float((np.diag(gram) / raw).max()), 0.0)
        start_share = float((np.diag(unknown) / raw).max()) / max(float((np.diag(rested) / raw).max()), 1e-12)
        beside_trend = float(_each_freed(left, whole_products, np.array([-2]), np.array([-1]))[0, 0])
        found.append(
            Evidence(
                threshold=_threshold(gram, raw),
                share=share,
                information=share * whole * float(geometry.weight[rows].sum()),
                start_share=start_share,
                beside_trend=whole * beside_trend * float(parameters[model.place(a, PUSH)]) ** 2,
            )
        )
    return found


def _centred(geometry: Geometry, indicator: Vector, here: Vector) -> Vector:
    """(pull, arm) the wear of each arm away from its mean: where that is all there is of it, nothing."""
    weight = np.maximum(geometry.weight @ indicator, 1e-300)
    wear = indicator * here[:, np.newaxis]
    centred = wear - indicator * ((geometry.weight @ wear) / weight)
    return np.asarray(centred * (geometry.weight @ centred**2 > SAME * (geometry.weight @ wear**2)))


def _worn_and_starts(model: Model, parameters: Vector, points: Vector) -> tuple[Vector, Vector]:
    """(pull, point) each: the wear of a pull's arm and what is left of its start, at (point, arm) log half-lives."""
    pulls = model.setting.pulls
    worn, starts = np.empty((pulls.arm.size, len(points))), np.empty((pulls.arm.size, len(points)))
    for g, log_half_lives in enumerate(points):
        at = parameters.copy()
        at[LOG_HALF_LIFE : model.setting.shared : WIDTH] = log_half_lives
        worn[:, g] = model.worn(at)
        starts[:, g] = np.exp(-LOG_2 * pulls.elapsed / np.exp(log_half_lives[pulls.arm]))
    return worn, starts


def weigh_state(
    model: Model, parameters: Vector, state: int, ends: Vector, weights: Vector, whole: float
) -> list[Evidence]:
    """What the log could tell of each push of a further state; `ends` (2,) are those of its half-life."""
    pulls, place = model.setting.pulls, int(model.setting.states[state])
    geometry = _geometry(model, weights, float(parameters[model.spread]))
    now, further = model.worn_with_slopes(parameters)
    indicator = pulls.arm[:, np.newaxis] == np.arange(model.arms)
    slope = parameters[pulls.arm * WIDTH + PUSH] * now[:, 1]
    arms = [indicator, indicator * now[:, [0]], indicator * slope[:, np.newaxis]]
    half_lives = grid(ends[0], ends[1], POINTS)
    worn = np.empty((pulls.arm.size, half_lives.size))
    for g, log_half_life in enumerate(half_lives):
        at = parameters.copy()
        at[place] = log_half_life
        worn[:, g] = model.worn_with_slopes(at)[1][state, :, 0]
    given = Given(geometry, np.column_stack([*arms, _shared(model, parameters, further, without=state)]))
    found = []
    for push in range(_pushes(model, state)):
        rows = np.flatnonzero(pulls.states.push[state] == push)
        raw = np.einsum("ig,ig,i->g", worn[rows], worn[rows], geometry.weight[rows]) + 1e-300
        gram = given.freed(worn[rows], rows)[0]
        share = max(float((np.diag(gram) / raw).max()), 0.0)
        information = share * whole * float(geometry.weight[rows].sum())
        found.append(Evidence(_threshold(gram, raw), share, information, 1.0, 0.0))
    return found
