"""Trials before a study: how long it will take, and which policies end their process."""

from pathlib import Path

import pytest

import roguewk as rw
from roguewk.cli import main
from roguewk.study.plan.cells import RUNS, plan_cells
from roguewk.study.plan.model import FIGURES, KINDS
from roguewk.study.run.forecast import MOST_LOADING, forecast
from roguewk.study.run.runner import A_PAGE, A_PICTURE, STARTING
from roguewk.study.run.work import Done
from roguewk.study.study import plan_study
from tests.study.run.playing import WAIT, interrupted, noting, own


@pytest.mark.parametrize("option", ["--quiet", "--dry-run"])
def test_a_command_is_interrupted_also_while_a_policy_is_tried(tmp_path: Path, option: str) -> None:
    path, notes = noting(tmp_path, WAIT, seed=0)
    assert interrupted(path, tmp_path / "out", notes, option) == ("roguewk: stopped\n", 130)


def test_a_policy_that_always_ends_its_process_is_found_out_before_anything_runs(tmp_path: Path) -> None:
    path = own(tmp_path, "os._exit(3)", seed=0)
    sentence = "policy 'Own' ended the process that tried it; 0 of 14 cells are kept: mend the code of the study"
    with pytest.raises(rw.InputError, match=sentence):
        rw.run_study(path, tmp_path / "out", engine="threads")


def test_the_estimate_is_for_the_workers_of_the_cluster(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("roguewk.study.study.count_workers", lambda *_: 3)
    options = ["--dry-run", "--engine", "dask", "--address", "127.0.0.1:1", "--out", str(tmp_path / "out")]
    assert main(["study", str(small), *options]) == 0
    assert " on 3 workers at 127.0.0.1:1" in " ".join(capsys.readouterr().out.split())


def test_the_estimate_has_the_start_of_workers_and_the_drawing_in_it(small: Path, tmp_path: Path) -> None:
    plans = [plan_study(small, tmp_path / "out", engine=engine, workers=2) for engine in ("threads", "local")]
    for plan, starting in zip(plans, (0.0, STARTING), strict=True):
        pictures = len(FIGURES) * len(KINDS)
        assert plan.around >= starting + A_PAGE + A_PICTURE * pictures
        assert plan.lasts == plan.around + max(plan.remaining / 2, *plan.seconds.values())


def test_what_is_played_again_may_be_loaded_but_not_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    study, times = rw.load_study("paper"), iter([40.0, 0.5, 2.0] * 9)
    monkeypatch.setattr("roguewk.study.run.forecast.work", lambda task: Done(task.key, b"", next(times)))
    cells = [cell for cell in plan_cells(study) if cell.kind == RUNS and cell.world == 0]
    assert forecast(study, cells).loading == len(study.policies) * MOST_LOADING
