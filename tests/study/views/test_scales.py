"""Worlds of unlike scales."""

import dataclasses
from typing import Any

import numpy as np
import pyarrow

from roguewk.study.report.embed import page_data
from roguewk.study.views.colours import ranked
from tests.study.invented import SMALL, drawn, invented, planned

UNLIKE = """
replicates = 8
[[world]]
world = ["paper", "gaussian", "one_resource"]
horizon = 60
[[policy]]
policy = ["ucb1", "sw-ucb"]
"""


def _with_scale(source: str, world: int, factor: float) -> Any:
    """Results in which a world's rewards and its bound are so many times larger."""
    played = invented(planned(source))
    label = played.study.worlds[world].label
    runs = played.runs.to_pandas()
    runs.loc[runs["world"] == label, ["reward", "expected_reward"]] *= factor
    played.bounds.loc[played.bounds["world"] == label, "bound"] *= factor
    return dataclasses.replace(played, runs=pyarrow.Table.from_pandas(runs, preserve_index=False))


def test_worlds_of_unlike_scales_have_axes_of_their_own_and_others_share_one() -> None:
    alike = drawn(_with_scale(UNLIKE, 1, 1.0))
    assert [len(alike[name].axes) for name in ("reward", "plays", "differences")] == [1, 1, 1]
    data = _with_scale(UNLIKE, 1, 1000.0)
    figures = drawn(data)
    assert [len(figures[name].axes) for name in ("reward", "reward_per_play", "plays", "differences")] == [3, 3, 1, 3]
    assert figures["reward"].get_supxlabel() == "each world has its own scale"
    medians = data.summary.set_index(["world", "policy"])["median"]
    for axes, world in zip(figures["reward"].axes, data.study.worlds, strict=True):
        marks = [line.get_xdata()[0] for line in axes.get_lines() if line.get_marker() != "None"]
        assert marks == medians[world.label].tolist()
        low, high = axes.get_xlim()
        assert high - low < medians[world.label].max() * 1.5
    assert page_data(data)["apart"] == {"reward": True, "reward_per_play": True, "plays": False, "differences": True}


def test_panels_of_unlike_scales_have_axes_of_their_own() -> None:
    source = UNLIKE.replace("horizon = 60", "horizon = [60, 70]")
    for factor, own in ((1.0, False), (1000.0, True)):
        played = invented(planned(source))
        summary = played.summary
        large = summary["world"].str.startswith("gaussian")
        columns = ["reward", "median", "lower_quartile", "upper_quartile"]
        summary.loc[large, columns] *= factor
        figure = drawn(played)["reward"]
        heights = [axes.get_ylim()[1] for axes in figure.axes if axes.get_visible()]
        assert len(heights) == 3
        assert bool(max(heights) > 100 * min(heights)) is own
        assert [text.get_title().get_text() for text in figure.legends] == [
            "each panel has its own scale" if own else ""
        ]


def test_a_policy_that_always_failed_ranks_last() -> None:
    played = invented(planned(SMALL.replace('["ucb1", "sw-ucb"]', '["ucb1", "exp3", "bob", "kube"]')))
    played.summary.loc[played.summary["policy"] == "exp3", "reward"] = np.nan
    assert ranked(played) == ["ucb1", "kube", "bob", "exp3"]


def test_worlds_that_differ_in_swept_numbers_alone_share_an_axis() -> None:
    assert page_data(_with_scale(SMALL, 1, 1000.0))["apart"] == dict.fromkeys(
        ("reward", "reward_per_play", "plays", "differences"), False
    )


def test_a_heat_map_of_rewards_of_unlike_scales_has_all_colours_in_each_column() -> None:
    played = _with_scale(UNLIKE, 1, 1000.0)
    rewards = [1.0, 2.0, 1000.0, 2000.0, 3.0, 6.0]
    figure = drawn(played.but(summary=played.summary.assign(share=np.nan, reward=rewards)))["heat_map"]
    assert figure.axes[0].images[0].get_array().tolist() == [[0, 0, 0], [1, 1, 1]]
    assert "colours within each column" in figure.get_supxlabel()
