"""Study files: what they may say, and every slip told in one sentence."""

from pathlib import Path

import pytest

import roguewk as rw
from roguewk.study.plan.cells import plan_cells
from tests.study.plan.files import SMALL, refused, study


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


def test_a_refused_study_names_all_that_do_not_fit(tmp_path: Path) -> None:
    text = '[[world]]\nworld = "gaussian"\n[[policy]]\npolicy = ["ucb1-tuned", "bob", "exp3", "rexp3"]\n'
    told = refused(tmp_path, text)
    assert "in world 'gaussian', policy 'bob' does not fit" in told
    assert told.endswith("; likewise 'exp3', 'rexp3'; or add `unfit = \"skip\"` to the study")
    several = text.replace('"gaussian"\n', '"gaussian"\nhorizon = [50, 60]\n')
    told = refused(tmp_path, several)
    assert "; it does not fit 'gaussian horizon=60' either; likewise 'exp3' in 'gaussian horizon=50', " in told


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


def test_a_huge_sweep_is_counted_before_it_is_made_and_needs_a_yes(tmp_path: Path) -> None:
    numbers = list(range(1, 1001))
    text = f'[[world]]\nworld = "paper"\nbudget = {numbers}\nhorizon = {numbers}\n'
    text += f'[[policy]]\npolicy = "ucb1"\nscale = {numbers}\n'
    assert "multiply to 1,000,000,000 pairs of world and policy (1,000,000 worlds)" in refused(tmp_path, text)
    assert len(study(tmp_path, SMALL, yes=True).worlds) == 2
