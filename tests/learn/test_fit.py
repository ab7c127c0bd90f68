import dataclasses
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, special

import roguewk as rw
from roguewk.learn.example import invented_log
from roguewk.learn.verdict import Verdict
from tests.learn import judge
from tests.learn.logs import log_of, simulated


def _with_rewards(log: Any, reward: Any) -> Any:
    return dataclasses.replace(log, reward=np.where(log.arm >= 0, reward, np.nan))


def test_the_truth_of_large_logs_is_found() -> None:
    fit = rw.fit(simulated(41, subjects=800))
    for arm, wear, half_life in zip(fit.arms, (0.8, 0.6, 1.0), (3.0, 6.0, 10.0), strict=True):
        assert arm.verdict is Verdict.RECOVERS
        assert arm.wear.value == pytest.approx(wear, rel=0.15)
        assert arm.half_life.value == pytest.approx(half_life, rel=0.2)
    assert fit.subject_sd.value == pytest.approx(0.7, rel=0.1)


@pytest.mark.parametrize(
    ("family", "level"), [("gaussian", (2.0, 1.0, 3.0)), ("poisson", (1.0, 0.5, 1.5)), ("bounded", (0.4, 0.0, 0.8))]
)
def test_other_families_of_rewards_are_fitted_in_their_units(family: str, level: tuple[float, ...]) -> None:
    fit = rw.fit(simulated(42, family=family, level=level), family=family)
    for arm, wear, half_life in zip(fit.arms, (0.8, 0.6, 1.0), (3.0, 6.0, 10.0), strict=True):
        assert arm.wear.value == pytest.approx(wear, rel=0.15)
        assert arm.half_life.value == pytest.approx(half_life, rel=0.25)
    rested = level[0] if family == "gaussian" else math.exp(1.0) if family == "poisson" else 1 / (1 + math.exp(-0.4))
    assert fit.arms[0].rested.value == pytest.approx(rested, rel=0.15)
    assert fit.sigma is None if family != "gaussian" else fit.sigma == pytest.approx(1.0, rel=0.05)


def test_the_log_likelihood_is_the_exact_one_of_normal_mixed_models() -> None:
    log = simulated(43, subjects=30, rounds=30, family="gaussian")
    fit = rw.fit(log, family="gaussian")
    table = np.array([[a.rested.value, -a.wear.value, math.log(a.half_life.value), 0.0] for a in fit.arms])
    assert fit.sigma is not None
    expected = judge.normal_log_likelihood(log, table, fit.subject_sd.value, fit.sigma)
    assert fit.log_likelihood == pytest.approx(expected, abs=1e-3)


def test_nothing_depends_on_the_unit_of_rewards_or_of_time() -> None:
    log = simulated(44, subjects=60, family="gaussian")
    hours = dataclasses.replace(log, regular=False, unit="hours")
    minutes = dataclasses.replace(hours, time=60 * log.time, reward=100 * log.reward + 5)
    one, other = rw.fit(hours, family="gaussian").frame(), rw.fit(minutes, family="gaussian").frame()
    assert other["half_life"].to_numpy() == pytest.approx(60 * one["half_life"].to_numpy(), rel=1e-3)
    assert other["wear_high"].to_numpy() == pytest.approx(100 * one["wear_high"].to_numpy(), rel=1e-3)
    assert other["rested_low"].to_numpy() == pytest.approx(100 * one["rested_low"].to_numpy() + 5, rel=1e-3)


