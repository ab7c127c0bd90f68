"""Logs of absurd numbers and shapes: a sentence or an honest interval, never another error and never a warning."""

import dataclasses
import itertools
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import roguewk as rw
from roguewk import cli
from roguewk.learn.profile import small_sample_limit
from roguewk.learn.verdict import Verdict
from tests.learn.logs import log_of

FAMILIES = ("bernoulli", "gaussian", "poisson", "bounded")
SIZES = (1e300, 1e29, 1e12, 1e-12, 1e-29, 1e-200, 1e-300, 5e-324)
SHAPES = ((1, 1), (1, 2), (1, 10), (2, 5), (1, 60), (12, 15), (300, 1))  # subjects, rounds
TERMS: tuple[dict[str, Any], ...] = (
    {},
    {"start": "unknown"},
    {"trend": True, "common": True},
    {"second": "slow"},
    {"second": "permanent", "subject_effects": False},
    {"covariates": ["x"]},
    {"covariates": ["x", "y"]},
)


def _rewards(luck: np.random.Generator, subject: Any, arm: Any, family: str) -> Any:
    """Outcomes of one of several kinds, some of them hopeless."""
    own, size = luck.standard_normal(int(subject.max()) + 1)[subject], subject.size
    coins = (luck.random(size) < 1 / (1 + np.exp(-own))) * 1.0
    usual = {"gaussian": own + luck.standard_normal(size), "poisson": luck.poisson(np.exp(own)) * 1.0}.get(
        family, coins
    )
    constant = np.full(size, {"gaussian": 3.1, "bounded": 0.3}.get(family, 1.0))
    kinds = [usual, usual, coins, constant, constant * (subject % 2), constant * (arm == 0)]
    if family == "gaussian":
        scale = luck.choice(SIZES)
        kinds += [usual * scale, usual + scale, constant * (1 - 1e-15 * (np.arange(size) % 2))]
    if family == "poisson":
        kinds += [usual + 1e15, np.floor(usual * 1e5)]
    return kinds[luck.integers(len(kinds))]


def _strange_log(luck: np.random.Generator, family: str) -> Any:
    """A log with ordinary and absurd columns, as it comes."""
    subjects, rounds = SHAPES[luck.integers(len(SHAPES))]
    subject, time = np.repeat(np.arange(subjects), rounds), np.tile(np.arange(rounds), subjects) * 1.0
    size = subject.size
    arm = luck.integers(luck.choice([-1, 0]), luck.choice([1, 3]), size)
    arm[0] = 0
    reward = np.where(arm >= 0, _rewards(luck, subject, arm, family), np.nan)
    log = log_of(subject, time, arm, reward, regular=bool(luck.random() < 0.5))
    x = luck.standard_normal(size) * luck.choice([1.0, 1.0, *SIZES])
    x[0] = luck.choice([x[0], x[0], np.nan, np.inf])
    return dataclasses.replace(
        log,
        time=log.time if log.regular else log.time * luck.choice([1.0, *SIZES]),
        resources=("minutes",),
        costs=luck.random((size, 1)) * luck.choice([1.0, *SIZES]),
        covariates={"x": x, "y": luck.choice([3.0 * x, luck.standard_normal(size) * 1e12])},
    )


def _check_honest(fit: rw.Fit) -> None:
    frame = fit.frame()
    for name in ("rested", "wear", "half_life", "start"):
        ends = frame[[f"{name}_low", f"{name}_high"]].to_numpy()
        assert not np.isnan(ends).any()
        assert (ends[:, 0] <= ends[:, 1]).all()
    for arm in fit.arms:
        if not arm.verdict.told:
            assert (arm.wear.low, arm.wear.high) == (-math.inf, math.inf)
        if not arm.verdict.seen:
            assert (arm.half_life.low, arm.half_life.high) == (0.0, math.inf)
    assert all(len(line) <= 80 for line in str(fit).splitlines())
    assert not fit.effects[["low", "high"]].isna().to_numpy().any()
    assert np.isfinite(fit.costs["mean"].dropna()).all()


def _logs(count: int) -> Iterator[tuple[Any, str, dict[str, Any]]]:
    luck = np.random.default_rng(0)
    for _, family in zip(range(count), itertools.cycle(FAMILIES), strict=False):
        yield _strange_log(luck, family), family, TERMS[luck.integers(len(TERMS))]


def test_whatever_a_log_holds_it_is_refused_in_a_sentence_or_fitted_honestly() -> None:
    fitted, refusals = 0, []
    for log, family, terms in _logs(120):
        try:
            fit = rw.fit(log, family, **terms)
        except rw.InputError as error:
            refusals.append(str(error))
            continue
        fitted += 1
        _check_honest(fit)
    assert all("\n" not in refusal and ": " in refusal for refusal in refusals)
    assert 40 < fitted < 110  # both happen often


