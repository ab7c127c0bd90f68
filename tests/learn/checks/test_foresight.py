"""What is expected of a pull, against sums over a fine grid and against exact normal conditioning."""

from typing import Any

import numpy as np
import pytest

from roguewk.learn.checks.foresight import foresee
from roguewk.learn.job import make_ready
from roguewk.problem.family.registry import family_named
from tests.learn import judge
from tests.learn.logs import log_of, simulated

FINE = np.linspace(-9.0, 9.0, 4001)
TABLE = np.array([[0.4, -0.7, 1.0, 0.0], [-0.2, -0.3, 1.5, 0.0], [0.1, 0.2, 2.0, 0.0]])


def _mean(eta: Any, family: str) -> Any:
    return {"gaussian": lambda: eta, "poisson": lambda: np.exp(eta)}.get(family, lambda: 1 / (1 + np.exp(-eta)))()


def _by_grid(log: Any, family: str, spread: float, sigma: float) -> Any:
    """(row, 2) means and variances, literally: the posterior of the subject's level after every outcome."""
    eta, found = judge.levels(log, TABLE), np.full((log.arm.size, 2), np.nan)
    for s in range(len(log.subjects)):
        logs = -(FINE**2) / 2
        for i in np.flatnonzero((log.subject == s) & (log.arm >= 0)):
            weights = np.exp(logs - logs.max())
            weights /= weights.sum()
            at = eta[i] + spread * FINE
            means = _mean(at, family)
            within = {"gaussian": sigma**2 + 0 * at, "poisson": means}.get(family, means * (1 - means))
            found[i] = weights @ means, weights @ within + weights @ means**2 - (weights @ means) ** 2
            if not np.isnan(log.reward[i]):
                logs = logs + judge._log_density(log.reward[i], at, family, sigma)
    return found


def _foreseen(log: Any, family: str, spread: float, sigma: float) -> tuple[Any, Any, Any]:
    job = make_ready(log, family_named(family), True, False)
    unit, middle = job.scale.unit, job.scale.middle
    table = (TABLE[: len(log.arms)] - [middle, 0, 0, 0]) / [unit, unit, 1, unit]
    at = np.concatenate([table.ravel(), [spread / unit, np.log(sigma / unit) if family == "gaussian" else 0.0]])
    found = foresee(job.model, at)
    return found.mean * unit + middle, found.variance * unit**2, found


@pytest.mark.parametrize("family", ["bernoulli", "poisson", "gaussian"])
def test_expectations_are_those_of_a_fine_grid(family: str) -> None:
    log = simulated(3, subjects=6, rounds=25, family=family)
    log.reward[::7] = np.nan  # not observed: the arm wears, and nothing is learned
    mean, variance, _ = _foreseen(log, family, 0.8, 1.1)
    expected = _by_grid(log, family, 0.8, 1.1)[log.arm >= 0]
    assert mean == pytest.approx(expected[:, 0], rel=1e-6)
    assert variance == pytest.approx(expected[:, 1], rel=1e-5)


def test_a_subject_of_thousands_of_pulls_is_followed_as_exactly() -> None:
    log = simulated(4, subjects=1, rounds=4000, chance=0.33)
    mean, _, _ = _foreseen(log, "bernoulli", 1.0, 1.0)
    assert mean == pytest.approx(_by_grid(log, "bernoulli", 1.0, 1.0)[log.arm >= 0][:, 0], rel=2e-3)


def test_levels_of_subjects_are_the_exact_ones_of_normal_rewards() -> None:
    log = simulated(5, subjects=8, rounds=20, family="gaussian")
    _, _, found = _foreseen(log, "gaussian", 0.9, 1.2)
    job = make_ready(log, family_named("gaussian"), True, False)
    eta = judge.levels(log, TABLE)
    for s in range(8):
        rows = np.flatnonzero((log.subject == s) & (log.arm >= 0))
        precision = rows.size / 1.2**2 + 1 / 0.9**2
        assert found.own[s] * job.scale.unit == pytest.approx((log.reward[rows] - eta[rows]).sum() / 1.2**2 / precision)
        assert found.own_sd[s] * job.scale.unit == pytest.approx(precision**-0.5, rel=1e-4)


def test_what_is_left_has_mean_zero_also_where_pulls_depend_on_earlier_outcomes() -> None:
    luck, rows = np.random.default_rng(6), []
    own = luck.standard_normal(4000)
    for s in range(4000):
        worn, last = 0.0, 1.0
        for t in range(12):
            asked = last or luck.random() < 0.3  # who did not respond is rarely asked again
            if asked:
                last = float(luck.random() < 1 / (1 + np.exp(-(0.4 - 0.7 * worn + own[s]))))
                rows.append((s, t, 0, last))
            worn = 0.5 ** (1 / np.e) * worn + bool(asked)
    subject, time, arm, reward = np.array(rows).T
    log = log_of(subject.astype(int), time, arm.astype(int), reward)
    mean, variance, _ = _foreseen(log, "bernoulli", 1.0, 1.0)
    average = 1 / (1 + np.exp(-judge.levels(log, TABLE)))
    for late in (log.time < 4, log.time >= 8):
        left = (log.reward - mean)[late]
        assert abs(left.sum()) < 3 * np.sqrt(variance[late].sum())
        assert abs((log.reward - average)[late].sum()) > 5 * np.sqrt(variance[late].sum())  # the average subject's fail
