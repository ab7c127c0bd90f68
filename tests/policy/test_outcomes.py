"""Outcomes in parts: costs and rewards apart, late, never; pulls that did not take place, rounds without decisions."""

import dataclasses
import itertools
import json
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.part.status import Status
from roguewk.world.game import Game
from tests.judge import MAIN
from tests.policy.test_online import PAPER, WORLDS, given, saved_and_restored

STATEFUL = ["roguewk-plan", "roguewk-ucb", "roguewk-ts", "clairvoyant"]
KINDS = ["paper", "two_dimensional", "own functions", "own functions and vectors"]


def outcome(problem: rw.Problem, decision: rw.Decision) -> tuple[float, list[float]]:
    """A reward and costs that depend on the round alone."""
    assert decision.arm is not None
    rng = np.random.default_rng(decision.round)
    reward = float(rng.integers(0, 2)) if problem.arms[decision.arm].sigma is None else rng.normal()
    costs: list[float] = (rng.uniform(0, 0.3, len(problem.resources)) * problem.scales).tolist()
    return reward, costs


@pytest.mark.parametrize("order", ["costs first", "reward first"])
@pytest.mark.parametrize("name", list(MAIN))
def test_told_in_parts_a_policy_comes_to_know_what_it_knows_when_told_at_once(name: str, order: str) -> None:
    whole, parts = (rw.make_policy(name, PAPER, seed=3, **given(name)) for _ in range(2))
    for t in range(40):
        decision, other = whole.select(), parts.select()
        assert decision.arm == other.arm
        if decision.arm is None:
            continue
        reward, costs = outcome(PAPER, decision)
        whole.update(decision, reward, costs)
        first, second = {"costs": costs}, {"reward": reward}
        if order == "reward first":
            first, second = second, first  # type: ignore[assignment]  # either is told first
        parts.update(other, **first)  # type: ignore[arg-type]  # either is told first
        if t % 10 == 3:
            whole, parts = (saved_and_restored(each, PAPER) for each in (whole, parts))
        parts.update(t, **second)  # type: ignore[arg-type]  # either is told first
    assert whole.pending == parts.pending == {}
    np.testing.assert_array_equal(whole.learned, parts.learned)


def test_a_reward_that_will_never_be_known_teaches_nothing_and_its_costs_count() -> None:
    policy = rw.make_policy("roguewk-plan", PAPER)
    before = policy.preview().reward_bounds
    decision = policy.select()
    policy.update(decision, reward=None, costs=[0.1, 0.2, 0.3])
    assert policy.pending == {}
    assert policy.spent == pytest.approx([0.1, 0.2, 0.3])
    assert policy.reserved == [0.0, 0.0, 0.0]
    assert policy.parts.rewards.states.tracks["count"].sum() == 0
    others = [a for a in range(3) if a != decision.arm]
    assert policy.preview().reward_bounds[others] != pytest.approx(before[others], abs=1e-3)  # they recover


@pytest.mark.parametrize("name", ["dual-descent", "lagrange-bwk"])
def test_prices_follow_costs_also_where_rewards_never_come(name: str) -> None:
    policy = rw.make_policy(name, PAPER)
    for _ in range(30):
        policy.update(policy.select(), reward=None, costs=[0.9, 0.9, 0.9])
    assert np.isfinite(policy.learned).all()
    decision = policy.select()
    assert np.isfinite(decision.probabilities).all()
    if name == "dual-descent":
        assert decision.prices.min() > 0


def reserved_by_hand(costs: list[list[float]], open_: list[int]) -> float:
    """What open pulls of each arm may cost, from all costs seen of one resource."""
    expected = variance = 0.0
    for seen, pulls in zip(costs, open_, strict=True):
        weights = np.array([1.0] * len(seen) + [1 / len(costs)])
        values = np.array([*seen, 1.0])
        mean = np.average(values, weights=weights)
        noise = np.average((values - mean) ** 2, weights=weights)
        kind, n = np.average(values**2, weights=weights) / mean, weights.sum()
        means = np.linspace(mean, 1.0, 200_001)  # the largest mean that Wilson's interval has
        largest = means[(means - mean) ** 2 <= 16 * (kind * means - means**2) / n].max(initial=mean)
        noise = max(noise, kind * largest - largest**2)
        expected += pulls * mean
        variance += pulls * noise + pulls**2 * noise / weights.sum()
    return float(min(expected + 4 * np.sqrt(variance), sum(open_)))


