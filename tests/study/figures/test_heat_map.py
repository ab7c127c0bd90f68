"""Heat maps for a paper."""

import numpy as np
import pytest

from roguewk.study.views.axes import world_names
from tests.study.invented import PARAMETER, SMALL, drawn, invented, planned


def test_colours_of_a_heat_map_do_not_exaggerate() -> None:
    played = invented(planned(SMALL))
    for shares, span in (([0.960, 0.961, 0.962, 0.963], 0.03), ([0.1, 0.2, 0.6, 0.9], 1)):
        image = drawn(played.but(summary=played.summary.assign(share=shares)))["heat_map"].axes[0].images[0]
        assert image.get_clim() == (0, 1)
        assert np.ptp(image.get_array()) == pytest.approx(span)
    rewards = [50.0, 50.1, 50.2, 50.3]
    unbounded = played.but(summary=played.summary.assign(share=np.nan, reward=rewards))
    image = drawn(unbounded)["heat_map"].axes[0].images[0]
    assert np.ptp(image.get_array()) == pytest.approx(0.3 / 5.03)


def test_the_heat_map_for_a_paper_shows_two_swept_numbers_in_small_maps() -> None:
    study = planned(PARAMETER)
    data = invented(study, traced=0)
    figure = drawn(data)["heat_map"]
    assert figure.get_suptitle() == "per cent of the certified bound: sw-ucb: w2 by w1"
    shares = data.summary.set_index(["world", "policy"])["share"]
    for axes, world in zip(figure.axes, study.worlds, strict=True):
        assert axes.get_title(loc="left").replace("\n", " ") == world_names(study)[world.label]
        assert (axes.get_xlabel(), axes.get_ylabel()) == ("w1", "w2")
        labels = [f"sw-ucb w1={first} w2={second}" for second in (5, 6) for first in (10, 20, 30)]
        assert [text.get_text() for text in axes.texts] == [f"{100 * shares[world.label, each]:.0f}" for each in labels]


def test_of_too_many_small_heat_maps_the_baseline_and_the_best_policies_are_shown() -> None:
    source = (
        SMALL.replace("horizon = 50", "horizon = [50, 60]")
        + f'[[policy]]\npolicy = "sw-ucb"\nw1 = {list(range(2, 10))}\n'
    )
    data = invented(planned(source), traced=0)
    figure = drawn(data)["heat_map"]
    ranks = data.summary.groupby("world")["reward"].rank().groupby(data.summary["policy"]).mean()
    best = set(ranks.drop("ucb1").nlargest(5).index)
    assert {axes.get_title(loc="left") for axes in figure.axes} == {"ucb1", *best}
    assert "shown: 6 of 10 maps" in figure.get_supxlabel()
