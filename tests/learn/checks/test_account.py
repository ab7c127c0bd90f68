"""A fit beside its log."""

import dataclasses
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.learn.checks.account import take_account
from roguewk.learn.example import invented_log
from tests.learn import judge
from tests.learn.logs import log_of, simulated

LOG = invented_log()
FIT = rw.fit(LOG)


def test_uses_of_late_and_gaps_are_counted_row_by_row() -> None:
    log = simulated(81, subjects=40, rounds=40)
    account = take_account(rw.fit(log), log)
    rows = np.flatnonzero(log.arm >= 0)
    for i, row in enumerate(rows):
        before = log.time[(log.subject == log.subject[row]) & (log.arm == log.arm[row]) & (log.time < log.time[row])]
        window = account.window[log.arm[row]]
        assert account.uses[i] == (before >= log.time[row] - window).sum()
        assert account.gap[i] == log.time[row] - before.max() if before.size else np.isnan(account.gap[i])
    assert account.fit.arms[0].verdict.seen
    assert account.window[0] == pytest.approx(2 * account.fit.arms[0].half_life.value)


def test_levels_are_those_of_the_estimates() -> None:
    account = take_account(FIT, LOG)
    call, text = FIT.arms
    table = np.array(
        [
            [np.log(call.rested.value / (1 - call.rested.value)), -call.wear.value, np.log(call.half_life.value), 0.0],
            [np.log(text.rested.value / (1 - text.rested.value)), 0.0, 0.0, 0.0],
        ]
    )
    assert account.level == pytest.approx(judge.levels(LOG, table)[LOG.arm >= 0])


def test_of_many_subjects_some_are_looked_at_and_named_rightly() -> None:
    some = take_account(FIT, LOG, most=1000)
    assert len(some.log.subjects) == 30
    assert some.pulls == 4025
    whole = take_account(FIT, LOG)
    names = [LOG.subjects.index(name) for name in some.log.subjects]
    assert some.own == pytest.approx(whole.own[names])
    rows = np.isin(whole.subject, names)
    assert some.expected == pytest.approx(whole.expected[rows])


def test_arms_of_which_little_is_told_are_expected_to_do_what_they_did() -> None:
    log = simulated(82, schedule=lambda t: 0 if t % 3 == 0 else -1, rounds=40)
    arm = np.where((log.arm < 0) & (log.subject == 0) & (log.time == 5), 1, log.arm)
    reward = np.where(arm == 1, 1.0, log.reward)
    log = log_of(log.subject, log.time, arm, reward, arms=2)
    fit = rw.fit(log)
    assert not fit.arms[1].verdict.told
    account = take_account(fit, log)
    mine = account.arm == 0
    assert account.residual[mine].sum() ** 2 < 9 * account.variance[mine].sum()
    assert account.expected[account.arm == 1] > 0.5


@pytest.mark.parametrize("family", ["gaussian", "poisson", "bounded"])
def test_every_family_is_accounted_for_in_its_own_units(family: str) -> None:
    log = simulated(83, subjects=80, family=family)
    if family == "gaussian":
        log = dataclasses.replace(log, reward=1000 + 50 * log.reward)
    account = take_account(rw.fit(log, family), log)
    assert account.residual.mean() == pytest.approx(0.0, abs=3 * np.sqrt(account.variance.sum()) / account.reward.size)
    assert (account.residual**2).mean() == pytest.approx(account.variance.mean(), rel=0.1)
    assert account.reward == pytest.approx(log.reward[log.arm >= 0])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"arms": ("call", "letter")}, "other arms or pulls"),
        ({"arm": np.where(np.arange(LOG.arm.size) == 3, -1, LOG.arm)}, "other arms or pulls"),
        ({"unit": "hours"}, "other subjects or times"),
    ],
)
def test_another_log_is_refused(change: Any, words: str) -> None:
    with pytest.raises(rw.InputError, match=f"the fit has {words} than the log: give the log that it was made of"):
        take_account(FIT, dataclasses.replace(LOG, **change))
