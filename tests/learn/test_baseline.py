"""What the idle rows of a log say, and what becomes of it in problems, worlds, what-ifs and replays."""

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import optimize, special

import roguewk as rw
from roguewk import cli
from roguewk.learn.baseline import FittedBaseline, fit_baseline
from roguewk.learn.example import invented_log
from roguewk.problem.family.registry import family_named
from tests.learn.logs import log_of

CALL = rw.everyday_arm("call", rested=0.7, wear=0.6, half_life=6, known_start="rested")
TEXT = rw.everyday_arm("text", rested=0.3, wear=0.2, half_life=3, known_start="rested")
BUDGETS = {"minutes": 100.0}


def world_of(baseline: rw.Baseline | None = None) -> rw.World:
    """Calls are worth more than nothing only while they are rested, and texts never."""
    problem = rw.Problem([CALL, TEXT], [rw.Resource("minutes", 100.0)], 70, idle=True, baseline=baseline)
    return rw.World(problem, [0.0, 0.0], [[rw.Cost.uniform(2, 6)], [0.5]])


WORLD = world_of(rw.Baseline(0.35))
LOG = rw.log_runs(WORLD, ("randomised", {"chances": 0.4}), replicates=60, seed=1)
FIT = rw.fit(LOG)


def idle_log(seed: int, family: str, drift: float, spread: float = 0.0, subjects: int = 40) -> Any:
    """Half of 30 rounds are idle; `spread` is how much the levels of subjects differ."""
    luck = np.random.default_rng(seed)
    subject, time = np.repeat(np.arange(subjects), 30), np.tile(np.arange(30.0), subjects)
    level = -0.5 + drift * time / 29 + spread * luck.standard_normal(subjects)[subject]
    if family == "gaussian":
        reward: Any = level + 0.7 * luck.standard_normal(level.size)
    elif family == "poisson":
        reward = luck.poisson(np.exp(level)).astype(float)
    else:
        mean = special.expit(level)
        reward = (
            luck.beta(10 * mean, 10 * (1 - mean)) if family == "bounded" else (luck.random(level.size) < mean) * 1.0
        )
    return log_of(subject, time, luck.integers(-1, 1, level.size), reward, arms=1)


def fitted(log: Any, family: str) -> FittedBaseline:
    """What the idle rows say."""
    found = fit_baseline(log, family_named(family), 1.0)
    assert found is not None
    return found


@pytest.mark.parametrize("family", ["bernoulli", "gaussian", "poisson", "bounded"])
@pytest.mark.parametrize("drift", [0.0, 1.5])
def test_the_estimate_is_the_likeliest_one(family: str, drift: float) -> None:
    log, kind = idle_log(5, family, drift), family_named(family)
    found = fitted(log, family)
    rows = log.arm < 0

    def surprise(at: Any) -> float:
        levels = at[0] + (at[1] if drift else 0.0) * log.time[rows]
        told = [kind.surprise(each, reward, 1.0) for each, reward in zip(levels, log.reward[rows], strict=True)]
        ridge = 0.0 if family == "gaussian" else 0.5 * (at[0] ** 2 + (29 * at[1]) ** 2) / 100
        return sum(told) + ridge

    best = optimize.minimize(surprise, [0.0, 0.0], tol=1e-9).x
    assert found.level == pytest.approx(best[0], abs=1e-4)
    assert found.drift == pytest.approx(best[1], abs=1e-5)
    assert (found.at_end is None) == (drift == 0)


@pytest.mark.parametrize("family", ["bernoulli", "gaussian", "poisson", "bounded"])
def test_intervals_hold_the_truth_in_about_95_of_100_logs(family: str) -> None:
    kind, held = family_named(family), np.zeros(2)
    for seed in range(100):
        first = fitted(idle_log(seed, family, 0.0), family).reward
        end = fitted(idle_log(1000 + seed, family, 2.0), family).at_end
        assert end is not None
        held += first.low < kind.mean_of_level(-0.5) < first.high, end.low < kind.mean_of_level(1.5) < end.high
    assert held.min() >= 89


def test_a_drift_is_seldom_found_where_there_is_none() -> None:
    found = [fitted(idle_log(seed, "bernoulli", 0.0), "bernoulli").drift != 0 for seed in range(100)]
    assert sum(found) <= 5


def test_intervals_are_wider_where_subjects_differ() -> None:
    # The mean over subjects, by quadrature.
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    truth = float(special.expit(-0.5 + 1.2 * nodes) @ weights) / math.sqrt(2 * math.pi)
    found = [fitted(idle_log(seed, "bernoulli", 0.0, spread=1.2), "bernoulli") for seed in range(100)]
    level = [each for each in found if each.drift == 0]
    assert len(level) > 90
    assert np.mean([each.reward.low < truth < each.reward.high for each in level]) >= 0.89


