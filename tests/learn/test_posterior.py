import dataclasses
from typing import Any

import numpy as np
import pytest
from scipy import stats

import roguewk as rw
from roguewk.learn.example import invented_log
from roguewk.learn.posterior import ArmPosterior, arm_posterior
from roguewk.learn.profile import Profile
from tests.learn import judge
from tests.learn.logs import log_of, simulated

FIT = rw.fit(invented_log())


def _posterior(fit: rw.Fit, arm: int = 0) -> ArmPosterior:
    found = fit.arms[arm].posterior
    assert found is not None
    return found


def _profile(values: Any, drops: Any, top: int) -> Profile:
    """One arm whose other parameters follow its half-life on lines."""
    parameters = np.column_stack([1.0 + 0.5 * values, -0.2 * values, values, np.zeros(values.size), *[values * 0] * 2])
    covariances = np.tile(np.diag([0.04, 0.0, 0.09]), (values.size, 1, 1))
    return Profile(2, top, drops, parameters, np.zeros_like(parameters), None, covariances)


def test_a_parabola_is_a_normal_distribution_also_beyond_its_last_point() -> None:
    values = np.linspace(-2.04, 2.04, 5)
    found = arm_posterior(_profile(values, 0.5 * values**2, 2), np.array([-9.0, 9.0]))
    draws = found.draw(40_000, seed=1)
    logs = np.log(draws.half_lives)
    assert stats.kstest(logs, "norm").statistic < 0.03  # half-lives are some of 161
    assert np.corrcoef(logs, draws.levels)[0, 1] == pytest.approx(0.5 / np.hypot(0.5, 0.2), abs=0.01)
    assert np.std(draws.pushes) == pytest.approx(np.hypot(0.2, 0.3), rel=0.02)
    assert (draws.starts == 0.0).all()


def test_half_lives_end_where_they_were_searched() -> None:
    values = np.array([-1.0, 0.0, 1.0, 2.0])
    found = arm_posterior(_profile(values, np.array([0.5, 0.0, 0.02, 0.03]), 1), np.array([-9.0, 2.0]))
    assert found.half_lives[-1] == pytest.approx(np.exp(2.0))
    assert np.log(found.half_lives[0]) == pytest.approx(-4.0)


def test_a_half_life_that_could_not_be_varied_is_the_only_one() -> None:
    found = arm_posterior(_profile(np.array([1.0]), np.zeros(1), 0), np.array([1.0, 1.0]))
    assert found.draw(5).half_lives == pytest.approx(np.e)


@pytest.mark.parametrize("seed", [21, 22, 23])
def test_quantiles_of_draws_are_the_profile_intervals(seed: int) -> None:
    for arm in rw.fit(simulated(seed, subjects=400)).arms:
        assert arm.posterior is not None
        draws = arm.posterior.draw(40_000, seed)
        half_life = np.log([arm.half_life.low, arm.half_life.high])
        for drawn, ends in ((np.log(draws.half_lives), half_life), (-draws.pushes, [arm.wear.low, arm.wear.high])):
            assert np.quantile(drawn, [0.025, 0.975]) == pytest.approx(ends, abs=0.06 * (ends[1] - ends[0]))


def test_given_the_half_life_gaussian_rewards_have_their_least_squares() -> None:
    log = simulated(24, subjects=40, level=(2.0,), wear=(0.8,), half_life=(5.0,), family="gaussian", spread=0.0)
    fit = rw.fit(log, family="gaussian", subject_effects=False, start="unknown")
    found = _posterior(fit)
    assert fit.sigma is not None
    for point in (40, 80, 120):
        half_life = found.half_lives[point]
        rows = np.flatnonzero(log.arm == 0)
        faded = 0.5 ** (log.time[rows] / half_life)
        features = np.column_stack([np.ones(rows.size), faded, judge.wear_before(log, [half_life])[rows]])
        best, residual, *_ = np.linalg.lstsq(features, log.reward[rows])
        covariance = residual[0] / rows.size * np.linalg.inv(features.T @ features)
        assert found.means[point] == pytest.approx(best, abs=0.05 * np.sqrt(np.diag(covariance)).min())
        assert found.covariances[point] == pytest.approx(covariance, rel=0.03, abs=1e-5)


def _truth_and_draws(seed: int) -> list[tuple[float, Any]]:
    luck = np.random.default_rng(seed)
    half_life, wear, level = np.exp(luck.uniform(0.7, 2.2)), luck.normal(0.9, 0.2), luck.normal(0.4, 0.4)
    log = simulated(seed, 40, 40, level=(level,), wear=(wear,), half_life=(half_life,), chance=0.45)
    draws = _posterior(rw.fit(log)).draw(99, seed)
    return [(half_life, draws.half_lives), (wear, -draws.pushes), (level, draws.levels)]


def test_the_rank_of_the_truth_among_draws_is_uniform() -> None:
    ranks = np.array([[(draws < truth).sum() for truth, draws in _truth_and_draws(seed)] for seed in range(80)])
    for column in ranks.T:
        counts = np.bincount(column // 20, minlength=5)
        assert stats.chisquare(counts).pvalue > 0.01


def test_a_drawn_fit_makes_worlds_and_problems_of_the_draw() -> None:
    drawn = FIT.drawn(7)
    call, text = drawn.arms
    world = drawn.world(horizon=40, budgets={"minutes": 30.0})
    assert pytest.approx(0.5 ** (1 / call.half_life.value)) == world.arms[0].A
    assert pytest.approx(-call.wear.value) == world.arms[0].B
    assert pytest.approx(-text.wear.value) == world.arms[1].B  # that none is seen does not mean that there is none
    assert FIT.drawn(7).frame().equals(drawn.frame())
    assert FIT.drawn(8).arms[0].half_life.value != call.half_life.value


def test_draws_of_every_family_are_in_the_units_of_its_estimates() -> None:
    for family, level in (("gaussian", 200.0), ("poisson", 1.0), ("bounded", 0.4)):
        log = simulated(25, family=family, level=(level, level, level))
        fit = rw.fit(log, family=family)
        rested = np.array([fit.drawn(seed).arms[0].rested.value for seed in range(200)])
        assert np.mean(rested) == pytest.approx(fit.arms[0].rested.value, rel=0.02)
        assert np.quantile(rested, 0.025) == pytest.approx(fit.arms[0].rested.low, rel=0.04)


def test_starts_are_drawn_where_they_are_unknown() -> None:
    log = simulated(48, subjects=200, rounds=70)
    late = log_of(*(column[log.time >= 10] for column in (log.subject, log.time, log.arm, log.reward)))
    arm = rw.fit(late, start="unknown").arms[2]
    assert arm.posterior is not None
    ends = np.quantile(arm.posterior.draw(20_000).starts, [0.025, 0.975])
    assert ends == pytest.approx([arm.start.low, arm.start.high], abs=0.1 * (arm.start.high - arm.start.low))


def test_what_the_log_does_not_tell_is_not_drawn() -> None:
    few = rw.fit(simulated(52, subjects=2, rounds=5))
    assert few.arms[0].posterior is None
    with pytest.raises(rw.InputError, match=r"arm 'a' cannot be drawn \(too few pulls\): leave its rows out"):
        few.drawn(1)
    with pytest.raises(rw.InputError, match="seed is -1"):
        FIT.drawn(-1)
    with pytest.raises(rw.InputError, match="cannot be drawn"):
        dataclasses.replace(FIT, arms=(dataclasses.replace(FIT.arms[0], posterior=None),)).drawn()