def test_where_no_wear_is_seen_the_estimates_are_the_likeliest_without_it() -> None:
    log = simulated(53, 60, 20, level=(0.4,), wear=(0.0,), half_life=(3.0,), chance=0.5)
    fit = rw.fit(log)
    arm = fit.arms[0]
    assert arm.verdict is Verdict.NONE_SEEN
    assert (arm.wear.value, math.copysign(1.0, arm.wear.value)) == (0.0, 1.0)
    assert arm.wear.low < 0 < arm.wear.high
    assert arm.rested.low <= arm.rested.value <= arm.rested.high

    def short(at: Any) -> float:
        return -judge.log_likelihood(log, np.array([[at[0], 0.0, 0.0, 0.0]]), at[1], "bernoulli")

    best = optimize.minimize(short, [0.0, 0.5], method="Nelder-Mead", options={"xatol": 1e-3})
    assert arm.rested.value == pytest.approx(special.expit(best.x[0]), abs=1e-3)


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    held = []
    for seed in range(16):
        fit = rw.fit(simulated(1000 + seed, subjects=80, rounds=40))
        for arm, wear, half_life in zip(fit.arms, (0.8, 0.6, 1.0), (3.0, 6.0, 10.0), strict=True):
            held += [arm.wear.low <= wear <= arm.wear.high, arm.half_life.low <= half_life <= arm.half_life.high]
    assert 0.88 <= np.mean(held) <= 0.995


def test_where_nothing_wears_off_none_is_seen() -> None:
    verdicts = [
        arm.verdict
        for seed in range(10)
        for arm in rw.fit(simulated(2000 + seed, subjects=80, rounds=40, wear=(0.0, 0.0, 0.0))).arms
    ]
    assert np.mean([verdict is Verdict.NONE_SEEN for verdict in verdicts]) >= 0.85


def test_where_none_is_seen_none_is_in_the_interval_and_the_half_life_is_open() -> None:
    text = rw.fit(invented_log()).arms[1]
    assert text.verdict is Verdict.NONE_SEEN
    assert text.wear.low < 0 < text.wear.high
    assert math.isnan(text.half_life.value)
    assert (text.half_life.low, text.half_life.high) == (0.0, math.inf)


def test_lasting_decline_and_instant_recovery_have_open_half_lives() -> None:
    fit = rw.fit(simulated(45, half_life=(2000.0, 0.2, 3.0), wear=(0.15, 1.2, 0.8)))
    assert [arm.verdict for arm in fit.arms] == [Verdict.SLOWLY, Verdict.QUICKLY, Verdict.RECOVERS]
    assert fit.arms[0].half_life.high == math.inf
    assert fit.arms[1].half_life.low == 0.0


def test_an_arm_that_gets_better_is_said_to() -> None:
    assert rw.fit(simulated(46, wear=(-0.8, 0.6, 1.0))).arms[0].verdict is Verdict.GROWS


@pytest.mark.parametrize(("start", "verdict"), [("unknown", Verdict.EVENLY), ("rested", Verdict.IF_RESTED)])
def test_pulls_at_even_distances_are_said_to_be(start: Any, verdict: Verdict) -> None:
    log = simulated(47, level=(0.4,), wear=(0.5,), half_life=(6.0,), schedule=lambda t: 0 if t % 2 == 0 else -1)
    (arm,) = rw.fit(log, start=start).arms
    assert arm.verdict is verdict
    if start == "unknown":
        assert (arm.wear.low, arm.wear.high) == (-math.inf, math.inf)
        assert (arm.rested.low, arm.rested.high) == (0.0, 1.0)


def test_unknown_starts_are_estimated() -> None:
    log = simulated(48, subjects=400, rounds=70)
    late = log_of(*(column[log.time >= 10] for column in (log.subject, log.time, log.arm, log.reward)))
    fit = rw.fit(late, start="unknown")  # whoever joins a log after ten rounds has been worn by what came before
    for arm, half_life in zip(fit.arms, (3.0, 6.0, 10.0), strict=True):
        assert arm.start.low < arm.start.high
        assert arm.half_life.low <= half_life <= arm.half_life.high
    assert fit.arms[2].start.value < 0