def test_what_is_reserved_is_worked_out_from_all_costs_that_were_seen() -> None:
    problem = rw.Problem(PAPER.arms, [rw.Resource("staff", 400.0, largest_cost=2.0)], 1000)
    policy = rw.make_policy("roguewk-ucb", problem)
    rng, seen = np.random.default_rng(4), [[], [], []]  # type: tuple[Any, list[list[float]]]
    for _ in range(120):
        arm = int(rng.integers(3))
        cost = float(rng.uniform(0.2, 0.4 + 0.2 * arm))
        policy.update(policy.follow(arm), reward=0, costs=[cost])
        seen[arm].append(cost / 2)
    open_ = [9, 0, 4]
    for arm, pulls in enumerate(open_):
        for _ in range(pulls):
            policy.follow(arm)
    (reserved,) = policy.reserved
    assert reserved == pytest.approx(2 * reserved_by_hand(seen, open_))
    assert reserved < 2 * sum(open_)


def test_a_pull_of_which_nothing_will_be_known_goes_on_being_reserved_for() -> None:
    policy = rw.make_policy("ucb1", rw.catalog.paper(budget=5.0).problem)
    for t in range(5):
        decision = policy.select()
        assert decision.arm is not None
        if t % 2:
            policy.forget(decision)
        else:
            policy.update(decision, reward=None, costs=None)
    assert policy.pending == {}
    assert policy.reserved == [5.0, 5.0, 5.0]
    assert policy.select().code is Status.RESERVED
    again = saved_and_restored(policy, policy.problem)
    assert again.select().code is Status.RESERVED


def twins(name: str, world: str) -> tuple[rw.Policy, rw.Policy]:
    place = WORLDS[world]
    one, other = (rw.make_policy(name, place.problem, seed=5, **given(name, place)) for _ in range(2))
    return one, other


@pytest.mark.parametrize("later", [0, 4])
@pytest.mark.parametrize("world", KINDS)
@pytest.mark.parametrize("name", STATEFUL)
def test_a_cancelled_pull_leaves_states_as_if_the_round_had_been_idle(name: str, world: str, later: int) -> None:
    """The others' pulls are told; of the arm that was not pulled, nothing is learned in between."""
    policy, twin = twins(name, world)
    policy.update(policy.follow(0), reward=1, costs=[0.1] * len(policy.problem.resources))
    twin.update(twin.follow(0), reward=1, costs=[0.1] * len(policy.problem.resources))
    not_delivered = policy.follow(1)
    twin.follow(None)
    for _ in range(later):
        for each in (policy, twin):
            each.update(each.follow(0), reward=0, costs=[0.1] * len(policy.problem.resources))
    policy.cancel(not_delivered)
    ours, theirs = policy.select(), twin.select()
    own = [WORLDS[world].problem.arms[1].h is not None, "plan" in name or name == "clairvoyant"]
    if name == "clairvoyant" and own[0]:
        return  # the state of functions of one's own cannot be turned back where it is known and not learned
    np.testing.assert_allclose(ours.reward_bounds, theirs.reward_bounds, atol=1e-9)
    assert policy.spent == twin.spent
    assert ours.arm == theirs.arm


def test_a_cancelled_pull_is_not_counted_reserved_for_or_pending() -> None:
    policy = rw.make_policy("ucb1", PAPER)
    decision = policy.select()
    policy.cancel(decision.round)
    assert policy.pending == {}
    assert policy.reserved == [0.0, 0.0, 0.0]
    assert policy.select().arm == decision.arm  # still without a first pull
    with pytest.raises(rw.InputError, match="updated or given up before"):
        policy.cancel(decision)
    charged = policy.select()
    policy.update(charged, costs=[0.1, 0.1, 0.1])
    with pytest.raises(rw.InputError, match="has costs or a reward: only what was not carried out is cancelled"):
        policy.cancel(charged)


