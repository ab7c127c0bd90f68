"""The random worlds, the command `roguewk quality`, and the shares of the bound that the planner is to reach."""

import math
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import roguewk as rw
from roguewk import cli
from roguewk.experiment.paper.choices import BUDGETS
from roguewk.experiment.quality import quality as study
from roguewk.experiment.quality.goals import AVERAGE_GOAL, PAPER_GOALS, WORST_GOAL, Verdict, spread, verdicts
from roguewk.experiment.quality.quality import JUDGED_BUDGETS, Quality, Settings, run_quality
from roguewk.experiment.quality.random_worlds import KINDS, bounded_random_world, random_world
from roguewk.policy.registry import all_recipes
from tests.judge import MAIN

TINY = Settings(replicates=2, world_replicates=3, worlds=4, first_world=9, coins=True, seed=5)
FEW = (10, 50, 100, 150, 200, 300)  # budgets; those that are judged are among them
FILES = {"figures.csv", "paper.csv", "worlds.csv", "times.csv", "quality.svg", "quality.png"}


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    rw.simulate(rw.catalog.paper(horizon=5), list(MAIN), replicates=1)  # says so only here
    rw.upper_bound(rw.catalog.paper(horizon=5))


@pytest.fixture(scope="module", autouse=True)
def _timed_once_and_played_at_few_budgets() -> Iterator[None]:
    """The experiment itself; the figures that the planner is to reach are played for at all budgets, see below."""
    assert vars(study)["BUDGETS"] == BUDGETS
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study, "TRIES", 1)
        patch.setattr(study, "BUDGETS", FEW)
        yield


@pytest.fixture(scope="module")
def tiny() -> Quality:
    return run_quality(TINY, threads=2)


@pytest.fixture(scope="module")
def many() -> list[rw.World]:
    return [random_world(seed, kind) for kind in KINDS for seed in range(25)]


def test_random_worlds_stay_within_the_ranges_that_were_asked_for(many: list[rw.World]) -> None:
    for world in many:
        problem = world.problem
        assert 2 <= len(problem.arms) <= 8
        assert 1 <= len(problem.resources) <= 4
        assert 500 <= problem.horizon <= 2000
        for arm, x0 in zip(problem.arms, world.x0, strict=True):
            drop = -arm.B / (1 - arm.A)
            assert 0.1 <= arm.A <= 0.95
            assert 0.5 <= drop <= 4
            assert (arm.K, arm.beta) == (0, 1)
            assert 0.2 <= 1 / (1 + math.exp(-arm.alpha)) <= 0.9
            assert -drop <= x0[0] <= 0
            assert arm.state == pytest.approx((-drop, 0))
        assert ((world.mean_costs >= 0.05) & (world.mean_costs <= 0.95)).all()
        tightness = problem.budgets / problem.horizon / world.mean_costs.mean(axis=0)
        assert (tightness <= 0.9).all()


def test_random_worlds_differ_in_every_respect(many: list[rw.World]) -> None:
    assert {len(world.problem.arms) for world in many} == set(range(2, 9))
    assert {len(world.problem.resources) for world in many} == {1, 2, 3, 4}
    assert {world.problem.idle for world in many} == {True, False}
    half = len(many) // 2
    for kind, worlds in zip(KINDS, (many[:half], many[half:]), strict=True):
        assert {cost.kind for world in worlds for row in world.costs for cost in row} == set(KINDS[kind])


def test_costs_are_as_noisy_as_their_kind_allows(many: list[rw.World]) -> None:
    for world in many[:10]:
        for cost, mean in zip(sum(world.costs, ()), world.mean_costs.ravel(), strict=True):
            if cost.kind == "uniform":
                low, high = cost.numbers
                assert min(low, 1 - high) == pytest.approx(0, abs=1e-12)
            if cost.kind == "beta":
                assert cost.numbers == pytest.approx((4 * mean, 4 * (1 - mean), 1))


