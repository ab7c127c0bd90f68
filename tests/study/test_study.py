"""Running and opening studies from Python: reading runs nothing, and a folder is one run's at a time."""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import roguewk as rw
from roguewk.show.lock import locked
from roguewk.study.hooks import Hooks
from roguewk.study.plan.cells import Cell
from roguewk.study.report.page import study_page
from roguewk.study.run.runner import Work
from roguewk.study.study import plan_study
from tests.study.plan.files import mutations
from tests.study.run.playing import SMALL, skip_trials

NOISY = """
import pathlib
pathlib.Path({marker!r}).touch()

class Mine:
    def __init__(self, problem, seed):
        pass

    def select(self):
        return 0

    def update(self, decision, reward, costs):
        pass
"""
ONE_FIGURE = '[plot]\nfigures = ["reward"]\nkinds = ["svg"]\n'
ADDED = """
import roguewk as rw
from roguewk.policy.named.ucb1 import RECIPES
rw.add_policy(rw.Recipe("my-ucb", "narrower", *RECIPES[0].trio, reference="mine", defaults={"scale": 0.5}))
"""


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The folder of a finished study with code, and the file that this code leaves whenever it runs."""
    marker = tmp_path / "marker"
    (tmp_path / "mine.py").write_text(NOISY.format(marker=str(marker)) + ADDED)
    (tmp_path / "own.toml").write_text(
        SMALL.replace("replicates = 6", 'replicates = 6\ncode = "mine.py"').replace('"sw-ucb"', '"Mine", "my-ucb"')
        + ONE_FIGURE
    )
    with monkeypatch.context() as patch:
        skip_trials(patch)
        rw.run_study(tmp_path / "own.toml", tmp_path / "out", engine="threads")
    assert marker.exists()
    forget_code()
    marker.unlink()
    return tmp_path / "out", marker


def forget_code() -> None:
    """As in a process that has never seen the code."""
    from roguewk.policy import registry
    from roguewk.study.plan.code import load_code

    registry._OWN_RECIPES.clear()
    registry._OWN_PARTS.clear()
    load_code.cache_clear()


def test_opening_summarising_and_reporting_never_run_the_code_of_a_folder(foreign: tuple[Path, Path]) -> None:
    folder, marker = foreign
    results = rw.open_results(folder)
    assert len(results.cells) == 2 * (1 + 4 * 2)
    assert set(results.frame()["policy"]) == {"roguewk-ucb", "ucb1", "Mine", "my-ucb"}
    assert len(results.comparisons) == 3 * 3
    assert len(results.summary) == 2 * 4
    report = (folder / "report.html", folder / "study.toml")
    assert not any(each.exists() for each in report)
    rw.write_results(results)
    assert all(each.exists() for each in report)
    assert not marker.exists()


@pytest.mark.parametrize("how", ["folder", "study", "plan"])
def test_code_of_a_folder_runs_only_if_it_is_trusted(foreign: tuple[Path, Path], tmp_path: Path, how: str) -> None:
    folder, marker = foreign
    for cell in (folder / "cells").iterdir():
        cell.unlink()
    study = rw.open_results(folder).study if how == "study" else folder
    run: Callable[..., Any] = plan_study if how == "plan" else rw.run_study
    with pytest.raises(rw.InputError, match=r"brings code, which would run here: read `code` in its study.json, then"):
        run(study, folder, engine="threads")
    assert not marker.exists()
    assert not list((folder / "cells").iterdir())
    found = run(study, folder, engine="threads", trust=True)
    assert marker.exists()
    if how != "plan":
        assert len(found.cells) == 2 * (1 + 4 * 2)


def test_a_folder_without_code_goes_on_by_itself(small: Path, tmp_path: Path) -> None:
    before = rw.run_study(small, tmp_path / "out", engine="threads").frame()
    small.unlink()
    next((tmp_path / "out" / "cells").iterdir()).unlink()
    again = rw.run_study(tmp_path / "out", engine="threads")
    assert again.store.folder == tmp_path / "out"
    assert again.frame().equals(before)


def test_hooks_are_told_in_order_and_the_folder_is_locked_until_the_end(small: Path, tmp_path: Path) -> None:
    told: list[str] = []

    class Listener(Hooks):
        def sized(self, study: rw.Study, cells: Sequence[Cell]) -> None:
            told.append(f"{len(cells)} cells of {study.title}")

        def planned(self, work: Work) -> None:
            told.append(f"{len(work.missing)} missing of {work.total}")

        def progress(self, done: int, total: int, share: float) -> None:
            told.append(f"{done} of {total}")

        def finished(self, results: rw.Results) -> None:
            told.append(f"finished {len(results.cells)}")
            assert (tmp_path / "out" / ".roguewk.lock").exists()
            rw.write_results(results)

    small.write_text(SMALL + ONE_FIGURE)
    rw.run_study(small, tmp_path / "out", hooks=Listener(), engine="threads", workers=1)
    assert told[:2] == ["14 cells of small", "13 missing of 14"]
    assert told[2:] == [*(f"{done} of 14" for done in range(2, 15)), "finished 14"]
    assert (tmp_path / "out" / "report.html").exists()
    assert not (tmp_path / "out" / ".roguewk.lock").exists()
    told.clear()
    assert not plan_study(small, tmp_path / "out", hooks=Listener(), engine="threads").missing
    assert told == ["14 cells of small", "0 missing of 14"]


def some(value: object) -> Any:
    """A value of whatever type is asked for, as far as a type checker can tell."""
    return value


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda small, out: rw.open_results(some(5)), "the folder of a study is 5: give the one"),
        (lambda small, out: rw.open_results(out), "is not the folder of a study"),
        (lambda small, out: rw.run_study(some(5), out), "the path of a study is 5: give the name of a TOML file"),
        (lambda small, out: rw.run_study(small, some(5)), "out is 5: give the name of a folder"),
        (lambda small, out: rw.run_study(small, out, progress=some(5)), "progress is 5: give a function"),
        (lambda small, out: rw.run_study(small, out, engines="ray"), "unknown option of a study: 'engines'"),
        (lambda small, out: rw.run_study(small, out, engine=5), "engine is 5: give a non-empty text"),
        (lambda small, out: rw.run_study(small, out, address=5, engine="dask"), "address is 5: give a non-empty text"),
        (lambda small, out: rw.run_study(small, out, workers="x"), "workers is 'x': give a whole number"),
        (lambda small, out: rw.run_study(small, out, prune="x"), "prune is 'x': give true or false"),
        (lambda small, out: rw.run_study(small, out, replicates=1.5), "replicates is 1.5"),
        (lambda small, out: rw.load_study(some(5)), "the path of a study is 5"),
        (lambda small, out: rw.write_results(some(5)), "what shall be written is 5"),
    ],
)
def test_what_is_given_wrongly_is_told_in_one_sentence_and_writes_nothing(
    small: Path, tmp_path: Path, call: Callable[[Path, Path], Any], sentence: str
) -> None:
    with pytest.raises(rw.InputError) as caught:
        call(small, tmp_path / "out")
    assert sentence in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_a_folder_that_another_run_has_is_refused_and_left_alone(small: Path, tmp_path: Path) -> None:
    results = rw.run_study(small, tmp_path / "out", engine="threads")
    before = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}

    def attempts() -> None:
        for attempt in (
            lambda: rw.run_study(small, tmp_path / "out", engine="threads", seed=1),
            lambda: rw.write_results(results),
        ):
            with pytest.raises(rw.InputError, match="is in use by another thread of this process: wait until"):
                attempt()

    in_thread(tmp_path / "out", attempts)
    assert {path: path.read_bytes() for path in before} == before
    assert len(list((tmp_path / "out" / "cells").iterdir())) == len(results.cells)


def in_thread(folder: Path, action: Callable[[], None]) -> None:
    """Do something in another thread while this one holds the folder."""
    from concurrent.futures import ThreadPoolExecutor

    with locked(folder), ThreadPoolExecutor(1) as pool:
        pool.submit(action).result()


def test_a_note_of_another_format_is_not_read(small: Path, tmp_path: Path) -> None:
    rw.run_study(small, tmp_path / "out", engine="threads")
    note = tmp_path / "out" / "study.json"
    note.write_text(json.dumps({**json.loads(note.read_text()), "format": "roguewk study 1"}))
    with pytest.raises(rw.InputError, match="is not the folder of a study"):
        rw.open_results(tmp_path / "out")


def test_whatever_a_note_says_results_are_opened_and_shown_or_it_is_told(small: Path, tmp_path: Path) -> None:
    rw.run_study(small, tmp_path / "out", engine="threads")
    note = tmp_path / "out" / "study.json"
    sound = json.loads(note.read_text())
    every = list(mutations(sound))
    shown = 0
    for path, mutated in random.Random(4).sample(every, 120):
        note.write_text(json.dumps(mutated))
        try:
            results = rw.open_results(tmp_path / "out")
            shown += len(study_page(results)) > 0
        except rw.InputError:
            pass
        except Exception as error:
            raise AssertionError(f"{path}: {error!r}") from error
    assert shown > 10


@pytest.mark.parametrize("content", ["", "5", "[]", "{", "[" * 100_000, '{"format": 5}', "\x00", "1" * 5000])
def test_a_note_that_is_none_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / "study.json").write_text(content)
    with pytest.raises(rw.InputError, match="is not the folder of a study"):
        rw.open_results(tmp_path)
