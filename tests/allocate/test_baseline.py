"""Who weighs pulls against what idle rounds bring: planners, linear programs, timetables and indices."""

from typing import Any

import numpy as np
import pytest

import roguewk as rw

HORIZON = 200
FLAT = {"half_life": 2.0, "wear": 0.0}  # never worn
PLANNERS: list[Any] = ["roguewk-plan", "clairvoyant"]
WEIGHERS: list[Any] = [*PLANNERS, ("roguewk-ucb", {"radius_scale": 0.0}), "recharging", "whittle"]


def world_of(baseline: rw.Baseline | None, *rested: float, budget: float = 500.0, **how: Any) -> rw.World:
    arms = [rw.everyday_arm(f"arm {a}", rested=mean, **{**FLAT, **how}) for a, mean in enumerate(rested)]
    problem = rw.Problem(arms, [rw.Resource("staff", budget)], HORIZON, idle=True, baseline=baseline)
    return rw.World(problem, [0.0] * len(arms), [[rw.Cost.fixed(1.0).told()]] * len(arms))


def pulls(world: rw.World, policy: Any, replicates: int = 4) -> Any:
    """(replicate, round) the arms."""
    runs = rw.simulate(world, policy, replicates, seed=1, curves=True)
    return np.asarray(runs.curves[runs.policies[0]].arms)


@pytest.mark.parametrize("policy", WEIGHERS)
def test_an_arm_that_is_surely_worse_than_nothing_is_not_pulled(policy: Any) -> None:
    known: Any = {"known_start": "rested"}
    arms = pulls(world_of(rw.Baseline(0.5), 0.3, 0.7, **known), policy)
    firsts = 0 if policy in PLANNERS else 2  # each arm is pulled once first
    assert (arms[:, firsts:] == 0).sum() == 0
    assert (arms[:, firsts:] == 1).mean() > 0.5
    assert (pulls(world_of(rw.Baseline(0.8), 0.3, 0.7, **known), policy)[:, firsts:] == -1).all()
    assert (pulls(world_of(None, 0.3, 0.7, **known), policy)[:, firsts:] >= 0).mean() > 0.9


@pytest.mark.parametrize("policy", PLANNERS)
def test_pulls_wait_for_rounds_in_which_doing_nothing_brings_little(policy: Any) -> None:
    drifting = rw.Baseline(0.7, at_end=0.1)
    arms = pulls(world_of(drifting, 0.5, known_start="rested"), policy)
    crossed = int(np.argmax(drifting.means(HORIZON) < 0.5))
    assert 50 < crossed < 150
    assert (arms[:, :crossed] == -1).all()
    assert (arms[:, crossed:] == 0).all()


def test_a_scarce_budget_goes_where_the_effect_is_largest() -> None:
    world = world_of(rw.Baseline(0.6), 0.7, budget=40.0, wear=0.3, half_life=5.0)
    runs = rw.simulate(world, ["roguewk-plan", "clairvoyant"], 50)
    assert runs.fraction.min() > 0.9


@pytest.mark.parametrize("policy", ["roguewk-plan", ("roguewk-plan", {"dynamics": "learned"}), "roguewk-ucb-tuned"])
def test_what_is_not_told_costs_little(policy: Any) -> None:
    told, learned = (
        rw.simulate(world_of(rw.Baseline(0.4, known=known), 0.6, 0.5, budget=60.0, wear=0.4, half_life=4.0), policy, 40)
        for known in (True, False)
    )
    assert learned.frame()["effect"].mean() > 0.85 * told.frame()["effect"].mean()


@pytest.mark.parametrize("policy", ["roguewk-plan", "roguewk-ucb", "roguewk-ts", "ucb1"])
def test_a_constant_added_to_all_gaussian_rewards_changes_no_decision(policy: str) -> None:
    """Effects are the same, so what is planned is; UCB1 never knew of it."""

    def world(shift: float) -> rw.World:
        arms = [
            rw.everyday_arm(f"arm {a}", rested=mean + shift, wear=0.3, half_life=3, family="gaussian", sigma=0.25)
            for a, mean in enumerate((1.0, 0.75))
        ]
        baseline = rw.Baseline(shift, "gaussian", sigma=0.25) if shift else None
        problem = rw.Problem(arms, [rw.Resource("staff", 30.0)], 100, idle=True, baseline=baseline)
        return rw.World(problem, [0.0, 0.0], [[0.5], [0.4]])

    without, shifted = (rw.simulate(world(shift), policy, 5, curves=True) for shift in (0.0, 8.0))
    early = without.curves[policy].arms[:, :70], shifted.curves[policy].arms[:, :70]
    assert np.array_equal(*early)  # near the end there are ties, which rounding decides
    assert shifted.frame()["effect"].to_numpy() == pytest.approx(without.frame()["expected_reward"], rel=0.02)


def test_explanations_show_what_an_idle_round_brings_and_the_effect() -> None:
    world = world_of(rw.Baseline(0.5), 0.3, 0.7, known_start="rested")
    decision = rw.make_policy("roguewk-plan", world.problem).select()
    said = decision.explain()
    assert "Arm 'arm 1' is played: it promises 0.7 now (0.2 beyond an idle round)" in said.replace("\n", " ")
    head, *rows = [line.split() for line in said.splitlines() if line.startswith("  ")]
    assert head[:5] == ["arm", "reward", "now", "effect", "wear"]
    table = {row[0] + row[1]: row for row in rows}
    assert table["arm1"][2:4] == ["0.700", "0.200"]
    assert table["(idleround)"][2:] == ["0.500", "0.000", "0.000"]
    assert decision.outlook is not None
    assert decision.outlook.sums[1] == pytest.approx(0.2 + decision.outlook.learning[1], abs=1e-6)
    assert decision.to_data()["baseline"] == pytest.approx(0.5)
    waits = rw.make_policy("roguewk-plan", world.with_problem(baseline=rw.Baseline(0.9)).problem).select().explain()
    assert "no arm's reward now covers the 0.9 of an idle round, its price and its wear" in waits.replace("\n", " ")
    assert "(0.2 short of an idle round)" in waits.replace("\n", " ")


def test_explanations_of_linear_programs_show_it_too() -> None:
    world = world_of(rw.Baseline(0.5), 0.3, 0.7, budget=100.0, known_start="rested")
    policy = rw.make_policy({"rewards": "known", "costs": "mean", "allocate": "lp"}, world.problem, 3, x0=[0.0, 0.0])
    decisions = [policy.select() for _ in range(8)]
    played = next(each for each in decisions if each.arm == 1).explain().replace("\n", " ")
    assert "Its reward bound is 0.7 (0.2 beyond an idle round)" in played
    assert "effect" in played
    assert "baseline" not in rw.make_policy("ucb1", world_of(None, 0.3).problem).select().to_data()


@pytest.mark.parametrize("idle", [0.3, 0.55, 0.65])
def test_unknown_arms_are_tried_also_where_doing_nothing_brings_more_than_they_may(
    idle: float,
) -> None:
    arms = [rw.everyday_arm(f"arm {a}", rested=0.9, wear=0.1, half_life=2) for a in range(2)]
    problem = rw.Problem(arms, [rw.at_most(3, 7)], 350, baseline=rw.Baseline(idle))
    world = rw.World(problem, [0.0] * 2, [[]] * 2).believe([rw.unknown_arm(arm.name) for arm in arms])
    runs = rw.simulate(world, "roguewk-plan", replicates=10, seed=2)
    effect = runs.totals["roguewk-plan"]["expected"].mean() - world.idle_means.sum()
    assert effect >= 0.9 * rw.upper_bound(world).effect
