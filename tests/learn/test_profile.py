import math

import numpy as np
import pytest

from roguewk.learn.job import make_ready
from roguewk.learn.movement import Together
from roguewk.learn.profile import CHI_SQUARE, Profile, others_interval, own_interval, trace
from roguewk.learn.search import search
from roguewk.learn.setting import LOG_HALF_LIFE, PUSH
from roguewk.learn.solve import climb
from roguewk.problem.family.registry import family_named
from tests.learn.logs import simulated

BESIDE = np.zeros((1, 0, 0))


@pytest.mark.parametrize("seed", [21, 22])
def test_intervals_are_those_of_a_fine_grid(seed: int) -> None:
    job = make_ready(simulated(seed, subjects=60), family_named("bernoulli"), True, False)
    top = climb(job.model, search(job.sample, job.first_guess, job.region), job.region, enough=1e-8)
    place, push = job.model.place(1, LOG_HALF_LIFE), job.model.place(1, PUSH)
    found = trace(Together(job.model), top, job.region, place)
    half_life, wear = own_interval(found), others_interval(found, push)
    for q, interval in ((place, half_life), (push, wear)):
        for end in (interval.low, interval.high):
            start = top.parameters.copy()
            start[q] = end
            drop = top.value - climb(job.model, start, job.region.without(q), enough=1e-8).value
            assert 2 * drop == pytest.approx(CHI_SQUARE, rel=0.06)


def test_an_end_that_is_not_refuted_is_infinite() -> None:
    profile = Profile(
        0, 1, np.array([0.5, 0.0, 1.0, 2.5]), np.arange(4.0)[:, np.newaxis], np.full((4, 1), np.nan), None, BESIDE
    )
    interval = own_interval(profile)
    assert interval.value == 1.0
    assert interval.low == -math.inf
    assert 2.0 < interval.high < 3.0


def test_a_parabola_has_its_textbook_interval() -> None:
    values = np.linspace(-3.0, 3.0, 7)
    other = 0.5 * values  # the other parameter follows, with a deviation of its own
    table, deviations = np.column_stack([values, other]), np.column_stack([np.full(7, np.nan), np.full(7, 0.5)])
    profile = Profile(0, 3, 0.5 * values**2, table, deviations, None, BESIDE)
    own, others = own_interval(profile), others_interval(profile, 1)
    assert own.high == pytest.approx(math.sqrt(CHI_SQUARE), rel=1e-9)
    assert others.high == pytest.approx(math.sqrt(CHI_SQUARE) * math.hypot(0.5, 0.5), rel=2e-3)
    assert others.low == pytest.approx(-others.high)


def test_a_parameter_that_stays_has_no_width() -> None:
    profile = Profile(0, 0, np.zeros(1), np.array([[1.0, 0.3]]), np.full((1, 2), np.nan), None, BESIDE)
    assert others_interval(profile, 1) == (0.3, 0.3, 0.3)
