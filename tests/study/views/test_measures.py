"""What policies are shown to have earned where idle rounds bring something."""

import math
import tempfile
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pytest

import roguewk as rw
from roguewk.study.digest import show_study
from roguewk.study.figures.study import study_figures
from roguewk.study.report.embed import page_data
from roguewk.study.report.page import study_page
from roguewk.study.views.findings import findings
from roguewk.study.views.measures import idle_rewards, measures
from tests.study.invented import SMALL, drawn, planned

IDLE = """
replicates = 12
record = { traces = 2 }
[[world]]
world = "paper"
horizon = 60
budget = [4, 8]
idle.reward = 0.3
[[policy]]
policy = ["roguewk-ucb", "ucb1"]
[plot]
kinds = ["svg"]
"""


@pytest.fixture(scope="module")
def played() -> Iterator[Any]:
    with tempfile.TemporaryDirectory() as folder:
        yield rw.run_study(planned(IDLE), folder, engine="threads", workers=1)


def test_without_idle_rewards_nothing_is_said_of_effects() -> None:
    study = planned(SMALL)
    assert [each.name for each in measures(study)] == ["reward", "reward_per_play", "plays"]
    assert idle_rewards(study) == {}


def test_the_summary_has_effects_and_what_doing_nothing_brings(played: Any) -> None:
    frame, summary = played.frame(), played.summary.set_index(["world", "policy"])
    assert "reward_per_play" not in summary
    assert "per_play_median" not in summary
    for pair, own in frame.groupby(["world", "policy"]):
        row: Any = summary.loc[pair]
        assert row["idle_reward"] == pytest.approx(18.0)
        assert row["effect"] == pytest.approx(own["effect"].mean())
        assert row["effect_low"] <= row["effect"] + 1e-9 <= row["effect_high"] + 2e-9
        assert row["effect_median"] == pytest.approx(own["effect"].median())
        assert row["effect_per_play"] == pytest.approx(own["effect"].sum() / own["plays"].sum())
        per_play = own["effect"] / own["plays"]
        quartiles = [row[f"effect_per_play_{name}"] for name in ("lower", "median", "upper")]
        assert quartiles == pytest.approx(per_play.quantile([0.25, 0.5, 0.75]).tolist())


def test_figures_show_effects_and_what_doing_nothing_brings(played: Any) -> None:
    figures = drawn(played)
    assert list(figures)[:4] == ["effect", "reward", "effect_per_play", "plays"]
    lines = {line.get_label(): line.get_ydata().tolist() for line in figures["reward"].axes[0].get_lines()}
    assert lines["doing nothing"] == pytest.approx([18.0, 18.0])
    limits = {line.get_label(): line.get_ydata() for line in figures["effect"].axes[0].get_lines()}["certified bound"]
    assert limits == pytest.approx(played.bounds["bound"].to_numpy() - 18.0)
    assert "doing nothing" not in [line.get_label() for line in figures["effect"].axes[0].get_lines()]
    assert "reward_per_play.svg" not in study_figures(played)


def test_rows_have_a_line_where_doing_nothing_is() -> None:
    study = planned(IDLE.replace("[4, 8]", "4"))
    with tempfile.TemporaryDirectory() as folder:
        axes = drawn(rw.run_study(study, folder, engine="threads", workers=1))["reward"].axes[0]
    assert [18.0, 18.0] in [[round(x, 9) for x in line.get_xdata()] for line in axes.get_lines()]
    assert "dotted: doing nothing" in axes.get_xlabel()


def test_the_page_has_what_its_figures_show(played: Any) -> None:
    data = page_data(played)
    assert [each["title"] for each in data["measures"]] == ["Effect", "Reward", "Effect per play", "Plays"]
    assert [each["idle"] for each in data["measures"]] == [[None] * 2, [18.0] * 2, [None] * 2, [None] * 2]
    assert "reward_per_play" not in data["summary"]
    text = study_page(played).decode()
    assert "Effect, reward, effect per play, plays</h2>" in text
    assert "share of bound" in text


def test_sentences_say_what_doing_nothing_brings_and_what_shares_are_of(played: Any, capsys: Any) -> None:
    told = " ".join(findings(played))
    assert "Doing nothing throughout brings 18 on average; the effect of a policy is what it adds to that." in told
    assert "of the certified bound on effects" in told
    show_study(played)
    assert "of bound" in capsys.readouterr().out


def test_single_runs_tell_the_whole_game(played: Any) -> None:
    frame = played.frame().set_index(["world", "policy", "replicate"])
    stopped = 0
    for game in page_data(played)["games"]:
        for policy, runs in game["runs"].items():
            world, label = played.study.worlds[game["world"]].label, played.study.policies[int(policy)].label
            for run in runs:
                row: Any = frame.loc[(world, label, run["replicate"])]
                assert run["rounds"] == 60
                assert run["lived"] == row["rounds"]
                assert run["reward"] == pytest.approx(row["reward"])
                assert run["effect"] == pytest.approx(row["effect"], rel=1e-3)
                trace = played.trace(world, label)
                rest = trace[(trace["replicate"] == run["replicate"]) & (trace["round"] >= run["lived"])]
                assert (rest["arm"] == -2).all()
                assert run["after"] == rest["reward"].sum()
                assert rest.filter(like="state_").isna().all(axis=None)
                stopped += len(rest) > 0
    assert stopped


def test_differences_are_relative_to_the_effect_of_the_baseline(played: Any) -> None:
    rows: pd.DataFrame = played.comparisons
    summary = played.summary.set_index(["world", "policy"])
    for row in rows[rows["measure"] == "reward"].to_dict("records"):
        own: Any = summary.loc[(row["world"], row["baseline"])]
        effect = own["reward"] - own["idle_reward"]
        relative = row["difference"] / effect if effect > 0 else math.nan
        assert row["relative"] == pytest.approx(relative, nan_ok=True)
