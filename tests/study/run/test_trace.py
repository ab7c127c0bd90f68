"""Single runs, round by round."""

from pathlib import Path

import numpy as np

import roguewk as rw
from roguewk.study.run.trace import trace_table
from roguewk.world.plain import world_from_data


def test_single_runs_are_those_of_the_simulator(small: Path, tmp_path: Path) -> None:
    results = rw.run_study(small, tmp_path / "out", engine="threads")
    trace = results.trace("paper budget=20 horizon=100", "ucb1")
    assert trace is not None
    curves = rw.simulate(rw.catalog.paper(budget=20, horizon=100), "ucb1", 5, curves=True).curves["ucb1"]
    for r in range(5):
        mine = trace[trace["replicate"] == r]
        rounds = int((curves.arms[r] >= -1).sum())
        assert mine["round"].tolist() == list(range(rounds))
        assert mine["arm"].tolist() == curves.arms[r, :rounds].tolist()
        np.testing.assert_array_equal(mine["cost_resource 2"], curves.costs[r, :rounds, 1])
        np.testing.assert_array_equal(mine["state_arm 2"], curves.states[r, :rounds, 2, 0])


def test_arms_with_confusing_names_keep_their_states(tmp_path: Path) -> None:
    vector = {"A": [[0.4, 0.0], [0.1, 0.9]], "B": [-1.0, -0.1], "K": [0.0, 0.0], "beta": [1.0, 0.6], "x0": [-0.2, -1.5]}
    scalar = {"A": 0.5, "B": -0.5, "K": 0.0, "beta": 1.0, "x0": 0.0}
    arms = [{"name": "a", "alpha": 1.0, **vector}, {"name": "a[0]", "alpha": 0.5, **scalar}]
    runs = rw.simulate(world_from_data({"horizon": 5, "arm": arms}), "ucb1", replicates=1, curves=True)
    table = trace_table(runs).to_pandas()
    states = [name for name in table.columns if name.startswith("state_")]
    assert len(states) == 3
    np.testing.assert_array_equal(table[states].to_numpy(), runs.curves["ucb1"].states[0].reshape(5, -1)[:, [0, 1, 2]])
