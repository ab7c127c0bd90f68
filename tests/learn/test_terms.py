import dataclasses
from typing import Any

import numpy as np
import pandas as pd
import pytest

import roguewk as rw
from roguewk.learn.example import invented_log
from roguewk.learn.pulls import of_subjects, pulls_of
from roguewk.learn.terms import Terms, with_terms
from tests.learn.logs import log_of
from tests.learn.rich_logs import Truth, rich


def _with(log: Any, **columns: Any) -> Any:
    return dataclasses.replace(log, covariates={name: np.asarray(value, float) for name, value in columns.items()})


LOG = invented_log(30, 20)
CLOCK = dataclasses.replace(LOG, regular=False, unit="days")
AGE = np.arange(LOG.arm.size) % 7
GAPS = np.where(np.arange(LOG.arm.size) == 45, np.nan, AGE)
PULLED = np.where(LOG.arm == 0, 1.0, 0.0)


@pytest.mark.parametrize(
    ("log", "settings", "words"),
    [
        (LOG, {"covariates": "age"}, "give a list of names of columns"),
        (LOG, {"covariates": 3}, "give a list of names of columns"),
        (LOG, {"covariates": ["age"]}, "has no further column of numbers"),
        (_with(LOG, age=AGE), {"covariates": ["agee"]}, "did you mean 'age'"),
        (_with(LOG, age=AGE), {"covariates": ["age", "age"]}, "the name of two covariates"),
        (
            CLOCK,
            {"covariates": ["hour"]},
            "'hour' is not worked out from time: add it to the log, as a column of numbers",
        ),
        (_with(CLOCK, age=AGE), {"covariates": ["Weekday"]}, "'Weekday' is not worked out from time: add it"),
        (LOG, {"covariates": ["cost_minutes"]}, "'cost_minutes' is a cost: leave it out, or add such a column under"),
        (LOG, {"covariates": ["minutes"]}, "'minutes' is a cost: leave it out"),
        (_with(LOG, age=AGE), {"covariates": ["time"]}, "'time' is one of the columns that a log is made of: leave it"),
        (_with(LOG, age=GAPS * np.nan), {"covariates": ["age"]}, "missing beside an outcome in rows 1, 2, 4 and"),
        (_with(LOG, age=AGE * 0), {"covariates": ["age"]}, "is the same in all rows with an outcome: leave it out"),
        (_with(LOG, age=AGE, old=2 * AGE + 1), {"covariates": ["age", "old"]}, "'old' follows from the arms and the"),
        (_with(LOG, call=PULLED), {"covariates": ["call"]}, "'call' follows from the arms"),
        (_with(LOG, day=LOG.time), {"covariates": ["day"], "trend": True}, "the trend in time follows from"),
        (log_of([0, 1, 2], [0, 0, 0], [0, 0, 0], [1, 0, 1]), {"trend": True}, "the trend in time is the same in all"),
        (log_of([0, 0, 1], [0, 1, 0], [0, 0, 0], [1, 0, 1]), {"common": True}, "common needs two arms or more"),
        (LOG, {"second": "fast"}, "unknown second 'fast'"),
        (LOG, {"second": 2}, "second is 2"),
        (LOG, {"trend": "yes"}, "trend is 'yes'"),
        (LOG, {"common": 1}, "common is 1"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(log: Any, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(rw.InputError, match=words):
        rw.fit(log, **settings)


def test_a_covariate_may_be_missing_where_no_outcome_needs_it() -> None:
    idle = _with(LOG, age=np.where(LOG.arm < 0, np.nan, AGE))
    whole = _with(LOG, age=AGE)
    one, other = (rw.fit(log, covariates=["age"]).effects for log in (idle, whole))
    assert one.equals(other)


def test_columns_are_centred_and_in_units_of_their_spread() -> None:
    log = rich(85, Truth(), subjects=20, rounds=20)
    plain = pulls_of(log, log.reward, np.zeros(log.arm.size))
    pulls, layout = with_terms(log, plain, Terms(covariates=("hour",), trend=True), 12)
    assert [(column.name, column.per) for column in layout.columns] == [("hour", "unit"), ("trend", "round")]
    assert pulls.columns.mean(axis=0) == pytest.approx([0, 0], abs=1e-12)
    assert pulls.columns.std(axis=0) == pytest.approx([1, 1])
    assert layout.size == 12 + 2 + 2


def test_some_subjects_keep_their_own_past() -> None:
    log = rich(86, Truth(), subjects=9, rounds=12)
    plain = pulls_of(log, log.reward, np.zeros(log.arm.size))
    terms = Terms(covariates=("hour",), common=True, second="slow")
    all_of_them = with_terms(log, plain, terms, 12)[0]
    chosen = np.array([1, 4, 8])
    some = of_subjects(all_of_them, chosen)
    for place, subject in enumerate(chosen):
        here = slice(some.begin[place], some.begin[place + 1])
        there = slice(all_of_them.begin[subject], all_of_them.begin[subject + 1])
        assert np.array_equal(some.columns[here], all_of_them.columns[there])
        assert np.array_equal(some.states.gap[:, here], all_of_them.states.gap[:, there])
        before, former = some.states.before[:, here], all_of_them.states.before[:, there]
        assert np.array_equal(
            np.where(before >= 0, before - here.start, -1), np.where(former >= 0, former - there.start, -1)
        )


def test_a_covariate_of_text_is_refused_with_what_to_do_about_it() -> None:
    rows = {"subject": [1, 1, 2, 2], "round": [0, 1, 0, 1], "arm": "call", "reward": [0, 1, 1, 0]}
    log = rw.read_log(pd.DataFrame({**rows, "context_day": list("abab"), "mood": ["low", "high", "low", "low"]}))
    for name in ("context_day", "mood"):
        with pytest.raises(rw.InputError, match=f"covariate '{name}' does not hold finite numbers alone.*0 and 1"):
            rw.fit(log, covariates=[name])
