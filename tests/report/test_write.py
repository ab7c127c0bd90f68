"""The file of a report."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

import roguewk as rw
from roguewk.learn.example import invented_log

LOG = invented_log(30)
FIT = rw.fit(LOG)
OTHER = rw.compare_models(invented_log(20, 20), folds=2)


def test_a_report_replaces_an_earlier_one_and_leaves_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    target.write_text("old")
    rw.write_fit_report(FIT, LOG, target)
    assert target.read_bytes().startswith(b"<!doctype html>")
    assert list(tmp_path.iterdir()) == [target]


def test_a_comparison_of_models_is_a_section_of_its_own(tmp_path: Path) -> None:
    target, compared = tmp_path / "report.html", rw.compare_models(LOG)
    rw.write_fit_report(FIT, LOG, target, comparison=compared)
    page = target.read_text()
    assert "<h2>Which model predicts best</h2>" in page
    assert f"<p>{compared.verdict}" in page
    assert all(f"<td>{model}</td>" in page for model in compared.models)
    assert ("The rest of this page is by one state per arm." in page) == (compared.best != "one state")
    rw.write_fit_report(FIT, LOG, target)
    assert "Which model predicts best" not in target.read_text()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"fit": 3}, "the fit is 3: give what rw.fit returns"),
        ({"log": "no-log.csv"}, "no-log.csv: there is no such file: check the path"),
        ({"log": dataclasses.replace(LOG, unit="days")}, "other subjects or times than the log"),
        ({"path": "report.pdf"}, "give a file name that ends in .html or .htm"),
        ({"path": 7}, "path is 7: give a file name"),
        ({"comparison": "best"}, "comparison is 'best': give what rw.compare_models returns, or leave it out"),
        ({"comparison": OTHER}, "and the log has 801: give that of the same log"),
        ({"path": "a\0b.html"}, "give a file name"),
        ({"path": "nowhere/report.html"}, "there is no such folder: make it first"),
    ],
)
def test_what_cannot_be_written_is_refused(
    change: dict[str, Any], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given: dict[str, Any] = {"fit": FIT, "log": LOG, "path": "report.html", **change}
    with pytest.raises(rw.InputError, match=words.replace("(", r"\(")):
        rw.write_fit_report(**given)
    assert list(tmp_path.iterdir()) == []
