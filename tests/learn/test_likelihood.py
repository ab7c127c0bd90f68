from typing import Any

import numpy as np
import pytest

from roguewk.learn.job import make_ready
from roguewk.learn.model import Model, build_model, quadrature
from roguewk.problem.family.registry import family_named
from tests.learn import judge
from tests.learn.judge import check_slopes
from tests.learn.logs import log_of, simulated

FAMILIES = ["bernoulli", "gaussian", "poisson"]


def _model(log: Any, family: str, starts: bool, nodes: int) -> tuple[Model, Any]:
    job = make_ready(log, family_named(family), True, starts)
    points, weights = quadrature(nodes)
    setting = job.model.setting._replace(nodes=points, weights=weights)
    return build_model(setting, job.model.arms, job.model.centre), job


def _parameters(seed: int, arms: int, starts: bool, noisy: bool) -> Any:
    luck = np.random.default_rng(seed)
    table = np.column_stack(
        [luck.normal(0, 0.5, arms), luck.normal(-0.5, 0.2, arms), luck.uniform(0, 2, arms), luck.normal(0, 0.4, arms)]
    )
    table[:, 3] *= starts
    return table, 0.8, 0.2 if noisy else 0.0


@pytest.mark.parametrize("starts", [False, True])
@pytest.mark.parametrize("family", FAMILIES)
def test_the_likelihood_is_the_literal_one(family: str, starts: bool) -> None:
    log = simulated(3, subjects=12, rounds=15, family=family)
    model, job = _model(log, family, starts, 15)
    table, spread, log_noise = _parameters(1, 3, starts, family == "gaussian")
    at = np.concatenate([table.ravel(), [spread, log_noise]])
    unit, middle = job.scale.unit, job.scale.middle
    table = table * [unit, unit, 1, unit] + [middle, 0, 0, 0]
    expected = judge.log_likelihood(log, table, spread * unit, family, np.exp(log_noise) * unit)
    assert model.at(at).value - model.prior(at).value + job.scale.constant == pytest.approx(expected, abs=1e-5)


def test_with_normal_noise_three_nodes_are_exact() -> None:
    log = simulated(4, subjects=15, rounds=20, family="gaussian")
    model, job = _model(log, "gaussian", False, 3)
    table, spread, log_noise = _parameters(2, 3, False, True)
    at = np.concatenate([table.ravel(), [spread, log_noise]])
    unit, middle = job.scale.unit, job.scale.middle
    table = table * [unit, unit, 1, unit] + [middle, 0, 0, 0]
    expected = judge.normal_log_likelihood(log, table, spread * unit, np.exp(log_noise) * unit)
    assert model.at(at).value - model.prior(at).value + job.scale.constant == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("starts", [False, True])
@pytest.mark.parametrize("family", [*FAMILIES, "bounded"])
def test_slopes_are_those_of_small_differences(family: str, starts: bool) -> None:
    log = simulated(5, subjects=15, rounds=20, family=family)
    model, job = _model(log, family, starts, 25)
    table, spread, log_noise = _parameters(3, 3, starts, job.scale.noisy)
    check_slopes(model, np.concatenate([table.ravel(), [spread, log_noise]]), job.region.free)


def test_few_nodes_are_enough_where_subjects_have_few_outcomes() -> None:
    log = simulated(6, subjects=150, rounds=6)
    few, _ = _model(log, "bernoulli", False, 7)
    many, _ = _model(log, "bernoulli", False, 31)
    table, spread, _ = _parameters(4, 3, False, False)
    at = np.concatenate([table.ravel(), [spread, 0.0]])
    assert few.at(at).value == pytest.approx(many.at(at).value, abs=2e-3)


def test_pulls_without_an_outcome_wear_the_arm_all_the_same() -> None:
    log = log_of([0, 0, 0], [0, 2, 5], [0, 0, 0], [1, np.nan, 0])
    model, _ = _model(log, "bernoulli", False, 5)
    at = np.array([0.0, -1.0, np.log(2.0), 0.0, 0.5, 0.0])
    assert model.worn(at) == pytest.approx([0.0, 0.5**0.5, 0.5**2 + 0.5])


def test_clock_times_fade_from_the_moment_of_the_pull() -> None:
    log = log_of([0, 0, 0], [0, 2, 5.5], [0, 0, 0], [1, 1, 0], regular=False)
    model, _ = _model(log, "bernoulli", False, 5)
    at = np.array([0.0, -1.0, np.log(2.0), 0.0, 0.5, 0.0])
    assert model.worn(at) == pytest.approx(judge.wear_before(log, [2.0]))


def test_sums_over_stretches_of_subjects_are_those_over_all() -> None:
    log = simulated(7, subjects=900, rounds=40)  # more pulls than one thread is given
    model, _ = _model(log, "bernoulli", False, 5)
    alone = build_model(model.setting._replace(pulls=model.setting.pulls), 3, model.centre)
    at = np.concatenate([_parameters(5, 3, False, False)[0].ravel(), [0.6, 0.0]])
    whole = model.at(at)
    halves = [0.0, 0.0]
    for half in range(2):
        rows = log.subject % 2 == half
        part = log_of(log.subject[rows] // 2, log.time[rows], log.arm[rows], log.reward[rows], arms=3)
        piece, _ = _model(part, "bernoulli", False, 5)
        halves[half] = piece.at(at).value - piece.prior(at).value
    assert len(model.rooms) > 1
    assert whole.value - model.prior(at).value == pytest.approx(sum(halves), rel=1e-9)
    assert alone.at(at).value == whole.value
