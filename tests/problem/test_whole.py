"""Files on disk: all of them or none."""

from pathlib import Path

import pytest

from roguewk.problem.whole import write_all


def test_no_file_is_replaced_until_all_are_written(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(OSError, match="name too long"):
        write_all(tmp_path, {"a": b"new", "b" * 300: b"new"})
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a", b"old")]
