"""What the spacing of pulls can tell, whatever the outcomes were.

Outcomes are weighed by the variance that they have in each arm. In that geometry the wear before each pull, at a
half-life, is freed of what rested levels, subjects, other arms' wear and unknown starts explain: what is left is all
that the log can say about wear (the efficient score).

Without wear there is no half-life, so the likelihood ratio against no wear is the largest of many, one for each
half-life: a chi-square process. Its 95 % quantile is found by drawing normal scores with the correlations that this
log has (Hansen, Econometrica 64, 1996).
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.likelihood import LOG_2, LOG_HALF_LIFE, WIDTH
from roguewk.learn.model import Model

POINTS = 24  # half-lives from the shortest to the longest
DRAWS = 20_000
LEVEL = 0.95


class Evidence(NamedTuple):
    """What the log could tell of one arm."""

    threshold: float  # of the likelihood ratio against no wear: exceeded by chance in one log of twenty
    share: float  # of the wear, squared and at the best half-life, that nothing else explains
    information: float  # about the level: that share of all the arm's outcomes, each counted by its variance
    start_share: float  # what unknown starts would leave of the information


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


def weigh_evidence(model: Model, parameters: Vector, ends: Vector, weights: Vector, whole: float) -> list[Evidence]:
    """What the log could tell of each arm.

    `ends` (arm, 2) are the logs of the shortest and longest half-lives, `weights` (arm,) the information that an
    outcome has about its level, and `whole` how many times larger the log is than that of the model.
    """
    pulls, spread = model.setting.pulls, float(parameters[model.spread])
    geometry = _geometry(model, weights, spread)
    here, indicator = model.worn(parameters), pulls.arm[:, np.newaxis] == np.arange(model.arms)
    points = np.linspace(ends[:, 0], ends[:, 1], POINTS)  # (point, arm)
    worn = np.empty((pulls.arm.size, POINTS))
    starts = np.empty((pulls.arm.size, POINTS))
    for g, log_half_lives in enumerate(points):
        at = parameters.copy()
        at[LOG_HALF_LIFE : model.spread : WIDTH] = log_half_lives
        worn[:, g] = model.worn(at)
        starts[:, g] = np.exp(-LOG_2 * pulls.elapsed / np.exp(log_half_lives[pulls.arm]))
    found = []
    for a in range(model.arms):
        mine, others = indicator[:, [a]], np.delete(indicator, a, axis=1)
        features = np.column_stack([worn * mine, starts * mine, indicator, others * here[:, np.newaxis]])
        products = geometry.products(features)
        raw = np.einsum("ig,ig,i->g", worn, worn * mine, geometry.weight) + 1e-300
        wear, own = np.arange(POINTS), np.arange(POINTS, 2 * POINTS)
        given = np.arange(2 * POINTS, features.shape[1])
        rested, unknown = _freed(products, wear, given, None), _freed(products, wear, given, own)
        gram = unknown if model.setting.starts else rested
        share = max(float((np.diag(gram) / raw).max()), 0.0)
        start_share = float((np.diag(unknown) / raw).max()) / max(float((np.diag(rested) / raw).max()), 1e-12)
        information = share * whole * float(geometry.weight @ mine[:, 0])
        found.append(Evidence(_threshold(gram, raw), share, information, start_share))
    return found
