"""The real log among simulated ones."""

import dataclasses
import math

import numpy as np
import pytest

import roguewk as rw
from roguewk.learn.checks.account import take_account
from roguewk.learn.checks.simulated import among_simulated
from roguewk.learn.example import invented_log
from tests.learn.logs import simulated

LOG = invented_log()
ACCOUNT = take_account(rw.fit(LOG), LOG)


def test_real_numbers_are_those_of_the_log() -> None:
    places = {place.what: place for place in among_simulated(ACCOUNT, logs=50)}
    calls = LOG.reward[LOG.arm == 0]
    assert places["call: mean reward"].real == pytest.approx(calls.mean())
    short = places["call: mean reward within 2 rounds of a use"]
    assert short.real == pytest.approx(ACCOUNT.reward[(ACCOUNT.arm == 0) & (ACCOUNT.gap <= 2)].mean())
    between = [LOG.reward[(LOG.subject == s) & (LOG.arm >= 0)].mean() for s in range(150)]
    assert places["variance between subjects' mean rewards"].real == pytest.approx(np.var(between))
    for place in places.values():
        assert place.low <= place.middle <= place.high


@pytest.mark.parametrize("family", ["bernoulli", "gaussian", "poisson", "bounded"])
def test_a_log_that_the_model_made_looks_like_its_simulations(family: str) -> None:
    strange = []
    for seed in range(8):
        log = simulated(seed, subjects=60, rounds=30, family=family)
        strange += [place.strange for place in among_simulated(take_account(rw.fit(log, family), log), logs=100)]
    assert np.mean(strange) < 0.08


def test_counts_that_vary_more_than_the_model_allows_are_strange() -> None:
    log, luck = simulated(91, subjects=100, family="poisson"), np.random.default_rng(92)
    wild = np.where(log.arm >= 0, luck.poisson(np.nan_to_num(log.reward) * luck.gamma(0.5, 2.0, log.arm.size)), np.nan)
    log = dataclasses.replace(log, reward=wild)
    places = {place.what: place for place in among_simulated(take_account(rw.fit(log, "poisson"), log), logs=60)}
    assert places["variance of rewards"].strange
    assert places["share of zeros"].share == 1.0


def test_a_short_and_a_long_gap_that_the_model_has_the_wrong_way_round_are_strange() -> None:
    odd = dataclasses.replace(ACCOUNT, reward=np.where(ACCOUNT.gap <= 2, 1.0, ACCOUNT.reward))
    strange = [place.what for place in among_simulated(odd, logs=60) if place.strange]
    assert "call: mean reward within 2 rounds of a use" in strange


def test_a_lone_subject_and_a_handful_of_pulls_have_nothing_to_compare() -> None:
    alone = simulated(93, subjects=1, rounds=60)
    whats = [place.what for place in among_simulated(take_account(rw.fit(alone), alone), logs=20)]
    assert not any("subjects" in what for what in whats)
    few = simulated(52, subjects=2, rounds=5)
    assert among_simulated(take_account(rw.fit(few), few), logs=20) == []
    assert all(math.isfinite(place.share) for place in among_simulated(ACCOUNT, logs=3))