@pytest.mark.parametrize("name", [*STATEFUL, "ucb1", "exp3", "sw-ucb"])
def test_skipped_rounds_are_those_in_which_nothing_is_done(name: str) -> None:
    place = rw.catalog.paper(horizon=60)
    one, other = (rw.make_policy(name, place.problem, seed=5, **given(name, place)) for _ in range(2))
    one.skip(7)
    rounds = [other.follow(None) for _ in range(7)]
    assert rounds == list(range(7))
    np.testing.assert_array_equal(one.learned, other.learned)
    one.skip(0)
    assert one.round == 7
    with pytest.raises(rw.InputError, match="54 rounds cannot pass, as 53 are left: skip no more than these"):
        one.skip(54)
    with pytest.raises(rw.InputError, match="rounds to skip"):
        one.skip(-1)
    one.skip(53)
    assert one.select().code is Status.ENDED
    with pytest.raises(rw.InputError, match="1 rounds cannot pass, as 0 are left"):
        one.follow(None)


def test_no_round_passes_once_a_budget_is_spent() -> None:
    policy = rw.make_policy("ucb1", rw.catalog.paper(budget=0.5).problem)
    policy.update(policy.select(), 1, [0.9, 0.9, 0.9])
    with pytest.raises(rw.InputError, match="the budget of 'resource 1' is spent: begin a new game"):
        policy.skip()


def test_a_skipped_epoch_begins_the_next_one() -> None:
    one, other = (rw.make_policy("roguewk-ucb", PAPER, doubling=4) for _ in range(2))
    one.skip(9)
    for _ in range(9):
        other.follow(None)
    np.testing.assert_array_equal(one.learned, other.learned)
    assert one.parts.desk.clock["end"][0] == 16


BAD = [
    ({}, "nothing is told of round 1: give its reward, its costs or both"),
    ({"costs": [0.1, 0.1]}, "2 costs for 3 resources"),
    ({"reward": 2}, "reward 2 of arm"),
    ({"reward": None, "costs": "all"}, "costs are 'all'"),
]


@pytest.mark.parametrize(("told", "message"), BAD)
def test_what_cannot_be_told_changes_nothing(told: dict[str, Any], message: str) -> None:
    policy = rw.make_policy("roguewk-ucb", PAPER)
    policy.select()
    decision = policy.select()
    before = policy.state()
    with pytest.raises(rw.InputError, match=message):
        policy.update(decision, **told)
    assert policy.state() == before


def test_nothing_is_told_twice() -> None:
    policy = rw.make_policy("roguewk-ucb", PAPER)
    policy.select()
    policy.update(0, reward=1)
    with pytest.raises(rw.InputError, match="the reward of round 0 was told before"):
        policy.update(0, reward=0)
    policy.select()
    policy.update(1, costs=None)
    with pytest.raises(rw.InputError, match="the costs of round 1 were told before"):
        policy.update(1, costs=[0.1, 0.1, 0.1])


def test_where_nothing_is_limited_a_reward_is_all_there_is_to_tell() -> None:
    problem = rw.Problem(PAPER.arms, [], 40)
    policy = rw.make_policy("roguewk-plan", problem)
    policy.update(policy.select(), reward=1)
    policy.update(policy.select(), reward=1, costs=[])
    policy.update(policy.select(), reward=None, costs=None)
    assert policy.pending == {}
    assert policy.reserved == []
    assert policy.parts.desk.ledger.open.sum() == 0


def test_half_told_pulls_survive_saving_in_both_forms() -> None:
    policy = rw.make_policy("roguewk-plan", PAPER)
    for told in ({"reward": 1}, {"reward": None}, {"costs": [0.1, 0.2, 0.3]}, {"costs": None}, None):
        decision = policy.select()
        if told is not None:
            policy.update(decision, **told)
    for again in (
        rw.restore_policy(json.loads(json.dumps(policy.state(), allow_nan=False))),
        rw.restore_policy(policy.to_bytes(), PAPER),
    ):
        assert list(again.pending) == list(policy.pending) == [0, 1, 2, 3, 4]
        for mine, other in zip(again.pending.values(), policy.pending.values(), strict=True):
            assert repr(mine) == repr(other)
        assert again.reserved == policy.reserved


