"""What a cell holds is what the simulator gives; a run that fails is kept with its reason."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import roguewk as rw
from roguewk.study.plan.cells import plan_cells
from roguewk.study.run.runner import plan_work
from tests.study.run.playing import SMALL, skip_trials

FLAKY = """
class Flaky:
    '''Fails in replicate 2.'''

    def __init__(self, problem, seed):
        self.seed = seed

    def select(self):
        if self.seed == 2:
            raise RuntimeError("out of\\nsorts")
        return 0

    def update(self, decision, reward, costs):
        pass
"""


def test_runs_are_those_of_the_simulator(small: Path, tmp_path: Path) -> None:
    results = rw.run_study(small, tmp_path / "out", engine="threads")
    frame = results.frame()
    assert list(frame.columns[:4]) == ["world", "policy", "world_budget", "replicate"]
    for budget in (20, 40):
        world = rw.catalog.paper(budget=budget, horizon=100)
        runs = rw.simulate(world, ["roguewk-ucb", "ucb1", "sw-ucb"], replicates=6)
        mine = frame[frame["world_budget"] == budget].drop(columns=["world", "world_budget", "failed"])
        assert mine.reset_index(drop=True).equals(runs.frame().astype(mine.dtypes.to_dict()))
        label = f"paper budget={budget} horizon=100"
        assert results.bounds.set_index("world")["bound"][label] == rw.upper_bound(world).value
    assert results.frame("polars").height == results.frame("arrow").num_rows == len(frame) == 36


def test_a_run_that_fails_is_counted_and_can_be_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    skip_trials(monkeypatch)
    (tmp_path / "mine.py").write_text(FLAKY)
    path = tmp_path / "s.toml"
    path.write_text(SMALL.replace("replicates = 6", 'replicates = 6\ncode = "mine.py"').replace('"sw-ucb"', '"Flaky"'))
    results = rw.run_study(path, tmp_path / "out", engine="threads", workers=1)
    failed = results.frame().dropna(subset="failed")
    assert failed[["policy", "replicate", "failed"]].drop_duplicates().to_numpy().tolist() == [
        ["Flaky", 2, "RuntimeError: out of sorts"]
    ]
    assert failed["reward"].isna().all()
    assert len(results.frame()) == 36
    trace = results.trace(results.study.worlds[0].label, "Flaky")
    assert trace is not None
    assert sorted(trace["replicate"].unique()) == [0, 1, 3, 4]
    plan = plan_work(results.study, results.store, retry_failed=True, dry=True)
    assert {(cell.kind, cell.policy) for cell in plan.missing.values()} == {("runs", 2), ("trace", 2)}


@pytest.mark.parametrize("ending", ["raise SystemExit(3)", "import sys; sys.exit('bye')"])
def test_a_policy_that_leaves_is_a_run_that_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    skip_trials(monkeypatch)
    (tmp_path / "mine.py").write_text(FLAKY.replace('raise RuntimeError("out of\\nsorts")', ending))
    path = tmp_path / "s.toml"
    path.write_text(SMALL.replace("replicates = 6", 'replicates = 6\ncode = "mine.py"').replace('"sw-ucb"', '"Flaky"'))
    results = rw.run_study(path, tmp_path / "out", engine="threads", workers=1)
    assert results.frame()["failed"].dropna().str.startswith("SystemExit").tolist() == [True, True]
    (tmp_path / "mine.py").write_text(ending)
    with pytest.raises(rw.InputError, match="the code of the study cannot be loaded"):
        rw.load_study(path)


def test_a_worker_with_other_sources_is_refused(small: Path, tmp_path: Path) -> None:
    from roguewk.study.plan.cells import make_task
    from roguewk.study.run.work import work

    study = rw.load_study(small)
    with pytest.raises(rw.InputError, match="install the same one everywhere"):
        work(make_task(study, plan_cells(study)[0])._replace(sources="0.0.1 else"))


@pytest.mark.parametrize("trouble", [float("nan"), rw.InputError("no bound is known"), OverflowError("too large")])
def test_a_bound_that_is_no_number_is_a_failed_cell_with_its_reason(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: Any
) -> None:
    def bound(world: rw.World) -> Any:
        if isinstance(trouble, Exception):
            raise trouble
        return SimpleNamespace(value=trouble, gap=0.0)

    monkeypatch.setattr("roguewk.study.run.work.upper_bound", bound)
    results = rw.run_study(small, tmp_path / "out", engine="threads", workers=1)
    assert results.bounds["bound"].isna().all()
    reasons = {"nan": "the bound is nan, which is no number", "no bound is known": "no bound is known"}
    assert set(results.bounds["failed"]) == {reasons.get(str(trouble), "OverflowError: too large")}
    assert results.summary["share"].isna().all()
    retried = plan_work(results.study, results.store, retry_failed=True, dry=True)
    assert [cell.kind for cell in retried.missing.values()] == ["bound", "bound"]
