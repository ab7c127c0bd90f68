"""The policies of a study: by name or by parts."""

from pathlib import Path

from tests.study.plan.files import study


def test_policies_can_be_parts_and_a_sweep_over_parts(tmp_path: Path) -> None:
    text = '[[world]]\nworld = "paper"\n[[policy]]\nrewards = ["rogue", "ucb1"]\ncosts = "wilson"\nallocate = "lp"\n'
    labels = [each.label for each in study(tmp_path, text).policies]
    assert labels == ["rogue/wilson/lp", "ucb1/wilson/lp"]
