"""Lists in study files stand for several tables."""

from pathlib import Path

from tests.study.plan.files import SMALL, study


def test_lists_are_swept_and_labels_say_what_varies(tmp_path: Path) -> None:
    found = study(tmp_path, SMALL)
    assert [each.label for each in found.worlds] == ["paper budget=20 horizon=50", "paper budget=40 horizon=50"]
    labels = ["roguewk-ucb cost_scale=0.1", "roguewk-ucb cost_scale=1.0", "ucb1", "sw-ucb"]
    assert [each.label for each in found.policies] == labels
    assert found.worlds[1].world.problem.budgets.tolist() == [40.0] * 3
    assert (found.name, found.title, found.baseline) == ("mine", "mine", labels[0])


def test_a_label_of_ones_own_keeps_only_what_varies(tmp_path: Path) -> None:
    text = SMALL.replace('world = "paper"', 'world = "paper"\nlabel = "ours"')
    assert [each.label for each in study(tmp_path, text).worlds] == ["ours budget=20", "ours budget=40"]
