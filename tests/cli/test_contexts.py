"""Commands and studies in a world with contexts."""

import json
from pathlib import Path

import pytest

import roguewk as rw
from roguewk import cli
from roguewk.study.plan.worlds import settled_world

TEXT = """
horizon = 60
idle = true
[[context]]
name = "mood"
values = ["usual", "eager"]
chances = [0.8, 0.2]
known = false
[[context]]
name = "hour"
cycle = ["day", "night"]
each = 3
[[resource]]
name = "minutes"
budget = 12
[[arm]]
name = "call"
rested = 0.5
wear = 0.5
half_life = 3
when = { night = false, eager = 1.0 }
costs = [0.5]
[[arm]]
name = "text"
rested = 0.4
wear = 0.2
half_life = 1
when = { night = 0.7 }
costs = [0.25]
"""


@pytest.fixture
def world(tmp_path: Path) -> str:
    path = tmp_path / "contexts.toml"
    path.write_text(TEXT)
    return str(path)


def test_bound_tells_what_a_round_is_worth_by_what_goes_round(
    world: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["bound", world, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    prices = rw.upper_bound(rw.load_world(world)).round_prices
    by_hand = {
        name: prices[[t for t in range(60) if (t // 3) % 2 == k]].mean() for k, name in enumerate(["day", "night"])
    }
    assert found.get("round_price_by_context", {"day": 0, "night": 0}) == pytest.approx(by_hand)
    rich = tmp_path / "rich.toml"
    rich.write_text(TEXT.replace("budget = 12", "budget = 1000"))
    assert cli.main(["bound", str(rich)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "One more round would add" in out
    assert "in context day, " in out
    assert "in context night." in out
    forced = tmp_path / "forced.toml"
    forced.write_text(TEXT.replace("idle = true\n", ""))
    assert cli.main(["bound", str(forced)]) == 0
    assert "(every round plays that contexts allow)" in " ".join(capsys.readouterr().out.split())


def test_check_and_theorem_say_that_the_paper_has_no_contexts(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", world]) == 0
    assert "Contexts are not in the paper's game" in " ".join(capsys.readouterr().out.split())
    assert cli.main(["theorem", world]) == 2
    assert "take rw.upper_bound, or a world without contexts" in capsys.readouterr().err


def test_simulate_says_which_policies_take_rounds_as_alike(world: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["simulate", world, "--policies", "roguewk-plan,ucb1,exp3", "--replicates", "3"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "Of contexts these mind only which arms they forbid: ucb1, exp3." in out
    assert cli.main(["simulate", world, "--policies", "roguewk-plan", "--replicates", "2"]) == 0
    assert "Of contexts" not in capsys.readouterr().out


def test_policies_are_listed_with_whether_they_use_contexts(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["policies", "--json"]) == 0
    used = {each["name"]: each["contexts"] for each in json.loads(capsys.readouterr().out)["policies"]}
    assert used["roguewk-plan"] is used["roguewk-ucb"] is True
    assert used["ucb1"] is used["whittle"] is False
    assert cli.main(["policies"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "known +" in next(line for line in lines if " roguewk-plan " in line)
    assert "+" not in next(line for line in lines if " whittle " in line)
    assert cli.main(["policies", "whittle"]) == 0
    assert "Of contexts it minds only which arms they forbid." in capsys.readouterr().out
    assert cli.main(["policies", "roguewk-plan"]) == 0
    assert "Of contexts" not in capsys.readouterr().out


def test_explain_says_what_contexts_do(world: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["explain", world, "--rounds", "10", "--round", "4", "--out", str(tmp_path / "out")]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "night: 'text' +0.7 log-odds. Forbidden: 'call' (night)." in out
    table = (tmp_path / "out" / "explain.csv").read_text().splitlines()
    assert "context_mood,context_hour" in table[0]
    assert ",night," in table[5]


def test_compare_plays_every_policy_in_a_world_with_contexts(
    world: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ["--policies", "roguewk-plan,ucb1,recharging", "--replicates", "3", "--out", str(tmp_path / "out")]
    assert cli.main(["compare", world, *args]) == 0
    assert "roguewk-plan" in capsys.readouterr().out


def test_a_study_plays_a_world_with_contexts(world: str, tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(
        f"""
title = "Contexts"
replicates = 3
[[world]]
world = "{world}"
budget.minutes = 12
arm.text.when = [{{ night = 0.7 }}, {{ night = false }}]
[[policy]]
policy = ["ucb1", "roguewk-plan"]
"""
    )
    results = rw.run_study(rw.load_study(study), tmp_path / "results")
    rw.write_results(results)
    settled = settled_world(world, {"budget.minutes": 6.0}, tmp_path, "world 'contexts'")
    assert settled.contexts == rw.load_world(world).contexts
    whens = [planned.world.arms[1].when for planned in results.study.worlds]
    assert whens == [{"night": 0.7}, {"night": False}]
    assert "ucb1" in (tmp_path / "results" / "report.html").read_text()


def test_logs_are_replayed_where_contexts_go_round_and_where_they_are_drawn(tmp_path: Path) -> None:
    arms = [
        rw.everyday_arm("call", rested=0.5, wear=0.5, half_life=3, when={"night": False}),
        rw.everyday_arm("text", rested=0.4, wear=0.2, half_life=2),
    ]
    turning, drawn = rw.Context("hour", cycle=["day", "night"], each=3), rw.Context("mood", ["high", "low"], [0.7, 0.3])
    problem = rw.Problem(arms, [], 20, idle=True, contexts=[turning, drawn])
    log = rw.log_runs(rw.World(problem, [0.0, 0.0], [[], []]), "roguewk-ucb", seed=3)
    table = log.frame()
    table.to_csv(tmp_path / "log.csv", index=False)
    read = rw.read_log(tmp_path / "log.csv")
    assert "Contexts, for replays: 'hour' and 'mood'." in read.found
    by_hand = rw.make_policy("roguewk-ucb", problem, seed=3)
    for arm, mood, reward in zip(table["arm"], table["context_mood"], table["reward"], strict=True):
        decision = by_hand.select(context=mood)
        assert decision.name == (arm if isinstance(arm, str) else None)
        if decision.arm is not None:
            by_hand.update(decision, reward=reward)
    policy = rw.replay(rw.make_policy("roguewk-ucb", problem, seed=3), read)
    assert policy.to_bytes() == by_hand.to_bytes()
    with pytest.raises(rw.InputError, match="the log has no column 'context_mood': add one"):
        rw.replay(rw.make_policy("roguewk-ucb", problem), table.drop(columns="context_mood"))
    gone = table.assign(context_mood=table["context_mood"].where(table["arm"].isna()))
    with pytest.raises(
        rw.InputError, match=r"context 'mood' at round . of subject '0' is not said: fill in the column"
    ):
        rw.replay(rw.make_policy("roguewk-ucb", problem), gone)
    with pytest.raises(rw.InputError, match="context 'mood' at round 0 of subject '0' is 'odd': give one of 'high', "):
        rw.replay(rw.make_policy("roguewk-ucb", problem), table.assign(context_mood="odd"))
