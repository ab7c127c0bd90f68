"""425 approaches to 40 chipmunks (Čapkun-Huot et al. 2022), where the data are beside the repository."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import roguewk as rw
from roguewk.learn.verdict import Verdict

FILE = Path(__file__).parents[3] / "shared" / "data" / "chipmunk_fid" / "data_FID_analyses.csv"
pytestmark = pytest.mark.skipif(not FILE.exists(), reason="the chipmunk data are not ours to keep beside the tests")


def _log() -> Any:
    """How far away an animal flees, in cm, at approaches minutes apart on up to three days that are weeks apart."""
    table = pd.read_csv(FILE)
    columns = {"subject": table["ID"], "time": table["Date"] + "T" + table["Time"], "arm": "approach"}
    return rw.read_log(
        pd.DataFrame(columns | {"reward": table["FID"].astype(float), "speed": table["Approach_speed"]}), unit="hours"
    )


def test_one_state_finds_a_lasting_decline() -> None:
    fit = rw.fit(_log(), "gaussian")
    (approach,) = fit.arms
    assert approach.verdict is Verdict.SLOWLY
    assert 10 < approach.wear.low < approach.wear.high < 40
    assert fit.subject_sd.low > 50


def test_beside_what_lasts_there_is_wear_that_passes_within_the_hour() -> None:
    fit = rw.fit(_log(), "gaussian", second="permanent", covariates=["speed"])
    (approach,) = fit.arms
    effects: Any = fit.effects.set_index("name")
    assert approach.verdict is Verdict.RECOVERS
    assert approach.half_life.high < 1.0
    assert effects.loc["permanent wear of approach", "low"] > 5
    assert effects.loc["speed", "verdict"] == "none seen"
    assert fit.log_likelihood > rw.fit(_log(), "gaussian").log_likelihood + 4


def test_animals_that_were_left_out_are_predicted_best_by_two_states() -> None:
    found = rw.compare_models(_log(), "gaussian")
    models: Any = found.frame().set_index("model")
    assert found.best == "two states"
    assert models.loc[["no habituation", "linear trend"], "surely_worse"].all()
    assert np.isfinite(models["log_likelihood"]).all()