def test_a_budget_binds_in_every_random_world(monkeypatch: pytest.MonkeyPatch) -> None:
    shrunk = bounded_random_world(26, "coins")  # drawn with budgets that are worth less than a hundredth
    for world, bound in (*(bounded_random_world(seed) for seed in range(10)), shrunk):
        assert bound.prices.max() > 0
        assert bound.prices @ world.problem.budgets >= 0.01 * bound.value
        assert bound.value == rw.upper_bound(world).value
    monkeypatch.setattr("roguewk.experiment.quality.random_worlds.MATTERS", 0.0)
    as_drawn = random_world(26, "coins")
    np.testing.assert_allclose(shrunk.world.problem.budgets, 0.7 * as_drawn.problem.budgets)
    assert shrunk.world.costs == as_drawn.costs


def test_a_seed_gives_the_same_world_every_time() -> None:
    one, same, other, coins = random_world(7), random_world(7), random_world(8), random_world(7, "coins")
    assert one.problem.resources == same.problem.resources
    assert one.costs == same.costs
    assert [arm.A for arm in one.problem.arms] == [arm.A for arm in same.problem.arms]
    assert one.costs != other.costs
    assert one.costs != coins.costs
    # Pinned, so that figures measured today and later are about the same worlds.
    assert (len(one.problem.arms), len(one.problem.resources), one.problem.horizon) == (7, 1, 838)


def test_unknown_families_and_seeds_are_refused() -> None:
    with pytest.raises(rw.InputError, match="coins"):
        random_world(0, "coin")
    with pytest.raises(rw.InputError, match="seed"):
        random_world(-1)


def test_every_row_is_what_simulating_and_bounding_that_world_gives(tiny: Quality) -> None:
    assert tiny.policies == ("roguewk-plan", "clairvoyant", "roguewk-ucb", "roguewk-plan dynamics=learned")
    assert len(tiny.paper) == 2 * (2 * len(FEW) + 2 * len(JUDGED_BUDGETS))
    assert len(tiny.worlds) == 2 * 4 * 4
    cells = [(tiny.paper.query("idle and budget == 100"), rw.catalog.paper(budget=100, idle=True), 2)]
    cells += [(tiny.worlds.query(f"kind == {kind!r} and world == 11"), random_world(11, kind), 3) for kind in KINDS]
    for table, world, replicates in cells:
        rows = table.set_index("policy")
        runs = rw.simulate(world, list(study.POLICIES), replicates=replicates, seed=5)
        for policy in runs.policies:
            earned = runs.totals[policy]["expected"]
            row = rows.loc[policy]
            assert row["bound"] == runs.bound.value
            assert row["fraction"] == pytest.approx(earned.mean() / runs.bound.value)
            assert row["standard_error"] == pytest.approx(
                np.std(earned, ddof=1) / math.sqrt(replicates) / runs.bound.value
            )


def test_verdicts_are_about_the_judged_policy_and_say_when_a_goal_is_missed(tiny: Quality) -> None:
    found = verdicts(tiny)
    assert len(found) == 2 * 4 + 2 + 2
    plain = tiny.worlds[(tiny.worlds["kind"] == "plain") & (tiny.worlds["policy"] == "roguewk-plan")]
    worst = plain.iloc[int(plain["fraction"].argmin())]
    assert found[-2].value == pytest.approx(plain["fraction"].mean())
    assert found[-2].error == pytest.approx(math.sqrt((plain["standard_error"] ** 2).sum()) / 4)
    assert (found[-1].value, found[-1].error) == (worst["fraction"], worst["standard_error"])
    assert spread(plain).missed == (plain["fraction"] < WORST_GOAL).sum()
    earned = tiny.paper[~tiny.paper["idle"]].pivot(index="budget", columns="policy", values="expected_reward")
    assert found[9].value == pytest.approx((earned["roguewk-plan"] / earned["roguewk-ucb"]).min())
    missed = Verdict("paper, idle, budget 50", 0.96999, math.nan, "of the bound", 0.97)
    assert str(missed) == "paper, idle, budget 50: 0.9700 of the bound (goal 0.97) NOT REACHED"


def test_threads_change_nothing_and_progress_reaches_the_end(tiny: Quality) -> None:
    told: list[tuple[int, int]] = []
    again = run_quality(TINY, threads=1, progress=lambda done, total: told.append((done, total)))
    pd.testing.assert_frame_equal(again.paper, tiny.paper)
    pd.testing.assert_frame_equal(again.worlds, tiny.worlds)
    assert told == sorted(told)
    assert told[-1] == (2 * len(FEW) * 2 + 2 * 4 * 3,) * 2


