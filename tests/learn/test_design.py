"""What a trial would tell of a half-life: against enumeration, and against trials that were simulated."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import optimize, special, stats

import roguewk as rw
from roguewk.learn.example import invented_log
from roguewk.learn.expected import Believed, Outcomes, expected_drops
from roguewk.learn.posterior import Draws
from roguewk.problem.family.registry import family_named
from tests.learn.logs import log_of, simulated

TIMES = np.array([0.0, 1.0, 2.0, 5.0, 8.0, 9.0, 10.0, 16.0])
TRUTH = np.array([0.4, -0.8, np.log(3.0)])  # rested level, push, log half-life
ONE_ARM: dict[str, Any] = {"level": (0.8,), "wear": (0.9,), "half_life": (4.0,)}
NODES = np.linspace(-7.0, 7.0, 281)


def levels(parameters: Any) -> Any:
    """Written down literally: every earlier use fades on its own, from the round after it on."""
    rested, push, half_life = parameters[0], parameters[1], np.exp(parameters[2])
    worn = [sum(0.5 ** ((t - u - 1) / half_life) for u in TIMES if u < t) for t in TIMES]
    return rested + push * np.array(worn)


def curvature(family: str, spread: float, dispersion: float = 1.0) -> float:
    """Of the expected profile of one subject at the true half-life, by a second difference."""
    step = 0.01
    nowhere = Believed(
        log_half_lives=TRUTH[2] + step * np.arange(-1.0, 2.0),
        drops=np.zeros(3),
        means=np.zeros((3, 3)),
        precisions=np.tile(1e-9 * np.eye(2), (3, 1, 1)),
        free=[0, 2],
    )
    truth = Draws(np.exp(TRUTH[2:]), TRUTH[:1], np.zeros(1), TRUTH[1:2])
    outcomes = Outcomes(family_named(family), dispersion, spread, lag=1.0)
    drops = expected_drops([TIMES], 1.0, nowhere, truth, outcomes)[0]
    return float((drops[0] + drops[2] - 2 * drops[1]) / step**2)


def log_chance(parameters: Any, outcome: Any, spread: float) -> float:
    """Of the outcomes of one subject, whose own level is integrated out on a fine grid."""
    at = levels(parameters)[:, np.newaxis] + spread * NODES
    logs = (outcome[:, np.newaxis] * at - np.logaddexp(0, at)).sum(axis=0) + stats.norm.logpdf(NODES)
    return float(special.logsumexp(logs) + np.log(NODES[1] - NODES[0]))


@pytest.mark.parametrize(("spread", "within"), [(0.0, 0.001), (0.7, 0.1)])
def test_the_expected_curvature_is_the_information_over_all_that_may_come_out(spread: float, within: float) -> None:
    information = np.zeros((3, 3))
    for outcome in itertools.product((0.0, 1.0), repeat=TIMES.size):
        given = np.array(outcome), spread
        score = optimize.approx_fprime(TRUTH, log_chance, 1e-6, *given)
        information += np.exp(log_chance(TRUTH, *given)) * np.outer(score, score)
    exact = 1 / np.linalg.inv(information)[2, 2]
    assert curvature("bernoulli", spread) == pytest.approx(exact, rel=within)


def test_with_normal_noise_the_curvature_is_exact() -> None:
    slopes = optimize.approx_fprime(TRUTH, levels, 1e-7)
    covariance = 0.5**2 * np.eye(TIMES.size) + 0.9**2
    information = slopes.T @ np.linalg.solve(covariance, slopes)
    exact = 1 / np.linalg.inv(information)[2, 2]
    assert curvature("gaussian", 0.9, dispersion=0.25) == pytest.approx(exact, rel=1e-3)


def together(first: Any, second: Any) -> Any:
    """One log of the subjects of two."""
    subject = np.concatenate([first.subject, second.subject + len(first.subjects)])
    time, arm, reward = (
        np.concatenate([getattr(first, name), getattr(second, name)]) for name in ("time", "arm", "reward")
    )
    return log_of(subject, time, arm, reward, arms=1)


def every(gaps: list[int]) -> Callable[[int], int]:
    """Pulls with these gaps over and over."""
    times = set(np.concatenate([[0], np.cumsum(np.tile(gaps, 40))]).tolist())
    return lambda t: 0 if t in times else -1


def width(fit: rw.Fit) -> float:
    return float(np.log(fit.arms[0].half_life.high / fit.arms[0].half_life.low))


def test_trials_narrow_the_half_life_as_the_design_said() -> None:
    rounds, more = 40, 120
    schedules = {"bursts": every([1, 1, 1, 1, 9]), "rarely": every([5])}
    predicted, observed = [], []
    for seed in range(4):
        log = simulated(seed, 80, rounds, chance=0.35, **ONE_ARM)
        lists = {name: [t + 1 for t in range(rounds) if at(t) == 0] for name, at in schedules.items()}
        table = rw.fit(log).design(subjects=more, rounds=rounds, schedules=lists).frame().set_index("schedule")
        predicted.append([np.log(table.half_life_high[name] / table.half_life_low[name]) for name in schedules])
        trials = [simulated(100 + seed, more, rounds, schedule=at, **ONE_ARM) for at in schedules.values()]
        observed.append([width(rw.fit(together(log, trial))) for trial in trials])
    bursts, rarely = np.array(observed).T
    assert (bursts < rarely).all()
    assert (np.array(predicted)[:, 0] < np.array(predicted)[:, 1]).all()
    assert np.median(np.array(observed) / predicted, axis=0) == pytest.approx(1.0, abs=0.15)
    assert np.max(np.abs(np.log(np.array(observed) / predicted))) < np.log(1.5)


def test_a_log_that_is_evenly_spaced_is_told_to_send_otherwise() -> None:
    log = simulated(3, 60, 60, schedule=lambda t: 0 if t % 4 == 0 else -1, **ONE_ARM)
    fit = rw.fit(log, start="unknown")
    assert "evenly spaced" in str(fit)
    design = fit.design(subjects=100, rounds=60)
    table = design.frame().set_index("schedule")
    assert "the log does not tell it" in design.advice
    assert table.narrowing["in bursts of 6 with 8 rounds of rest"] > 1.5 * table.narrowing["every 4 rounds"]
    assert not design.schedules[0].schedule.words.startswith("every")


def test_arms_with_too_few_pulls_or_no_wear_have_designs_too() -> None:
    few = rw.fit(simulated(1, 4, 6, chance=0.3, **ONE_ARM)).design(subjects=200, rounds=40)
    assert few.schedules[0].told > 0.5
    assert few.schedules[0].narrowing > 0.5
    none = rw.fit(invented_log()).design("text", subjects=10, rounds=20)
    assert none.frame().narrowing.between(-1, 100).all()


def test_of_an_arm_that_does_not_seem_to_wear_no_half_life_is_shown_and_no_more_subjects_are_asked_for() -> None:
    design = rw.fit(invented_log()).design("text", subjects=10, rounds=20)
    assert design.advice.startswith("No wear of 'text' is seen in the log, and there may be none: that is no reason")
    assert "ask for more" not in str(design)
    assert str(design).splitlines()[3].split("  ")[-1] == "half-life told"
    assert "(0 to inf)" not in str(design)
    assert design.frame()["half_life"].isna().all()
    assert list(design.frame()["told"]) == sorted(design.frame()["told"], reverse=True)
    assert max(map(len, str(design).splitlines())) <= 80


def test_where_the_log_has_clock_times_the_length_of_a_round_is_said() -> None:
    log = simulated(4, 60, 40, chance=0.35, **ONE_ARM)
    hours = rw.fit(log_of(log.subject, 2.0 * log.time, log.arm, log.reward, regular=False))
    one, two = (str(hours.design(rounds=20, round_length=length)).split("would")[0] for length in (1.0, 2.0))
    assert "20 rounds of 1 hour each" in " ".join(one.split())
    assert "20 rounds of 2 hours each" in " ".join(two.split())
    assert "each" not in str(rw.fit(log).design(rounds=20)).split("would")[0]


def test_families_and_clock_times_are_followed() -> None:
    for family in ("gaussian", "poisson", "bounded"):
        fit = rw.fit(simulated(2, 60, 30, family=family, chance=0.35, **ONE_ARM), family)
        design = fit.design(subjects=100, rounds=30)
        assert 0 < design.schedules[0].narrowing < 1, family
    log = simulated(4, 100, 40, chance=0.35, **ONE_ARM)
    hours = log_of(log.subject, 2.0 * log.time, log.arm, log.reward, regular=False)
    in_rounds, in_hours = rw.fit(log).design(rounds=40), rw.fit(hours).design(rounds=40, round_length=2.0)
    assert in_hours.unit == "hours"
    assert in_hours.frame().narrowing.to_numpy() == pytest.approx(in_rounds.frame().narrowing.to_numpy(), abs=1.0)


def test_more_subjects_narrow_more_and_pulls_can_be_limited() -> None:
    fit = rw.fit(invented_log())
    few, many = (fit.design("call", subjects=count, rounds=30, pulls=9) for count in (20, 80))
    assert few.schedules[0].narrowing < many.schedules[0].narrowing
    assert few.frame().pulls.max() <= 9


def test_the_design_fits_a_terminal_and_can_be_acted_on() -> None:
    design = rw.fit(invented_log()).design("call", rounds=20)
    assert max(len(line) for line in str(design).splitlines()) <= 80
    assert str(design).replace("\n", " ").endswith(design.advice)
    assert design.plan() == list(design.schedules[0].schedule.variants[0])
    random = [design.plan(subject, "at random in 1 of 3 rounds") for subject in range(9)]
    assert random[0] == random[8] != random[1]
    assert all(1 <= at <= 20 for rounds in random for at in rounds)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"arm": "letter"}, "letter"),
        ({"arm": None}, "say of which the trial is to tell"),
        ({"rounds": 1}, "give a whole number from 2 to 2000"),
        ({"schedules": {"own": [5, 3]}}, "give rounds in rising order"),
        ({"schedules": {"own": [0, 3]}}, "give a whole number from 1 to 60"),
        ({"schedules": [1, 2]}, "give lists of rounds by name"),
    ],
)
def test_designs_that_cannot_be_are_refused(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(rw.InputError, match=sentence):
        rw.fit(invented_log()).design(**{"arm": "call", **given})


def test_fits_with_further_states_are_refused() -> None:
    with pytest.raises(rw.InputError, match="fit without common and second"):
        rw.fit(invented_log(40, 20), common=True).design("call")
