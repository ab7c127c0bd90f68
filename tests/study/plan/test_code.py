"""Policies of one's own in a study."""

from pathlib import Path

from tests.study.plan.files import refused, study


def test_policies_of_ones_own_come_from_a_file(tmp_path: Path) -> None:
    code = "class InTurn:\n    def __init__(self, problem, seed, step=1): ...\n    def select(self): return 0\n"
    (tmp_path / "mine.py").write_text(code + "    def update(self, decision, reward, costs): ...\n")
    text = 'code = "mine.py"\n[[world]]\nworld = "paper"\n[[policy]]\npolicy = "InTurn"\nstep = [1, 2]\n'
    assert [each.label for each in study(tmp_path, text).policies] == ["InTurn step=1", "InTurn step=2"]
    assert "did you mean 'step'?" in refused(tmp_path, text.replace("step =", "stepp ="))
    (tmp_path / "mine.py").write_text("import nothing_of_the_kind")
    assert "ModuleNotFoundError" in refused(tmp_path, text)
