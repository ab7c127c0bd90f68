"""Draws by NumPyro: the model against the likelihood written down literally, and the draws beside the fit."""

import sys
from typing import Any

import numpy as np
import pytest
from scipy import stats

import roguewk as rw
from roguewk.learn.example import invented_log
from roguewk.learn.job import make_ready
from roguewk.learn.sampled import PosteriorSample, SampledNumbers
from roguewk.learn.sampling import _model
from roguewk.problem.family.registry import family_named
from tests.learn import judge
from tests.learn.logs import simulated

ONE_ARM: dict[str, Any] = {"level": (0.8,), "wear": (0.9,), "half_life": (4.0,), "chance": 0.4}


def test_without_numpyro_the_remedy_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpyro", None)
    with pytest.raises(rw.InputError, match=r"needs NumPyro, which is not installed: pip install 'roguewk\[numpyro\]'"):
        rw.sample_posterior(invented_log(10, 10))


@pytest.mark.parametrize("family", ["bernoulli", "gaussian", "poisson", "bounded"])
def test_the_density_is_the_literal_likelihood_times_the_priors(family: str) -> None:
    util = pytest.importorskip("numpyro.infer.util")
    log = simulated(5, 8, 15, family=family, level=(0.2, 0.4), wear=(0.3, 0.5), half_life=(2.0, 5.0))
    job = make_ready(log, family_named(family), True, True)
    luck, rows = np.random.default_rng(0), (log.arm >= 0)
    found = []
    for _ in range(2):
        at: dict[str, Any] = {name: luck.normal(0, 0.5, 2) for name in ("rested", "push", "start")}
        at |= {"log_half_life": np.log([2.0, 4.0]), "own": luck.standard_normal(8), "subject_sd": 0.6}
        at |= {"log_noise": -0.4} if job.scale.noisy else {}
        density = float(util.log_density(_model, (job,), {}, at)[0])
        spread = {"rested": job.model.centre, "push": 0.0, "start": 0.0}
        prior = sum(stats.norm.logpdf(at[name], middle, 10.0).sum() for name, middle in spread.items())
        prior += stats.norm.logpdf(at["own"]).sum()
        unit, middle = job.scale.unit, job.scale.middle  # of Gaussian rewards, which are scaled
        numbers = np.column_stack([at[name] for name in ("rested", "push", "log_half_life", "start")])
        level = (judge.levels(log, numbers) + 0.6 * at["own"][log.subject])[rows]
        found.append(density - prior - _log_density((log.reward[rows] - middle) / unit, level, family))
    assert found[0] == pytest.approx(found[1], abs=2e-3)  # JAX counts in single precision


def _log_density(outcome: Any, level: Any, family: str) -> float:
    """Up to a constant, at the noise of the test."""
    if family == "gaussian":
        return float(stats.norm.logpdf(outcome, level, np.exp(-0.4)).sum())
    if family == "poisson":
        return float(stats.poisson.logpmf(outcome, np.exp(level)).sum())
    coins = float((outcome * level - np.logaddexp(0, level)).sum())
    return coins * np.exp(0.8) if family == "bounded" else coins


def test_draws_agree_with_the_fit() -> None:
    pytest.importorskip("numpyro")
    log = simulated(1, 30, 30, **ONE_ARM)
    sample, fit = rw.sample_posterior(log, draws=500, warmup=250, chains=1), rw.fit(log)
    drawn, fitted = sample.intervals().iloc[0], fit.frame().iloc[0]
    for name in ("rested", "wear", "half_life"):
        width = fitted[f"{name}_high"] - fitted[f"{name}_low"]
        for end in ("", "_low", "_high"):
            assert drawn[name + end] == pytest.approx(fitted[name + end], abs=0.15 * width), name + end
    assert sample.subject_sd.value == pytest.approx(fit.subject_sd.value, abs=0.15)
    assert sample.frame().shape == (500, 8)
    assert sample.divergences == 0
    assert (sample.diagnostics()["r_hat"] < 1.05).all()
    assert max(len(line) for line in str(sample).splitlines()) <= 80


def test_chains_that_do_not_agree_are_warned_of() -> None:
    pytest.importorskip("numpyro")
    drawn = np.random.default_rng(0).standard_normal((2, 400, 1))
    apart = drawn + np.array([0.0, 3.0])[:, np.newaxis, np.newaxis]
    numbers = SampledNumbers(drawn, drawn, drawn, drawn, drawn[..., 0])
    of: dict[str, Any] = {"arms": ("call",), "unit": "rounds", "family": "bernoulli", "divergences": 0}
    sampled = ("rested", "wear", "half_life")
    assert PosteriorSample(numbers=numbers, sampled=sampled, **of).warning == ""
    bad = PosteriorSample(numbers=numbers._replace(half_life=apart), sampled=sampled, **of)
    assert "chains do not agree (half-life of 'call' has r_hat" in bad.warning
    few = SampledNumbers(*(part[:, :20] for part in numbers))
    assert "ask for more" in PosteriorSample(numbers=few, sampled=sampled, **of).warning
