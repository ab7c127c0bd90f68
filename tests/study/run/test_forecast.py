"""Trials before a study: how long it will take, and which policies end their process."""

from pathlib import Path

import pytest

import roguewk as rw
from roguewk.cli import main
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
