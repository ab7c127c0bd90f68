"""Study files: what they say, what they are multiplied out to, and every slip told in one sentence."""

import json
import math
import tomllib
from pathlib import Path

import jsonschema
import pytest

import roguewk as rw
from roguewk.study.plan.cells import plan_cells
from roguewk.study.plan.plain import study_from_data, study_to_data
from roguewk.study.plan.read import shipped
from roguewk.study.plan.schema import study_schema
from roguewk.world.plain import world_to_data

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
SMALL = """
replicates = 3
[[world]]
world = "paper"
budget = [20, 40]
horizon = 50
[[policy]]
policy = "roguewk-ucb"
cost_scale = [0.1, 1.0]
[[policy]]
policy = ["ucb1", "sw-ucb"]
"""


def study(tmp_path: Path, text: str, **options: bool) -> rw.Study:
    (tmp_path / "mine.toml").write_text(text)
    return rw.load_study(tmp_path / "mine.toml", **options)


def refused(tmp_path: Path, text: str) -> str:
    with pytest.raises(rw.InputError) as caught:
        study(tmp_path, text)
    assert str(caught.value).startswith(str(tmp_path))
    return str(caught.value)


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
    text = (
        '[[world]]\nworld = "mobile_health"\nstart = 0.3\nwear = [0.2, 0.7]\nhalf_life = 3\narm.reminder.rested = 0.4\n'
    )
    found = study(tmp_path, text + '[[policy]]\npolicy = "ucb1"\n').worlds[1].world
    by_hand = rw.everyday_arm("reminder", rested=0.4, wear=0.7, half_life=3)
    arm, x0 = found.problem.arms[0], found.x0[0]
    assert (arm.A, arm.B, arm.K, arm.alpha) == (by_hand.A, by_hand.B, by_hand.K, by_hand.alpha)
    assert 1 / (1 + math.exp(-arm.alpha - x0.item())) == pytest.approx(0.3, abs=1e-12)


def test_policies_can_be_parts_and_a_sweep_over_parts(tmp_path: Path) -> None:
    text = '[[world]]\nworld = "paper"\n[[policy]]\nrewards = ["rogue", "ucb1"]\ncosts = "wilson"\nallocate = "lp"\n'
    labels = [each.label for each in study(tmp_path, text).policies]
    assert labels == ["rogue/wilson/lp", "ucb1/wilson/lp"]


def test_all_means_every_policy_and_those_that_do_not_fit_are_skipped_if_asked(tmp_path: Path) -> None:
    text = 'unfit = "skip"\n[[world]]\nworld = "gaussian"\n[[policy]]\npolicy = "all"\n'
    found = study(tmp_path, text)
    assert len(found.policies) == len(rw.policies())
    reasons = {policy: reason for (_, policy), reason in found.skipped.items()}
    assert "bob" in reasons
    assert not {cell.policy for cell in plan_cells(found)} & {
        i for i, each in enumerate(found.policies) if each.label in reasons
    }
    assert 'unfit = "skip"' in refused(tmp_path, text.replace('unfit = "skip"', ""))