@pytest.mark.parametrize("world", ["paper", "own functions", "own functions and vectors"])
@pytest.mark.parametrize("name", ["roguewk-plan", "roguewk-ucb", "roguewk-ts", "ucb1", "ts-lp", "recharging"])
def test_what_was_told_wrong_and_amended_is_known_as_if_it_had_been_told_right(name: str, world: str) -> None:
    place = WORLDS[world]
    right, wrong = (rw.make_policy(name, place.problem, seed=5) for _ in range(2))
    scale, decisions = place.problem.scales, []
    for t in range(20):
        decision, other = right.select(), wrong.select()
        if decision.arm is None or decision.arm != other.arm:
            break
        true, told = (0.1 * scale, 0.3 * scale) if t == 4 else (0.1 * scale, 0.1 * scale)
        right.update(decision, reward=1, costs=true)
        wrong.update(other, reward=0 if t == 4 else 1, costs=told)
        decisions.append(other)
        if t == 4:
            wrong.amend(other, reward=(0, 1), costs=(told, true))
    assert len(decisions) == 20
    assert wrong.spent == pytest.approx(right.spent)
    ours, theirs = wrong.select(), right.select()
    assert ours.arm == theirs.arm
    np.testing.assert_allclose(ours.reward_bounds, theirs.reward_bounds, atol=1e-9)
    np.testing.assert_allclose(ours.cost_bounds, theirs.cost_bounds, atol=1e-9)


def test_a_half_told_pull_can_be_amended_before_the_rest_comes() -> None:
    policy = rw.make_policy("roguewk-plan", PAPER)
    decision = policy.select()
    with pytest.raises(rw.InputError, match="costs of round 0 were not told so far: update the decision first"):
        policy.amend(decision, costs=([0.1, 0.1, 0.1], [0.2, 0.2, 0.2]))
    policy.update(decision, reward=0)
    policy.amend(decision, reward=(0, 1))
    assert policy.pending[0].reward == 1.0
    policy.update(decision, costs=[0.1, 0.1, 0.1])
    assert policy.pending == {}


@pytest.mark.parametrize("name", ["sw-ucb", "exp3", "dual-descent", "cusum-ucb"])
def test_a_policy_that_cannot_unlearn_says_so(name: str) -> None:
    policy = rw.make_policy(name, PAPER)
    decision = policy.select()
    policy.update(decision, reward=0, costs=[0.1, 0.1, 0.1])
    before = policy.state()
    with pytest.raises(rw.InputError, match=f"policy '{name}' cannot unlearn what it was told"):
        policy.amend(decision, reward=(0, 1))
    assert policy.state() == before


def test_what_is_amended_are_pairs_of_a_pull_of_this_policy() -> None:
    policy = rw.make_policy("ucb1", PAPER)
    decision = policy.select()
    policy.update(decision, reward=0, costs=[0.1, 0.1, 0.1])
    for wrong, message in (
        ({"reward": 1}, "reward to amend is 1: give a pair"),
        ({"costs": [0.1, 0.1, 0.1]}, "give a pair, as it was told and as it is"),
        ({}, "nothing is amended of round 0"),
        ({"reward": (0, 2)}, "reward 2 of arm"),
        ({"costs": ([0.1, 0.1, 0.1], [0.1])}, "1 costs for 3 resources"),
    ):
        with pytest.raises(rw.InputError, match=message):
            policy.amend(decision, **wrong)
    with pytest.raises(rw.InputError, match="is no pull of this policy"):
        policy.amend(0, reward=(0, 1))  # type: ignore[arg-type]  # that is the point