def _strange_logs() -> dict[str, tuple[Any, str, Verdict | None]]:
    base = simulated(51, subjects=40, rounds=30)
    first = np.zeros(base.arm.size)
    for s in range(40):
        for a in range(3):
            rows = np.flatnonzero((base.subject == s) & (base.arm == a))
            first[rows[:1]] = 1.0
    return {
        "all ones": (_with_rewards(base, 1.0), "bernoulli", Verdict.ALIKE),
        "all the same number": (_with_rewards(base, 3.0), "gaussian", Verdict.ALIKE),
        "no counts": (_with_rewards(base, 0.0), "poisson", Verdict.ALIKE),
        "the same within subjects": (_with_rewards(base, base.subject % 2), "bernoulli", Verdict.ALIKE),
        "the same number within subjects": (_with_rewards(base, base.subject % 7), "gaussian", Verdict.ALIKE),
        "perfectly separated": (_with_rewards(base, first), "bernoulli", Verdict.SLOWLY),
        "ten rows": (simulated(52, subjects=2, rounds=5), "bernoulli", Verdict.TOO_FEW),
        "one row": (log_of([0], [0], [0], [1]), "bernoulli", Verdict.TOO_FEW),
        "an arm that nobody got": (dataclasses.replace(base, arms=("a", "b", "c", "d")), "bernoulli", None),
        "no time passes": (dataclasses.replace(base, time=np.zeros(base.time.size)), "bernoulli", None),
        "half of the outcomes missing": (
            _with_rewards(base, np.where(np.arange(base.arm.size) % 2, base.reward, np.nan)),
            "bernoulli",
            None,
        ),
    }


STRANGE = _strange_logs()


@pytest.mark.parametrize("name", STRANGE)
def test_strange_logs_get_a_verdict_and_no_confident_number(name: str) -> None:
    log, family, verdict = STRANGE[name]
    fit = rw.fit(log, family=family)
    for arm in fit.arms:
        assert verdict is None or arm.verdict is verdict
        if not arm.verdict.told:
            assert (arm.wear.low, arm.wear.high) == (-math.inf, math.inf)
    assert all(len(line) <= 80 for line in str(fit).splitlines())
    if Verdict.TOO_FEW in [arm.verdict for arm in fit.arms]:
        with pytest.raises(rw.InputError, match="too few pulls in the log to plan with"):
            fit.world(horizon=30)
    elif fit.sigma is not None and all(math.isinf(arm.rested.high) for arm in fit.arms):
        with pytest.raises(rw.InputError, match="do not tell how noisy they are"):
            fit.world(horizon=30)
    else:
        assert len(fit.world(horizon=30).arms) == len(log.arms)


def test_perfect_separation_leaves_the_size_of_wear_open() -> None:
    for arm in rw.fit(STRANGE["perfectly separated"][0]).arms:
        assert arm.wear.high == math.inf


def test_a_lone_subject_has_no_level_of_its_own() -> None:
    fit = rw.fit(simulated(53, subjects=1, rounds=3000, spread=0.0))
    assert (fit.subject_sd.low, fit.subject_sd.high) == (0.0, math.inf)
    assert fit.arms[2].half_life.low <= 10.0 <= fit.arms[2].half_life.high


def test_an_arm_that_is_never_rested_rests_on_rested_starts() -> None:
    log = simulated(54, level=(0.4,), wear=(0.3,), half_life=(5.0,), schedule=lambda t: 0)
    (arm,) = rw.fit(log).arms
    assert arm.verdict in (Verdict.IF_RESTED, Verdict.IF_RESTED_SOMEHOW)


