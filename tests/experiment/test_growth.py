"""The growth study: its numbers against direct simulation, its fit against SciPy and a plain bootstrap."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import roguewk as rw
from roguewk import cli
from roguewk.experiment.growth import growth as study
from roguewk.experiment.growth.growth import Growth, run_growth, stretched, theorem_shape
from roguewk.policy.registry import all_recipes
from tests.judge import MAIN

HORIZONS = (20, 100, 300)


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    rw.simulate(rw.catalog.paper(horizon=5), list(MAIN), replicates=1)  # says so only here
    rw.upper_bound(rw.catalog.paper(horizon=5))


@pytest.fixture(scope="module")
def growth() -> Growth:
    return run_growth(rw.catalog.paper(), ["roguewk-ucb", "ucb1"], HORIZONS, 12, seed=7, threads=2)


def test_every_row_is_what_simulating_and_bounding_that_horizon_gives(growth: Growth) -> None:
    assert growth.horizons == list(HORIZONS)
    for i, horizon in enumerate(HORIZONS):
        world = rw.catalog.paper(budget=0.3 * horizon, horizon=horizon)
        runs = rw.simulate(world, ["roguewk-ucb", "ucb1"], replicates=12, seed=7 + i)
        rows = growth.table[growth.table["horizon"] == horizon].set_index("policy")
        bound = rw.upper_bound(world, precision=study.PRECISION)
        np.testing.assert_allclose(rows["bound"], bound.value)
        expected = runs.frame().groupby("policy")["expected_reward"]
        for policy in ("roguewk-ucb", "ucb1"):
            row = rows.loc[policy]
            mean = expected.mean()[policy]
            assert row["regret_upper"] == pytest.approx(bound.value - mean)
            assert row["fraction"] == pytest.approx(mean / bound.value)
            assert row["standard_error"] == pytest.approx(expected.std()[policy] / np.sqrt(12))
            assert (row["replicates"], row["seed"]) == (12, 7 + i)
    assert (growth.table["fraction"] < 1).all()


def test_the_exponent_is_the_least_squares_slope_of_the_logarithms(growth: Growth) -> None:
    for exponent in growth.exponents:
        regret = growth.table[growth.table["policy"] == exponent.policy]["regret_upper"].to_numpy()
        judge = stats.linregress(np.log(HORIZONS), np.log(regret))
        assert exponent.value == pytest.approx(judge.slope)
        assert exponent.late == pytest.approx(np.log(regret[-1] / regret[-2]) / np.log(3))
        assert exponent.low < exponent.value < exponent.high
    judge = stats.linregress(np.log(HORIZONS), np.log(theorem_shape(HORIZONS)))
    assert growth.theorem.value == pytest.approx(judge.slope)


def test_a_power_law_gets_its_own_exponent_and_the_bootstraps_error() -> None:
    rng = np.random.default_rng(1)
    horizons = np.array([100, 1000, 10_000, 100_000])
    bounds = 0.6 * horizons
    expected = [bound - 3 * T**0.7 * rng.uniform(0.8, 1.2, 15) for bound, T in zip(bounds, horizons, strict=True)]
    found = study._exponent("any", horizons.tolist(), bounds, expected)
    assert found.value == pytest.approx(0.7, abs=0.02)
    slopes = []
    for _ in range(4000):
        means = [earned[rng.integers(0, 15, 15)].mean() for earned in expected]
        slopes.append(np.polyfit(np.log(horizons), np.log(bounds - means), 1)[0])
    assert found.error == pytest.approx(np.std(slopes), rel=0.1)
    assert (found.low, found.high) == pytest.approx(np.quantile(slopes, [0.025, 0.975]), abs=0.002)
    assert found.late == pytest.approx(
        np.log10((bounds[-1] - expected[-1].mean()) / (bounds[-2] - expected[-2].mean()))
    )


def test_without_regret_or_replicates_there_is_no_exponent_or_no_interval() -> None:
    beaten = study._exponent("any", [10, 100], np.array([5.0, 50.0]), [np.array([6.0, 6.0]), np.array([40.0, 41.0])])
    assert np.isnan([beaten.value, beaten.low, beaten.late]).all()
    lone = study._exponent("any", [10, 100], np.array([5.0, 50.0]), [np.array([4.0]), np.array([40.0])])
    assert lone.value == pytest.approx(1.0)
    assert np.isnan([lone.error, lone.low, lone.high]).all()


def test_a_stretched_world_keeps_its_budgets_per_round() -> None:
    world = rw.catalog.advertising()
    longer = stretched(world, 4000)
    np.testing.assert_allclose(longer.problem.rates, world.problem.rates)
    assert (longer.problem.horizon, longer.problem.idle) == (4000, True)
    assert stretched(world, world.problem.horizon).problem == world.problem


def test_long_horizons_are_played_less_often_but_ten_times_at_least() -> None:
    counts = [study._replicates(200, horizon) for horizon in study.HORIZONS]
    assert counts == [200, 200, 200, 200, 100, 33, 10]
    assert study._replicates(4, 100_000) == 4
    assert study._replicates(1000, 100_000) == 50


def test_threads_change_nothing_and_progress_counts_rounds(growth: Growth) -> None:
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        told.append((done, total))

    again = run_growth(rw.catalog.paper(), ["roguewk-ucb", "ucb1"], HORIZONS[::-1], 12, 7, threads=1, progress=tell)
    pd.testing.assert_frame_equal(again.table, growth.table)
    assert again.exponents == growth.exponents
    assert told == sorted(told)
    assert told[-1] == (12 * sum(HORIZONS), 12 * sum(HORIZONS))


def test_the_command_writes_tables_and_picture_and_fits_80_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    policies = "ucb1,sw-ucb:w1=30,roguewk-ucb,roguewk-ucb:cost_scale=0.1"
    words = ["growth", "catalog:one_resource", "--policies", policies, "--horizons", "40,80,160", "--idle"]
    assert cli.main([*words, "--replicates", "3", "--out", "new/growth"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert max(map(len, out.splitlines())) <= 80
    assert "idle rounds allowed" in " ".join(out.split())
    folder = Path("new/growth")
    assert {path.name for path in folder.iterdir()} == {"growth.csv", "exponents.csv", "growth.svg", "growth.png"}
    table, exponents = pd.read_csv(folder / "growth.csv"), pd.read_csv(folder / "exponents.csv")
    assert len(table) == 3 * 4
    assert list(exponents["policy"])[-1] == "sqrt(T) log T"
    assert all(f"{value:.3f}" in out for value in exponents["exponent"])
    assert "roguewk-ucb cost_scale=0.1" in (folder / "growth.svg").read_text()


def test_a_lone_replicate_has_neither_error_nor_interval(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["growth", "--policies", "ucb1", "--horizons", "40,80", "--replicates", "1", "--out", str(tmp_path)]
    assert cli.main(words) == 0
    out, _ = capsys.readouterr()
    assert "unknown" in out
    assert "nan" not in out


def test_an_interrupt_says_so_and_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("roguewk.experiment.growth.growth.simulate", lambda *_, **__: interrupted())
    assert cli.main(["growth", "--horizons", "40,80", "--out", "new/deeper"]) == 130
    assert capsys.readouterr().err == "roguewk: stopped\n"
    assert os.listdir() == []


def test_the_default_policies_exist() -> None:
    assert set(study.POLICIES) <= set(all_recipes())
