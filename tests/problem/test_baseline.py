"""What idle rounds bring, as it is said: in Python, in files, and to policies."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import expit, logit

import roguewk as rw
from roguewk.policy.saved import problem_digest
from roguewk.problem.idling import build_line, line_mean
from roguewk.problem.plain import problem_from_data, problem_to_data
from roguewk.world.plain import world_from_data, world_to_data

WALK: dict[str, Any] = {"name": "walk", "rested": 0.6, "wear": 0.5, "half_life": 2}
COUNTS = {"name": "post", "rested": 6.0, "wear": 0.5, "half_life": 2, "family": "poisson"}
NOISE = {"name": "tilt", "rested": 6.0, "wear": 0.5, "half_life": 2, "family": "gaussian", "sigma": 0.3}

BASELINES = [
    rw.Baseline(0.3),
    rw.Baseline(0.1 + 0.2, at_end=1 / 3),
    rw.Baseline(2.5, "poisson", known=False),
    rw.Baseline(-1e-3, "gaussian", sigma=0.7, at_end=4.0, known=False),
    rw.Baseline(0.5, "bounded"),
]


def world_of(baseline: rw.Baseline | None) -> rw.World:
    problem = rw.Problem([rw.everyday_arm(**WALK)], [rw.Resource("staff", 3.0)], 7, baseline=baseline)
    return rw.World(problem, [0.0], [[0.5]])


@pytest.mark.parametrize("family", ["bernoulli", "bounded"])
def test_a_drift_is_even_in_log_odds(family: str) -> None:
    means = rw.Baseline(0.3, family, at_end=0.05).means(11)
    assert means == pytest.approx(expit(np.linspace(logit(0.3), logit(0.05), 11)))


def test_a_drift_is_even_in_the_levels_of_other_families_and_none_in_a_game_of_one_round() -> None:
    assert rw.Baseline(3.0, "poisson", at_end=0.5).means(9) == pytest.approx(np.geomspace(3.0, 0.5, 9))
    assert rw.Baseline(3.0, "gaussian", 0.1, at_end=-1.0).means(9) == pytest.approx(np.linspace(3.0, -1.0, 9))
    assert rw.Baseline(0.3, at_end=0.2).means(1).tolist() == pytest.approx([0.3])
    assert rw.Baseline(0.3).means(3).tolist() == [0.3] * 3


@pytest.mark.parametrize("baseline", BASELINES)
def test_compiled_code_has_the_same_means(baseline: rw.Baseline) -> None:
    line = build_line(baseline, 6)[0]
    assert [line_mean(line, t) for t in range(6)] == pytest.approx(baseline.means(6))
    assert line_mean(line, 100) == line_mean(line, 5)


@pytest.mark.parametrize("baseline", BASELINES)
def test_a_baseline_comes_back_exactly_from_data_and_from_a_file(baseline: rw.Baseline, tmp_path: Path) -> None:
    world = world_of(baseline)
    world.to_toml(tmp_path / "world.toml")
    for again in (world_from_data(world_to_data(world)), rw.load_world(tmp_path / "world.toml")):
        assert (again.baseline, again.problem.baseline, again.problem.idle) == (baseline, baseline.told, True)
        assert again.to_toml() == world.to_toml()
    problem = rw.Problem(world.arms, [], 7, baseline=baseline)
    assert problem_from_data(problem_to_data(problem)).baseline == baseline
    assert problem_from_data(problem_to_data(world.problem)).baseline == baseline.told


def test_policies_are_told_the_family_alone_of_a_baseline_that_is_not_known() -> None:
    worlds = [world_of(rw.Baseline(reward, "poisson", known=False)) for reward in (2.0, 7.0)]
    told = worlds[0].problem.baseline
    assert (told, worlds[0].problem.outline()) == (
        rw.Baseline(family="poisson", known=False),
        "1 arm ('walk'), 7 rounds, idle rounds bring what is to be learned, and budgets 'staff' 3",
    )
    assert problem_digest(worlds[0].problem) == problem_digest(worlds[1].problem)
    assert "reward" not in problem_to_data(worlds[0].problem)["idle"]
    assert problem_digest(world_of(rw.Baseline(0.3)).problem) != problem_digest(world_of(rw.Baseline(0.2)).problem)


@pytest.mark.parametrize("known", [True, False])
def test_every_other_version_of_a_world_keeps_what_idle_rounds_bring(known: bool) -> None:
    baseline = rw.Baseline(0.3, at_end=0.2, known=known)
    world = world_of(baseline)
    late = rw.Outcomes(delay=2)
    for other in (world.with_budget(9.0), world.believe(world.arms), world.with_outcomes(late)):
        assert (other.baseline, other.problem.baseline) == (baseline, baseline.told)
    assert world.with_problem(horizon=3).idle_means.tolist() == baseline.means(3).tolist()
    assert world.with_problem(idle=True).baseline == baseline
    bare = world.with_problem(baseline=None)
    assert (bare.baseline, bare.problem.baseline, bare.problem.idle) == (None, None, True)
    assert world_of(None).with_problem(baseline=baseline).to_toml() == world.to_toml()


@pytest.mark.parametrize(
    ("arms", "idle", "expected"),
    [
        ([WALK], {"reward": 0.3}, rw.Baseline(0.3)),
        ([COUNTS], {"reward": 3, "known": False}, rw.Baseline(3.0, "poisson", known=False)),
        ([NOISE], {"reward": 0, "at_end": 1}, rw.Baseline(0.0, "gaussian", 0.3, at_end=1.0)),
        ([NOISE], {"reward": 0, "sigma": 2.0}, rw.Baseline(0.0, "gaussian", 2.0)),
        ([WALK, COUNTS], {"reward": 0.3, "family": "bernoulli"}, rw.Baseline(0.3)),
    ],
)
def test_idle_rounds_are_of_the_family_of_the_arms_unless_it_is_said(arms: Any, idle: Any, expected: Any) -> None:
    data = {"horizon": 5, "idle": idle, "arm": arms}
    assert world_from_data(data).baseline == expected
    assert problem_from_data(data).baseline == expected


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            {},
            "reward of idle rounds is not said: give what a round brings on average in which nothing is done, or",
        ),
        ({"at_end": 0.2, "known": False}, "reward of idle rounds is not said"),
        ({"reward": 1.0}, "reward of idle rounds is 1.0: give a mean reward strictly between 0 and 1"),
        ({"reward": 0.3, "at_end": 1.5}, "at_end of idle rounds is 1.5: give a mean reward strictly between 0 and 1"),
        ({"reward": 0.3, "family": "coins"}, "family of idle rounds:"),
        ({"reward": 0.3, "family": "gaussian"}, "sigma of idle rounds is None with family 'gaussian': give sigma"),
        ({"reward": 0.3, "sigma": 1.0}, "sigma of idle rounds is 1.0 with family 'bernoulli': leave it out"),
        ({"reward": 0.3, "known": 1}, "known of idle rounds is 1"),
        ({"reward": 1e40, "family": "gaussian", "sigma": 1.0}, "reward of idle rounds is 1e+40: choose a unit"),
    ],
)
def test_a_baseline_that_cannot_be_is_refused_in_a_sentence(given: Any, sentence: str) -> None:
    with pytest.raises(rw.InputError) as caught:
        rw.Baseline(**given)
    assert sentence in str(caught.value)


def test_what_files_problems_and_worlds_cannot_have_is_refused_in_a_sentence() -> None:
    file = {"horizon": 5, "arm": [WALK, COUNTS]}
    world, unknown = world_of(rw.Baseline(0.3)), rw.Baseline(known=False)
    for refused, sentence in (
        (
            lambda: world_from_data({**file, "idle": {"reward": 0.3}}),
            "[idle] has no family and the arms have",
        ),
        (lambda: world_from_data({**file, "idle": {"mean": 0.3}}), "key of [idle]:"),
        (
            lambda: world_of(unknown),
            "nobody knows what idle rounds bring, and a world needs the truth: add `reward = ...` to [idle]",
        ),
        (lambda: world_of(0.3), "baseline is 0.3: give an rw.Baseline"),  # type: ignore[arg-type]
        (lambda: world.with_problem(idle=False), "idle rounds of this world bring something: give baseline=None too"),
        (lambda: world.problem.check_idle_reward(0.5), "reward 0.5 of an idle round is not 0 or 1"),
        (lambda: world_of(None).problem.check_idle_reward(0), "idle rounds of this problem bring nothing"),
        (lambda: unknown.means(3), "nobody knows the reward of idle rounds"),
    ):
        with pytest.raises(rw.InputError) as caught:
            refused()
        assert sentence in str(caught.value)


def test_levels_and_spreads_beyond_the_largest_number_with_a_unit_are_refused() -> None:
    levels: Any = ({"reward": 1e31}, {"reward": 0.0, "at_end": -1e31})
    for given in levels:
        with pytest.raises(rw.InputError, match=r"of idle rounds is .*: choose a unit in which it stays below 1e"):
            rw.Baseline(family="gaussian", sigma=1.0, **given)
    for sigma in (1e31, 1e-31):
        with pytest.raises(rw.InputError, match=r"sigma of idle rounds is 1e.*: give rewards in a more ordinary unit"):
            rw.Baseline(0.0, family="gaussian", sigma=sigma)
