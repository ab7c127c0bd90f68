from typing import Any

import numpy as np
import pytest
from scipy import optimize

from roguewk.learn.job import make_ready
from roguewk.learn.model import SPREAD, Model, build_model, quadrature
from roguewk.learn.peak import find_peak
from roguewk.learn.solve import climb
from roguewk.learn.terms import COMMON, PERMANENT, SLOW, Terms
from roguewk.problem.family.registry import family_named
from tests.learn import judge
from tests.learn.judge import check_slopes
from tests.learn.logs import log_of
from tests.learn.rich_logs import Truth, rich

EVERYTHING = Terms(covariates=("hour",), trend=True, common=True, second=SLOW)
FAMILIES = ["bernoulli", "gaussian", "poisson"]


def _ready(log: Any, family: str, terms: Terms, nodes: int = 25) -> tuple[Model, Any]:
    job = make_ready(log, family_named(family), True, False, terms)
    points, weights = quadrature(nodes)
    setting = job.model.setting._replace(nodes=points, weights=weights)
    return build_model(setting, job.model.arms, job.model.centre), job


def _somewhere(job: Any, seed: int = 1) -> Any:
    """Parameters at which nothing is nothing."""
    luck, at = np.random.default_rng(seed), job.first_guess
    at[job.region.free] += luck.normal(0, 0.2, int(job.region.free.sum()))
    return at


def _literal(log: Any, job: Any, at: Any, family: str) -> float:
    """The likelihood at these parameters, by loops."""
    unit, arms, rest = job.scale.unit, len(log.arms), list(at[job.layout.first : -2])
    table = at[: 4 * arms].reshape(arms, 4) * [unit, unit, 1, unit] + [job.scale.middle, 0, 0, 0]
    pulled = (log.arm >= 0) & ~np.isnan(log.reward)
    more = np.zeros(log.arm.size)
    for values in (log.covariates["hour"], log.time):
        more += rest.pop(0) * unit * (values - values[pulled].mean()) / values[pulled].std()
    half_life, push = np.exp(rest.pop(0)), rest.pop(0)
    more += push * unit * judge.uses_before(log, half_life, of_any_arm=True)
    half_life, pushes = np.exp(rest.pop(0)), np.array(rest)
    more += pushes[log.arm] * unit * judge.uses_before(log, half_life, of_any_arm=False)
    return judge.log_likelihood(log, table, at[-2] * unit, family, np.exp(at[-1]) * unit, more)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_likelihood_of_all_at_once_is_the_literal_one(family: str) -> None:
    log = rich(81, Truth(hour=0.02, common=(0.1, 5.0)), subjects=10, rounds=15)
    model, job = _ready(log, family, EVERYTHING)
    at = _somewhere(job)
    found = model.at(at).value - model.prior(at).value + job.scale.constant
    assert found == pytest.approx(_literal(log, job, at, family), abs=1e-5)


@pytest.mark.parametrize("family", [*FAMILIES, "bounded"])
def test_slopes_of_all_at_once_are_those_of_small_differences(family: str) -> None:
    model, job = _ready(rich(82, Truth(), subjects=12, rounds=20), family, EVERYTHING)
    check_slopes(model, _somewhere(job), job.region.free)


def test_permanent_wear_counts_earlier_uses_and_common_wear_those_of_all_arms() -> None:
    log = log_of([0, 0, 0, 0, 1], [0, 2, 3, 7, 0], [0, 1, 0, 0, 1], [1, 0, 1, 0, 1])
    job = make_ready(log, family_named("bernoulli"), True, False, Terms(common=True, second=PERMANENT))
    at = job.first_guess
    common, permanent = job.layout.states
    at[common.place] = np.log(2.0)
    worn = job.model.worn_with_slopes(at)[1][:, :, 0]
    assert (common.name, permanent.name) == (COMMON, PERMANENT)
    assert worn[0] == pytest.approx(judge.uses_before(log, 2.0, of_any_arm=True))
    assert worn[1] == pytest.approx([0, 0, 1, 2, 0])
    assert not job.region.free[permanent.place]
    assert not job.region.free[permanent.place + 2]  # nobody used the second arm twice


def test_coefficients_are_those_of_scipy_on_the_literal_likelihood() -> None:
    log = rich(83, Truth(level=(0.4, 0.0), wear=(0, 0), half_life=(1, 1), hour=0.1), subjects=20, rounds=12, chance=0.4)
    job = make_ready(log, family_named("bernoulli"), True, False, Terms(covariates=("hour",), trend=True))
    arms = [place for place in range(8) if place % 4]
    found = climb(job.model, job.first_guess, job.region.without(*arms), enough=1e-9)
    rows = (log.arm >= 0) & ~np.isnan(log.reward)
    columns = [(values - values[rows].mean()) / values[rows].std() for values in (log.covariates["hour"], log.time)]

    def loss(free: Any) -> float:
        table = np.array([[free[0], 0, 0, 0], [free[1], 0, 0, 0]])
        away = free - np.array([job.model.centre, job.model.centre, 0, 0, 0])
        likelihood = judge.log_likelihood(
            log, table, free[4], "bernoulli", more=free[2] * columns[0] + free[3] * columns[1]
        )
        return -likelihood + 0.5 * float(away @ away) / SPREAD**2

    best = optimize.minimize(loss, [0.1, 0.1, 0.1, 0.1, 0.5], method="BFGS", options={"gtol": 1e-4})
    assert found.value == pytest.approx(-best.fun, abs=1e-3)
    assert found.parameters[[0, 4, 8, 9]] == pytest.approx(best.x[:4], abs=5e-3)


def test_the_peak_with_further_states_is_level_and_no_lower_than_where_the_truth_is() -> None:
    log = rich(84, Truth(common=(0.2, 8.0), second=(0.15, 40.0), half_life=(2.0, 2.0, 3.0)), subjects=100)
    job, top = find_peak(make_ready(log, family_named("bernoulli"), True, False, EVERYTHING))
    there, truth = job.model.at(top.parameters), top.parameters.copy()
    common, slow = job.layout.states
    truth[[2, 6, 10]] = np.log([2.0, 2.0, 3.0])
    truth[[common.place, slow.place]] = np.log([8.0, 40.0])
    truth[[common.place + 1, *range(slow.place + 1, slow.place + 4)]] = -0.2, -0.15, -0.15, -0.15
    held = job.region.without(2, 6, 10, *range(common.place, job.model.spread))
    assert np.abs(there.gradient[job.region.free & (top.parameters > job.region.low)]).max() < 0.1
    assert top.value > climb(job.model, truth, held).value
