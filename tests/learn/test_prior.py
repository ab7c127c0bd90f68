"""From a log to the next subject: priors that fits make."""

import dataclasses
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import roguewk as rw
from roguewk.learn.example import invented_log
from roguewk.problem.prior import DEVIATIONS
from tests.learn.logs import simulated

LEVEL, WEAR, HALF_LIFE = (0.4, 0.0, 0.8), (0.8, 0.6, 1.0), (3.0, 6.0, 10.0)


@pytest.fixture(scope="module")
def fit() -> rw.Fit:
    return rw.fit(simulated(1, 100, 60, spread=0.7))


def test_the_prior_is_what_the_log_says_and_how_subjects_differ(fit: rw.Fit) -> None:
    for arm in fit.arms:
        table = fit.prior()[arm.name].table
        order = np.cumsum(table.chances)
        low, high = table.half_lives[np.searchsorted(order, [0.025, 0.975])]
        assert [low, high] == pytest.approx([arm.half_life.low, arm.half_life.high], rel=0.15)
        rested = np.sqrt(table.chances @ table.covariances[:, 0])
        alone = DEVIATIONS**-1 * np.diff(np.log([arm.rested.low, arm.rested.high])).item()
        assert rested > fit.subject_sd.value > alone / 3
        push = table.chances @ table.means[:, 2]
        assert -push == pytest.approx(arm.wear.value, abs=0.1)


def test_a_problem_of_a_fit_goes_on_learning_unless_told_not_to(fit: rw.Fit) -> None:
    assert fit.problem(horizon=30).unknown == ("a", "b", "c")
    assert fit.problem(horizon=30, learn=False).unknown == ()
    assert fit.world(horizon=30).problem.unknown == ()
    policy = rw.make_policy("roguewk-plan", fit.problem(horizon=30))
    assert policy.beliefs()["half_life"].to_list() == pytest.approx([arm.half_life.value for arm in fit.arms], rel=0.1)


def test_of_an_arm_with_too_few_pulls_nothing_is_believed() -> None:
    log = simulated(2, 40, 40, level=(0.4, 0.0), wear=(0.8, 0.6), half_life=(3.0, 6.0))
    log.arm[log.arm == 1] = -1
    log.arm[0] = 1
    log.reward[log.arm < 0] = np.nan
    log.reward[0] = 1.0
    few = rw.fit(log)
    assert few.prior()["b"].to_data() == {}
    assert few.prior()["a"].table is not None


def test_rounds_of_another_length_have_other_half_lives(fit: rw.Fit) -> None:
    plain, longer = fit.prior()["a"].table, fit.prior(round_length=2.0)["a"].table
    assert longer.half_lives == pytest.approx(plain.half_lives / 2)
    assert longer.chances == pytest.approx(plain.chances)
    # Wear is what is missing one of the log's rounds after a use: half a round of the problem's earlier.
    assert longer.means[:, 2] == pytest.approx(plain.means[:, 2] * 0.5 ** (0.5 / longer.half_lives))


def test_clock_times_wear_as_the_problem_of_the_estimates_does() -> None:
    log = simulated(3, 100, 60, level=(0.4,), wear=(0.8,), half_life=(3.0,))
    fit = rw.fit(dataclasses.replace(log, regular=False, unit="hours"))
    known = fit.problem(horizon=30, learn=False, round_length=2.0).arms[0]
    table = fit.prior(round_length=2.0)["a"].table
    top = int(np.argmax(table.chances))
    assert table.means[top, 2] == pytest.approx(float(known.push[0]), rel=0.15)


def world(own: float) -> rw.World:
    """A subject whose level is so far from the average."""
    arms = [
        rw.everyday_arm(name, rested=1 / (1 + np.exp(-level - own)), wear=wear, half_life=span, known_start="rested")
        for name, level, wear, span in zip("abc", LEVEL, WEAR, HALF_LIFE, strict=True)
    ]
    problem = rw.Problem(arms, [rw.Resource("minutes", 40.0, 1.0)], horizon=300, idle=True)
    return rw.World(problem, [0.0] * 3, [[0.3], [0.2], [0.5]])


