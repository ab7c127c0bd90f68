"""Subjects whose wear differs, judged by dense covariances and sums over fine grids."""

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

import roguewk as rw
from roguewk.learn.job import make_ready
from roguewk.learn.model import build_model, square_quadrature
from roguewk.learn.terms import Terms
from roguewk.problem.family.registry import family_named
from tests.learn.judge import NODES, WEIGHTS, check_slopes, levels, wear_before
from tests.learn.logs import log_of, simulated

VARIES = Terms(wear_varies=True)


def _varying(
    seed: int, subjects: int, family: str, *, wear_sd: float = 0.5, wear: float = 0.8, rounds: int = 40
) -> Any:
    """One arm with a half-life of 4, sent half of the time, to subjects who differ in level by 0.6."""
    luck = np.random.default_rng(seed)
    own, more, worn = 0.6 * luck.standard_normal(subjects), wear_sd * luck.standard_normal(subjects), np.zeros(subjects)
    arm, reward = np.full((subjects, rounds), -1), np.full((subjects, rounds), np.nan)
    for t in range(rounds):
        sent = luck.random(subjects) < 0.5
        eta = 0.5 + own - (wear + more) * worn
        normal = eta + luck.standard_normal(subjects)
        came = normal if family == "gaussian" else luck.random(subjects) < 1 / (1 + np.exp(-eta))
        arm[sent, t], reward[sent, t] = 0, came[sent]
        worn = 0.5 ** (1 / 4) * worn + sent
    time = np.tile(np.arange(rounds), subjects)
    return log_of(np.repeat(np.arange(subjects), rounds), time, arm.ravel(), reward.ravel())


def _dense(log: Any, table: Any, spread: float, wear_spread: float, sigma: float) -> float:
    """The outcomes of a subject are jointly normal, with the covariances of its level, its wear and the noise."""
    eta, worn, total = levels(log, table), wear_before(log, np.exp(table[:, 2])), 0.0
    for s in range(len(log.subjects)):
        rows = np.flatnonzero((log.subject == s) & (log.arm >= 0))
        covariance = spread**2 + wear_spread**2 * np.outer(worn[rows], worn[rows]) + sigma**2 * np.eye(rows.size)
        total += float(stats.multivariate_normal.logpdf(log.reward[rows], eta[rows], covariance))
    return total


def test_normal_rewards_have_the_likelihood_of_a_dense_covariance_and_its_peak() -> None:
    log = _varying(1, 25, "gaussian")
    fit = rw.fit(log, "gaussian", wear_varies=True)
    (arm,) = fit.arms
    assert fit.sigma is not None
    found = [arm.rested.value, -arm.wear.value, math.log(arm.half_life.value)]

    def dense(at: Any) -> float:
        return -_dense(log, np.array([[*at[:3], 0.0]]), at[3], at[4], math.exp(at[5]))

    here = np.array([*found, fit.subject_sd.value, fit.wear_sd.value, math.log(fit.sigma)])
    assert fit.log_likelihood == pytest.approx(-dense(here), abs=1e-3)
    best = optimize.minimize(dense, here + 0.05, method="BFGS")
    assert fit.log_likelihood == pytest.approx(-best.fun, abs=1e-2)
    assert here == pytest.approx(best.x, abs=0.02)


def test_coins_have_the_likelihood_of_a_fine_grid_over_levels_and_wear() -> None:
    log = _varying(2, 8, "bernoulli")
    job = make_ready(log, family_named("bernoulli"), True, False, VARIES)
    at = np.array([0.4, -0.7, math.log(3.0), 0.0, 0.5, 0.6, 0.0])  # the spread of wear, then that of levels
    eta, worn, expected = levels(log, at[np.newaxis, :4]), wear_before(log, [3.0]), 0.0
    grid, weights = NODES[::8], WEIGHTS[::8] * 8 / math.sqrt(2 * math.pi)
    for s in range(8):
        rows = np.flatnonzero((log.subject == s) & (log.arm >= 0))
        y, level, h = (column[rows][:, np.newaxis, np.newaxis] for column in (log.reward, eta, worn))
        lines = level + 0.6 * grid[:, np.newaxis] + 0.5 * h * grid
        logs = (y * lines - np.logaddexp(0, lines)).sum(axis=0)
        expected += float(np.log(weights @ np.exp(logs) @ weights))
    model = job.model
    assert model.at(at).value - model.prior(at).value == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("family", ["bernoulli", "gaussian", "poisson"])
def test_slopes_are_those_of_small_differences(family: str) -> None:
    log = simulated(5, subjects=6, rounds=25, family=family)
    job = make_ready(log, family_named(family), True, True, VARIES._replace(trend=True, second="slow"))
    nodes, wear_nodes, weights = square_quadrature(15)
    setting = job.model.setting._replace(nodes=nodes, wear_nodes=wear_nodes, weights=weights)
    model = build_model(setting, job.model.arms, job.model.centre)
    at = job.first_guess + 0.1 * job.region.free * np.random.default_rng(0).standard_normal(model.size)
    check_slopes(model, at, job.region.free)


@pytest.mark.parametrize("family", ["bernoulli", "gaussian"])
def test_how_much_wear_differs_is_found_and_that_it_does_not(family: str) -> None:
    fit = rw.fit(_varying(3, 300, family), family, wear_varies=True)
    assert fit.wear_sd.low <= 0.5 <= fit.wear_sd.high
    assert fit.wear_sd.low > 0.3
    assert fit.arms[0].wear.low <= 0.8 <= fit.arms[0].wear.high
    assert fit.arms[0].half_life.low <= 4.0 <= fit.arms[0].half_life.high
    assert "their wear differs by 0." in str(fit)
    same = rw.fit(_varying(4, 100, family, wear_sd=0.0), family, wear_varies=True)
    assert same.wear_sd.low == 0.0
    assert same.wear_sd.high < 0.3


def test_wear_that_differs_makes_what_is_said_of_its_mean_less_sure() -> None:
    log = _varying(5, 60, "gaussian", wear_sd=1.0)
    alike, varying = rw.fit(log, "gaussian").arms[0].wear, rw.fit(log, "gaussian", wear_varies=True).arms[0].wear
    assert varying.high - varying.low > 2 * (alike.high - alike.low)


def test_the_next_subject_may_wear_off_otherwise() -> None:
    fit = rw.fit(_varying(6, 80, "gaussian", wear_sd=0.8), "gaussian", wear_varies=True)
    without = dataclasses.replace(fit, wear_sd=fit.wear_sd._replace(value=0.0))
    table, alike = fit.prior()["a"].table, without.prior()["a"].table
    assert table is not None
    assert alike is not None
    more = table.covariances[:, 5] - alike.covariances[:, 5]
    assert more == pytest.approx(fit.wear_sd.value**2, rel=1e-6)


def test_what_cannot_be_told_of_differing_wear_is_open_or_refused() -> None:
    log = _varying(7, 12, "gaussian")
    with pytest.raises(rw.InputError, match="leave out one of them"):
        rw.fit(log, "gaussian", wear_varies=True, subject_effects=False)
    with pytest.raises(rw.InputError, match="wear_varies is 1"):
        rw.fit(log, "gaussian", wear_varies=1)  # type: ignore[arg-type]
    lone = rw.fit(_varying(8, 1, "gaussian"), "gaussian", wear_varies=True)
    assert (lone.wear_sd.low, lone.wear_sd.high) == (0.0, math.inf)
