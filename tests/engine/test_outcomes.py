"""Worlds whose outcomes are late or missing: the engine against a policy played round by round."""

import dataclasses

import numpy as np
import pytest

import roguewk as rw
from roguewk.experiment.explain.explain import tell
from roguewk.kernel.luck import Now
from roguewk.world.fate import NEVER_DUE, build_terms, fate_of

KINDS = {
    "late": rw.Outcomes(delay=5),
    "late and missing": rw.Outcomes(delay=(0, 9), missing=0.3),
    "costs at once": rw.Outcomes(delay=(2, 12), missing=0.5, costs=rw.Outcomes()),
    "costs later": rw.Outcomes(delay=1, costs=rw.Outcomes(delay=(0, 7), missing=0.2)),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["roguewk-plan", "roguewk-ucb", "ucb1", "dual-descent", "recharging"])
def test_the_engine_plays_the_game_of_the_online_policy(name: str, kind: str) -> None:
    world = rw.catalog.paper(budget=12.0, horizon=60).with_problem(idle=True).with_outcomes(KINDS[kind])
    runs = rw.simulate(world, name, replicates=1, seed=8, curves=True)
    story = tell(world, name, rounds=60, seed=8)
    arms = [-1 if decision.arm is None else decision.arm for decision in story.decisions]
    assert runs.curves[name].arms[0, : len(arms)].tolist() == arms
    assert len(arms) > 20


@pytest.mark.parametrize("name", ["ucb1", "roguewk-plan"])
def test_outcomes_that_are_all_told_at_once_change_nothing(name: str) -> None:
    world = rw.catalog.paper(budget=30)
    at_once = world.with_outcomes(rw.Outcomes(delay=0, missing=0.0, costs=rw.Outcomes()))
    one, other = (rw.simulate(each, name, replicates=5).frame() for each in (world, at_once))
    assert one.equals(other)


def test_threads_and_stretches_of_a_long_game_change_nothing() -> None:
    world = rw.catalog.paper(budget=4000.0, horizon=10_500).with_outcomes(KINDS["late and missing"])
    one = rw.simulate(world, "ucb1", replicates=3, threads=1).frame()
    assert one.equals(rw.simulate(world, "ucb1", replicates=3, threads=2).frame())
    alone = rw.simulate(world, "ucb1", replicates=1, first_replicate=2).frame()
    assert alone["reward"].tolist() == one["reward"].tolist()[2:]


@pytest.mark.parametrize("name", ["roguewk-plan", "ts-lp-resolved", "roguewk-ucb"])
@pytest.mark.parametrize("cost", [rw.Cost.uniform(0.2, 0.6), rw.Cost.bernoulli(0.4)], ids=["uniform", "coins"])
def test_no_budget_is_broken_however_late_costs_are_and_though_many_never_come(name: str, cost: rw.Cost) -> None:
    """Where a round may be idle, and though nobody is told what a third of the pulls cost."""
    arms = [rw.everyday_arm(each, rested=0.7, wear=0.5, half_life=4) for each in ("call", "mail")]
    problem = rw.Problem(arms, [rw.Resource("staff", 12.0)], 90, idle=True)
    world = rw.World(problem, [0.0, 0.0], [[cost], [cost]], outcomes=rw.Outcomes(delay=15, missing=0.3))
    runs = rw.simulate(world, name, replicates=1500, seed=2)
    assert (runs.frame()["stopped_by"] == "horizon").all()
    assert runs.spent[name].max() <= 12.0
    assert runs.spent[name].mean() > 6.0


def test_late_rewards_cost_little_where_costs_are_known_at_once() -> None:
    world = rw.catalog.paper(budget=100).with_problem(idle=True)
    late = world.with_outcomes(rw.Outcomes(delay=50, missing=0.3, costs=rw.Outcomes()))
    prompt, slow = (
        rw.simulate(each, "roguewk-plan", replicates=12, seed=3).frame()["expected_reward"].mean()
        for each in (world, late)
    )
    assert slow > 0.98 * prompt


def test_a_plain_policy_is_told_what_has_come_in_full() -> None:
    told: list[int] = []

    class InTurn:
        def __init__(self, problem: rw.Problem, seed: int) -> None:
            self.round = -1

        def select(self) -> int:
            self.round += 1
            return self.round % 3

        def update(self, decision: int, reward: float, costs: object) -> None:
            told.append(self.round)

    world = rw.catalog.paper(budget=60, horizon=50)
    rw.simulate(world.with_outcomes(rw.Outcomes(delay=10)), InTurn, replicates=1)
    assert told == list(range(10, 49))
    told.clear()
    rw.simulate(world.with_outcomes(rw.Outcomes(missing=1.0)), InTurn, replicates=1)
    assert told == []


def test_fates_have_the_chances_and_delays_that_are_asked_for() -> None:
    terms = build_terms(rw.Outcomes(delay=(3, 6), missing=0.25, costs=rw.Outcomes(delay=1, missing=0.5)))
    fates = [fate_of(terms, Now(t, np.uint64(1), 0, t)) for t in range(4000)]
    late = np.array([fate.reward_due - t - 1 for t, fate in enumerate(fates)])
    counts = np.bincount(late, minlength=8)
    assert counts[:3].sum() == counts[7:].sum() == 0
    assert counts[3:7] == pytest.approx([1000] * 4, abs=5 * 27)
    assert np.mean([fate.reward_known for fate in fates]) == pytest.approx(0.75, abs=0.035)
    lost = np.array([fate.costs_due == NEVER_DUE for fate in fates])
    assert lost.mean() == pytest.approx(0.5, abs=0.04)
    assert {fate.costs_due - t - 1 for t, fate in enumerate(fates) if not lost[t]} == {1}
    assert abs(np.corrcoef(lost, [fate.reward_known for fate in fates])[0, 1]) < 0.08


def test_without_a_word_of_costs_they_share_the_fate_of_rewards() -> None:
    terms = build_terms(rw.Outcomes(delay=(0, 4), missing=0.3))
    for t in range(300):
        fate = fate_of(terms, Now(t, np.uint64(2), 5, t))
        assert fate.costs_due == (fate.reward_due if fate.reward_known else NEVER_DUE)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"delay": -1}, "delay of outcomes"),
        ({"delay": (5, 2)}, "give the fewest rounds before the most"),
        ({"delay": (1, 2, 3)}, "give rounds, or the fewest and the most"),
        ({"delay": 2.5}, "delay of outcomes"),
        ({"missing": 1.5}, "missing of outcomes is 1.5: give a share from 0 to 1"),
        ({"costs": 3}, "costs of outcomes are 3: give an rw.Outcomes"),
        ({"costs": rw.Outcomes(costs=rw.Outcomes())}, "costs of outcomes are"),
    ],
)
def test_wrong_outcomes_are_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(rw.InputError, match=message):
        rw.Outcomes(**wrong)  # type: ignore[arg-type]  # that is the point


def test_a_world_keeps_its_outcomes_whatever_else_is_changed() -> None:
    late = rw.catalog.paper().with_outcomes(KINDS["late"])
    arms = [dataclasses.replace(arm, A=0.3, state=None) for arm in late.arms]
    for world in (late.with_budget(10), late.with_problem(idle=True), late.believe(arms)):
        assert world.outcomes == KINDS["late"]
