"""Verbs, handles and the disk cache."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

import roguewk as rw
from roguewk.estimate.liu_window import WindowCosts, build_window_costs
from roguewk.kernel import native
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.handle import Handle, held
from roguewk.kernel.memory import copy_into
from roguewk.kernel.native import cache_folder
from roguewk.kernel.records import record_type
from roguewk.kernel.verbs import verb


class Sum(NamedTuple):
    values: Vector


class Product(NamedTuple):
    values: Vector
    factor: float


class Pair(NamedTuple):
    left: Sum
    right: Product
    table: Any
    label: int


@verb
def combine(part: Any, start: float) -> Any:
    """Combine the values with a start."""


@combine.body(Sum)
def _add(part: Sum, start: float) -> float:
    for value in part.values:
        start += value
    return start


@combine.body(Product)
def _multiply(part: Product, start: float) -> float:
    for value in part.values:
        start *= value * part.factor
    return start


@numba.njit  # type: ignore[untyped-decorator]
def combine_compiled(part: Any, start: float) -> Any:
    return combine(part, start)


@numba.njit  # type: ignore[untyped-decorator]
def combine_nested(pair: Pair, start: float) -> Any:
    return combine(pair.left, start) + combine(pair.right, start)


@numba.njit  # type: ignore[untyped-decorator]
def copy_compiled(part: Any, model: Any) -> None:
    copy_into(part, model)


@numba.njit  # type: ignore[untyped-decorator]
def add_through(handle: Any, amount: float) -> Any:
    part = held(handle)
    part.window.seen[0] += amount
    part.window.rounds[0, 1] += 1
    return part.window.seen[0] * part.scale


def a_pair() -> Pair:
    table = np.zeros(2, dtype=record_type(("weight",), ("count",)))
    table["weight"] = (0.5, 1.5)
    return Pair(Sum(np.array([1.0, 2.0])), Product(np.array([3.0, 4.0]), 2.0), table, 7)


def a_window() -> WindowCosts:
    """A part of the package: handles are cached on disk by type, and no other process knows the types of a test."""
    return build_window_costs(rw.catalog.paper().problem, w2=4, cost_variation=0.0, cost_scale=2.0)


def content(pair: Pair) -> list[Any]:
    return [pair.left.values.tolist(), pair.right.values.tolist(), pair.table.tolist()]


def test_a_verb_acts_by_the_class_of_its_first_argument_in_python_and_compiled_alike() -> None:
    values = np.array([2.0, 3.0])
    for part, expected in ((Sum(values), 6.0), (Product(values, 10.0), 600.0)):
        assert combine(part, 1.0) == combine_compiled(part, 1.0) == expected


def test_verbs_act_on_parts_within_parts() -> None:
    assert combine_nested(a_pair(), 1.0) == 4.0 + 48.0


def test_a_part_that_never_joined_a_verb_is_refused() -> None:
    class Stranger(NamedTuple):
        values: Vector

    with pytest.raises(TypeError, match="combine has no body for"):
        combine(Stranger(np.zeros(1)), 1.0)
    with pytest.raises(numba.TypingError):
        combine_compiled(Stranger(np.zeros(1)), 1.0)


def test_a_verb_keeps_its_name_and_its_explanation() -> None:
    assert getattr(combine, "__name__", "") == "combine"
    assert combine.__doc__ == "Combine the values with a start."


def test_slices_and_tables_are_copied_too() -> None:
    target, source = np.zeros((3, 4)), np.arange(12.0).reshape(3, 4)
    copy_compiled(target[:, 1], source[1, :3])
    assert target[:, 1].tolist() == [4.0, 5.0, 6.0]
    assert target.sum() == 15.0
    copy_compiled(target, source)
    assert target.tolist() == source.tolist()


def test_compiled_code_changes_a_handled_part_in_place() -> None:
    part = a_window()
    handle = Handle(part)
    assert [add_through(handle, 0.5) for _ in range(3)] == [1.0, 2.0, 3.0]
    assert part.window.seen.tolist() == [1.5, 0.0, 0.0]
    assert part.window.rounds[0].tolist() == [-1, 2, -1]


def test_two_handles_do_not_mix_up_their_parts() -> None:
    parts = [a_window(), a_window()]
    handles = [Handle(part) for part in parts]
    add_through(handles[1], 10.0)
    assert [part.window.seen[0] for part in parts] == [0.0, 10.0]


def test_a_function_that_would_allocate_does_not_compile() -> None:
    """Every kernel is made by `compiled`, so that they all compile shows that none allocates."""

    @compiled
    def total_of_fresh_memory(count: int) -> Any:
        return np.zeros(count).sum()

    @compiled
    def total_of_given_memory(values: Vector) -> Any:
        return values.sum()

    @compiled
    def total_of_a_copy(values: Vector) -> Any:
        return (values + 1.0).sum()

    assert total_of_given_memory(np.ones(3)) == 3.0
    cases: list[tuple[Any, Any]] = [(total_of_fresh_memory, 3), (total_of_a_copy, np.ones(3))]
    for function, argument in cases:
        with pytest.raises(numba.core.errors.NumbaError):
            function(argument)


def test_rows_of_a_record_have_named_fields() -> None:
    rows = np.zeros(2, dtype=record_type(("weight",), ("count",)))
    rows[1].weight, rows[1].count = 0.5, 3
    assert rows["weight"].tolist() == [0.0, 0.5]
    assert rows["count"].tolist() == [0, 3]


def test_the_cache_folder_is_named_after_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = tmp_path / "roguewk"
    shutil.copytree(native.PACKAGE, tree, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(native, "PACKAGE", tree)
    folder_now = cache_folder.__wrapped__
    before = folder_now()
    assert Path(before).is_dir()
    assert tmp_path / "cache" in Path(before).parents

    (tree / "study" / "figures.py").write_text("# is never compiled\n")
    assert folder_now() == before
    changed = tree / "kernel" / "luck.py"
    changed.write_text(changed.read_text() + "# more\n")
    after = folder_now()
    assert after != before
    changed.rename(changed.with_name("lucky.py"))
    assert folder_now() not in (before, after)


def test_machine_code_of_old_sources_is_deleted_after_a_month(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folder_now = cache_folder.__wrapped__
    folder = Path(folder_now())
    old, young = folder.with_name("old"), folder.with_name("young")
    for path in (old, young):
        path.mkdir()
        (path / "code").write_text("")
    os.utime(old, (0, 0))
    assert Path(folder_now()) == folder
    assert (old.exists(), young.exists(), folder.exists()) == (False, True, True)


def test_every_folder_with_compiled_functions_counts_for_the_cache() -> None:
    users = {
        path.relative_to(native.PACKAGE).parts[0]
        for path in native.PACKAGE.rglob("*.py")
        if "kernel.compile import compiled" in path.read_text()
    }
    assert users <= set(native.COMPILED_FOLDERS)


def test_a_cache_folder_that_cannot_be_written_is_replaced_by_a_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    folder = Path(cache_folder.__wrapped__())
    assert folder.is_dir()
    assert tmp_path in folder.parents
    assert folder.stat().st_mode & 0o077 == 0


def test_a_second_process_finds_the_machine_code_on_disk(tmp_path: Path) -> None:
    code = "import roguewk as rw; print(rw.simulate(rw.catalog.paper(), 'ucb1', replicates=2).frame()['reward'].sum())"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", code]
    runs = [subprocess.run(command, env=environment, capture_output=True, text=True, check=True) for _ in range(2)]
    assert runs[0].stdout == runs[1].stdout != ""
    assert "compiling the engine for 'ucb1', only this once" in runs[0].stderr
    assert runs[1].stderr == ""
