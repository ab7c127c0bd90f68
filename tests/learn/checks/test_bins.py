"""Groups of pulls and what is left of their outcomes, against pandas and simulation."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

import roguewk as rw
from roguewk.learn.checks.account import Account, take_account
from roguewk.learn.checks.bins import by_expected, by_gap, by_uses, first_uses
from roguewk.learn.checks.residuals import by_subject, echo, trend
from roguewk.learn.example import invented_log
from tests.learn.logs import simulated

LOG = invented_log()
ACCOUNT = take_account(rw.fit(LOG), LOG)


def test_groups_hold_every_pull_once_and_their_means_are_those_of_pandas() -> None:
    table = pd.DataFrame({name: getattr(ACCOUNT, name) for name in ("arm", "gap", "reward", "expected", "variance")})
    calls = table[table["arm"] == 0]
    groups, first = by_gap(ACCOUNT, 0), first_uses(ACCOUNT, 0)
    assert first is not None
    assert first.pulls + sum(group.pulls for group in groups) == len(calls)
    assert first.observed == pytest.approx(calls[calls["gap"].isna()]["reward"].mean())
    for group in groups:
        mine = calls[calls["gap"].between(group.first, group.last)]
        assert group.pulls == len(mine)
        assert group.observed == pytest.approx(mine["reward"].mean())
        assert group.expected == pytest.approx(mine["expected"].mean())
        assert group.high - group.observed == pytest.approx(
            1.96 * np.sqrt(mine["variance"].sum()) / len(mine), rel=1e-3
        )
    assert [group.first for group in groups] == sorted(group.first for group in groups)
    assert sum(group.pulls for group in by_uses(ACCOUNT, 0)) == len(calls)
    assert [group.pulls for group in by_expected(ACCOUNT)] == pytest.approx([402.5] * 10, abs=3)


def test_a_handful_of_pulls_is_one_group() -> None:
    few = simulated(52, subjects=2, rounds=5)
    account = take_account(rw.fit(few), few)
    assert len(by_expected(account)) <= 2
    assert by_gap(account, 2) == [] or by_gap(account, 2)[0].pulls < 10


def _with_drift(drift: float) -> Account:
    log = simulated(84, subjects=300, rounds=40, family="gaussian")
    shifted = dataclasses.replace(log, reward=log.reward + drift * (log.time - 20))
    return dataclasses.replace(
        take_account(rw.fit(log, "gaussian"), log), reward=shifted.reward[shifted.arm >= 0]
    )  # a drift that the fit knows nothing of


def test_a_drift_that_the_model_does_not_have_is_seen_and_none_is_where_there_is_none() -> None:
    assert not trend(_with_drift(0.0)).strange
    assert trend(_with_drift(0.02)).score > 5
    assert trend(_with_drift(-0.02)).score < -5
    left = [group.observed - group.expected for group in trend(_with_drift(0.02)).groups]
    assert left[-1] - left[0] > 0.5


def test_scores_of_right_models_are_standard_normal_or_less_as_estimates_follow_the_same_outcomes() -> None:
    scores, sums = [], []
    for seed in range(16):
        log = simulated(seed, subjects=60, rounds=25)
        account = take_account(rw.fit(log), log)
        scores.append([trend(account).score, echo(account).score])
        sums.append(by_subject(account).score)
    assert (np.std(scores, axis=0) < 1.4).all()
    assert np.abs(np.mean(scores, axis=0)).max() < 0.6
    assert np.std(np.concatenate(sums)) == pytest.approx(1.0, abs=0.06)


def test_an_outcome_that_depends_on_the_last_one_is_heard_as_an_echo() -> None:
    assert not echo(ACCOUNT).strange
    reward = ACCOUNT.reward.copy()
    follows = np.flatnonzero(ACCOUNT.subject[1:] == ACCOUNT.subject[:-1])[::3]
    reward[follows + 1] = reward[follows]
    assert echo(dataclasses.replace(ACCOUNT, reward=reward)).score > 5


def test_a_subject_that_the_model_does_not_follow_is_named_first() -> None:
    reward = np.where((ACCOUNT.subject == 17) & (ACCOUNT.elapsed > 10), 1.0, ACCOUNT.reward)
    sums = by_subject(dataclasses.replace(ACCOUNT, reward=reward))
    assert sums.subject[sums.strangest[0]] == 17
    assert len(sums.strangest) == 5
