"""The folder of a study: nothing damaged is read, nothing of anyone else is touched."""

import dataclasses
from pathlib import Path

import pytest

import roguewk as rw
from roguewk.study.run.runner import plan_work
from roguewk.study.run.store import Store
from tests.study.run.playing import SMALL, content


def test_every_flipped_bit_of_a_cell_is_noticed(small: Path, tmp_path: Path) -> None:
    results = rw.run_study(small, tmp_path / "out", engine="threads", replicates=1)
    path = min((tmp_path / "out" / "cells").iterdir(), key=lambda each: each.stat().st_size)
    sound = path.read_bytes()
    for place in range(0, len(sound), 7):
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 4]) + sound[place + 1 :])
        assert len(Store(results.store.folder).finished([path.name.partition("-")[0]])) == 0


def test_what_another_run_is_writing_is_left_alone(small: Path, tmp_path: Path) -> None:
    rw.run_study(small, tmp_path / "out", engine="threads")
    writing = tmp_path / "out" / "cells" / ".now.parquet.1.tmp"
    writing.write_bytes(b"PAR1")
    rw.run_study(small, tmp_path / "out", engine="threads")
    assert writing.exists()


def test_folders_of_others_are_refused_and_left_alone(small: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    with pytest.raises(rw.InputError, match="holds other files"):
        rw.run_study(small, tmp_path / "full")
    assert [each.name for each in (tmp_path / "full").iterdir()] == ["thesis.txt"]
    paper = rw.load_study("paper")
    few = dataclasses.replace(paper, worlds=paper.worlds[:1])
    rw.run_study(few, tmp_path / "paper", engine="threads", replicates=1)
    with pytest.raises(rw.InputError, match="holds the study of 'paper'"):
        rw.run_study(small, tmp_path / "paper")
    with pytest.raises(rw.InputError, match="is not the folder of a study"):
        rw.open_results(tmp_path / "full")


def test_a_study_of_another_file_does_not_take_a_folder_over(small: Path, tmp_path: Path) -> None:
    rw.run_study(small, tmp_path / "out", engine="threads")
    before = {each: each.read_bytes() for each in (tmp_path / "out").rglob("*") if each.is_file()}
    (tmp_path / "elsewhere").mkdir()
    other = tmp_path / "elsewhere" / small.name  # of the same name
    other.write_text(SMALL.replace("[20, 40]", "[30]"))
    with pytest.raises(rw.InputError, match=r"holds the study of '.*small.toml': give another folder, or say --yes"):
        rw.run_study(other, tmp_path / "out", engine="threads")
    assert {each: each.read_bytes() for each in (tmp_path / "out").rglob("*") if each.is_file()} == before


def test_a_lost_or_damaged_note_costs_no_cell(small: Path, tmp_path: Path, straight: dict[str, bytes]) -> None:
    note = tmp_path / "out" / "study.json"
    for damage in (note.unlink, lambda: note.write_text("{"), lambda: note.write_text('{"study": {"file": ""}}')):
        results = rw.run_study(small, tmp_path / "out", engine="threads")
        damage()
        with pytest.raises(rw.InputError, match="is not the folder of a study"):
            rw.open_results(tmp_path / "out")
        assert not plan_work(results.study, Store(tmp_path / "out"), dry=True).missing
    rw.run_study(small, tmp_path / "out", engine="threads")
    note.write_text(note.read_text().replace('"worlds"', '"wrlds"'))
    with pytest.raises(rw.InputError, match=r"unknown key of the study: .wrlds.: did you mean .worlds."):
        rw.open_results(tmp_path / "out")
    assert content(tmp_path / "out") == straight


def test_a_file_that_was_moved_goes_on_in_its_folder(small: Path, tmp_path: Path) -> None:
    rw.run_study(small, tmp_path / "out", engine="threads")
    before = content(tmp_path / "out")
    moved = tmp_path / "elsewhere.toml"
    moved.write_text(SMALL)
    rw.run_study(moved, tmp_path / "out", engine="threads")
    assert content(tmp_path / "out") == before
    moved.write_text(SMALL.replace("[20, 40]", "[20, 60]"))
    small.write_text(SMALL)
    rw.run_study(small, tmp_path / "other", engine="threads")
    with pytest.raises(rw.InputError, match=r"holds the study of '.*small.toml'"):
        rw.run_study(moved, tmp_path / "other", engine="threads")
