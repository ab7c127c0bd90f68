"""What the planner would earn beside what was done."""

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import roguewk as rw
from roguewk import cli
from roguewk.experiment.whatif.done import done_in
from roguewk.experiment.whatif.whatif import WhatIf, over_draws
from roguewk.experiment.whatif.words import basis, caveat, data, headline
from roguewk.learn.example import invented_log
from roguewk.learn.posterior import ArmPosterior
from tests.learn import judge
from tests.learn.logs import simulated

LOG = invented_log(rounds=15, subjects=200)
FIT = rw.fit(LOG)


def _certain(fit: rw.Fit) -> rw.Fit:
    """The fit, if its estimates were the truth."""
    arms = []
    for arm in fit.arms:
        assert arm.posterior is not None
        top = int(arm.posterior.weights.argmax())
        level = math.log(arm.rested.value / (1 - arm.rested.value))
        half_life = arm.half_life.value if arm.verdict.seen else 1.0
        push = -arm.wear.value if arm.verdict.seen else 0.0
        means = np.array([[level, arm.start.value, push]])
        point = ArmPosterior(np.array([half_life]), np.ones(1), means, 0 * arm.posterior.covariances[[top]])
        arms.append(dataclasses.replace(arm, posterior=point))
    return dataclasses.replace(fit, arms=tuple(arms))


def test_where_the_estimates_are_the_truth_the_planner_earns_what_it_earns_in_their_world() -> None:
    fit = _certain(FIT)
    found = rw.what_if(LOG, {"minutes": 20.0}, fit=fit, draws=5)
    world = FIT.world(horizon=15, budgets={"minutes": 20.0})
    believed = world.believe(fit.problem(horizon=15, budgets={"minutes": 20.0}).arms)
    told = rw.simulate(believed, "roguewk-plan", replicates=10).summary()["expected_reward"][0]
    nothing = rw.simulate(world, [("roguewk-plan", {"dynamics": "learned"})], replicates=10)
    learned = nothing.summary()["expected_reward"][0]
    assert found.told == pytest.approx((told, told, told))
    assert found.learned.value == pytest.approx(learned)
    table = np.array(
        [
            [*arm.posterior.means[0, [0, 2]], np.log(arm.posterior.half_lives[0]), 0.0]
            for arm in fit.arms
            if arm.posterior
        ]
    )
    pulled = np.flatnonzero(LOG.arm >= 0)
    means = 1 / (1 + np.exp(-judge.levels(LOG, table)[pulled]))
    assert found.done.value == pytest.approx(means.sum() / 200)
    assert found.gain.value == pytest.approx(told / found.done.value - 1)
    assert found.pulls[0] == pytest.approx(pulled.size / 200)


def test_intervals_hold_what_the_truth_would_have_brought() -> None:
    held = []
    for seed in range(4):
        log = invented_log(subjects=120, rounds=15, seed=10 + seed)
        fit = rw.fit(log)
        found = rw.what_if(log, {"minutes": 20.0}, fit=fit, draws=5)
        arms = [
            rw.everyday_arm("call", rested=0.7, wear=0.9, half_life=4, known_start="rested"),
            rw.everyday_arm("text", rested=0.5, wear=0.0, half_life=1, known_start="rested"),
        ]
        truth = fit.world(15, {"minutes": 20.0})
        true = rw.World(truth.problem.believe(arms), truth.x0, truth.costs)
        told = rw.simulate(true.believe(fit.problem(15, {"minutes": 20.0}).arms), "roguewk-plan", 20)
        table = np.array([[math.log(0.7 / 0.3), -0.9, math.log(4), 0.0], [0.0, 0.0, 0.0, 0.0]])
        pulled = np.flatnonzero(log.arm >= 0)
        done = (1 / (1 + np.exp(-judge.levels(log, table)[pulled]))).sum() / 120
        planned = float(told.summary()["expected_reward"].iloc[0])
        held += [found.done.low <= done <= found.done.high, found.told.low <= planned <= found.told.high]
        held.append(found.gain.low <= planned / done - 1 <= found.gain.high)
    assert sum(held) >= 10


def test_budgets_are_what_the_average_subject_spent_unless_they_are_given() -> None:
    done = done_in(LOG, FIT.counting_pulls(), None, None)
    assert done.spent["minutes"] == pytest.approx(LOG.costs.sum() / 200)
    found = rw.what_if(LOG, {"pulls": 4.0}, fit=FIT, draws=5, horizon=10)
    early = LOG.time <= 10
    assert found.budgets["minutes"] == pytest.approx(LOG.costs[early].sum() / 200)
    assert found.budgets["pulls"] == 4.0
    assert found.pulls[1] <= 4.0
    assert "the same" in headline(found)
    assert f"4 pulls instead of {found.spent['pulls']:.4g} per person" in headline(found)


