"""The comparison of policies on worlds: table, pictures, command."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import roguewk as rw
from roguewk import cli
from roguewk.cli.settings import read_policies
from roguewk.experiment.compare.compare import WORLDS, run_compare, usual_policies, usual_worlds
from roguewk.experiment.compare.digest import show_comparison
from roguewk.experiment.compare.files import _dots, compare_files
from roguewk.policy.registry import all_recipes

POLICIES = read_policies("ucb1,exp3,roguewk-ucb:cost_scale=0.1")


def test_rows_hold_shares_of_the_bound_or_a_reason() -> None:
    worlds = {"paper": rw.catalog.paper(50, horizon=200), "gaussian": rw.catalog.gaussian(horizon=200)}
    found = run_compare(worlds, POLICIES, replicates=5, seed=2, threads=1)
    assert found.policies == ("ucb1", "exp3", "roguewk-ucb cost_scale=0.1")
    for name, world in worlds.items():
        runs = rw.simulate(world, [spec for spec in POLICIES if spec[0] != "exp3"], replicates=5, seed=2)
        bound = rw.upper_bound(world).value
        expected = (runs.summary().set_index("policy")["expected_reward"] / bound).tolist()
        rows = found.frame[(found.frame["world"] == name) & (found.frame["policy"] != "exp3")]
        assert rows["share"].tolist() == pytest.approx(expected)
        errors = [runs.totals[label]["expected"].std(ddof=1) / 5**0.5 / bound for label in runs.policies]
        assert rows["standard_error"].tolist() == pytest.approx(errors)
        assert not rows["reason"].any()
    (refused,) = found.frame[(found.frame["world"] == "gaussian") & (found.frame["policy"] == "exp3")].to_dict(
        "records"
    )
    assert np.isnan(refused["share"])
    assert "take 'd-ucb' or 'sw-ucb-gm'" in refused["reason"]
    assert found.shares().index[0] == "roguewk-ucb cost_scale=0.1"


def test_shares_can_be_worked_out_from_the_table_where_idle_rounds_bring_something() -> None:
    arm = rw.Arm("walk", A=0.8, B=-0.5, alpha=1.0)
    problem = rw.Problem([arm], [rw.Resource("talks", 20)], 60, idle=True, baseline=rw.Baseline(0.3))
    world = rw.World(problem, [0.0], [[rw.Cost.fixed(1.0)]])
    (row,) = run_compare({"calm": world}, read_policies("ucb1"), replicates=4).frame.to_dict("records")
    bound = rw.upper_bound(world)
    assert bound.baseline > 0
    assert row["effect"] == pytest.approx(row["expected_reward"] - bound.baseline)
    assert row["share"] == pytest.approx(row["effect"] / row["bound_of_effect"])
    assert row["bound"] == pytest.approx(row["bound_of_effect"] + bound.baseline)


def test_tables_and_cells_show_shares_with_their_standard_errors(capsys: pytest.CaptureFixture[str]) -> None:
    worlds = {"paper": rw.catalog.paper(50, horizon=100), "gaussian": rw.catalog.gaussian(horizon=100)}
    found = run_compare(worlds, POLICIES, replicates=5)
    (row,) = found.frame.query("world == 'paper' and policy == 'exp3'").to_dict("records")
    told = f"{100 * row['share']:.1f} ± {100 * row['standard_error']:.1f}"
    show_comparison(found)
    text = capsys.readouterr().out
    assert told in text
    assert max(map(len, text.splitlines())) <= 80
    assert told.encode() in compare_files(found)["compare.svg"]


def test_the_error_of_an_average_is_that_of_averages_of_runs_under_one_luck() -> None:
    worlds = {"one": rw.catalog.paper(50, horizon=100), "two": rw.catalog.paper(30, horizon=100)}
    found = run_compare(worlds, read_policies("ucb1"), replicates=6)
    both = np.mean([found.runs[name, "ucb1"] for name in worlds], axis=0)
    assert found.average("ucb1") == pytest.approx((both.mean(), both.std(ddof=1) / 6**0.5))
    assert found.average("ucb1")[0] == pytest.approx(found.shares().loc["ucb1"].mean())


def test_the_usual_worlds_are_the_catalogue_and_the_paper_with_idle_rounds() -> None:
    worlds = usual_worlds()
    assert list(worlds) == list(WORLDS)
    assert [name for name in rw.catalog.names() if not any(name.replace("_", " ") in each for each in worlds)] == []
    assert worlds["paper, B=100, idle"].problem.idle
    assert not worlds["paper, B=100"].problem.idle


def test_files_hold_the_table_and_both_pictures() -> None:
    worlds = {name: rw.catalog.paper(20, horizon=60, idle="idle" in name) for name in list(WORLDS)[:2]}
    found = run_compare(worlds, POLICIES, replicates=2)
    files = compare_files(found)
    assert sorted(files) == ["compare.csv", "compare.png", "compare.svg", "paper.png", "paper.svg"]
    for name in ("compare.svg", "paper.svg"):
        assert b"roguewk-ucb cost_scale=0.1" in files[name]


def test_the_command_writes_a_folder_and_prints_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    world = "catalog:gaussian:horizon=100"
    assert cli.main(["compare", world, "--policies", "ucb1,exp3", "--replicates", "2", "--out", "found"]) == 0
    text = capsys.readouterr().out
    assert "does not fit" in text
    assert "best on" not in text
    assert text.count("gaussian:horizon=100") == 0
    assert max(map(len, text.splitlines())) <= 80
    frame = pd.read_csv("found/compare.csv")
    assert frame["world"].unique().tolist() == ["gaussian:horizon=100"]
    assert {path.name for path in Path("found").iterdir()} == {"compare.csv", "compare.png", "compare.svg"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["catalog:papers"], "did you mean 'paper'"),
        (["catalog:paper", "catalog:paper"], "'paper' is the name of two worlds"),
        (["catalog:paper", "--policies", "ucb2"], "unknown policy 'ucb2'"),
        (["catalog:paper", "--policies", "ucb1:scale=-1"], "scale of policy 'ucb1' is -1"),
        (["catalog:paper", "--policies", "ucb1,ucb1"], "'ucb1' is the name of two policies"),
        (["catalog:paper", "--replicates", "0"], "replicates is 0"),
    ],
)
def test_bad_input_gets_a_sentence_and_leaves_no_folder(
    arguments: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["compare", *arguments]) != 0
    assert sentence in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_where_nothing_can_be_earned_there_are_no_shares() -> None:
    arm = rw.Arm("bad", A=0.5, B=-0.1, alpha=-5.0, sigma=0.1, family="gaussian")
    world = rw.World(rw.Problem([arm], [rw.Resource("r", 1.0)], 20, idle=True), [0.0], [[rw.Cost.fixed(0.1)]])
    found = run_compare({"bad": world}, read_policies("ucb1"), replicates=2)
    assert found.frame["share"].isna().all()
    assert (found.frame["expected_reward"] < 0).all()
    assert "compare.png" in compare_files(found)


def test_policies_that_do_not_fit_a_world_come_last() -> None:
    worlds = {"paper": rw.catalog.paper(50, horizon=100), "gaussian": rw.catalog.gaussian(horizon=100)}
    found = run_compare(worlds, read_policies("exp3,ucb1"), replicates=3)
    assert found.shares().index.tolist() == ["ucb1", "exp3"]


def test_policies_that_can_are_compared_with_dynamics_learned_too() -> None:
    labels = [(name, parameters.get("dynamics")) for name, parameters in usual_policies()]
    learned = {name for name, dynamics in labels if dynamics == "learned"}
    assert {"roguewk-plan", "roguewk-ts", "roguewk-ucb", "recharging", "whittle"} <= learned
    assert len(labels) == len(set(labels)) == len(learned) + len(all_recipes())
    for name in learned:
        assert rw.make_policy(name, rw.catalog.paper().problem, dynamics="learned").round == 0


def test_a_single_world_is_drawn_as_dots_with_intervals() -> None:
    learned = [("roguewk-ts", {"dynamics": "learned"}), ("ucb1", {})]
    found = run_compare({"paper": rw.catalog.paper(20, horizon=60)}, learned, replicates=3)
    picture = compare_files(found)["compare.svg"]
    assert b"the bound" in picture
    assert b"with 95 % intervals" in picture
    assert b"dynamics learned" in picture


def test_a_policy_that_learns_without_being_asked_is_not_played_again_for_being_asked() -> None:
    paper = rw.catalog.paper(20, horizon=60)
    open_ = paper.believe([rw.unknown_arm(paper.arms[0].name), *paper.arms[1:]])
    policies = read_policies("recharging,recharging:dynamics=learned,ucb1")
    found = run_compare({"told": paper, "open": open_}, policies, replicates=2)
    learned = found.frame[found.frame["policy"] == "recharging dynamics=learned"].set_index("world")
    assert not isinstance(learned["reason"]["told"], str)
    assert (
        "the same as 'recharging' here, which learns without being asked, as arm 'arm 0'" in learned["reason"]["open"]
    )
    assert learned["share"].isna().tolist() == [False, True]
    runs = rw.simulate(open_, {"as it is": "recharging", "asked": ("recharging", {"dynamics": "learned"})}, 2)
    assert runs.fraction["as it is"] == runs.fraction["asked"]
    assert "compare.png" in compare_files(found)


def test_the_legend_of_a_single_world_stands_outside_of_the_axes() -> None:
    found = run_compare({"paper": rw.catalog.paper(20, horizon=60)}, read_policies("clairvoyant,ucb1"), replicates=3)
    figure = _dots(found)
    figure.draw_without_rendering()
    (legend,), (axes,) = figure.legends, figure.axes
    assert legend.get_window_extent().y1 < axes.get_window_extent().y0
