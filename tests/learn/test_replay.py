"""Policies that go on where a log stopped."""

import dataclasses
from typing import Any

import numpy as np
import pandas as pd
import pytest

import roguewk as rw
from roguewk.learn.example import invented_log
from roguewk.world.game import Game

IDLE = rw.catalog.paper(budget=60, horizon=80, idle=True)
MUST = rw.catalog.paper(budget=60, horizon=80)


def _played(world: Any, policy: Any, rounds: int, lost: int = 7) -> pd.DataFrame:
    """The table of a game of the policy's; the rewards of some rounds never come, nor some of their costs."""
    game, names, rows = Game(world, seed=5), [resource.name for resource in world.problem.resources], []
    for t in range(rounds):
        decision = policy.select()
        reward, costs = game.play(decision.arm)
        told: tuple[Any, Any] = (None if t % lost == 3 else reward), (None if t % (2 * lost) == 3 else costs)
        if decision.arm is not None:
            policy.update(decision, *told)
        taken = dict(zip(names, told[1] if told[1] is not None else [np.nan] * len(names), strict=True))
        none = decision.arm is None
        rows.append(
            {"round": t, "arm": decision.name, "reward": np.nan if none else told[0]}
            | {f"cost_{name}": 0.0 if none else cost for name, cost in taken.items()}
        )
    return pd.DataFrame(rows)


@pytest.mark.parametrize("world", [IDLE, MUST], ids=["idle", "must play"])
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("roguewk-plan", {}),
        ("roguewk-plan", {"dynamics": "learned"}),
        ("roguewk-ts", {}),
        ("roguewk-ts", {"dynamics": "learned"}),
        ("ts-lp-resolved", {}),
        ("exp3", {}),
    ],
)
def test_a_policy_that_replays_its_own_log_is_where_it_was(world: Any, name: str, settings: dict[str, Any]) -> None:
    policy, again = (rw.make_policy(name, world.problem, seed=3, **settings) for _ in range(2))
    table = _played(world, policy, 40)
    assert rw.replay(again, table) is again
    assert again.to_bytes() == policy.to_bytes()
    assert again.select().arm == policy.select().arm


def test_a_log_of_simulated_runs_is_replayed_as_it_was_played() -> None:
    logged = rw.log_runs(IDLE, ("randomised", {"chances": 0.3}), replicates=3, seed=2)
    table = logged.frame()
    table = table[table["round"] < 20]
    policy = rw.replay(rw.make_policy("ucb1", IDLE.problem), table, subject="1")
    rows = (logged.replicates == 1) & (logged.rounds < 20)
    assert policy.round == 20
    assert policy.spent == pytest.approx(logged.costs[rows].sum(axis=0))


def test_what_others_chose_is_followed() -> None:
    log = invented_log()
    problem = rw.fit(log).problem(horizon=60, budgets={"minutes": 300.0})
    policy, by_hand = (rw.make_policy("roguewk-plan", problem, dynamics="learned") for _ in range(2))
    rw.replay(policy, log, subject="subject 7")
    for row in np.flatnonzero(log.subject == 6):
        arm = None if log.arm[row] < 0 else int(log.arm[row])
        own = by_hand.preview().arm == arm
        decided: Any = by_hand.select() if own else by_hand.follow(arm)
        if arm is not None:
            by_hand.update(decided, float(log.reward[row]), log.costs[row].tolist())
    assert policy.to_bytes() == by_hand.to_bytes()
    assert policy.spent[0] == pytest.approx(log.costs[log.subject == 6].sum())


def test_gaps_are_idle_rounds_and_clock_times_belong_to_the_nearest_round() -> None:
    rounds = pd.DataFrame({"round": [4, 5, 9], "arm": ["arm 0", "arm 1", "arm 0"], "reward": [1.0, None, 0.0]})
    for j in range(3):
        rounds[f"cost_{IDLE.problem.resources[j].name}"] = [0.1, 0.2, 0.3]
    clock = rounds.rename(columns={"round": "time"})
    clock["time"] = [0.0, 22.0, 121.5]
    one = rw.replay(rw.make_policy("roguewk-ucb", IDLE.problem), rounds)
    other = rw.replay(rw.make_policy("roguewk-ucb", IDLE.problem), clock, round_length=24)
    assert one.round == 6
    assert one.to_bytes() == other.to_bytes()
    with pytest.raises(rw.InputError, match="clock times: say how long a round is with round_length, in units of time"):
        rw.replay(rw.make_policy("roguewk-ucb", IDLE.problem), clock)
    with pytest.raises(rw.InputError, match="time 22 of subject 'all' falls into the same round"):
        rw.replay(rw.make_policy("roguewk-ucb", IDLE.problem), clock, round_length=100)