def test_where_no_costs_are_known_pulls_are_limited() -> None:
    log = simulated(3, subjects=150, rounds=15)
    found = rw.what_if(log, draws=5)
    assert found.budgets == {"pulls": pytest.approx((log.arm >= 0).sum() / 150)}
    assert found.pulls[1] <= found.budgets["pulls"]


def test_subjects_who_were_seen_for_less_are_left_out_and_clock_times_need_a_length() -> None:
    short = (LOG.subject < 50) & (LOG.time > 8)
    columns = ("subject", "time", "arm", "reward", "costs", "propensity", "available")
    log = dataclasses.replace(LOG, **{name: getattr(LOG, name)[~short] for name in columns})
    done = done_in(log, FIT.counting_pulls(), None, None)
    assert (done.horizon, len(done.log.subjects), done.of) == (15, 150, 200)
    assert done.log.subjects[0] == "subject 51"
    assert done_in(log, FIT.counting_pulls(), 8, None).log.arm.size == 200 * 8
    hours = dataclasses.replace(LOG, regular=False, unit="hours", time=24 * LOG.time)
    assert (
        done_in(hours, FIT.counting_pulls(), None, 24.0).spent == done_in(LOG, FIT.counting_pulls(), None, None).spent
    )
    with pytest.raises(rw.InputError, match="say how long a round is with round_length, in hours"):
        rw.what_if(hours, fit=FIT)


def test_costs_that_are_not_known_are_those_that_the_arm_usually_has() -> None:
    costs = LOG.costs.copy()
    gone = np.flatnonzero(LOG.arm == 1)[:100]
    costs[gone] = np.nan
    done = done_in(dataclasses.replace(LOG, costs=costs), FIT.counting_pulls(), None, None)
    assert done.spent["minutes"] == pytest.approx(LOG.costs.sum() / 200)  # every text takes half a minute


def test_the_interval_over_draws_is_that_of_one_more() -> None:
    values = np.random.default_rng(1).normal(3.0, 2.0, 20)
    low, high = stats.t.interval(0.95, 19, values.mean(), values.std(ddof=1) * math.sqrt(1 + 1 / 20))
    assert over_draws(values) == pytest.approx((values.mean(), low, high), rel=5e-3)


def _found(done: float, told: Any, **changes: Any) -> WhatIf:
    rewards = np.array([[done, each, 0.5 * (done + each)] for each in told])
    settings = {"budgets": {"minutes": 40.0}, "spent": {"minutes": 40.0, "pulls": 20.0}} | changes
    return WhatIf(30, 90, 100, rewards=rewards, pulls=np.array([20.0, 21.0, 20.0]), **settings)


def test_covariates_are_valued_at_their_averages() -> None:
    noise = np.random.default_rng(5).normal(size=LOG.arm.size)
    fit = rw.fit(dataclasses.replace(LOG, covariates={"noise": noise}), covariates=["noise"])
    done = done_in(LOG, FIT.counting_pulls(), None, None)
    assert done.worth(fit) == pytest.approx(done.worth(FIT), rel=0.02)


def test_a_fit_in_place_of_the_log_is_told_from_a_table() -> None:
    with pytest.raises(rw.InputError, match="give the log itself first, and this as fit="):
        rw.what_if(FIT)


def test_the_answer_is_a_sentence() -> None:
    better, unsure = _found(10.0, [12.9, 13.0, 13.1]), _found(10.0, [9.0, 10.0, 11.2])
    assert headline(better).startswith(
        "With the same 40 minutes per person the planner is expected to earn 30 % more ("
    )
    assert "1 % more (from" in headline(unsure)
    assert "% less to" in headline(unsure)
    losses = _found(-2.0, [1.0, 1.1])
    assert math.isnan(losses.gain.value)
    assert "to earn 1.05 (" in headline(losses)
    assert "where what was done brings -2." in headline(losses)
    assert caveat(better) == ""
    more = dataclasses.replace(better, pulls=np.array([20.0, 30.0, 30.0]))
    assert caveat(more).startswith(
        "It pulls 30 times per person where 20 pulls were made: limit the pulls to 20 as well"
    )
    assert "the first 30 rounds of 90 subjects of 100" in basis(better)
    assert " ".join(str(better).split()).startswith(headline(better))
    assert all(len(line) <= 80 for line in str(better).splitlines())


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"budgets": {"minute": 3.0}}, "did you mean 'minutes'"),
        ({"budgets": {"minutes": 0.0}}, "budget of 'minutes' is 0.0: give a positive number"),
        ({"budgets": 3}, "budgets are 3"),
        ({"horizon": 16}, "from a subject's first row to its last, and none is seen for more than 15: shorten it"),
        ({"draws": 4}, "draws is 4"),
        ({"fit": 3}, "fit is 3"),
        ({"fit": rw.fit(simulated(3, subjects=20, rounds=20))}, "the fit has the arms a, b, c"),
    ],
)
def test_what_cannot_be_compared_is_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(rw.InputError, match=words):
        rw.what_if(LOG, **({"fit": FIT} | settings))