def _table(time: Any = 1.0, reward: Any = 1.0, cost: Any = 1.0) -> pd.DataFrame:
    size = 60
    return pd.DataFrame(
        {
            "subject": np.repeat(["ann", "bob"], size // 2),
            "time": np.tile(np.arange(size // 2), 2) * time,
            "arm": "call",
            "reward": np.arange(size) % 2 * reward,
            "cost_minutes": np.full(size, cost),
        }
    )


@pytest.mark.parametrize(
    ("table", "family", "words"),
    [
        (_table(time=1e300), "bernoulli", r"time is 1e\+300 in rows .*: give a finite number"),
        (_table(time=1e-300), "bernoulli", "times of subjects differ by 2.9e-299 at the most: give them in a smaller"),
        (_table(reward=1e300), "gaussian", r"reward is 1e\+300 in rows .* in a unit in which it is below"),
        (_table(reward=1e-300), "gaussian", "rewards differ by 1e-300 at the most: give them in a smaller unit"),
        (_table(reward=1e15), "poisson", r'counts are 5e\+14 on average, .*: give the family "gaussian"'),
        (_table(cost=1e300), "bernoulli", r"cost_minutes is 1e\+300 in rows .* in a unit in which it is below"),
    ],
)
def test_absurd_sizes_are_refused_with_a_remedy(table: pd.DataFrame, family: str, words: str) -> None:
    with pytest.raises(rw.InputError, match=words):
        rw.fit(table, family)


def test_a_number_that_a_log_was_given_by_hand_is_refused_as_well() -> None:
    log = rw.read_log(_table())
    with pytest.raises(rw.InputError, match=r"time is 1e\+300 in row 7 .* of the log \(subject 'ann', time 1e\+300\)"):
        rw.fit(dataclasses.replace(log, time=np.where(np.arange(60) == 7, 1e300, log.time)))


def _normal(subjects: int, rounds: int, reward: Any) -> Any:
    size = subjects * rounds
    return log_of(np.repeat(np.arange(subjects), rounds), np.tile(np.arange(rounds), subjects), [0] * size, reward)


def test_no_interval_is_made_of_noise_that_nothing_tells_of() -> None:
    for log in (_normal(1, 1, [2.0]), _normal(1, 2, [0.0, 1.0]), _normal(10, 12, np.full(120, 0.1))):
        fit = rw.fit(log, "gaussian")
        assert (fit.arms[0].rested.low, fit.arms[0].rested.high) == (-math.inf, math.inf)
        assert fit.subject_sd.high == math.inf


def test_subjects_that_are_constant_leave_the_mean_as_open_as_their_number_says() -> None:
    levels = np.random.default_rng(3).standard_normal(20)
    (arm,) = rw.fit(_normal(20, 15, np.repeat(levels, 15)), "gaussian").arms
    assert arm.verdict is Verdict.ALIKE
    assert arm.rested.value == pytest.approx(levels.mean(), abs=1e-3)
    assert arm.rested.high - arm.rested.low == pytest.approx(2 * 1.96 * levels.std() / math.sqrt(20), rel=0.02)


def test_of_subjects_seen_once_nothing_is_said_of_how_they_differ() -> None:
    once = rw.fit(_normal(500, 1, np.random.default_rng(4).standard_normal(500)), "gaussian")
    assert (once.subject_sd.low, once.subject_sd.high) == (0.0, math.inf)


def test_a_spread_of_which_little_is_known_is_followed_to_where_noise_ends() -> None:
    luck = np.random.default_rng(5)
    log = _normal(500, 1, luck.standard_normal(500))
    log = dataclasses.replace(log, subject=np.maximum(log.subject - 1, 0), time=np.where(log.subject == 1, 1.0, 0.0))
    spread = rw.fit(dataclasses.replace(log, subjects=log.subjects[:-1]), "gaussian").subject_sd
    assert spread.high == pytest.approx(np.std(log.reward), rel=0.1)  # all of it


def test_few_outcomes_widen_intervals_as_students_t_does() -> None:
    from scipy import stats

    for spare in (3, 10, 100):
        quantile = stats.t.ppf(0.975, spare)
        expected = (spare + 4) * math.log1p(quantile**2 / spare)
        assert small_sample_limit(spare + 4, spare) == pytest.approx(expected, rel=2e-3)


def test_one_slip_of_the_clock_does_not_hide_the_half_life() -> None:
    luck, rows = np.random.default_rng(6), []
    for person in range(60):
        worn = 0.0
        for t in range(40):
            sent = luck.random() < 0.5
            came = float(luck.random() < 1 / (1 + math.exp(1.2 * worn - 0.8))) if sent else math.nan
            rows.append((person, float(t), 0 if sent else -1, came))
            worn = 0.5 ** (1 / 3) * (worn + sent)
    subject, time, arm, reward = (np.array(column) for column in zip(*rows, strict=True))
    time[39] = 1e29
    (found,) = rw.fit(log_of(subject, time, arm, reward, regular=False)).arms
    assert found.half_life.low < 3.0 < found.half_life.high < 6.0


def test_the_command_refuses_absurd_logs_or_shows_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "log.csv"
    _table(time=1e-300).to_csv(path, index=False)
    assert cli.main(["fit", str(path), "--no-report"]) == 2
    assert capsys.readouterr().err.strip().endswith("give them in a smaller unit")
    _table(reward=0.0).head(10).to_csv(path, index=False)
    assert cli.main(["fit", str(path), "--family", "gaussian", "--out", str(tmp_path / "report")]) == 0
    assert "0 (-inf to inf)" in capsys.readouterr().out