def test_policies_of_ones_own_come_from_a_file(tmp_path: Path) -> None:
    code = "class InTurn:\n    def __init__(self, problem, seed, step=1): ...\n    def select(self): return 0\n"
    (tmp_path / "mine.py").write_text(code + "    def update(self, decision, reward, costs): ...\n")
    text = 'code = "mine.py"\n[[world]]\nworld = "paper"\n[[policy]]\npolicy = "InTurn"\nstep = [1, 2]\n'
    assert [each.label for each in study(tmp_path, text).policies] == ["InTurn step=1", "InTurn step=2"]
    assert "did you mean 'step'?" in refused(tmp_path, text.replace("step =", "stepp ="))
    (tmp_path / "mine.py").write_text("import nothing_of_the_kind")
    assert "ModuleNotFoundError" in refused(tmp_path, text)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("replicates", "replicate", "unknown key of the study: 'replicate': did you mean 'replicates'?"),
        ("replicates = 3", "replicates = 0", "replicates is 0: give a whole number"),
        ("budget =", "bugdet =", "did you mean 'budget'?"),
        ('"paper"', '"papr"', "unknown world 'papr': did you mean 'paper'?"),
        ('"paper"', '"none.toml"', "there is no such file"),
        ("horizon = 50", "arm.walk.A = 1", "unknown arm"),
        ("horizon = 50", "arm = 3", "write `arm.NAME.A = ...`"),
        ("horizon = 50", '"arm.walk.A" = 1', "is one key in quotes"),
        ("horizon = 50", "wear = 0.3", "has no 'wear': its state is not a distance from rested"),
        ("horizon = 50", "horizon = []", "is an empty list"),
        ("horizon = 50", "state = [-3, 3]", r"is [-3, 3], and a list is swept: write it as [[-3, 3]]"),
        ("horizon = 50", "A = 1.5", "1.5"),
        ("cost_scale", "cost_scal", "did you mean 'cost_scale'?"),
        ("[0.1, 1.0]", "[-1]", "-1"),
        ('"ucb1", "sw-ucb"', '"ucb1", "swucb"', "did you mean 'sw-ucb'?"),
        (
            "cost_scale =",
            'rewards = "rogue"\ncost_scale =',
            "has both 'policy' and 'rewards': give a name, or rewards, ",
        ),
        ('"ucb1", "sw-ucb"', '"ucb1", "ucb1"', "is the name of two policies"),
        ("replicates = 3", 'baseline = "ucb"', "unknown baseline 'ucb': did you mean 'ucb1'?"),
        ("replicates = 3", "seed = -1", "seed is -1"),
        ("replicates = 3", "title = ''", "title is ''"),
        ("replicates = 3", "record.trace = 3", "did you mean 'traces'?"),
        ("replicates = 3", "record = 3", "[record] is 3: write a table"),
        ("replicates = 3", "plot.figures = ['rewards']", "did you mean 'reward'?"),
        ("replicates = 3", "plot.x = 'budgets'", "did you mean 'budget'?"),
        ("replicates = 3", "plot.kinds = 'png'", "give a list"),
        ("replicates = 3", "unfit = 'skipp'", "did you mean 'skip'?"),
        ("replicates = 3", "code = 'nowhere.py'", "there is no such file"),
        ("[[world]]", "[world]", "write each one as a table [[world]]"),
        ("replicates = 3", "replicates = ", "this is not TOML"),
    ],
)
def test_a_slip_is_told_in_one_sentence_with_the_remedy(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in SMALL
    sentence = refused(tmp_path, SMALL.replace(old, new, 1))
    assert words in sentence
    assert "\n" not in sentence


def test_what_is_no_path_and_an_axis_without_settings_are_told(tmp_path: Path) -> None:
    with pytest.raises(rw.InputError, match=r"the path of a study is \{'world': 1\}: give the name of a TOML file"):
        rw.load_study({"world": 1})  # type: ignore[arg-type]  # that is the point
    bare = '[[world]]\nworld = "paper"\n[[policy]]\npolicy = "ucb1"\n[plot]\nx = "horizon"\n'
    assert "x of [plot] is 'horizon', but no world or policy has a setting: leave it out" in refused(tmp_path, bare)
    (tmp_path / "mine.py").write_text("class Broken(:\n")
    own = refused(tmp_path, 'code = "mine.py"\n' + bare)
    assert "cannot be loaded (SyntaxError: invalid syntax (the file, line 1)): correct the file" in own


def test_a_study_is_printed_in_a_line() -> None:
    assert (
        repr(rw.load_study("paper")) == 'Study("The paper\'s experiment": 30 worlds, 3 policies, 10 replicates, seed 0)'
    )


def test_a_huge_sweep_is_counted_before_it_is_made_and_needs_a_yes(tmp_path: Path) -> None:
    numbers = list(range(1, 1001))
    text = f'[[world]]\nworld = "paper"\nbudget = {numbers}\nhorizon = {numbers}\n'
    text += f'[[policy]]\npolicy = "ucb1"\nscale = {numbers}\n'
    assert "multiply to 1,000,000,000 pairs of world and policy (1,000,000 worlds)" in refused(tmp_path, text)
    assert len(study(tmp_path, SMALL, yes=True).worlds) == 2


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


def test_a_study_is_the_same_after_writing_it_down(tmp_path: Path) -> None:
    for found in (study(tmp_path, SMALL), rw.load_study("paper")):
        again = study_from_data(json.loads(json.dumps(study_to_data(found))))
        assert plan_cells(again) == plan_cells(found)
        assert study_to_data(again) == study_to_data(found)


def test_the_schema_is_published_and_agrees_with_what_is_accepted(tmp_path: Path) -> None:
    schema = study_schema()
    published = Path(__file__).parents[2] / "docs" / "study.schema.json"
    assert json.loads(published.read_text()) == schema, "run: roguewk study --schema > docs/study.schema.json"
    jsonschema.Draft202012Validator.check_schema(schema)
    judge = jsonschema.Draft202012Validator(schema)
    parts = '[[policy]]\nrewards = ["rogue", "ucb1"]\ncosts = "wilson"\nallocate = "lp"\nscale = 0.5\n'
    known_truth = '[[policy]]\npolicy = ["clairvoyant", "rogue/wilson/lp"]\ncosts = [[[0.1, 0.2, 0.3]]]\n'
    own_world = (
        SMALL.replace("budget = [20, 40]", "")
        .replace('"paper"', '["w.toml", "../other/w.toml"]')
        .replace("= 50", "= 50\nbudget.staff = [3, 4]")
    )
    for text in (SMALL, SMALL + parts, SMALL + known_truth, own_world, *shipped().values()):
        assert judge.is_valid(tomllib.loads(text))
    for old, new in (
        ("replicates", "replicate"),
        ("replicates = 3", "replicates = 0"),
        ("budget =", "bugdet ="),
        ("cost_scale", "cost_scal"),
        ("[[world]]", "[world]"),
        ("replicates = 3", "record.trace = 3"),
        ("replicates = 3", "plot.figures = ['rewards']"),
        ('"paper"', '"papr"'),
        ('"ucb1", "sw-ucb"', '"ucb1", "swucb"'),
        ("[20, 40]", "-1"),
        ("horizon = 50", "horizon = [1.5]"),
        ("horizon = 50", "arm.walk.AA = 1"),
        ("horizon = 50", '"arm.walk.A" = 1'),
        ("[0.1, 1.0]", '"x"'),
    ):
        assert not judge.is_valid(tomllib.loads(SMALL.replace(old, new, 1)))
    own = SMALL.replace("replicates = 3", "code = 'mine.py'").replace("cost_scale", "anything")
    assert judge.is_valid(tomllib.loads(own))


def test_policies_in_plain_python_have_smaller_cells(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("class Mine:\n    def select(self): ...\n    def update(self, *_): ...\n")
    text = 'code = "mine.py"\nreplicates = 90\n[[world]]\nworld = "paper"\nhorizon = 500\n'
    cells = plan_cells(study(tmp_path, text + '[[policy]]\npolicy = ["ucb1", "Mine"]\n'))
    blocks = [(cell.policy, cell.first, cell.last) for cell in cells if cell.kind == "runs"]
    assert blocks == [(0, 0, 90), (1, 0, 40), (1, 40, 80), (1, 80, 90)]