def test_draws_have_the_mean_and_the_covariance_of_the_estimate() -> None:
    found, luck = fitted(idle_log(3, "bernoulli", 2.0), "bernoulli"), np.random.default_rng(1)
    drawn = np.array([(each.level, each.drift) for each in (found.drawn(luck) for _ in range(4000))])
    assert drawn.mean(axis=0) == pytest.approx([found.level, found.drift], rel=0.03)
    assert np.cov(drawn.T) == pytest.approx(found.covariance, rel=0.12)
    steady = fitted(idle_log(3, "bernoulli", 0.0), "bernoulli").drawn(luck)
    assert steady.drift == 0
    assert steady.reward.low == steady.reward.value == steady.reward.high


@pytest.mark.parametrize("unseen", [0.0, np.nan])
def test_where_idle_rows_say_nothing_all_is_as_it_would_be_without_them(unseen: float) -> None:
    log = invented_log()
    silent = dataclasses.replace(log, reward=np.where(log.arm < 0, unseen, log.reward))
    fit, ignored = rw.fit(silent), rw.fit(LOG, baseline=None)
    assert fit.baseline is None
    assert ignored.baseline is None
    assert ignored.problem(70, BUDGETS).baseline is None
    assert "idle rounds bring" not in str(fit)
    assert rw.what_if(silent, {"minutes": 20.0}, 10, fit=fit, draws=5).nothing is None


def test_outcomes_that_are_all_alike_are_taken_in() -> None:
    ones = dataclasses.replace(idle_log(2, "bernoulli", 0.0), reward=np.ones(1200))
    assert 0.99 < fitted(ones, "bernoulli").reward.value < 1
    threes = dataclasses.replace(ones, reward=np.full(1200, 3.0))
    assert fitted(threes, "gaussian").over(10).means(10) == pytest.approx(np.full(10, 3.0))
    alone = log_of([0, 0], [0, 1], [-1, 0], [3.0, 1.0])
    assert fitted(alone, "gaussian").sigma == 1.0


def test_outcomes_of_another_family_are_refused() -> None:
    odd = dataclasses.replace(idle_log(2, "bernoulli", 0.0), reward=np.full(1200, 3.0))
    with pytest.raises(
        rw.InputError,
        match=r"idle rows have outcomes, and reward 3 in .* baseline=None .--no-baseline. leaves them out",
    ):
        fitted(odd, "bernoulli")
    with pytest.raises(rw.InputError, match=r'baseline is 0\.3: give "log" to learn it from idle rows, or None'):
        rw.fit(LOG, baseline=0.3)  # type: ignore[arg-type]


def test_a_drift_goes_no_farther_than_the_log_has_seen_it() -> None:
    found = fitted(idle_log(3, "bernoulli", 2.0), "bernoulli")
    assert found.at_end is not None
    assert found.over(30).at_end == found.over(300).at_end == pytest.approx(found.at_end.value)
    middle = special.expit(found.level + found.drift * 10)
    assert found.over(11).at_end == found.over(6, 2.0).at_end == pytest.approx(middle)
    assert f"{found.at_end.value:.3g}" in found.in_words()


def test_a_log_of_a_world_recovers_what_its_idle_rounds_bring() -> None:
    assert FIT.baseline is not None
    assert FIT.baseline.reward.low < 0.35 < FIT.baseline.reward.high
    assert "idle rounds bring 0.3" in str(FIT)
    drifting = world_of(rw.Baseline(0.35, at_end=0.15))
    found = rw.fit(rw.log_runs(drifting, ("randomised", {"chances": 0.4}), replicates=60, seed=2)).baseline
    assert found is not None
    assert found.at_end is not None
    assert found.reward.low < 0.35 < found.reward.high
    assert found.at_end.low < 0.15 < found.at_end.high


def test_problems_and_worlds_of_a_fit_have_its_baseline() -> None:
    problem, world = FIT.problem(70, BUDGETS), FIT.world(50, BUDGETS)
    assert FIT.baseline is not None
    assert problem.baseline == world.baseline == FIT.baseline.over(70)
    assert problem.baseline is not None
    assert problem.baseline.known
    assert FIT.problem(70, BUDGETS, idle=False).baseline is None


def earned(problem: rw.Problem, replicates: int = 100) -> float:
    """What the planner that is told a problem earns in the true world."""
    told = problem.baseline
    assert told is not None
    assert WORLD.baseline is not None
    # Who is told what idle rounds bring decides by that, whatever they bring.
    runs = rw.simulate(WORLD.with_problem(baseline=told).believe(problem.arms), "roguewk-plan", replicates, curves=True)
    idle = (runs.curves["roguewk-plan"].arms < 0).mean(axis=0)
    more = WORLD.baseline.means(70) - told.means(70)
    return float(runs.frame()["expected_reward"].mean() + idle @ more)


def test_the_planner_that_is_told_a_fit_earns_nearly_what_the_one_that_knows_does() -> None:
    knows, told = earned(WORLD.problem), earned(FIT.problem(70, BUDGETS))
    nothing = 70 * 0.35
    assert knows > nothing + 2
    assert told - nothing > 0.8 * (knows - nothing)


