"""Cells: one for each block of replicates, known by a hash of all they depend on."""

from pathlib import Path

from roguewk.study.plan.cells import plan_cells
from tests.study.plan.files import SMALL, study


def test_the_hash_of_a_cell_changes_with_its_inputs_and_with_nothing_else(tmp_path: Path) -> None:
    def keys(text: str) -> set[str]:
        return {cell.key for cell in plan_cells(study(tmp_path, text))}

    plain = keys(SMALL)
    assert len(plain) == 2 * (1 + 4 * 2)
    told_otherwise = SMALL.replace(
        "replicates = 3", 'replicates = 3\ntitle = "x"\nbaseline = "ucb1"\nplot.kinds = ["png"]'
    )
    assert keys(told_otherwise) == plain
    assert keys(SMALL.replace("cost_scale = [0.1, 1.0]", "cost_scale = [1, 0.1]")) == plain
    assert keys(SMALL.replace('"paper"', '"catalog:paper"\nlabel = "other"')) == plain
    spelled_out = SMALL.replace('["ucb1", "sw-ucb"]', '"ucb1"') + '[[policy]]\npolicy = "sw-ucb"\nradius_scale = 1\n'
    assert keys(spelled_out) == plain  # a default that is written out is the same policy
    bounds = {cell.key for cell in plan_cells(study(tmp_path, SMALL)) if cell.kind == "bound"}
    for old, new in (("replicates = 3", "replicates = 3\nseed = 1"), ("horizon = 50", "horizon = 51")):
        assert len(keys(SMALL.replace(old, new)) & plain) == (2 if "seed" in new else 0)
    assert keys(SMALL.replace("replicates = 3", "replicates = 4")) & plain == bounds
    assert plain < keys(SMALL.replace("[20, 40]", "[20, 40, 60]"))


def test_policies_in_plain_python_have_smaller_cells(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("class Mine:\n    def select(self): ...\n    def update(self, *_): ...\n")
    text = 'code = "mine.py"\nreplicates = 90\n[[world]]\nworld = "paper"\nhorizon = 500\n'
    cells = plan_cells(study(tmp_path, text + '[[policy]]\npolicy = ["ucb1", "Mine"]\n'))
    blocks = [(cell.policy, cell.first, cell.last) for cell in cells if cell.kind == "runs"]
    assert blocks == [(0, 0, 90), (1, 0, 40), (1, 40, 80), (1, 80, 90)]
