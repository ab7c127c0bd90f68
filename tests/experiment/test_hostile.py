"""Hostile worlds: that they are as their family says, and that what is told about policies in them is so."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import roguewk as rw
from roguewk import cli
from roguewk.experiment.hostile import hostile as experiment
from roguewk.experiment.hostile.digest import show_hostile
from roguewk.experiment.hostile.families import FAMILIES, hostile_world
from roguewk.experiment.hostile.files import hostile_files
from roguewk.experiment.hostile.goals import beaten, goals, learning
from roguewk.experiment.hostile.hostile import Hostile, Settings, run_hostile

TINY = Settings(["roguewk-plan", "clairvoyant", "recharging"], ["short", "coins"], worlds=2, replicates=4, seed=3)


@pytest.fixture(scope="module")
def tiny() -> Hostile:
    return run_hostile(TINY, threads=2)


@pytest.mark.parametrize("name", FAMILIES)
def test_worlds_are_drawn_from_the_ranges_of_their_family(name: str) -> None:
    family = FAMILIES[name]
    for seed in range(3):
        world = hostile_world(name, seed)
        problem = world.problem
        assert family.arms[0] <= len(problem.arms) <= family.arms[1]
        assert family.horizon[0] <= problem.horizon <= family.horizon[1]
        assert family.resources[0] <= len(problem.resources) <= family.resources[1]
        assert family.idle in (None, problem.idle)
        for arm in problem.arms:
            half_life = math.log(0.5) / math.log(arm.A)
            assert family.half_life[0] * 0.999 <= half_life <= family.half_life[1] * 1.001
            assert arm.family in family.rewards
            wear, drop = -arm.B, -arm.B / (1 - arm.A)
            low, high = family.drop if family.wear is None else family.wear
            assert low <= (drop if family.wear is None else wear) * (1 + 1e-9) <= high * (1 + 1e-6)
        means = world.mean_costs / family.unit
        assert ((family.costs[0] * 0.999 <= means) & (means <= family.costs[1] * 1.001)).all()
        if problem.resources and family.pulls[0] > 1:
            pulls = problem.budgets / world.mean_costs.mean(axis=0)
            assert (family.pulls[0] * 0.8 <= pulls * (1 + 1e-9)).all()
            assert (pulls <= family.pulls[1] * 1.25 * (1 + 1e-9)).all()


def test_a_seed_gives_the_same_world_every_time_and_another_one_another() -> None:
    one, same, other = (hostile_world("coins", seed) for seed in (7, 7, 8))
    assert one.costs == same.costs
    assert one.costs != other.costs
    assert one.costs != hostile_world("rare coins", 7).costs


def test_unknown_families_and_seeds_are_refused_in_one_sentence() -> None:
    with pytest.raises(rw.InputError, match="did you mean 'sticky'"):
        hostile_world("stickyy", 0)
    with pytest.raises(rw.InputError, match="seed of a hostile world"):
        hostile_world("sticky", -1)
    with pytest.raises(rw.InputError, match="at least one of each"):
        Settings(families=[])


def test_rows_are_what_simulating_and_bounding_a_world_gives(tiny: Hostile) -> None:
    assert len(tiny.shares) == 2 * 2 * 3
    world = hostile_world("coins", 101)
    runs = rw.simulate(world, list(TINY.policies), 4, seed=3)
    rows = tiny.shares.query("family == 'coins' and world == 101").set_index("policy")
    bound = rw.upper_bound(world).value
    judged = runs.totals["roguewk-plan"]["expected"]
    for policy in runs.policies:
        earned = runs.totals[policy]["expected"]
        assert rows.loc[policy, "share"] == pytest.approx(earned.mean() / bound)
        assert rows.loc[policy, "gap"] == pytest.approx((judged - earned).mean() / bound)
        assert rows.loc[policy, "gap_error"] == pytest.approx(np.std(judged - earned, ddof=1) / 2 / bound)


def test_another_policy_is_ahead_only_if_that_is_sure(tiny: Hostile) -> None:
    assert learning(tiny) == ("recharging",)
    rows = [
        ("a", 1, "x", -0.05, 0.01),
        ("a", 1, "y", -0.09, 0.01),
        ("a", 2, "x", -0.05, 0.03),
        ("b", 1, "x", -0.009, 0.0),
        ("b", 2, "x", -0.5, math.nan),
    ]
    found = beaten(pd.DataFrame(rows, columns=["family", "world", "policy", "gap", "gap_error"]))
    assert found[["family", "world", "policy"]].to_numpy().tolist() == [["a", 1, "y"]]


def test_what_is_shown_names_every_family_and_every_goal(tiny: Hostile, capsys: pytest.CaptureFixture[str]) -> None:
    show_hostile(tiny)
    text = capsys.readouterr().out
    for family in TINY.families or ():
        average = tiny.shares.query(f"family == {family!r} and policy == 'roguewk-plan'")["share"].mean()
        assert f"{average:.3f}" in text
    for goal in goals(tiny):
        assert goal.value in text
    files = hostile_files(tiny)
    assert set(files) == {"worlds.csv", "figures.csv", "hostile.svg", "hostile.png"}
    assert b"wear to nothing" not in files["hostile.svg"]
    assert FAMILIES["short"].words.encode() in files["hostile.svg"]


def test_the_command_plays_hostile_worlds_that_no_constant_was_chosen_on(
    tiny: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[Settings] = []

    def run(settings: Settings, threads: int | None, progress: Any) -> Hostile:
        asked.append(settings)
        return tiny

    monkeypatch.setattr(experiment, "run_hostile", run)
    assert cli.main(["quality", "--hostile", "--quick", "--out", str(tmp_path / "out"), "--seed", "4"]) == 0
    assert (asked[0].first_world, asked[0].worlds, asked[0].replicates, asked[0].seed) == (100, 1, 10, 4)
    assert (tmp_path / "out" / "hostile.png").exists()
    assert "hostile.svg" in capsys.readouterr().out
