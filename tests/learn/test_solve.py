import numpy as np
import pytest
from scipy import optimize

from roguewk.learn.job import make_ready
from roguewk.learn.model import SPREAD
from roguewk.learn.search import search
from roguewk.learn.setting import LOG_HALF_LIFE
from roguewk.learn.solve import climb
from roguewk.problem.family.registry import family_named
from tests.learn import judge
from tests.learn.logs import log_of, simulated


def test_the_peak_at_given_half_lives_is_that_of_scipy_on_the_literal_likelihood() -> None:
    log = simulated(11, subjects=25, rounds=20, level=(0.4, 0.0), wear=(0.8, 0.6), half_life=(3, 6), chance=0.35)
    job = make_ready(log, family_named("bernoulli"), True, False)
    places = [job.model.place(a, LOG_HALF_LIFE) for a in range(2)]
    start = job.first_guess
    start[places] = np.log([3.0, 6.0])
    region = job.region.without(*places)
    found = climb(job.model, start, region, enough=1e-9)

    def loss(free: np.ndarray) -> float:
        table = np.array([[free[0], free[1], np.log(3.0), 0.0], [free[2], free[3], np.log(6.0), 0.0]])
        away = free - np.array([job.model.centre, 0.0, job.model.centre, 0.0, 0.0])
        return -judge.log_likelihood(log, table, free[4], "bernoulli") + 0.5 * float(away @ away) / SPREAD**2

    best = optimize.minimize(loss, [0.2, -0.3, 0.2, -0.3, 0.5], method="BFGS", options={"gtol": 1e-4})
    assert found.value == pytest.approx(-best.fun, abs=1e-3)
    assert found.parameters[region.free] == pytest.approx(np.array([*best.x[:4], abs(best.x[4])]), abs=5e-3)


def test_all_parameters_together_end_where_the_gradient_is_nothing() -> None:
    log = simulated(12, subjects=80)
    job = make_ready(log, family_named("bernoulli"), True, False)
    top = climb(job.model, search(job.sample, job.first_guess, job.region), job.region, enough=1e-10)
    there = job.model.at(top.parameters)
    assert np.abs(there.gradient[job.region.free]).max() < 1e-2  # where standard deviations are about a tenth
    assert np.linalg.eigvalsh(there.hessian[np.ix_(job.region.free, job.region.free)]).max() < 0


def test_a_search_in_some_of_the_subjects_ends_at_the_peak_of_all() -> None:
    log = simulated(13, subjects=600)
    job = make_ready(log, family_named("bernoulli"), True, False)
    assert job.sample is not job.model
    from_some = climb(job.model, search(job.sample, job.first_guess, job.region), job.region)
    from_all = climb(job.model, search(job.model, job.first_guess, job.region), job.region)
    assert from_some.value == pytest.approx(from_all.value, abs=1e-3)


def test_a_spread_of_subjects_that_came_to_nothing_on_the_way_grows_again() -> None:
    job = make_ready(simulated(14, subjects=80), family_named("bernoulli"), True, False)
    start = job.first_guess
    start[job.model.spread] = 0.0  # where the gradient is nothing, whatever the log says
    assert climb(job.model, start, job.region).parameters[job.model.spread] > 0.4


def test_a_step_never_leads_down_even_from_far_away() -> None:
    job = make_ready(
        log_of([0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 0], [1, 0, 0, 1]), family_named("poisson"), True, False
    )
    start = job.first_guess + 6.0
    before = job.model.at(np.clip(start, job.region.low, job.region.high)).value
    assert climb(job.model, start, job.region).value > before
