import dataclasses
import math
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.learn.verdict import Verdict
from tests.learn.rich_logs import Truth, rich

PERMANENT: Any = {"second": "permanent"}
TWO_SPEEDS = Truth(second=(0.15, 40.0), half_life=(2.0, 2.0, 3.0))


def _effects(log: Any, family: str = "bernoulli", **asked: Any) -> Any:
    return rw.fit(log, family, **asked).effects.set_index("name")


def _held(effects: Any, truth: dict[str, float]) -> list[bool]:
    return [bool(effects.loc[name, "low"] <= value <= effects.loc[name, "high"]) for name, value in truth.items()]


@pytest.mark.parametrize(
    ("truth", "asked", "expected"),
    [
        (
            Truth(hour=0.05, trend=-0.02),
            {"covariates": ["hour"], "trend": True},
            {"hour": (0.05, 0.2), "trend": (-0.02, 0.3)},
        ),
        (Truth(common=(0.2, 8.0)), {"common": True}, {"common wear": (0.2, 0.3), "common half-life": (8.0, 0.35)}),
        (
            TWO_SPEEDS,
            {"second": "slow"},
            {f"slow wear of {arm}": (0.15, 0.5) for arm in "abc"} | {"slow half-life": (40.0, 0.6)},
        ),
        (
            Truth(second=(0.1, 1e9)),
            {"second": "permanent"},
            {f"permanent wear of {arm}": (0.1, 0.4) for arm in "abc"},
        ),
    ],
)
def test_what_is_at_work_is_found_and_in_its_interval(truth: Truth, asked: Any, expected: Any) -> None:
    effects = _effects(rich(1, truth), **asked)
    assert list(effects.index) == list(expected)
    assert all(_held(effects, {name: value for name, (value, _) in expected.items()}))
    for name, (value, within) in expected.items():
        assert effects.loc[name, "value"] == pytest.approx(value, rel=within)
        assert effects.loc[name, "verdict"] != "none seen"


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    held = []
    for seed in range(300, 312):
        log = rich(seed, Truth(hour=0.03, trend=0.01, common=(0.3, 6.0)), subjects=60, rounds=40, normal=True)
        effects = _effects(log, "gaussian", covariates=["hour"], trend=True, common=True)
        held += _held(effects, {"hour": 0.03, "trend": 0.01, "common wear": 0.3, "common half-life": 6.0})
    assert np.mean(held) >= 0.85


def test_what_is_not_at_work_is_not_seen_and_leaves_the_rest_as_it_is() -> None:
    log = rich(1, Truth())
    plain = rw.fit(log)
    for asked, near in (({"covariates": ["hour"], "trend": True}, 0.1), ({"common": True}, 0.15), (PERMANENT, 0.35)):
        fit = rw.fit(log, **asked)
        told = fit.effects[fit.effects["verdict"] != ""]
        assert (told["verdict"] == "none seen").all()
        assert ((told["low"] <= 0) & (told["high"] >= 0)).all()
        for mine, other in zip(fit.arms, plain.arms, strict=True):
            assert mine.verdict is Verdict.RECOVERS
            assert mine.half_life.value == pytest.approx(other.half_life.value, rel=near)
            assert mine.wear.value == pytest.approx(other.wear.value, rel=0.1)


def test_where_nothing_slow_is_seen_its_half_life_is_open() -> None:
    effects = _effects(rich(1, Truth()), second="slow")
    assert (effects.loc[["slow wear of a", "slow wear of b", "slow wear of c"], "verdict"] == "none seen").all()
    assert math.isnan(effects.loc["slow half-life", "value"])
    assert effects.loc["slow half-life", "high"] == math.inf


def test_coefficients_are_in_the_units_of_rewards_covariates_and_time() -> None:
    log = rich(3, Truth(hour=0.05, trend=0.02), subjects=60, normal=True)
    asked: Any = {"covariates": ["hour"], "trend": True}
    one = _effects(log, "gaussian", **asked)
    minutes = {"hour": 60 * log.covariates["hour"]}
    other = _effects(dataclasses.replace(log, covariates=minutes, reward=10 * log.reward + 3), "gaussian", **asked)
    assert other.loc["hour", "value"] == pytest.approx(10 / 60 * one.loc["hour", "value"], rel=1e-3)
    assert other.loc["trend", "high"] == pytest.approx(10 * one.loc["trend", "high"], rel=1e-3)
    assert list(one["unit"]) == ["reward per unit", "reward per round"]


@pytest.mark.parametrize("wear", [0.0, 0.8])
def test_a_trend_that_explains_it_as_well_is_said_to(wear: float) -> None:
    truth = Truth(level=(0.8,), wear=(wear,), half_life=(3.0,), trend=0.0 if wear else -0.03)
    log = rich(4, truth, chance=0.3)
    (arm,) = rw.fit(log).arms
    assert arm.verdict is (Verdict.RECOVERS if wear else Verdict.TREND)
    (arm,) = rw.fit(log, trend=True).arms
    assert arm.verdict is (Verdict.RECOVERS if wear else Verdict.NONE_SEEN)


def test_an_arm_that_nobody_used_twice_has_no_second_wear() -> None:
    log = rich(5, Truth(), subjects=40, rounds=30)
    rare = np.where((log.arm == 2) & (log.time > 0), -1, log.arm)
    thin = dataclasses.replace(log, arm=rare, reward=np.where(rare >= 0, log.reward, np.nan))
    for kind in ("slow", "permanent"):
        effects = _effects(thin, second=kind)
        assert effects.loc[f"{kind} wear of c", "verdict"] == "too few pulls"
        assert effects.loc[f"{kind} wear of c", "high"] == math.inf


def test_a_fit_with_further_states_is_not_planned_with_and_one_with_a_trend_is() -> None:
    log = rich(6, Truth(), subjects=40, rounds=30)
    assert len(rw.fit(log, trend=True).problem(horizon=20).arms) == 3
    for asked in ({"common": True}, {"second": "slow"}):
        with pytest.raises(rw.InputError, match="fit without common and second to plan with it"):
            rw.fit(log, **asked).problem(horizon=20)


def test_the_summary_shows_them_within_eighty_columns() -> None:
    log = rich(7, Truth(hour=0.05), subjects=60, rounds=40)
    lines = str(rw.fit(log, covariates=["hour"], common=True, second="slow")).splitlines()
    assert all(len(line) <= 80 for line in lines)
    begin = lines.index("beside the wear of each arm by its own use")
    assert lines[begin + 1].startswith("hour: 0.0")
    assert lines[begin + 1].endswith("log-odds per unit; raises rewards")
    assert lines[-1] == "rested effects are those at average covariates and times"


def test_outcomes_that_never_change_say_nothing_of_further_states() -> None:
    log = rich(8, Truth(), subjects=40, rounds=30)
    alike = dataclasses.replace(log, reward=np.where(log.arm >= 0, log.subject % 2, np.nan))
    for asked in ({"common": True}, {"second": "slow"}, PERMANENT):
        for effect in rw.fit(alike, **asked).shared:
            assert effect.verdict in ("", Verdict.ALIKE.sentence)
            assert effect.interval.high == math.inf
