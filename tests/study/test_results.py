"""What a study brought, as tables."""

from pathlib import Path

import pytest

import roguewk as rw


def test_single_runs_of_unknown_labels_are_refused_by_name(small: Path, tmp_path: Path) -> None:
    results = rw.run_study(small, tmp_path / "out", engine="threads")
    assert results.trace("paper budget=20 horizon=100", "ucb1") is not None
    with pytest.raises(rw.InputError, match="unknown world 'paper budget=20': did you mean 'paper budget=20 horizon=1"):
        results.trace("paper budget=20", "ucb1")
    with pytest.raises(rw.InputError, match="unknown policy 'ucb': did you mean 'ucb1'"):
        results.trace("paper budget=20 horizon=100", "ucb")