def test_rounds_of_a_clock_are_counted_over_the_time_that_a_subject_is_seen() -> None:
    clock = dataclasses.replace(LOG, regular=False, unit="hours", time=LOG.time * 7.9)
    with pytest.raises(rw.InputError, match=r"the horizon is 16, but .* for more than 15 of 8 hours: shorten it"):
        done_in(clock, FIT, 16, 8.0)


def test_where_the_log_does_not_tell_it_is_said_why_not() -> None:
    with pytest.raises(rw.InputError, match=r"arm '.' cannot be drawn \(too few pulls\)"):
        rw.what_if(simulated(52, subjects=2, rounds=5))


def test_the_command_answers_first_and_fits_80_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    import pandas as pd

    names = np.array([*LOG.arms, None], dtype=object)
    pd.DataFrame(
        {
            "subject": LOG.subject,
            "round": LOG.time.astype(int),
            "arm": names[LOG.arm],
            "reward": LOG.reward,
            "cost_minutes": LOG.costs[:, 0],
        }
    ).to_csv("log.csv", index=False)
    words = ["whatif", "log.csv", "--draws", "5", "--budget", "minutes=20"]
    assert cli.main(words) == 0
    out = capsys.readouterr().out
    assert out.startswith("With 20 minutes instead of")
    assert all(len(line) <= 80 for line in out.splitlines())
    assert "planner, told the fit" in out
    assert cli.main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["answer"].split()[0] == "With"
    assert found["budgets"] == {"minutes": 20.0}
    assert len(found["draws"]) == 5
    assert set(found["gain"]) == {"value", "low", "high"}
    for typed in ("minutes", "=3", "minutes=x", "minutes=3 --budget minutes=4"):
        assert cli.main(["whatif", "log.csv", "--budget", *typed.split()]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_a_fit_of_another_kind_of_rewards_is_refused() -> None:
    log = invented_log(40, 20)
    counts = dataclasses.replace(log, reward=3.0 * log.reward)
    with pytest.raises(rw.InputError, match="is not 0 or 1"):
        rw.what_if(counts, fit=rw.fit(log), draws=5)


def test_limits_of_a_what_if_are_kept_and_named_in_the_answer() -> None:
    weekly = rw.Resource("minutes", 7.0, every="7 days")
    limits: list[rw.Resource | rw.Gap] = [weekly, rw.at_most(2, every="7 days", arms="call"), rw.Gap(2)]
    found = rw.what_if(LOG, fit=_certain(FIT), draws=5, limits=limits, rounds_per_day=1)
    problem = FIT.problem(horizon=15, budgets={"minutes": 20.0}).with_limits(*limits, rounds_per_day=1)
    world = FIT.world(horizon=15, budgets={"minutes": 20.0})
    world = world.with_problem(resources=problem.resources, gaps=problem.gaps, rounds_per_day=1)
    told = world.believe(_certain(FIT).problem(horizon=15, budgets={"minutes": 20.0}).arms)
    expected = rw.simulate(told, "roguewk-plan", replicates=10).summary()["expected_reward"][0]
    assert found.told.value == pytest.approx(expected)
    assert found.pulls[1:].max() <= 8  # with two rounds from one to the next
    assert found.budgets == {}
    said = (
        "With 7 minutes every 7 days and at most 2 pulls of 'call' every 7 days and 2 rounds from one pull to the next"
    )
    assert headline(found).startswith(f"{said} per person the planner is expected to earn")
    assert data(found)["limits"][1] == "at most 2 pulls of 'call' every 7 days"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"limits": "weekly"}, "limits are 'weekly': give a list of rw.Resource"),
        ({"limits": [3]}, "a limit is 3: give an rw.Resource, rw.at_most"),
        ({"limits": [rw.Gap("2 days")]}, "gap is '2 days' and nothing says how long a round is: give rounds_per_day"),
        ({"limits": [rw.Resource("euros", 3, every=7)]}, "unknown resource with a limit: 'euros'"),
        ({"limits": [rw.at_most(2, arms="visit")]}, "unknown arm of limit 'visit': 'visit'"),
    ],
)
def test_limits_that_cannot_be_are_refused_before_anything_is_played(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(rw.InputError, match=words):
        rw.what_if(LOG, fit=FIT, draws=5, **settings)