def test_idle_rows_may_share_a_round_with_others_and_too_long_rounds_name_one_that_would_do() -> None:
    costs = {f"cost_{resource.name}": [0.0, 0.1, 0.1, 0.0, 0.0] for resource in IDLE.problem.resources}
    arms = [None, "arm 0", "arm 1", None, None]
    clock = pd.DataFrame(
        {"time": [0.0, 0.3, 1.1, 1.3, 2.1], "arm": arms, "reward": [None, 1.0, 0.0, None, None]} | costs
    )
    alone = clock.iloc[[1, 2, 4]].assign(time=[0.0, 1.0, 2.0])
    one, other = (rw.make_policy("roguewk-ucb", IDLE.problem) for _ in range(2))
    assert rw.replay(one, clock, round_length=1).to_bytes() == rw.replay(other, alone, round_length=1).to_bytes()
    with pytest.raises(rw.InputError, match=r"time 1.1 of subject 'all' .*: give a shorter round_length, such as 0.8$"):
        rw.replay(rw.make_policy("roguewk-ucb", IDLE.problem), clock, round_length=4)


def test_the_shorter_round_that_is_named_does_for_all_subjects() -> None:
    times, subjects = [0.0, 3.5, 9.0, 1.0, 3.1, 8.0, 8.01], list("aaabbbb")
    costs = {f"cost_{resource.name}": [0.1] * 6 + [0.0] for resource in IDLE.problem.resources}
    arms = ["arm 0"] * 6 + [None]
    clock = pd.DataFrame({"subject": subjects, "time": times, "arm": arms, "reward": [1.0] * 6 + [None]} | costs)
    words = "subject 'a' falls into .*: give a shorter round_length, such as 2.1, which does for all subjects$"
    with pytest.raises(rw.InputError, match=words):
        rw.replay(rw.make_policy("ucb1", IDLE.problem), clock, subject="a", round_length=24)
    for subject in "ab":
        rw.replay(rw.make_policy("ucb1", IDLE.problem), clock, subject=subject, round_length=2.1)


def test_the_shorter_round_that_is_named_puts_rows_apart_in_logs_of_any_times() -> None:
    rng = np.random.default_rng(4)
    for _ in range(50):
        times = np.sort(rng.choice(rng.choice([0.1, 0.3, 1 / 3, 7.0]) * np.arange(1, 60), 9, replace=False))
        costs = {f"cost_{resource.name}": 0.01 for resource in IDLE.problem.resources}
        clock = pd.DataFrame({"time": times, "arm": "arm 0", "reward": 1.0} | costs)
        problem = IDLE.with_problem(horizon=1000).problem
        with pytest.raises(rw.InputError) as caught:
            rw.replay(rw.make_policy("ucb1", problem), clock, round_length=1e4)
        length = float(str(caught.value).rpartition("such as ")[2])
        assert 0.85 * np.diff(times).min() < length <= np.diff(times).min()
        rw.replay(rw.make_policy("ucb1", problem), clock, round_length=length)


def test_pulls_may_be_limited_where_the_log_knows_no_costs() -> None:
    log = dataclasses.replace(invented_log(), resources=(), costs=np.empty((invented_log().arm.size, 0)))
    fit = rw.fit(log)
    problem = fit.problem(horizon=60, budgets={"pulls": 50.0})
    assert problem.known_costs == ((1.0,), (1.0,))
    assert fit.world(horizon=60, budgets={"pulls": 50.0}).mean_costs.tolist() == [[1.0], [1.0]]
    policy = rw.replay(rw.make_policy("roguewk-plan", problem), log, subject="subject 7")
    rows = log.arm[log.subject == log.subjects.index("subject 7")]
    assert policy.spent == [(rows >= 0).sum()]
    with pytest.raises(rw.InputError, match="unknown resource 'messages': known are pulls"):
        fit.problem(horizon=60, budgets={"messages": 50.0})


def _table(**columns: Any) -> pd.DataFrame:
    named = {f"cost_{resource.name}": [0.1, 0.1] for resource in IDLE.problem.resources}
    return pd.DataFrame({"round": [0, 1], "arm": ["arm 0", "arm 1"], "reward": [1.0, 0.0]} | named | columns)


FIRST = IDLE.problem.resources[0].name


