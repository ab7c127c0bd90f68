"""How rewards are distributed."""

from typing import Any

import numpy as np
import pytest

from roguewk.study.report.embed import page_data
from roguewk.study.views.spread import bin_edges, rewards_by_pair
from tests.study.invented import SMALL, invented, planned


def test_a_histogram_holds_every_run_that_did_not_fail() -> None:
    played = invented(planned(SMALL), failures=True)
    data: Any = page_data(played)
    for world in data["spread"]:
        counts = {policy: sum(each["counts"]) for policy, each in world["policies"].items()}
        assert counts == {"0": 29, "1": 30}
    runs = played.runs.to_pandas()
    for (w, p), rewards in rewards_by_pair(played).items():
        labels = played.study.worlds[w].label, played.study.policies[p].label
        own = runs[(runs["world"] == labels[0]) & (runs["policy"] == labels[1])]["reward"].dropna()
        assert rewards.tolist() == own.tolist()


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.0), (3.0, 40.0), (0.1, 0.7), (0.0, 1e6)])
def test_bins_hold_both_extremes(low: float, high: float) -> None:
    edges = bin_edges(low, high, 1000)
    assert edges[0] <= low <= high <= edges[-1]
    assert np.histogram([low, high], edges)[0].sum() == 2
    assert len(edges) <= 26