@pytest.mark.parametrize(
    ("log", "settings", "words"),
    [
        (simulated(55, subjects=3, rounds=5, chance=1e-9), {}, "no pull with an outcome"),
        ("no such log.csv", {}, "there is no such file"),
        (invented_log(), {"family": "normal"}, "unknown family"),
        (invented_log(), {"start": "tired"}, "unknown start"),
        (invented_log(), {"subject_effects": "yes"}, "subject_effects is 'yes'"),
        (
            _with_rewards(invented_log(), 0.4),
            {},
            r"rows 0, 1, 2 and [\d,]+ more \(counted from 0\) of the log \(the first of subject 'subject 1'",
        ),
    ],
)
def test_what_cannot_be_used_is_refused(log: Any, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(rw.InputError, match=words):
        rw.fit(log, **settings)


@pytest.mark.parametrize("family", ["bernoulli", "poisson", "bounded"])
def test_where_all_rewards_are_alike_subjects_differ_by_nothing(family: str) -> None:
    fit = rw.fit(_with_rewards(invented_log(10, 20), 1.0), family)
    assert fit.subject_sd.value == 0.0
    assert "subjects' levels differ by 0 (0 to " in str(fit)


def test_a_log_that_is_read_by_the_way_takes_its_unit_and_its_arms() -> None:
    log = invented_log(30, 20)
    table = pd.DataFrame({"subject": log.subject, "time": log.time, "reward": log.reward})
    table["arm"] = [None if a < 0 else log.arms[a] for a in log.arm]
    fit = rw.fit(table, unit="days", arms=["text", "call"])
    assert fit.unit == "days"
    assert [arm.name for arm in fit.arms] == ["text", "call"]
    found = rw.what_if(table, {"pulls": 5}, 10, draws=5, round_length=1, unit="days", arms=["text", "call"])
    assert found.horizon == 10
    assert rw.compare_models(table, folds=2, unit="days").best
    for ask in (rw.fit, rw.what_if, rw.compare_models):
        told = "unit is 'days', but the log was read before: give it to rw.read_log instead"
        with pytest.raises(rw.InputError, match=told):
            ask(log, unit="days")
        with pytest.raises(rw.InputError, match=r"arms is \['call'\], but the log was read before"):
            ask(log, arms=["call"])


def test_the_arms_of_a_simulated_world_come_back() -> None:
    arms = [
        rw.everyday_arm("a", rested=0.6, wear=0.8, half_life=3),
        rw.everyday_arm("b", rested=0.5, wear=0.5, half_life=6),
    ]
    world = rw.World(rw.Problem(arms, [], horizon=150, idle=True), x0=[0.0, 0.0], costs=[[], []])
    played = rw.log_runs(world, ("randomised", {"chances": [0.3, 0.3]}), replicates=80)
    arm = np.where(played.actions < 2, played.actions, -1)
    log = log_of(played.replicates, played.rounds, arm, np.where(arm >= 0, played.rewards, np.nan))
    for found, wear, half_life in zip(rw.fit(log).arms, (0.8, 0.5), (3.0, 6.0), strict=True):
        assert found.wear.low <= wear <= found.wear.high
        assert found.half_life.low <= half_life <= found.half_life.high


def test_logs_of_those_who_send_on_what_they_saw_are_fitted_as_well() -> None:
    luck, held = np.random.default_rng(71), []
    for _ in range(8):
        own, worn, last = 0.7 * luck.standard_normal(150), np.zeros(150), np.ones(150)
        arm, reward = np.full((150, 60), -1), np.full((150, 60), np.nan)
        for t in range(60):
            sent = luck.random(150) < np.where(last > 0, 0.6, 0.15)  # who answered is written to again
            answer = (luck.random(150) < 1 / (1 + np.exp(-(0.5 + own - 0.7 * worn)))) * 1.0
            arm[sent, t], reward[sent, t] = 0, answer[sent]
            last, worn = np.where(sent, answer, last), 0.5 ** (1 / 5) * worn + sent
        log = log_of(np.repeat(np.arange(150), 60), np.tile(np.arange(60), 150), arm.ravel(), reward.ravel())
        (found,) = rw.fit(log).arms
        held += [found.wear.low <= 0.7 <= found.wear.high, found.half_life.low <= 5 <= found.half_life.high]
    assert sum(held) >= 13