def test_the_command_writes_tables_and_picture_and_fits_80_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["quality", "--policies", "roguewk-ucb:cost_scale=0.1,ucb1,roguewk-ucb,sw-ucb", "--quick"]
    assert cli.main([*words, "--replicates", "2", "--worlds", "3", "--coins", "--out", "new/quality"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert max(map(len, out.splitlines())) <= 80
    folder = Path("new/quality")
    assert {path.name for path in folder.iterdir()} == FILES
    figures, worlds = pd.read_csv(folder / "figures.csv"), pd.read_csv(folder / "worlds.csv")
    assert set(figures["policy"]) == {"roguewk-ucb cost_scale=0.1"}
    assert (figures["reached"] == (figures["value"] >= figures["goal"])).all()
    flat = " ".join(out.split())
    assert flat.count("NOT REACHED") == (~figures["reached"]).sum() > 0
    assert all(f"{figure}: {value:.4f}" in flat for figure, value in figures[["figure", "value"]].to_numpy())
    assert set(worlds["replicates"]) == {10}
    assert len(worlds) == 2 * 3 * 4
    assert "random worlds" in (folder / "quality.svg").read_text()


def test_lone_replicates_of_the_judged_policy_alone_are_enough(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["quality", "--policies", "ucb1", "--replicates", "1", "--world-replicates", "1", "--worlds", "1"]
    assert cli.main([*words, "--out", str(tmp_path)]) == 0
    out, _ = capsys.readouterr()
    assert "nan" not in out
    assert "times" not in out


def test_an_interrupt_says_so_and_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("roguewk.experiment.quality.quality.simulate", interrupted)
    assert cli.main(["quality", "--out", "new/deeper"]) == 130
    assert capsys.readouterr().err == "roguewk: stopped\n"
    assert os.listdir() == []


def test_the_default_policies_exist() -> None:
    names = {each[0] if isinstance(each, tuple) else each for each in study.POLICIES}
    assert names <= set(all_recipes())


# The figures that the planner is to reach. `roguewk quality` prints them with more replicates.


@pytest.mark.parametrize("idle", [True, False])
@pytest.mark.parametrize("budget", JUDGED_BUDGETS)
def test_the_planner_reaches_its_share_of_the_bound_on_the_papers_world(budget: int, idle: bool) -> None:
    runs = rw.simulate(rw.catalog.paper(budget=budget, idle=idle), "roguewk-plan", replicates=200)
    assert runs.fraction["roguewk-plan"] >= PAPER_GOALS[idle]


@pytest.mark.parametrize("idle", [True, False])
def test_the_planner_is_never_below_roguewk_ucb_at_any_budget(idle: bool) -> None:
    for budget in BUDGETS:
        world = rw.catalog.paper(budget=budget, idle=idle)
        runs = rw.simulate(world, ["roguewk-plan", "roguewk-ucb"], replicates=20, seed=budget)
        lead = runs.totals["roguewk-plan"]["expected"] - runs.totals["roguewk-ucb"]["expected"]  # the same luck
        assert lead.mean() > 3 * lead.std(ddof=1) / math.sqrt(20), f"at a budget of {budget}"


@pytest.fixture(scope="module")
def fifty() -> pd.DataFrame:
    """The shares of the planner on fifty worlds, with few replicates each."""
    rows = []
    for seed in range(50):
        world, bound = bounded_random_world(seed)
        shares = rw.simulate(world, "roguewk-plan", replicates=12).totals["roguewk-plan"]["expected"] / bound.value
        rows.append((seed, shares.mean(), shares.std(ddof=1) / math.sqrt(12)))
    return pd.DataFrame(rows, columns=["world", "fraction", "standard_error"])


def test_the_planner_reaches_its_average_share_over_fifty_random_worlds(fifty: pd.DataFrame) -> None:
    found = spread(fifty)
    assert found.average >= AVERAGE_GOAL - 2 * found.error


def test_the_planner_reaches_its_least_share_on_each_of_fifty_random_worlds(fifty: pd.DataFrame) -> None:
    missed = fifty[fifty["fraction"] < WORST_GOAL - 2 * fifty["standard_error"]]
    assert missed.empty, missed.to_string()
