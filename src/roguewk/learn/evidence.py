"""What the spacing of pulls can tell, whatever the outcomes were.

Outcomes are weighed by the variance that they have in each arm. In that geometry the wear before each pull, at a
half-life, is freed of what rested levels, subjects, other arms' wear and unknown starts explain: what is left is all
that the log can say about wear (the efficient score).

Without wear there is no half-life, so the likelihood ratio against no wear is the largest of many, one for each
half-life: a chi-square process. Its 95 % quantile is found by drawing normal scores with the correlations that this
log has (Hansen, Econometrica 64, 1996).
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.model import Model
from roguewk.learn.setting import LOG_2, LOG_HALF_LIFE, PUSH, WIDTH

POINTS = 24  # half-lives from the shortest to the longest
DRAWS = 20_000
LEVEL = 0.95


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

    def products(self, features: Vector) -> Vector:
        """(feature, feature) those of the columns of (pull, feature)."""
        weighted = features * self.weight[:, np.newaxis]
        sums = np.column_stack([np.bincount(self.subject, column, self.shrink.size) for column in weighted.T])
        return np.asarray(features.T @ weighted - sums.T @ (sums * self.shrink[:, np.newaxis]))


def _geometry(model: Model, weights: Vector, spread: float) -> Geometry:
    pulls = model.setting.pulls
    weight = np.where(np.isnan(pulls.outcome), 0.0, weights[pulls.arm])
    subject = np.repeat(np.arange(pulls.begin.size - 1), np.diff(pulls.begin))
    total = np.bincount(subject, weight, pulls.begin.size - 1)
    return Geometry(weight, subject, np.asarray(spread**2 / (1 + spread**2 * total), dtype=np.float64))


def _freed(products: Vector, wear: Any, given: Any, own: Any) -> Vector:
    """(wear, wear) products of what is left of the wear columns, the given ones and each its own taken off."""
    left = np.zeros((products.shape[0], wear.size))
    for g, column in enumerate(wear):
        others = given if own is None else np.append(given, own[g])
        scale = np.sqrt(np.maximum(np.diag(products)[others], 1e-300))
        # Scaled, or a start that has all but faded would be taken for nothing.
        inside = np.linalg.pinv(products[np.ix_(others, others)] / np.outer(scale, scale), rcond=1e-10, hermitian=True)
        left[column, g] = 1.0
        left[others, g] = -(inside @ (products[others, column] / scale)) / scale
    return np.asarray(left.T @ products @ left)


def _threshold(gram: Vector, raw: Vector) -> float:
    """The quantile of the largest squared score over half-lives."""
    told = np.diag(gram) > 1e-9 * raw
    if not told.any():
        return np.inf
    deviation = np.sqrt(np.diag(gram)[told])
    correlation = gram[np.ix_(told, told)] / np.outer(deviation, deviation)
    values, vectors = np.linalg.eigh(correlation)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    scores = np.random.default_rng(0).standard_normal((DRAWS, values.size)) @ root.T
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
    places = [*model.setting.states.tolist(), model.spread]
    return int(places[state + 1] - places[state]) - 1


def weigh_evidence(model: Model, parameters: Vector, ends: Vector, weights: Vector, whole: float) -> list[Evidence]:
    """What the log could tell of each arm.

    `ends` (arm, 2) are the logs of the shortest and longest half-lives, `weights` (arm,) the information that an
    outcome has about its level, and `whole` how many times larger the log is than that of the model.
    """
    pulls, spread = model.setting.pulls, float(parameters[model.spread])
    geometry = _geometry(model, weights, spread)
    now, further = model.worn_with_slopes(parameters)
    here, indicator = now[:, 0], pulls.arm[:, np.newaxis] == np.arange(model.arms)
    shared = _shared(model, parameters, further)
    worn, starts = _worn_and_starts(model, parameters, np.linspace(ends[:, 0], ends[:, 1], POINTS))
    found = []
    for a in range(model.arms):
        mine, others = indicator[:, [a]], np.delete(indicator, a, axis=1)
        at_peak = np.column_stack([here * mine[:, 0], pulls.elapsed * mine[:, 0]])
        given = np.column_stack([indicator, others * here[:, np.newaxis], shared])
        features = np.column_stack([worn * mine, starts * mine, given, at_peak])
        products = geometry.products(features)
        raw = np.einsum("ig,ig,i->g", worn, worn * mine, geometry.weight) + 1e-300
        wear, own = np.arange(POINTS), np.arange(POINTS, 2 * POINTS)
        rest = 2 * POINTS + np.arange(given.shape[1])
        rested, unknown = _freed(products, wear, rest, None), _freed(products, wear, rest, own)
        gram = unknown if model.setting.starts else rested
        share = max(float((np.diag(gram) / raw).max()), 0.0)
        start_share = float((np.diag(unknown) / raw).max()) / max(float((np.diag(rested) / raw).max()), 1e-12)
        information = share * whole * float(geometry.weight @ mine[:, 0])
        beside_trend = float(_freed(products, rest[-1:] + 1, rest, rest[-1:] + 2)[0, 0])
        found.append(
            Evidence(
                threshold=_threshold(gram, raw),
                share=share,
                information=information,
                start_share=start_share,
                beside_trend=whole * beside_trend * float(parameters[model.place(a, PUSH)]) ** 2,
            )
        )
    return found


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
    worn = np.empty((pulls.arm.size, POINTS))
    for g, log_half_life in enumerate(np.linspace(ends[0], ends[1], POINTS)):
        at = parameters.copy()
        at[place] = log_half_life
        worn[:, g] = model.worn_with_slopes(at)[1][state, :, 0]
    found = []
    for push in range(_pushes(model, state)):
        mine = pulls.states.push[state] == push
        given = np.column_stack([*arms, _shared(model, parameters, further, without=state)])
        products = geometry.products(np.column_stack([worn * mine[:, np.newaxis], given]))
        raw = np.einsum("ig,ig,i->g", worn, worn, geometry.weight * mine) + 1e-300
        gram = _freed(products, np.arange(POINTS), POINTS + np.arange(given.shape[1]), None)
        share = max(float((np.diag(gram) / raw).max()), 0.0)
        found.append(Evidence(_threshold(gram, raw), share, share * whole * float(geometry.weight @ mine), 1.0, 0.0))
    return found
