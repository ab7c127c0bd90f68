"""Names with settings as they are typed."""

from pathlib import Path

import pytest

from roguewk.cli import settings


def test_the_catalogue_is_at_hand_with_its_options() -> None:
    assert settings.read_world("catalog:paper:budget=50:idle=true").problem.idle
    assert settings.read_world("catalog:paper:budget=50").problem.budgets.tolist() == [50.0] * 3


def test_names_of_the_catalogue_need_no_prefix_and_files_of_that_name_win(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("paper").mkdir()  # where `roguewk paper --out paper` writes
    assert settings.read_world("paper:budget=50").problem.budgets.tolist() == [50.0] * 3
    assert list(settings.read_worlds(["paper", "gaussian:horizon=9"])) == ["paper", "gaussian:horizon=9"]
    Path("gaussian").write_text('horizon = 7\n[[arm]]\nname = "walk"\nrested = 0.6\nwear = 0.5\nhalf_life = 2\n')
    assert settings.read_world("gaussian").problem.horizon == 7
    assert settings.read_world("catalog:gaussian").problem.horizon == 1000