def test_what_ifs_count_idle_rounds_and_are_within_error_of_the_truth() -> None:
    read = rw.read_log(LOG.frame())
    found = rw.what_if(read, BUDGETS, fit=FIT, draws=10)
    done = float(LOG.mean_rewards[np.arange(LOG.actions.size), LOG.actions].sum()) / 60
    told = earned(FIT.problem(70, BUDGETS))
    assert found.nothing is not None
    assert found.effects is not None
    assert found.nothing.low < 70 * 0.35 < found.nothing.high
    assert found.done.low < done < found.done.high
    assert found.told.low < told < found.told.high
    for effect, truth in zip(found.effects, (done - 24.5, told - 24.5), strict=False):
        assert effect.low < truth < effect.high
    assert found.frame().columns.tolist() == ["draw", "done", "told", "learned", "nothing"]
    assert "Doing nothing would bring 2" in " ".join(str(found).split())


def test_what_ifs_count_rounds_without_a_row_as_idle() -> None:
    table = LOG.frame()
    whole = rw.what_if(table, BUDGETS, fit=FIT, draws=5)
    ends = (table["round"] == 0) | (table["round"] == 69)
    fewer = rw.what_if(table[table["arm"].notna() | ends], BUDGETS, fit=FIT, draws=5)
    assert fewer.rewards == pytest.approx(whole.rewards)


def test_replays_tell_a_policy_what_idle_rows_brought() -> None:
    problem = WORLD.with_problem(baseline=rw.Baseline(0.35, known=False)).problem
    table = LOG.frame()
    mine = table[table["subject"] == 3]
    policy = rw.replay(rw.make_policy("roguewk-plan", problem), mine.iloc[:60])
    idle = mine.iloc[:60].query("arm.isna()")["reward"]
    expected = float(policy.parts.desk.baseline.belief["mean"][0])
    assert expected == pytest.approx(idle.mean(), abs=0.12)
    assert not policy.open_pulls
    known = rw.replay(rw.make_policy("roguewk-plan", FIT.problem(70, BUDGETS)), mine.iloc[:60])
    assert known.round == 60


def test_values_of_other_policies_count_what_idle_rounds_bring() -> None:
    log = rw.log_runs(WORLD, ("randomised", {"chances": 0.4}), replicates=1500, seed=5)
    read = rw.read_log(log.frame())
    truth = 3 * 0.35
    found = rw.off_policy(read, [None, None, None], fit=FIT)
    assert found.doubly_robust is not None
    for each in (found.importance, found.self_normalised, found.doubly_robust):
        assert each.low < truth < each.high
    assert found.doubly_robust.high - found.doubly_robust.low < found.importance.high - found.importance.low
    reward = np.where(np.arange(read.arm.size) == np.flatnonzero(read.arm < 0)[0], np.nan, read.reward)
    with pytest.raises(rw.InputError, match="the reward is missing in row"):
        rw.off_policy(dataclasses.replace(read, reward=reward), [None, None, None])


def test_the_log_comes_before_the_policy() -> None:
    read, policy = rw.read_log(LOG.frame()), rw.make_policy("ucb1", WORLD.problem)
    for wrong in (policy, ["call", None], lambda history: "call", np.ones((2, 3))):
        with pytest.raises(rw.InputError, match="give the log first, and the policy after it"):
            rw.off_policy(wrong, read)


def test_what_logs_of_simulations_hold_besides_is_passed_over_silently() -> None:
    read = rw.read_log(LOG.frame())
    assert not read.covariates
    assert "covariates" not in str(read)
    assert "'effect'" not in str(read)
    for name in ("effect", "probability_call"):
        with pytest.raises(rw.InputError, match=f"covariate '{name}' is one of the columns that a log is made of"):
            rw.fit(read, covariates=[name])
    rain = LOG.frame()[["subject", "round", "arm", "reward"]].assign(probability_rain=0.5)
    assert list(rw.read_log(rain).covariates) == ["probability_rain"]


def test_commands_tell_what_idle_rounds_bring(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, out = tmp_path / "log.csv", tmp_path / "fit"
    LOG.frame().to_csv(log, index=False)
    assert cli.main(["fit", str(log), "--out", str(out)]) == 0
    assert "idle rounds bring 0.3" in capsys.readouterr().out
    assert "Idle rounds bring 0.3" in (out / "report.html").read_text(encoding="utf-8")
    assert cli.main(["fit", str(log), "--json"]) == 0
    assert FIT.baseline is not None
    assert json.loads(capsys.readouterr().out)["baseline"]["reward"]["value"] == pytest.approx(
        FIT.baseline.reward.value
    )
    assert cli.main(["fit", str(log), "--no-report", "--no-baseline"]) == 0
    assert "idle rounds bring" not in capsys.readouterr().out
    words = ["whatif", str(log), "--budget", "minutes=100", "--draws", "5"]
    assert cli.main(words) == 0
    told = capsys.readouterr().out
    assert "Doing nothing would bring 2" in " ".join(told.split())
    assert "effect (95 %)" in told
    assert all(len(line) <= 80 for line in told.splitlines())
    assert cli.main([*words, "--json"]) == 0
    assert {"nothing", "effects"} <= json.loads(capsys.readouterr().out).keys()
