"""The files that a study leaves."""

import os
from pathlib import Path

from roguewk.study.figures.study import study_figures
from roguewk.study.plan.model import FIGURES
from roguewk.study.report.embed import page_data
from roguewk.study.report.page import study_page
from roguewk.study.report.write import table_files
from roguewk.study.run.store import Output
from roguewk.study.study import run_study
from tests.study.invented import SMALL, planned


def test_results_of_a_real_study_make_a_page_and_figures(tmp_path: Path) -> None:
    study = planned(SMALL + '[plot]\nkinds = ["svg"]\n')
    results = run_study(study, tmp_path / "out", engine="threads", workers=1)
    assert list(table_files(results)) == list(Output)
    page = study_page(results)
    assert page.startswith(b"<!doctype html>")
    assert len(page_data(results)["games"]) == 2
    assert list(study_figures(results)) == [f"{name}.svg" for name in FIGURES if "effect" not in name]


def test_figures_that_a_study_no_longer_asks_for_are_removed_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "out" / "figures"
    few = '[plot]\nfigures = ["reward", "differences"]\nkinds = ["svg", "png"]\n'

    def written(source: str) -> set[str]:
        run_study(planned(source), tmp_path / "out", engine="threads", workers=1).write()
        return {path.name for path in folder.iterdir()}

    both = {f"{name}.{kind}" for name in ("reward", "differences") for kind in ("svg", "png")}
    small = SMALL.replace("replicates = 30", "replicates = 3")
    assert written(small + few) == both
    own = {"reward-of-mine.png", "notes.txt", "reward.png.bak", ".hidden", ".other.svg.12.tmp"}
    for name in (*own, ".reward.svg.4242.tmp"):
        (folder / name).write_text("mine")
    os.utime(folder / ".reward.svg.4242.tmp", (0, 0))  # of a process that was killed long ago
    (folder / "plays.png").mkdir()
    one = small.replace('["ucb1", "sw-ucb"]', '"ucb1"') + few.replace('"svg", ', "")
    assert written(one) == {"reward.png", "plays.png", *own}
    assert all((folder / name).read_text() == "mine" for name in own)
