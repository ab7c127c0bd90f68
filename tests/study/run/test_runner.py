"""A study goes on where it stopped, whatever stopped it."""

import errno
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

import roguewk as rw
from roguewk.problem import whole
from roguewk.study.plan.cells import plan_cells
from roguewk.study.run import runner, store
from roguewk.study.run.runner import do_work, plan_work
from roguewk.study.run.store import Store
from tests.study.run.playing import RUN, SMALL, begun, content, wait_until


def test_blocks_of_replicates_add_up(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = rw.run_study(small, tmp_path / "whole", engine="threads").frame()
    monkeypatch.setattr("roguewk.study.plan.cells.ROUNDS_IN_A_CELL", 200)
    blocks = rw.run_study(small, tmp_path / "blocks", engine="threads")
    assert sum(cell.kind == "runs" for cell in blocks.cells) == 3 * 6
    assert blocks.frame().equals(whole)


def test_a_study_goes_on_where_it_stopped_and_repeats_nothing(
    small: Path, tmp_path: Path, straight: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    rw.run_study(small, out, engine="threads", workers=1)
    lost, torn, flipped, foreign = sorted((out / "cells").iterdir())[:4]
    lost.unlink()
    torn.write_bytes(torn.read_bytes()[:200])
    flipped.write_bytes(b"".join(bytes([byte ^ (i == 300)]) for i, byte in enumerate(flipped.read_bytes())))
    foreign.write_bytes(b"PAR1 someone's own")
    (out / "cells" / ".half.parquet.1.tmp").write_bytes(b"PAR1")
    os.utime(out / "cells" / ".half.parquet.1.tmp", (0, 0))
    written: list[str] = []
    keep = Store.write

    def write(self: Store, key: str, data: bytes) -> None:
        written.append(key)
        keep(self, key, data)

    monkeypatch.setattr(Store, "write", write)
    rw.run_study(small, out, engine="threads", workers=1)
    assert sorted(written) == [each.name.partition("-")[0] for each in (lost, torn, flipped, foreign)]
    assert content(out) == straight
    written.clear()
    rw.run_study(small, out, engine="threads", workers=1)
    assert written == []


def test_more_worlds_and_policies_keep_the_cells_there_are(small: Path, tmp_path: Path) -> None:
    rw.run_study(small, tmp_path / "out", engine="threads")
    before = content(tmp_path / "out")
    small.write_text(SMALL.replace("[20, 40]", "[20, 30, 40]").replace('"ucb1", ', '"ucb1", "kl-ucb", '))
    results = rw.run_study(small, tmp_path / "out", engine="threads")
    assert before.items() < content(tmp_path / "out").items()
    assert len(results.frame()) == 3 * 4 * 6
    again = rw.open_results(tmp_path / "out")
    assert again.runs.equals(results.runs)


def test_killed_at_six_random_moments_and_resumed_the_tables_are_the_same(tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    path.write_text(
        SMALL.replace("[20, 40]", str(list(range(20, 320, 10))))
        .replace("replicates = 6", "replicates = 40")
        .replace('"roguewk-ucb", ', "")
    )
    rw.run_study(path, tmp_path / "straight", engine="threads")
    total = len(content(tmp_path / "straight"))
    apart, together = (
        [sys.executable, "-c", RUN, str(path), str(tmp_path / "out"), options]
        for options in ("{'workers': 2}", "{'engine': 'threads', 'workers': 2}")
    )
    moments = sorted(random.Random(5).sample(range(total), 6))
    cells = tmp_path / "out" / "cells"
    for turn, moment in enumerate(moments):
        # What writes is the same in threads, which begin sooner than processes.
        with begun(apart if turn == 1 else together, stdout=subprocess.DEVNULL) as process:
            # A moment is when so many cells are there, not a time on the clock.
            wait_until(lambda: process.poll() is not None or len(list(cells.glob("*"))) >= moment)  # noqa: B023  # called before the loop goes on
    rw.run_study(path, tmp_path / "out", engine="threads")
    assert content(tmp_path / "out") == content(tmp_path / "straight")
    assert rw.open_results(tmp_path / "out").runs.equals(rw.open_results(tmp_path / "straight").runs)


def test_a_full_disk_ends_in_one_sentence_and_finished_cells_stay(
    small: Path, tmp_path: Path, straight: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = iter(range(5))

    def write_all(where: Path, files: dict[str, bytes]) -> None:
        if next(room, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        keep(where, files)

    keep = whole.write_all
    monkeypatch.setattr(store, "write_all", write_all)
    with pytest.raises(rw.InputError, match=r"No space left on device\); 4 of 14 cells are kept: make room"):
        rw.run_study(small, tmp_path / "out", engine="threads", workers=1)
    assert content(tmp_path / "out").items() < straight.items()
    monkeypatch.setattr(store, "write_all", keep)
    rw.run_study(small, tmp_path / "out", engine="threads")
    assert content(tmp_path / "out") == straight


def test_progress_tells_cells_and_the_share_of_the_work(small: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int, float]] = []
    study, stored = rw.load_study(small), Store(tmp_path / "out")
    stored.folder.mkdir()
    stored.claim(study)
    do_work(plan_work(study, stored), "threads", 1, None, lambda *each: told.append(each))
    assert [done for done, _, _ in told] == list(range(2, 15))  # a bound is worked out to know how long they take
    shares = [share for _, _, share in told]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)


def test_cells_that_are_known_are_not_worked_out_again(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = rw.load_study(small)
    known = plan_cells(study)
    monkeypatch.setattr(runner, "plan_cells", lambda _: pytest.fail("they are known"))
    monkeypatch.setattr(runner, "forecast", lambda _, cells: ([1.0] * len(cells), None, 0.0))
    plan = plan_work(study, Store(tmp_path / "out"), dry=True, cells=known)
    assert plan.missing == {cell.key: cell for cell in known}
