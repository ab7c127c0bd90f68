"""The worlds of a study: from the catalogue or from files, with settings."""

import math
from pathlib import Path

import pytest

import roguewk as rw
from roguewk.world.plain import world_to_data
from tests.study.plan.files import study

WORLD = """
horizon = 60
[[resource]]
name = "staff"
budget = 12
[[resource]]
name = "money"
budget = 9
[[arm]]
name = "walk"
rested = 0.6
wear = 0.5
half_life = 2
costs = [{ uniform = [0.1, 0.3] }, 0.1]
[[arm]]
name = "call"
rested = 0.8
wear = 0.9
half_life = 4
costs = [0.5, 0.2]
"""


def test_worlds_come_from_files_beside_the_study_and_their_numbers_can_be_swept(tmp_path: Path) -> None:
    (tmp_path / "w.toml").write_text(WORLD)
    text = """
    [[world]]
    world = "w.toml"
    budget.staff = [5, 7]
    wear = [0.2, 0.4]
    arm.call.half_life = 6
    [[policy]]
    policy = "ucb1"
    """
    found = study(tmp_path, text)
    assert [each.settings for each in found.worlds] == [
        {"budget.staff": budget, "wear": wear, "arm.call.half_life": 6} for budget in (5, 7) for wear in (0.2, 0.4)
    ]
    edited = (
        WORLD.replace("budget = 12", "budget = 7")
        .replace("wear = 0.5", "wear = 0.4")
        .replace("wear = 0.9", "wear = 0.4")
    )
    edited = edited.replace("half_life = 4", "half_life = 6")
    (tmp_path / "edited.toml").write_text(edited)
    by_hand = rw.load_world(tmp_path / "edited.toml")
    assert world_to_data(found.worlds[3].world) == world_to_data(by_hand)


def test_other_dynamics_get_a_state_set_of_their_own_unless_it_is_given(tmp_path: Path) -> None:
    text = '[[world]]\nworld = "slow_recovery"\nA = 0.99\n[[policy]]\npolicy = "ucb1"\n'
    changed = study(tmp_path, text).worlds[0].world.problem.arms[0]
    assert changed.box[0, 0] < rw.catalog.slow_recovery().problem.arms[0].box[0, 0] - 1
    given = study(tmp_path, text.replace("A = 0.99", "A = 0.99\nstate = [[-9, 3]]")).worlds[0].world.problem.arms[0]
    assert given.box[0].tolist() == [-9, 3]


def test_everyday_numbers_can_be_swept_in_worlds_of_the_catalogue(tmp_path: Path) -> None:
    text = '[[world]]\nworld = "messages"\nstart = 0.3\nwear = [0.2, 0.7]\nhalf_life = 3\narm.reminder.rested = 0.4\n'
    found = study(tmp_path, text + '[[policy]]\npolicy = "ucb1"\n').worlds[1].world
    by_hand = rw.everyday_arm("reminder", rested=0.4, wear=0.7, half_life=3)
    arm, x0 = found.problem.arms[0], found.x0[0]
    assert (arm.A, arm.B, arm.K, arm.alpha) == (by_hand.A, by_hand.B, by_hand.K, by_hand.alpha)
    assert 1 / (1 + math.exp(-arm.alpha - x0.item())) == pytest.approx(0.3, abs=1e-12)


def test_costs_by_the_names_of_resources_can_be_set_and_swept(tmp_path: Path) -> None:
    (tmp_path / "w.toml").write_text(WORLD)
    text = (
        '[[world]]\nworld = "w.toml"\narm.walk.costs = [{ money = 1, staff = 2 }, { staff = 3, money = 0 }]\n'
        'arm.call.costs = { money = 0.5, staff = { uniform = [0.0, 2.0] } }\n[[policy]]\npolicy = "ucb1"\n'
    )
    found = [world.world.mean_costs.tolist() for world in study(tmp_path, text).worlds]
    assert found == [[[2, 1], [1, 0.5]], [[3, 0], [1, 0.5]]]
    with pytest.raises(rw.InputError, match="the costs of arm 'call' do not name resource 'money'"):
        study(tmp_path, text.replace("money = 0.5, ", ""))


def test_worn_can_be_set_and_swept_whatever_the_world_is_written_with(tmp_path: Path) -> None:
    (tmp_path / "w.toml").write_text(WORLD)
    for name, arm in (("w.toml", "walk"), ("messages", "reminder")):
        numbers = "worn = [0.1, 0.2]\nhalf_life = 3\nrested = 0.4\n"
        text = f'[[world]]\nworld = "{name}"\n{numbers}[[policy]]\npolicy = "ucb1"\n'
        found = study(tmp_path, text).worlds[1].world.problem.arms[0]
        by_hand = rw.everyday_arm(arm, rested=0.4, worn=0.2, half_life=3)
        assert (found.A, found.B, found.alpha) == (by_hand.A, by_hand.B, by_hand.alpha)
        with pytest.raises(rw.InputError, match="has both 'wear' and 'worn': give one of them"):
            study(tmp_path, text.replace("rested = 0.4", "wear = 0.4"))


def test_half_lives_in_days_can_be_swept_whatever_the_world_is_written_with(tmp_path: Path) -> None:
    (tmp_path / "w.toml").write_text(WORLD)
    for name in ("w.toml", "messages"):
        swept = 'rounds_per_day = 2\nhalf_life = ["1 day", "4 days"]'
        text = f'[[world]]\nworld = "{name}"\n{swept}\n[[policy]]\npolicy = "ucb1"\n'
        found = [each.world.problem.arms[0].A for each in study(tmp_path, text).worlds]
        assert found == pytest.approx([0.5 ** (1 / 2), 0.5 ** (1 / 8)], rel=1e-15)
        with pytest.raises(rw.InputError, match=r"half_life of .* is '1 day' and nothing says how long a round is"):
            study(tmp_path, text.replace("rounds_per_day = 2\n", ""))