def test_a_hundred_subjects_in_a_log_make_up_for_dynamics_that_nobody_knows(fit: rw.Fit) -> None:
    prior, luck = fit.prior(), np.random.default_rng(0)
    earned = {"known": 0.0, "fitted": 0.0, "nothing": 0.0}
    for seed in range(8):
        true = world(0.7 * luck.standard_normal())
        told = true.believe([dataclasses.replace(arm, prior=prior[arm.name]) for arm in true.arms])
        learned = ("roguewk-plan", {"dynamics": "learned"})
        runs = rw.simulate(true, {"known": "roguewk-plan", "nothing": learned}, replicates=5, seed=seed)
        fitted = rw.simulate(told, {"fitted": "roguewk-plan"}, replicates=5, seed=seed)
        for label in earned:
            earned[label] += (fitted if label == "fitted" else runs).totals[label]["expected"].mean()
    assert earned["fitted"] > 0.97 * earned["known"]
    assert earned["fitted"] > 1.05 * earned["nothing"]


def _measured(seed: int, weekly: float | None = None) -> pd.DataFrame:
    """An arm that is given once a week, around 120 or always the same, beside one given at random."""
    luck, rows = np.random.default_rng(seed), []
    for subject in range(40):
        own = 2.0 * luck.standard_normal()
        for t in range(40):
            if t % 7 == 0:
                seen = 120.0 + own + 5.0 * luck.standard_normal() if weekly is None else weekly
                rows.append((subject, t, "weekly", seen))
            elif luck.random() < 0.5:
                rows.append((subject, t, "other", 100.0 + own + 5.0 * luck.standard_normal()))
    return pd.DataFrame(rows, columns=["subject", "round", "arm", "reward"])


@pytest.mark.parametrize("weekly", [None, 120.0])
def test_what_is_known_of_the_rested_effect_is_believed_also_where_wear_cannot_be_told(weekly: float | None) -> None:
    fit = rw.fit(_measured(0, weekly), "gaussian", start="unknown")
    assert not next(arm for arm in fit.arms if arm.name == "weekly").verdict.told
    policy = rw.make_policy("roguewk-plan", fit.problem(horizon=60))
    believed = policy.beliefs().set_index("arm").loc["weekly"]
    assert believed["rested"] == pytest.approx(120.0, abs=3.0)
    assert believed["wear_low"] < 0 < believed["wear_high"]
    assert policy.select().arm is not None


def test_coins_that_always_came_are_believed_to_come() -> None:
    table = _measured(1)
    table["reward"] = (np.random.default_rng(2).random(len(table)) < 0.5) * 1.0
    table.loc[table["arm"] == "weekly", "reward"] = 1.0
    assert rw.fit(table).prior()["weekly"].rested.about > 0.9


def test_outcomes_that_tell_of_no_noise_are_not_planned_with() -> None:
    table = _measured(0).assign(reward=3.3)
    with pytest.raises(rw.InputError, match="do not tell how noisy they are"):
        rw.fit(table, "gaussian").problem(horizon=60)


def test_a_round_of_a_clock_has_to_be_said_and_to_suit_half_lives(fit: rw.Fit) -> None:
    clock = dataclasses.replace(fit, regular=False, unit="hours")
    calls: list[Callable[[], object]] = [
        clock.prior,
        lambda: clock.problem(horizon=9),
        lambda: clock.world(horizon=9),
        lambda: clock.design("a"),
    ]
    for call in calls:
        with pytest.raises(rw.InputError, match="say how long a round is with round_length, in hours"):
            call()
    for length in (1e-9, 1e9):
        with pytest.raises(rw.InputError, match=r"round_length is .* the half-life of arm 'a'"):
            clock.problem(horizon=9, round_length=length)
    assert clock.problem(horizon=9, round_length=8).horizon == 9


def test_the_most_that_a_pull_may_take_can_be_said() -> None:
    fit = rw.fit(invented_log())
    seen = float(fit.largest_costs[0])
    assert fit.problem(40, {"minutes": 40.0}).resources[0].largest_cost == seen
    assert fit.problem(40, {"minutes": 40.0}, largest_costs={"minutes": 30}).resources[0].largest_cost == 30.0
    with pytest.raises(rw.InputError, match="raise it"):
        fit.problem(40, {"minutes": 40.0}, largest_costs={"minutes": seen / 2})
    with pytest.raises(rw.InputError, match="unknown resource with a largest cost: 'euros'"):
        fit.problem(40, {"minutes": 40.0}, largest_costs={"euros": 1.0})


def test_arms_are_available_as_often_as_the_log_says() -> None:
    log = invented_log()
    assert rw.fit(log).problem(40).arms[0].available is None
    idle = np.flatnonzero(log.arm < 0)
    closed = log.available.copy()
    closed[idle[: idle.size // 2]] = False
    found = rw.fit(dataclasses.replace(log, available=closed))
    share = 1 - (idle.size // 2) / log.arm.size
    assert [arm.available for arm in found.problem(40).arms] == pytest.approx([share, share])
    assert found.world(40).arms[0].available == pytest.approx(share)
