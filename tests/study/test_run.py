"""Running studies: the same tables after every kind of interruption, bad luck told in a sentence."""

import contextlib
import errno
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import roguewk as rw
from roguewk.show import folder
from roguewk.study.plan.cells import plan_cells
from roguewk.study.run import runner, store
from roguewk.study.run.runner import do_work, plan_work
from roguewk.study.run.store import Store
from roguewk.study.run.trace import trace_table
from roguewk.world.plain import world_from_data

SMALL = """
replicates = 6
[[world]]
world = "paper"
budget = [20, 40]
horizon = 100
[[policy]]
policy = ["roguewk-ucb", "ucb1", "sw-ucb"]
"""
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
RUN = """
import os, sys
import roguewk as rw
if __name__ == "__main__":
    print(os.getpid())
    rw.run_study(sys.argv[1], sys.argv[2], **eval(sys.argv[3]))
"""
LIMIT = 300  # seconds after which whatever is waited for will not come


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path


def content(folder: Path) -> dict[str, bytes]:
    """Every cell of a study. What a killed process was just writing has a hidden name and is no cell."""
    return {each.name: each.read_bytes() for each in (folder / "cells").iterdir() if not each.name.startswith(".")}


@contextlib.contextmanager
def begun(command: list[str], stdout: int = subprocess.PIPE) -> Iterator[subprocess.Popen[str]]:
    """A command in a process group of its own, none of which is left at the end."""
    options = {"stdout": stdout, "stderr": subprocess.STDOUT, "text": True, "start_new_session": True}
    with subprocess.Popen(command, **options) as process:  # type: ignore[call-overload]  # too many options to see through
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for something that has to happen."""
    end = time.monotonic() + LIMIT
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.002)


@pytest.fixture
def straight(small: Path, tmp_path: Path) -> dict[str, bytes]:
    """The cells of the small study, run in one go in this process."""
    rw.run_study(small, tmp_path / "straight", engine="threads", workers=1)
    return content(tmp_path / "straight")


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


def test_blocks_of_replicates_add_up(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = rw.run_study(small, tmp_path / "whole", engine="threads").frame()
    monkeypatch.setattr("roguewk.study.plan.cells.ROUNDS_IN_A_CELL", 200)
    blocks = rw.run_study(small, tmp_path / "blocks", engine="threads")
    assert sum(cell.kind == "runs" for cell in blocks.cells) == 3 * 6
    assert blocks.frame().equals(whole)


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


def test_more_worlds_and_policies_keep_the_cells_there_are(small: Path, tmp_path: Path) -> None:
    rw.run_study(small, tmp_path / "out", engine="threads")
    before = content(tmp_path / "out")
    small.write_text(SMALL.replace("[20, 40]", "[20, 30, 40]").replace('"ucb1", ', '"ucb1", "kl-ucb", '))
    results = rw.run_study(small, tmp_path / "out", engine="threads")
    assert before.items() < content(tmp_path / "out").items()
    assert len(results.frame()) == 3 * 4 * 6
    again = rw.open_results(tmp_path / "out")
    assert again.runs.equals(results.runs)


def test_killed_at_ten_random_moments_and_resumed_the_tables_are_the_same(tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    path.write_text(
        SMALL.replace("[20, 40]", str(list(range(20, 320, 10)))).replace("replicates = 6", "replicates = 40")
    )
    rw.run_study(path, tmp_path / "straight", engine="threads")
    total = len(content(tmp_path / "straight"))
    command = [sys.executable, "-c", RUN, str(path), str(tmp_path / "out"), "{'workers': 2}"]
    moments = sorted(random.Random(5).sample(range(total), 10))
    cells = tmp_path / "out" / "cells"
    for moment in moments:
        with begun(command, stdout=subprocess.DEVNULL) as process:
            # A moment is when so many cells are there, not a time on the clock.
            wait_until(lambda: process.poll() is not None or len(list(cells.glob("*"))) >= moment)  # noqa: B023  # called before the loop goes on
    assert subprocess.run(command, check=False, capture_output=True, timeout=LIMIT).returncode == 0
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

    keep = folder.write_all
    monkeypatch.setattr(store, "write_all", write_all)
    with pytest.raises(rw.InputError, match=r"No space left on device\); 4 of 14 cells are kept: make room"):
        rw.run_study(small, tmp_path / "out", engine="threads", workers=1)
    assert content(tmp_path / "out").items() < straight.items()
    monkeypatch.setattr(store, "write_all", keep)
    rw.run_study(small, tmp_path / "out", engine="threads")
    assert content(tmp_path / "out") == straight


def test_a_run_that_fails_is_counted_and_can_be_tried_again(tmp_path: Path) -> None:
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


def test_folders_of_others_are_refused_and_left_alone(small: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    with pytest.raises(rw.InputError, match="holds other files"):
        rw.run_study(small, tmp_path / "full")
    assert [each.name for each in (tmp_path / "full").iterdir()] == ["thesis.txt"]
    rw.run_study("paper", tmp_path / "paper", engine="threads", replicates=1)
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
    with pytest.raises(rw.InputError, match="is damaged: run the study again"):
        rw.open_results(tmp_path / "out")
    assert content(tmp_path / "out") == straight


def test_arms_with_confusing_names_keep_their_states(tmp_path: Path) -> None:
    vector = {"A": [[0.4, 0.0], [0.1, 0.9]], "B": [-1.0, -0.1], "K": [0.0, 0.0], "beta": [1.0, 0.6], "x0": [-0.2, -1.5]}
    scalar = {"A": 0.5, "B": -0.5, "K": 0.0, "beta": 1.0, "x0": 0.0}
    arms = [{"name": "a", "alpha": 1.0, **vector}, {"name": "a[0]", "alpha": 0.5, **scalar}]
    runs = rw.simulate(world_from_data({"horizon": 5, "arm": arms}), "ucb1", replicates=1, curves=True)
    table = trace_table(runs).to_pandas()
    states = [name for name in table.columns if name.startswith("state_")]
    assert len(states) == 3
    np.testing.assert_array_equal(table[states].to_numpy(), runs.curves["ucb1"].states[0].reshape(5, -1)[:, [0, 1, 2]])


@pytest.mark.parametrize("ending", ["raise SystemExit(3)", "import sys; sys.exit('bye')"])
def test_a_policy_that_leaves_is_a_run_that_failed(tmp_path: Path, ending: str) -> None:
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
    monkeypatch.setattr(runner, "forecast", lambda _, cells: ([1.0] * len(cells), None))
    plan = plan_work(study, Store(tmp_path / "out"), dry=True, cells=known)
    assert plan.missing == {cell.key: cell for cell in known}


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


def test_single_runs_of_unknown_labels_are_refused_by_name(small: Path, tmp_path: Path) -> None:
    results = rw.run_study(small, tmp_path / "out", engine="threads")
    assert results.trace("paper budget=20 horizon=100", "ucb1") is not None
    with pytest.raises(rw.InputError, match="unknown world 'paper budget=20': did you mean 'paper budget=20 horizon=1"):
        results.trace("paper budget=20", "ucb1")
    with pytest.raises(rw.InputError, match="unknown policy 'ucb': did you mean 'ucb1'"):
        results.trace("paper budget=20 horizon=100", "ucb")
