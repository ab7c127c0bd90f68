"""144 fish, ten looming stimuli each (Marquez-Legorreta et al. 2022), where the data are beside the repository."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import optimize

import roguewk as rw
from tests.learn import judge
from tests.learn.logs import log_of

FILE = Path(__file__).parents[3] / "shared" / "data" / "zebrafish_loom" / "block1.csv"
pytestmark = pytest.mark.skipif(not FILE.exists(), reason="the zebrafish data are not ours to keep beside the tests")


def _log() -> Any:
    table = pd.read_csv(FILE).sort_values(["fish_id", "t_s"], kind="stable")
    fish = pd.factorize(table["fish_id"])[0]
    return log_of(fish, table["t_s"], np.zeros(len(table), int), table["resp"], regular=False)


def test_a_recovering_state_beats_a_linear_trend() -> None:
    log = _log()
    fit = rw.fit(log)
    count = log_of(log.subject, log.time, log.arm, log.reward, regular=False)

    def loss(at: Any) -> float:  # a half-life without end: what counts is the number of stimuli so far
        return -judge.log_likelihood(count, np.array([[at[0], at[1], np.log(1e12), 0.0]]), at[2], "bernoulli")

    trend = optimize.minimize(loss, [2.0, -0.2, 1.0], method="Nelder-Mead", options={"xatol": 1e-3, "fatol": 1e-3})
    assert fit.log_likelihood > -trend.fun + 2
    assert fit.arms[0].half_life.high < np.inf


def test_leaving_out_that_fish_differ_makes_recovery_look_slower() -> None:
    log = _log()
    with_fish, without = rw.fit(log), rw.fit(log, subject_effects=False)
    assert with_fish.subject_sd.low > 0.5
    assert without.arms[0].half_life.value > 1.1 * with_fish.arms[0].half_life.value
    assert with_fish.log_likelihood > without.log_likelihood + 20


def test_fish_that_were_left_out_are_predicted_surely_better_by_a_recovering_state_than_by_a_trend() -> None:
    found = rw.compare_models(_log())
    models: Any = found.frame().set_index("model")
    assert found.best == "one state"
    assert models.loc["linear trend", "surely_worse"]
    assert models.loc["linear trend", "difference"] < -20
