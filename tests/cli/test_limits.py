"""Commands and studies in a world with limits."""

import json
from pathlib import Path

import pytest

import roguewk as rw
from roguewk import cli
from roguewk.study.plan.worlds import settled_world
from roguewk.study.run.forecast import LONGEST_TRIAL, _shortened

TEXT = """
horizon = 30
[[resource]]
name = "hours"
budget = 2
every = 10
[[resource]]
name = "euros"
budget = 40
[[limit]]
name = "calls"
arms = "call"
at_most = 2
every = 5
gap = 2
[[arm]]
name = "call"
rested = 0.7
wear = 0.5
half_life = 3
costs = [0.5, 1]
[[arm]]
name = "text"
rested = 0.4
wear = 0.2
half_life = 1
costs = [0.25, 0.5]
"""


@pytest.fixture
def limited(tmp_path: Path) -> str:
    path = tmp_path / "limited.toml"
    path.write_text(TEXT)
    return str(path)


def test_bound_says_of_what_a_price_is(limited: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["bound", limited]) == 0
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 80
    out = printed.replace("\n", " ")
    assert "(every round plays that limits allow)" in out
    assert "One more unit of 'hours' in one period of 10 rounds would add " in out
    assert "One more unit of 'euros' would add " in out
    assert "One more pull within the cap 'calls' in one period of 5 rounds would add " in out
    assert cli.main(["bound", limited, "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["prices"]) == ["hours", "euros", "calls"]


def test_a_price_is_what_a_unit_in_one_period_adds_to_the_bound(limited: str) -> None:
    world = rw.load_world(limited)
    hours = world.problem.resources[0]
    bound = rw.upper_bound(world)
    more = rw.Resource("hours", hours.budget + 1e-3, hours.largest_cost, every=10)
    raised = rw.upper_bound(world.with_problem(resources=[more, *world.problem.resources[1:]]))
    assert bound.prices[0] > 0.1
    assert raised.value <= bound.value + 3 * 1e-3 * bound.prices[0] + 1e-9  # the bound is concave in the budgets


def test_check_says_that_the_papers_theorem_does_not_speak_of_limits(
    limited: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["check", limited, "--json"]) == 0
    checks = {check["label"]: check for check in json.loads(capsys.readouterr().out)["checks"]}
    assert checks["6"]["holds"] is False
    assert "L" not in checks
    assert cli.main(["theorem", limited]) == 2
    assert "take rw.upper_bound, or a world without limits" in capsys.readouterr().err


def test_check_names_arms_that_no_period_pays_for(tmp_path: Path) -> None:
    path = tmp_path / "never.toml"
    path.write_text(TEXT.replace("costs = [0.5, 1]", "costs = [{ uniform = [0, 3] }, 1]"))
    report = rw.check_assumptions(rw.load_world(path))
    sentence = "A pull of 'call' may take more of 'hours' than a period brings, so that it is never made"
    assert sentence in " ".join(str(report).split())
    runs = rw.simulate(rw.load_world(path), "ucb1", replicates=2, curves=True)
    assert (runs.curves["ucb1"].arms != 0).all()


def test_simulate_shows_shares_of_all_periods(limited: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["simulate", limited, "--policies", "ucb1", "--replicates", "3", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["policies"]
    assert set(found["share_of_budget"]) == {"hours", "euros", "calls"}
    assert found["share_of_budget"]["hours"] == pytest.approx(found["spent"]["hours"] / 6)
    assert max(found["share_of_budget"].values()) <= 1.0
    assert found["stopped_by"] == {"horizon": 1.0}


def test_explain_says_what_limits_leave_out(limited: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", limited, "--rounds", "10", "--out", str(tmp_path / "out")]) == 0
    assert "Limits leave out " in capsys.readouterr().out
    table = (tmp_path / "out" / "explain.csv").read_text()
    assert "left_calls" in table.splitlines()[0]


def test_budgets_that_renew_are_swept_by_period_and_caps_are_not(limited: str) -> None:
    folder = Path(limited).parent
    world = settled_world("./limited.toml", {"budget.hours": 5.0}, folder, "world 'limited'")
    assert world.problem.budgets.tolist() == [5.0, 40.0, 2.0]
    world = settled_world("./limited.toml", {"budget": 5.0}, folder, "world 'limited'")
    assert world.problem.budgets.tolist() == [5.0, 5.0, 2.0]
    with pytest.raises(rw.InputError, match=r"budget.calls of world 'limited' is of a cap on pulls, not of a budget"):
        settled_world("./limited.toml", {"budget.calls": 5.0}, folder, "world 'limited'")
    with pytest.raises(rw.InputError, match="every of resource 'hours' is 10 rounds, and the horizon 8"):
        settled_world("./limited.toml", {"horizon": 8}, folder, "world 'limited'")


def test_a_study_plays_a_world_with_limits(limited: str, tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(
        f"""
title = "Limits"
replicates = 3
[[world]]
world = "{limited}"
budget.hours = [2, 4]
[[policy]]
policy = ["ucb1", "roguewk-ucb"]
"""
    )
    results = rw.run_study(rw.load_study(study), tmp_path / "results")
    frame = results.trace(results.study.worlds[0].label, "ucb1")
    assert frame is not None
    assert {"cost_hours", "cost_calls"} <= set(frame.columns)
    rw.write_results(results)
    assert "calls" in (tmp_path / "results" / "report.html").read_text()


def test_a_trial_of_a_long_game_keeps_its_periods() -> None:
    problem = rw.Problem([rw.Arm("a", alpha=0.0)], [rw.Resource("r", 5.0, every="7 days")], 10**6, rounds_per_day=2)
    table = {"name": "r", "budget": 5.0, "every": "7 days"}
    assert _shortened(table, problem, 50.0) == {**table, "every": 14}
    assert _shortened({**table, "every": 10**5}, problem, 50.0)["every"] == LONGEST_TRIAL
    assert _shortened({"name": "s", "budget": 5.0}, problem, 50.0)["budget"] == 0.1
    assert _shortened({"at_most": 3}, problem, 50.0) == {"at_most": 3}
