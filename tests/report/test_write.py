"""The file of a report."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

import roguewk as rw
from roguewk.learn.example import invented_log

LOG = invented_log(30)
FIT = rw.fit(LOG)


def test_a_report_replaces_an_earlier_one_and_leaves_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    target.write_text("old")
    rw.write_fit_report(FIT, LOG, target)
    assert target.read_bytes().startswith(b"<!doctype html>")
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"fit": 3}, "the fit is 3: give what rw.fit returns"),
        ({"log": "no-log.csv"}, "no-log.csv: there is no such file: check the path"),
        ({"log": dataclasses.replace(LOG, unit="days")}, "other subjects or times than the log"),
        ({"path": "report.pdf"}, "give a file name that ends in .html or .htm"),
        ({"path": 7}, "path is 7: give a file name"),
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
