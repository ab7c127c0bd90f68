"""When arms work again, against a search for it and the textbook."""

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from scipy import optimize, special

import roguewk as rw
from roguewk.learn.checks.again import USES, wear_and_recovery, works_again
from roguewk.learn.example import invented_log
from roguewk.learn.profile import Interval
from tests.learn.logs import simulated

FIT = rw.fit(invented_log())


def _worn_after(uses: int, gap: float, rest: float, half_life: float, lag: float) -> float:
    times = gap * np.arange(uses)
    return float((0.5 ** ((times[-1] + rest - times - lag) / half_life)).sum())


@pytest.mark.parametrize("uses", [1, USES])
def test_nine_tenths_of_the_drop_have_come_back(uses: int) -> None:
    call = FIT.arms[0]
    level, lag = special.logit(call.rested.value), 1.0

    def mean(rest: float) -> Any:
        return special.expit(level - call.wear.value * _worn_after(uses, 2.0, rest, call.half_life.value, lag))

    rested = special.expit(level)
    target = rested - 0.1 * (rested - mean(lag))
    expected = optimize.brentq(lambda rest: mean(rest) - target, lag, 200.0)
    again = works_again(FIT, 0, 2.0)
    assert again is not None
    found = again.after_one if uses == 1 else again.after_many
    assert found.value == pytest.approx(expected, rel=1e-9)
    assert found.low < found.value < found.high


def test_normal_rewards_work_again_after_as_many_half_lives_as_halve_them_to_a_tenth() -> None:
    log = dataclasses.replace(simulated(71, family="gaussian"), regular=False, unit="hours")
    fit = rw.fit(log, "gaussian")
    for a, arm in enumerate(fit.arms):
        again = works_again(fit, a, 1.0)
        assert again is not None
        assert again.after_one == pytest.approx([math.log2(10) * each for each in arm.half_life], rel=0.05)
        assert again.after_many.value == pytest.approx(again.after_one.value)


def test_where_recovery_has_no_end_in_the_log_neither_has_the_interval() -> None:
    call = FIT.arms[0]
    slow = dataclasses.replace(call, half_life=Interval(call.half_life.value, 0.0, math.inf))
    again = works_again(dataclasses.replace(FIT, arms=(slow, FIT.arms[1])), 0, 2.0)
    assert again is not None
    assert (again.after_one.low, again.after_one.high) == (0.0, math.inf)


def test_an_arm_of_which_no_wear_is_seen_has_no_time_but_a_curve_that_may_be_level() -> None:
    assert works_again(FIT, 1, 2.0) is None
    curve = wear_and_recovery(FIT, 1, 2.0, 40.0)
    assert curve is not None
    assert curve.mean == pytest.approx(FIT.arms[1].rested.value)
    assert (curve.low <= curve.mean).all()
    assert (curve.mean <= curve.high).all()


def test_where_no_wear_is_seen_there_is_no_spike_after_the_last_use() -> None:
    log = dataclasses.replace(simulated(75, wear=(0.0,), level=(0.3,), half_life=(1.0,), chance=0.3), regular=False)
    fit = rw.fit(dataclasses.replace(log, time=24.0 * log.time, unit="hours"))
    assert not fit.arms[0].verdict.seen
    curve = wear_and_recovery(fit, 0, 72.0, 500.0)
    assert curve is not None
    assert (curve.high[USES:] < curve.high[:USES].max() + 0.05).all()
    assert (curve.low[USES:] > curve.low[:USES].min() - 0.05).all()


def test_curves_are_those_of_the_everyday_arm_round_by_round() -> None:
    call, curve = FIT.arms[0], wear_and_recovery(FIT, 0, 3.0, 100.0)
    assert curve is not None
    uses = curve.time[:USES]
    for time, mean in zip(curve.time, curve.mean, strict=True):
        before = uses[uses < time]
        worn = (0.5 ** ((time - before - 1) / call.half_life.value)).sum()
        assert mean == pytest.approx(special.expit(special.logit(call.rested.value) - call.wear.value * worn))
    assert (curve.low <= curve.mean).all()
    assert (curve.mean <= curve.high).all()
    assert curve.low[0] == pytest.approx(call.rested.low, abs=0.01)
    assert curve.high[0] == pytest.approx(call.rested.high, abs=0.01)
    assert curve.mean[-1] > call.rested.value - 0.1 * (call.rested.value - curve.mean[USES])


def test_bands_hold_the_truth_and_times_do_so_where_half_lives_do() -> None:
    rested, worn = special.expit(0.4), special.expit(0.4 - 0.9)
    share = (special.logit(rested - 0.1 * (rested - worn)) - 0.4) / -0.9
    true_time = 1 + 4 * np.log2(1 / share)
    true_mean = special.expit(0.4 - 0.9 * _worn_after(5, 2.0, 2.0, 4.0, 1.0))
    held, alike = [], []
    for seed in range(30):
        fit = rw.fit(simulated(seed, 50, 40, level=(0.4,), wear=(0.9,), half_life=(4.0,), chance=0.4))
        curve, again, half_life = wear_and_recovery(fit, 0, 2.0, 60.0), works_again(fit, 0, 2.0), fit.arms[0].half_life
        assert curve is not None
        assert again is not None
        held.append(curve.low[5] <= true_mean <= curve.high[5])
        within = again.after_one.low <= true_time <= again.after_one.high
        alike.append(within == (half_life.low <= 4.0 <= half_life.high))
    assert np.mean(held) > 0.88
    assert np.mean(alike) > 0.9


def test_an_arm_with_too_few_pulls_has_no_curve() -> None:
    fit = rw.fit(simulated(52, subjects=2, rounds=5))
    assert wear_and_recovery(fit, 0, 1.0, 5.0) is None
    assert works_again(fit, 0, 1.0) is None
