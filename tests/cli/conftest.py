"""A world in a file, and an engine that has nothing more to say about compiling."""

from pathlib import Path

import pytest

import roguewk as rw
from roguewk.policy.registry import MAIN
from tests.cli.words import WORLD


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("world.toml").write_text(WORLD)
    return "world.toml"


@pytest.fixture(scope="session", autouse=True)
def _engine() -> None:
    """Compile the engine before any output is looked at: it says so, once."""
    rw.simulate(rw.catalog.paper(horizon=5), list(MAIN), replicates=1)
    rw.upper_bound(rw.catalog.paper(horizon=5))