@pytest.mark.parametrize(
    ("world", "table", "settings", "words"),
    [
        (IDLE, _table(arm=["arm 0", "walk"]), {}, "there is no arm 'walk'"),
        (IDLE, _table(round=[0, 80]), {}, "the log has 81 rounds, but the horizon is 80: make it longer"),
        (MUST, _table(round=[0, 2]), {}, "rests at round 0 of subject 'all' or after it, but the problem has no idle"),
        (MUST, _table(arm=["arm 0", None]), {}, "rests at round 1 of subject 'all'"),
        (IDLE, _table(subject=["anna", "ben"]), {}, "2 subjects: name one of them, such as subject='anna'"),
        (IDLE, _table(subject=["anna", "ben"]), {"subject": "bem"}, "did you mean 'ben'"),
        (IDLE, _table().drop(columns=f"cost_{FIRST}"), {}, f"the log has no column 'cost_{FIRST}'"),
        (IDLE, _table(reward=[1.0, 0.5]), {}, "reward 0.5 of arm 'arm 1' is not 0 or 1"),
        (IDLE, _table(**{f"cost_{FIRST}": [0.1, 7.0]}), {}, "has a cost of 7 of .* but the most is 1: set its largest"),
        (IDLE, _table(arm=["arm 0", None]), {}, "has a cost of 0.1 of .* but is idle: give its arm"),
        (rw.catalog.paper(budget=0.15, horizon=9), _table(), {}, "spent 0.2 of .*, more than the budget of 0.15"),
        (IDLE, _table(), {"round_length": 0}, "round_length is 0: give a positive number"),
    ],
)
def test_what_the_policy_cannot_have_seen_is_refused_before_anything_is_told(
    world: Any, table: Any, settings: dict[str, Any], words: str
) -> None:
    policy = rw.make_policy("ucb1", world.problem)
    with pytest.raises(rw.InputError, match=words):
        rw.replay(policy, table, **settings)
    assert policy.round == 0


def test_a_subject_is_named_by_its_label_or_by_the_number_that_a_table_has_for_it() -> None:
    world = rw.catalog.paper(50, horizon=20, idle=True)
    table = rw.log_runs(world, ("randomised", {"chances": 0.2}), replicates=3).frame()
    told = [
        rw.replay(rw.make_policy("roguewk-plan", world.problem), table, subject=subject)
        for subject in ("1", 1, table["subject"].unique()[1])
    ]
    assert told[0].round == 20
    assert told[0].to_bytes() == told[1].to_bytes() == told[2].to_bytes()


def test_only_new_policies_are_told() -> None:
    policy = rw.make_policy("ucb1", IDLE.problem)
    policy.skip(2)
    with pytest.raises(rw.InputError, match="has decided 2 rounds already: replay into a new one"):
        rw.replay(policy, _table())
    with pytest.raises(rw.InputError, match="the policy is 'ucb1': make one with rw"):
        rw.replay("ucb1", _table())  # type: ignore[arg-type]


def test_rows_in_which_nothing_could_be_given_are_no_rest_where_all_rounds_are_played() -> None:
    table = _table(arm=["arm 0", None], available=[1, 0])
    table[[f"cost_{resource.name}" for resource in MUST.problem.resources]] = [[0.1] * 3, [0.0] * 3]
    policy = rw.replay(rw.make_policy("ucb1", MUST.problem), table)
    assert policy.round == 2
    log = dataclasses.replace(rw.read_log(table), available=np.ones(2, dtype=bool))
    with pytest.raises(rw.InputError, match="has no idle rounds"):
        rw.replay(rw.make_policy("ucb1", MUST.problem), log)


def test_a_log_that_takes_more_than_its_problem_says_is_refused_before_anything_is_told() -> None:
    arms = [rw.Arm(name, alpha=0.0) for name in ("call", "text")]
    rows = {"arm": ["call", None, "text", "call"], "reward": [1, 0, 0, 1], "cost_euros": [0.5, 0.0, 0.0, 0.7]}
    log = pd.DataFrame({"subject": 1, "round": range(4), **rows})
    for largest, sentence in (([[0.7], [0.0]], None), ([[0.6], [0.0]], "on 'euros' is 0.7, and the problem says that")):
        problem = rw.Problem(arms, [rw.Resource("euros", 9.0)], 20, True, largest_costs=largest)
        policy = rw.make_policy("ucb1", problem)
        if sentence is None:
            rw.replay(policy, log)
            assert policy.round == 4
        else:
            with pytest.raises(rw.InputError, match=f"cost of arm 'call' {sentence} its pulls take at most 0.6"):
                rw.replay(policy, log)
            assert policy.round == 0
