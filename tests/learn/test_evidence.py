from typing import Any

import numpy as np
import pytest
from scipy import stats

from roguewk.learn.evidence import Evidence, weigh_evidence, weigh_state
from roguewk.learn.job import make_ready
from roguewk.learn.terms import Terms
from roguewk.learn.verdict import EVEN, LEAST, RESTS_ON_START
from roguewk.problem.family.registry import family_named
from tests.learn.logs import log_of, simulated


def _evidence(log: Any, start: str = "rested") -> list[Evidence]:
    job = make_ready(log, family_named("bernoulli"), True, start == "unknown")
    at = job.first_guess
    return weigh_evidence(job.sample, at, job.ends, np.full(job.model.arms, 0.25), 1.0)


def _every_third(t: int) -> int:
    return 0 if t % 3 == 0 else -1


def test_the_threshold_lies_between_one_half_life_and_many_independent_ones() -> None:
    for found in _evidence(simulated(31)):
        assert stats.chi2.ppf(0.95, 1) < found.threshold < stats.chi2.ppf(0.95 ** (1 / 6), 1)


def test_pulls_at_random_tell_wear_from_rested_levels() -> None:
    for found in _evidence(simulated(32)):
        assert found.share > 10 * EVEN
        assert found.information > 10 * LEAST
        assert found.start_share > 0.5


def test_even_spacing_tells_nothing_where_starts_are_unknown() -> None:
    log = simulated(33, level=(0.4,), wear=(0.8,), half_life=(3,), schedule=_every_third)
    (found,) = _evidence(log, "unknown")
    assert found.share < 1e-6
    assert found.information < LEAST


def test_even_spacing_rests_on_rested_starts() -> None:
    log = simulated(33, level=(0.4,), wear=(0.8,), half_life=(3,), schedule=_every_third)
    (found,) = _evidence(log)
    assert found.share > EVEN
    assert found.start_share < RESTS_ON_START


def test_one_rest_in_an_even_schedule_tells_something() -> None:
    log = simulated(
        34, level=(0.4,), wear=(0.8,), half_life=(3,), schedule=lambda t: -1 if 20 < t < 40 else _every_third(t)
    )
    (found,) = _evidence(log, "unknown")
    assert found.information > LEAST


def test_information_without_subjects_is_that_of_weighted_least_squares() -> None:
    log = simulated(35, subjects=30, level=(0.0,), wear=(0.5,), half_life=(4,), chance=0.5)
    job = make_ready(log, family_named("bernoulli"), False, False)
    (found,) = weigh_evidence(job.model, job.first_guess, job.ends, np.array([0.25]), 1.0)
    shares = []
    for log_half_life in np.linspace(job.ends[0, 0], job.ends[0, 1], 24):
        at = job.first_guess
        at[2] = log_half_life
        h = job.model.worn(at)
        shares.append(((h - h.mean()) ** 2).sum() / (h**2).sum())
    assert found.share == pytest.approx(max(shares), rel=1e-6)
    assert found.information == pytest.approx(max(shares) * 0.25 * h.size, rel=1e-6)


def test_an_arm_that_is_never_repeated_tells_nothing() -> None:
    log = log_of(np.arange(40), np.zeros(40), np.zeros(40, int), np.arange(40) % 2)
    (found,) = _evidence(log)
    assert found.information == 0.0
    assert found.threshold == np.inf


def _left(column: Any, others: Any) -> float:
    """What least squares leaves of a column, squared and summed."""
    residual = column - others @ np.linalg.lstsq(others, column, rcond=None)[0]
    return float(residual @ residual)


def test_information_about_a_common_state_is_what_least_squares_leaves_of_it() -> None:
    log = simulated(36, subjects=20, rounds=30, level=(0.0, 0.0), wear=(0.5, 0.5), half_life=(4, 4), chance=0.4)
    job = make_ready(log, family_named("bernoulli"), False, False, Terms(trend=True, common=True))
    (state,), at = job.layout.states, job.first_guess
    at[[1, 5]] = -0.5, -0.3
    ends = np.array([job.region.low[state.place], job.region.high[state.place]])
    (found,) = weigh_state(job.model, at, 0, ends, np.full(2, 0.25), 1.0)
    worn = job.model.worn_with_slopes(at)[0]
    mine = job.pulls.arm[:, np.newaxis] == np.arange(2)
    slopes = worn[:, [1]] * np.array([-0.5, -0.3])  # in log half-lives
    others = np.column_stack([mine, mine * worn[:, [0]], mine * slopes, job.pulls.columns])
    shares = []
    for log_half_life in np.linspace(ends[0], ends[1], 24):
        at[state.place] = log_half_life
        h = job.model.worn_with_slopes(at)[1][0, :, 0]
        shares.append(_left(h, others) / float(h @ h))
    assert found.share == pytest.approx(max(shares), rel=1e-6)
    assert found.information == pytest.approx(max(shares) * 0.25 * h.size, rel=1e-6)
    assert stats.chi2.ppf(0.95, 1) < found.threshold < stats.chi2.ppf(0.95 ** (1 / 6), 1)


def test_what_wear_would_say_beside_a_trend_is_what_least_squares_leaves_of_it() -> None:
    log = simulated(37, subjects=20, rounds=30, level=(0.0,), wear=(0.5,), half_life=(4,), chance=0.4)
    job = make_ready(log, family_named("bernoulli"), False, False)
    at = job.first_guess
    at[1] = -0.4
    (found,) = weigh_evidence(job.model, at, job.ends, np.array([0.25]), 2.0)
    left = _left(job.model.worn(at), np.column_stack([np.ones(job.pulls.arm.size), job.pulls.elapsed]))
    assert found.beside_trend == pytest.approx(2.0 * 0.25 * 0.4**2 * left, rel=1e-6)