def test_what_a_restart_has_forgotten_is_amended_in_the_ledger_alone() -> None:
    policy = rw.make_policy("ucb1", PAPER, doubling=4, restart=True)
    decision = policy.select()
    policy.update(decision, reward=0, costs=[0.1, 0.1, 0.1])
    for _ in range(5):
        policy.update(policy.select(), reward=0, costs=[0.1, 0.1, 0.1])
    before = policy.parts.rewards.tally.sums.copy()
    policy.amend(decision, reward=(0, 1), costs=([0.1, 0.1, 0.1], [0.3, 0.1, 0.1]))
    assert policy.parts.rewards.tally.sums.tolist() == before.tolist()
    assert policy.spent == pytest.approx([0.8, 0.6, 0.6])


def test_a_preview_or_what_was_told_otherwise_is_not_amended() -> None:
    policy = rw.make_policy("ucb1", PAPER)
    with pytest.raises(rw.InputError, match="round 0 was not decided yet"):
        policy.amend(policy.preview(), reward=(0, 1))
    decision = policy.select()
    policy.update(decision, costs=[0.2, 0.2, 0.2])
    with pytest.raises(rw.InputError, match="round 0 was told otherwise"):
        policy.amend(decision, costs=([0.9, 0.9, 0.9], [0.1, 0.1, 0.1]))
    assert policy.spent == pytest.approx([0.2, 0.2, 0.2])


def test_a_preview_does_not_stand_in_for_another_arm() -> None:
    policy = rw.make_policy("ucb1", PAPER)
    preview = policy.preview(available=[1])
    policy.select(available=[0])
    with pytest.raises(rw.InputError, match="another arm was selected in round 0"):
        policy.update(preview, reward=1, costs=[0.1, 0.1, 0.1])


def test_a_cancelled_pull_is_undone_however_old_the_game_is() -> None:
    arm = rw.Arm("v", A=[[0.8, 0.1], [0.0, 0.5]], B=[-0.3, 0.2], K=[0.1, 0.1], beta=[1.0, 0.5])
    for told in (arm, arm.knowing("rested")):
        problem = rw.Problem([told], [rw.Resource("r", 8.0)], 1000, idle=True)
        policy, twin = (rw.make_policy("roguewk-plan", problem) for _ in range(2))
        for each in (policy, twin):
            each.skip(300)
        pulled = policy.follow(0)
        policy.skip(1)
        policy.cancel(pulled)
        twin.skip(2)
        assert policy.preview().reward_bounds == pytest.approx(twin.preview().reward_bounds, abs=1e-9)


def test_what_is_awaited_is_shown_in_the_names_and_units_of_the_user() -> None:
    arms = [rw.everyday_arm(name, rested=0.6, wear=0.5, half_life=2) for name in ("walk", "call")]
    problem = rw.Problem(arms, [rw.Resource("euros", 100.0, 12.0), rw.Resource("minutes", 90.0, 7.0)], 30)
    policy = rw.make_policy("roguewk-plan", problem)
    bare, told, lost, unpaid = (policy.select(["call"]) for _ in range(4))
    policy.update(told, costs={"euros": 5.0, "minutes": 0.7})
    policy.update(lost, reward=None)
    policy.update(unpaid, costs=None)
    before = policy.to_bytes()
    later = "reward=later, costs=later"
    assert repr(policy.pending[bare.round]) == f"Awaited(arm=1, name='call', {later})"
    assert policy.pending[told.round].costs == {"euros": 5.0, "minutes": 0.7}
    assert repr(policy.pending[lost.round].reward) == "None"
    assert policy.pending[unpaid.round].costs is None
    policy.pending.clear()
    assert len(policy.pending) == 4
    assert policy.to_bytes() == before


