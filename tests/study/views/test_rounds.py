"""Spending over the recorded rounds."""

import numpy as np
import pytest

from roguewk.study.views.rounds import recorded, spending_data
from tests.study.invented import SMALL, invented, planned


def test_spending_is_the_mean_share_of_the_budget_before_each_step() -> None:
    played = invented(planned(SMALL), traced=3)
    own = recorded(played)[1]
    steps, resource = own.steps, played.study.worlds[1].world.problem.resources[2]
    frame = played.traces[own.world.label, "sw-ucb"]
    frame[f"cost_{resource.name}"] = np.random.default_rng(1).random(len(frame))
    for step, value in zip(steps, own.spending(1, 2), strict=True):
        spent = [
            sum(cost for t, cost in zip(each["round"], each[f"cost_{resource.name}"], strict=True) if t < step)
            for _, each in frame.groupby("replicate")
        ]
        assert value == pytest.approx(np.mean(spent) / resource.budget)
    assert steps[0] == 0
    assert steps[-1] == 50
    frame[f"cost_{resource.name}"] /= 1e6
    tiny = spending_data([own])[0]["curves"]["1"][2]
    assert tiny == pytest.approx(own.spending(1, 2), rel=1e-5)
    assert len(set(tiny)) > 40  # no staircase
