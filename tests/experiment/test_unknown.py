"""What is lost where nobody knows the dynamics."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import roguewk as rw
from roguewk import cli
from roguewk.experiment.unknown.files import unknown_files
from roguewk.experiment.unknown.forms import FORMS, Form, Numbers, odd_world
from roguewk.experiment.unknown.goals import best_rivals, goals
from roguewk.experiment.unknown.play import expected_reward
from roguewk.experiment.unknown.unknown import MISTAKES, Settings, Unknown, _mistaken

NUMBERS = Numbers(np.array([0.5, -0.2]), np.array([0.6, 0.4]), np.array([0.8, 0.5]))


def depths(form: Form, pulls: list[int]) -> list[float]:
    """Of the first arm, after rounds in which it was pulled or not."""
    found = []
    for pulled in pulls:
        form.move(np.array([pulled, 0.0]))
        found.append(float(form.depth[0]))
    return found


def test_our_own_form_moves_as_the_engine_moves_it() -> None:
    arm = rw.everyday_arm("a", rested=0.6, wear=0.6, half_life=-np.log(2) / np.log(0.8))
    expected, x = [], 0.0
    for pulled in [1, 1, 0, 1, 0, 0]:
        x = float(arm.A) * x + float(arm.B) * pulled
        expected.append(-x)
    assert depths(Form(NUMBERS), [1, 1, 0, 1, 0, 0]) == pytest.approx(expected)


def test_the_other_forms_move_as_they_say() -> None:
    linear = depths(FORMS["linear recovery"].form(NUMBERS), [1, 0, 0, 1] + [0] * 20)
    assert linear[:4] == pytest.approx([0.6, 0.48, 0.36, 0.84])
    assert linear[-1] == 0.0
    assert max(depths(FORMS["wear with a floor"].form(NUMBERS), [1] * 30)) == pytest.approx(1.2)
    both = depths(FORMS["two time scales"].form(NUMBERS), [1, 0, 0, 0])
    assert both == pytest.approx([0.45 * 0.8**t + 0.15 * 0.8 ** (t / 8) for t in range(4)])
    common = FORMS["common fatigue"].form(NUMBERS)
    common.move(np.array([1.0, 0.0]))
    assert common.depth == pytest.approx([0.6, 0.2])


def test_arms_that_do_not_wear_stay_as_they_are() -> None:
    form = odd_world("no wear", 0, budget=True).begin()
    rested = form.means.copy()
    form.move(np.ones(rested.size))
    assert (form.means == rested).all()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("budget", [True, False])
def test_odd_worlds_follow_from_their_number(form: str, budget: bool) -> None:
    one, same, other = (odd_world(form, number, budget) for number in (1, 1, 2))
    assert (one.begin().means == same.begin().means).all()
    assert one.begin().means.size != other.begin().means.size or (one.begin().means != other.begin().means).any()
    assert bool(one.problem.resources) is budget
    assert one.problem.unknown == tuple(arm.name for arm in one.problem.arms)


def test_rewards_in_odd_worlds_are_those_of_the_pulls_that_were_made() -> None:
    world = odd_world("two time scales", 0, budget=False)
    first = expected_reward(world, "ts-lp-resolved", 3)
    assert first == expected_reward(world, "ts-lp-resolved", 3)
    assert 0.0 < first < world.problem.horizon * world.begin().means.max()


def test_mistakes_leave_the_rested_arm_as_it_is() -> None:
    true = rw.catalog.paper().arms
    for retention, wear in MISTAKES.values():
        for arm, other in zip(true, _mistaken(true, retention, wear), strict=True):
            rested = [float(each.pull_back[0] / (1 - each.matrix[0, 0])) for each in (arm, other)]
            assert rested[0] == pytest.approx(rested[1])
            assert float(other.push[0]) == pytest.approx(wear * float(arm.push[0]))


def invented() -> Unknown:
    shares = [("paper, idle, 50", "learned", 0.98), ("random 200", "learned", 0.96), ("random 201", "learned", 0.89)]
    shares += [("paper, idle, 50", "from a log", 0.98), ("random 200", "from a log", 0.99)]
    shares += [(name, "known", 1.0) for name, label, _ in shares if label == "learned"]
    odd = [("two time scales", True, 0, "roguewk-plan", 1.0), ("two time scales", True, 0, "sw-ucb", 0.8)]
    odd += [("two time scales", True, 0, "ts-lp-resolved", 0.9), ("two time scales", True, 1, "sw-ucb", 1.1)]
    odd += [("two time scales", True, 1, "ts-lp-resolved", 0.7)]
    return Unknown(
        Settings(),
        pd.DataFrame(shares, columns=["world", "policy", "share"]),
        pd.DataFrame(
            [("paper, idle, 50", "half the wear", 0.99, 0.98)], columns=["world", "mistake", "share", "learned"]
        ),
        pd.DataFrame(odd, columns=["form", "budget", "world", "policy", "share"]),
    )


def test_goals_are_judged_by_the_worst_and_the_average() -> None:
    found = list(goals(invented()))
    assert [goal.reached for goal in found] == [True, False, False, False, True, False, True]
    assert "random 201" in found[2].figure
    assert "from a log" in found[3].figure
    best = best_rivals(invented()).iloc[0]
    assert (best["policy"], best["most"]) == ("sw-ucb", 1.1)
    assert best["share"] == pytest.approx(0.95)


def test_files_are_tables_and_a_picture() -> None:
    files = unknown_files(invented())
    assert {"shares.csv", "misled.csv", "other_forms.csv", "figures.csv", "learned.svg"} <= set(files)


def test_the_command_plays_everything_in_a_small_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--quick", "--replicates", "1", "--worlds", "1", "--world-replicates", "1", "--out", str(tmp_path / "q")]
    assert cli.main(["quality", "--learned", *words]) == 0
    out = capsys.readouterr().out
    assert "Goals of roguewk-plan with learned dynamics" in out
    assert all(len(line) <= 80 for line in out.splitlines() if str(tmp_path) not in line)
    assert (tmp_path / "q" / "learned.png").exists()


def test_options_of_other_worlds_do_not_go_with_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["quality", "--learned", "--coins"]) != 0
    assert "--coins does not go with --learned" in capsys.readouterr().err