@pytest.mark.parametrize("name", ["roguewk-plan", "ucb1"])
def test_nothing_is_reserved_of_what_open_pulls_are_known_not_to_take(name: str) -> None:
    arms = [rw.everyday_arm(each, rested=0.5, wear=0.3, half_life=2) for each in ("message", "voucher")]
    problem = rw.Problem(arms, [rw.Resource("vouchers", 12.0), rw.Resource("minutes", 9.0, 2.0)], 60, idle=True)
    free, coin = rw.Cost.fixed(0.0).told(), rw.Cost.uniform(0.5, 2.0)
    world = rw.World(problem, [0.0, 0.0], [[free, coin], [rw.Cost.fixed(1.0).told(), coin]])
    policy = rw.make_policy(name, world.problem)
    for _ in range(4):
        policy.follow("message")
    assert policy.reserved == [0.0, 8.0]
    policy.follow("voucher")
    assert policy.reserved == [1.0, 10.0]
    if name == "roguewk-plan":  # others may pull what ends the game
        late = rw.simulate(world.with_outcomes(rw.Outcomes(missing=0.3)), name, replicates=200)
        assert not late.frame().stopped_by.isin(["vouchers"]).any()


def test_costs_above_what_a_pull_of_the_arm_may_take_are_refused_however_they_are_told() -> None:
    most = 20.0
    resource = rw.Resource("euros", 400.0, 40.0)
    problem = rw.Problem(PAPER.arms[:2], [resource], 100, True, largest_costs=[[most], [0.0]])
    policy = rw.make_policy("roguewk-plan", problem)
    names = [arm.name for arm in problem.arms]
    decision, followed = policy.select([1]), policy.follow(1)
    tell: Any = (
        lambda cost: policy.update(decision, 1, [cost]),
        lambda cost: policy.update(followed, 1, {"euros": cost}),
        lambda cost: policy.amend(decision, costs=([0.0], [cost])),
    )
    for cost, refused in itertools.product((1e-6, 30, np.float64(40.0)), tell):
        sentence = f"cost of arm '{names[1]}' on 'euros' is {cost:g}, and the problem says that its pulls take at most"
        with pytest.raises(rw.InputError, match=f"{sentence} 0: raise that in largest_costs"):
            refused(cost)
    policy.update(decision, 1, [0])
    policy.update(followed, 1, [0.0])
    for cost in (0.7 * most, most * (1 + 1e-10)):  # rounding aside
        policy.update(policy.follow(0), 1, [cost])
    with pytest.raises(rw.InputError, match=f"at most {most:g}"):
        policy.update(policy.follow(0), 1, [most * 1.001])


def test_a_known_mean_of_nothing_is_no_promise_that_a_pull_will_take_nothing() -> None:
    problem = rw.Problem(PAPER.arms[:2], [rw.Resource("euros", 400.0, 40.0)], 100, True, known_costs=[[None], [0.0]])
    policy = rw.make_policy("roguewk-plan", problem)
    policy.update(policy.select([1]), 1, [0.7])
    assert policy.spent[0] == pytest.approx(0.7)


@pytest.mark.parametrize("kind", ["fixed", "uniform", "bernoulli", "triangular", "choices"])
@pytest.mark.parametrize("every", [None, 7])
def test_what_a_world_takes_is_never_more_than_it_tells_policies(kind: str, every: int | None) -> None:
    numbers: Any = {"fixed": (0.1,), "uniform": (0.1, 0.3), "bernoulli": (0.3, 0.7), "triangular": (0.1, 0.2, 0.7),
                    "choices": ([0.1, 0.7],)}  # fmt: skip
    make: Any = getattr(rw.Cost, kind)
    cost = make(*numbers[kind])
    for scale in (1.0, 3e7, 1 / 3e7):
        resource = rw.Resource("euros", 9.0 * scale, 0.7 * scale, every=every)
        given_costs = [[_scaled(cost, scale)], [rw.Cost.fixed(0.0).told()]]
        world = rw.World(rw.Problem(PAPER.arms[:2], [resource], 60, True), [0.0, 0.0], given_costs)
        game, policy = Game(world, 3), rw.make_policy("ucb1", world.problem)
        while game.round < 60 and game.stopped_by < 0:
            decision = policy.select()
            reward, costs = game.play(decision.arm)
            if decision.arm is not None:
                policy.update(decision, reward, costs)
        assert policy.round > 10


def _scaled(cost: rw.Cost, by: float) -> rw.Cost:
    first = cost.numbers[:1] if cost.kind == "bernoulli" else ()
    return dataclasses.replace(cost, numbers=(*first, *(by * each for each in cost.numbers[len(first) :])))
