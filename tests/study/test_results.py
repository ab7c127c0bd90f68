"""What a study brought, as tables."""

from pathlib import Path
from typing import Any

import pytest

import roguewk as rw


def test_single_runs_of_unknown_labels_are_refused_by_name(small: Path, tmp_path: Path) -> None:
    results = rw.run_study(small, tmp_path / "out", engine="threads")
    assert results.trace("paper budget=20 horizon=100", "ucb1") is not None
    with pytest.raises(rw.InputError, match="unknown world 'paper budget=20': did you mean 'paper budget=20 horizon=1"):
        results.trace("paper budget=20", "ucb1")
    with pytest.raises(rw.InputError, match="unknown policy 'ucb': did you mean 'ucb1'"):
        results.trace("paper budget=20 horizon=100", "ucb")


def test_what_is_asked_of_results_wrongly_is_told(small: Path, tmp_path: Path) -> None:
    results = rw.run_study(small, tmp_path / "out", engine="threads")
    wrong: Any = 5
    for ask, sentence in (
        (lambda: results.frame(wrong), "kind of frame is 5: give a non-empty text"),
        (lambda: results.frame("panda"), "unknown kind of frame 'panda': did you mean 'pandas'?"),
        (lambda: results.trace(wrong, "ucb1"), "world is 5: give a non-empty text"),
        (lambda: results.trace("paper budget=20 horizon=100", wrong), "policy is 5: give a non-empty text"),
    ):
        with pytest.raises(rw.InputError) as caught:
            ask()
        assert str(caught.value) == sentence
