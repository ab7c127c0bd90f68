"""The likelihood of a log written down literally: loops, many nodes, no derivatives."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from roguewk.kernel.arrays import Vector
from roguewk.learn.model import Model

NODES = np.linspace(-9.0, 9.0, 721)
WEIGHTS = np.exp(-(NODES**2) / 2) * (NODES[1] - NODES[0])


def wear_before(log: Any, half_lives: Any) -> Any:
    """(row,) the wear of the row's arm before it, moved on from event to event."""
    worn = np.zeros(log.arm.size)
    for s in range(len(log.subjects)):
        for a in range(len(log.arms)):
            uses: list[float] = []
            for i in np.flatnonzero((log.subject == s) & (log.arm == a)):
                lag = 1.0 if log.regular else 0.0
                worn[i] = sum(0.5 ** ((log.time[i] - use - lag) / half_lives[a]) for use in uses)
                uses.append(log.time[i])
    return worn


def uses_before(log: Any, half_life: float, *, of_any_arm: bool) -> Any:
    """(row,) what is left of all earlier uses of the row's arm, or of any arm, each faded on its own."""
    lag, left = 1.0 if log.regular else 0.0, np.zeros(log.arm.size)
    for i in range(log.arm.size):
        for j in range(i):
            if log.subject[j] == log.subject[i] and log.arm[j] >= 0 and (of_any_arm or log.arm[j] == log.arm[i]):
                left[i] += 0.5 ** ((log.time[i] - log.time[j] - lag) / half_life)
    return left


def levels(log: Any, parameters: Any) -> Any:
    """(row,) of the average subject; parameters are (arm, 4): rested, push, log half-life, start."""
    half_lives = np.exp(parameters[:, 2])
    own = parameters[log.arm]
    first = np.array([log.time[log.subject == s].min() for s in range(len(log.subjects))])
    faded = 0.5 ** ((log.time - first[log.subject]) / half_lives[log.arm])
    return np.asarray(own[:, 0] + own[:, 1] * wear_before(log, half_lives) + own[:, 3] * faded)


def log_likelihood(log: Any, parameters: Any, spread: float, family: str, sigma: float = 1.0, more: Any = 0.0) -> float:
    """By sums over a fine grid, the same for all subjects; `more` (row,) adds to the levels."""
    eta, total = levels(log, parameters) + more, 0.0
    for s in range(len(log.subjects)):
        rows = np.flatnonzero((log.subject == s) & (log.arm >= 0) & ~np.isnan(log.reward))
        if not rows.size:
            continue
        y, at = log.reward[rows], eta[rows][:, np.newaxis] + spread * NODES
        logs = _log_density(y[:, np.newaxis], at, family, sigma).sum(axis=0)
        total += float(np.log(np.exp(logs - logs.max()) @ WEIGHTS) + logs.max()) - 0.5 * math.log(2 * math.pi)
    return total


def _log_density(y: Any, eta: Any, family: str, sigma: float) -> Any:
    if family == "gaussian":
        return stats.norm.logpdf(y, eta, sigma)
    if family == "poisson":
        return stats.poisson.logpmf(y, np.exp(eta))
    return y * eta - np.logaddexp(0, eta)


def normal_log_likelihood(log: Any, parameters: Any, spread: float, sigma: float) -> float:
    """Exactly, for normal noise: the outcomes of a subject are jointly normal."""
    eta, total = levels(log, parameters), 0.0
    for s in range(len(log.subjects)):
        rows = np.flatnonzero((log.subject == s) & (log.arm >= 0) & ~np.isnan(log.reward))
        if rows.size:
            covariance = spread**2 + sigma**2 * np.eye(rows.size)
            total += float(stats.multivariate_normal.logpdf(log.reward[rows], eta[rows], covariance))
    return total


def check_slopes(model: Model, at: Vector, free: Any) -> None:
    """The gradient and the Hessian of a model are those of small differences, over the parameters that are free."""
    here, step = model.at(at), 1e-4
    for j in np.flatnonzero(free):
        move = np.zeros(at.size)
        move[j] = step
        above, below = model.at(at + move), model.at(at - move)
        assert here.gradient[j] == pytest.approx((above.value - below.value) / (2 * step), rel=1e-4, abs=1e-4)
        slopes = (above.gradient - below.gradient)[free] / (2 * step)
        assert here.hessian[j, free] == pytest.approx(slopes, rel=1e-3, abs=1e-3)
