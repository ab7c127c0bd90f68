"""The policies of a study: by name or by parts."""

from pathlib import Path

import pytest

from roguewk.problem.errors import InputError
from roguewk.study.plan.policies import plan_policies
from tests.study.plan.files import study


def test_policies_can_be_parts_and_a_sweep_over_parts(tmp_path: Path) -> None:
    text = '[[world]]\nworld = "paper"\n[[policy]]\nrewards = ["rogue", "ucb1"]\ncosts = "wilson"\nallocate = "lp"\n'
    labels = [each.label for each in study(tmp_path, text).policies]
    assert labels == ["rogue/wilson/lp", "ucb1/wilson/lp"]


def test_a_policy_written_as_commands_have_it_is_told_to_have_keys_of_its_own() -> None:
    with pytest.raises(
        InputError, match="has its parameters as commands have them: give each a key of its own, such as"
    ):
        list(plan_policies({"policy": "roguewk-plan:dynamics=learned"}, 0, ""))
