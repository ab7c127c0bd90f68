"""Deciding taken apart: previews that change nothing, pulls that are still open, and several threads at once."""

import json
import threading

import numpy as np
import pytest

import roguewk as rw
from roguewk.part.status import Status
from tests.policy.test_online import PAPER, WORLDS, assert_equal_decisions, given, outcomes

NAMES = [name for name in rw.policies() if name not in ("clairvoyant", "whittle-known")]


def halfway(name: str, problem: rw.Problem, world: rw.World | None = None) -> rw.Policy:
    policy = rw.make_policy(name, problem, seed=5, **given(name, world))
    for _ in range(15):
        for decision, reward, costs in outcomes(problem, [policy.select()]):
            policy.update(decision, reward, costs * 0.3)
    return policy


@pytest.mark.parametrize("name", NAMES)
def test_a_preview_is_what_select_returns_and_changes_nothing(name: str) -> None:
    policy = halfway(name, PAPER)
    before = policy.to_bytes()
    for available in (None, ["arm 1"], [], None):
        preview = policy.preview(available)
        assert policy.to_bytes() == before
        assert_equal_decisions(preview, policy.preview(available), 0.0)
    assert_equal_decisions(preview, policy.select(), 0.0)
    assert policy.round == preview.round + 1


@pytest.mark.parametrize("world", WORLDS)
def test_previews_hold_in_every_kind_of_world(world: str) -> None:
    policy = halfway("roguewk-ucb", WORLDS[world].problem)
    before = policy.to_bytes()
    preview = policy.preview()
    assert policy.to_bytes() == before
    assert_equal_decisions(preview, policy.select(), 0.0)


def test_a_preview_is_updated_only_once_it_was_selected() -> None:
    policy = rw.make_policy("ucb1", PAPER)
    preview = policy.preview()
    with pytest.raises(rw.InputError, match="or is a preview: update or give up each selected one once"):
        policy.update(preview, 1, [0.1, 0.1, 0.1])
    policy.select()
    policy.update(preview, 1, [0.1, 0.1, 0.1])


@pytest.mark.parametrize("name", ["roguewk-plan", "roguewk-ucb", "ucb1", "randomised", "exp3"])
def test_open_pulls_never_break_a_budget(name: str) -> None:
    """No outcome comes before the end: what is reserved is the most they can cost, so the budget holds."""
    problem = rw.catalog.paper(budget=10.0).problem
    policy = rw.make_policy(name, problem)
    decisions = [policy.select() for _ in range(200)]
    pulled = [decision for decision in decisions if decision.arm is not None]
    assert len(pulled) == 10
    assert decisions[-1].code is Status.RESERVED
    assert "of 'resource 1' may be needed for pulls whose costs have not come" in decisions[-1].status
    assert policy.round == 200
    for decision in pulled:
        policy.update(decision, 1, [0.9, 0.9, 0.9])
    assert max(policy.spent) <= 10.0
    assert policy.select().arm is not None


def test_forgetting_a_decision_learns_nothing_and_needs_no_memory() -> None:
    policy, twin = (rw.make_policy("ucb1", rw.catalog.paper(budget=500.0).problem) for _ in range(2))
    for _ in range(300):
        decision = policy.select()
        assert decision.arm is not None
        policy.forget(decision if decision.round % 2 else decision.round)
    assert policy.pending == {}
    assert policy.spent == [0.0, 0.0, 0.0]
    assert len(policy.to_bytes()) < 1000
    with pytest.raises(rw.InputError, match="given up before"):
        policy.forget(decision)
    kept = twin.select()
    twin.update(kept, 1, [0.1, 0.1, 0.1])
    with pytest.raises(rw.InputError, match="updated or given up before"):
        twin.forget(kept)


def test_updates_at_once_leave_nothing_reserved() -> None:
    policy = halfway("roguewk-ucb", PAPER)
    assert policy.reserved == [0.0, 0.0, 0.0]
    policy.select()
    assert policy.reserved == [1.0, 1.0, 1.0]


def test_several_threads_lose_no_update() -> None:
    policy = rw.make_policy("ucb1", rw.catalog.paper(budget=1e6, horizon=10**6).problem)
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(500):
                policy.update(policy.select(), 1, [0.25, 0.5, 0.125])
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert policy.round == 2000
    assert policy.spent == [500.0, 1000.0, 250.0]
    assert policy.parts.desk.pulls.sum() == policy.parts.rewards.tally.seen.sum() == 2000


def test_a_decision_as_plain_data_is_json_with_the_same_numbers() -> None:
    policy = halfway("roguewk-plan", PAPER)
    decision = policy.select()
    data = json.loads(json.dumps(decision.to_data(), allow_nan=False))
    assert (data["arm"], data["name"], data["round"]) == (decision.arm, decision.name, decision.round)
    assert data["cost_bounds"] == decision.cost_bounds.tolist()
    assert data["outlook"]["now"] == decision.outlook.now.tolist() if decision.outlook else True
    unknown = rw.make_policy("d-ucb", PAPER).select()
    assert np.isinf(unknown.reward_bounds).any()
    assert None in json.loads(json.dumps(unknown.to_data(), allow_nan=False))["reward_bounds"]


def test_identities_follow_from_what_a_policy_is_made_of() -> None:
    one, again, other = (rw.make_policy("ucb1", PAPER, seed=seed).select() for seed in (1, 1, 2))
    assert one.identity == again.identity != other.identity
    wider = rw.make_policy("ucb1", PAPER, seed=1, scale=2.0).select()
    elsewhere = rw.make_policy("ucb1", rw.catalog.paper(budget=9).problem, seed=1).select()
    assert len({one.identity, wider.identity, elsewhere.identity}) == 3
