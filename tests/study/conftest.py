"""A small study, and its cells."""

from pathlib import Path

import pytest

import roguewk as rw
from tests.study.run.playing import SMALL, content


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(SMALL)
    return path


@pytest.fixture
def straight(small: Path, tmp_path: Path) -> dict[str, bytes]:
    """The cells of the small study, run in one go in this process."""
    rw.run_study(small, tmp_path / "straight", engine="threads", workers=1)
    return content(tmp_path / "straight")
