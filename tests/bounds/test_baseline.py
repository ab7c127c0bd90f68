"""Bounds and exact values where idle rounds bring something, against everything that can happen."""

import itertools
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.bounds.priced import build_game, try_prices, with_own_prices
from roguewk.kernel.arrays import Vector
from roguewk.problem.constants import mean_rewards, next_states

BASELINES = [rw.Baseline(0.4), rw.Baseline(0.7, at_end=0.2), rw.Baseline(0.1, at_end=0.6)]


def tiny(seed: int, baseline: rw.Baseline | None, horizon: int = 5) -> rw.World:
    rng = np.random.default_rng(seed)
    arms = [
        rw.Arm(
            f"arm {a}", A=rng.uniform(0.1, 0.9), B=rng.uniform(-2, 0.5), K=rng.uniform(-1, 1), alpha=rng.uniform(-1, 1)
        )
        for a in range(2)
    ]
    costs: list[list[Any]] = [[rw.Cost.fixed(0.5), rw.Cost.bernoulli(0.4)] for _ in arms]
    resources = [rw.Resource("staff", rng.uniform(0.6, 2.0)), rw.Resource("luck", 1.0)]
    problem = rw.Problem(arms, resources, horizon, idle=True, baseline=baseline)
    return rw.World(problem, [arm.box.mean() for arm in arms], costs)


def dynamic_program(world: rw.World) -> float:
    """The most that anyone can expect of all rounds, life after the end included, word for word."""
    problem, idle = world.problem, world.idle_means
    budgets = problem.budgets * (1 + 1e-9)

    def value(t: int, states: list[Vector], spent: Vector) -> float:
        if t == problem.horizon:
            return 0.0
        rested = [next_states(arm, x, 0.0) for arm, x in zip(world.arms, states, strict=True)]
        best = idle[t] + value(t + 1, rested, spent)
        for a, arm in enumerate(world.arms):
            after = [next_states(arm, states[a], 1.0) if b == a else rested[b] for b in range(len(states))]
            mean, total = float(mean_rewards(arm, states[a])[0]), 0.0
            for luck, chance in ((0.0, 0.6), (1.0, 0.4)):
                now = spent + [0.5, luck]
                total += chance * (idle[t:].sum() if (now > budgets).any() else mean + value(t + 1, after, now))
            best = max(best, total)
        return float(best)

    return value(0, [x0[None, :] for x0 in world.x0], np.zeros(2))


@pytest.mark.parametrize("baseline", BASELINES)
@pytest.mark.parametrize("seed", range(4))
def test_exact_values_are_those_of_a_literal_dynamic_program(seed: int, baseline: rw.Baseline) -> None:
    world = tiny(seed, baseline)
    assert rw.exact(world).value == pytest.approx(dynamic_program(world))
    hidden = world.with_problem(baseline=rw.Baseline(baseline.reward, at_end=baseline.at_end, known=False))
    assert rw.exact(hidden).value == rw.exact(world).value


@pytest.mark.parametrize("varying", [False, True])
@pytest.mark.parametrize("baseline", BASELINES)
@pytest.mark.parametrize("seed", range(3))
def test_no_prices_give_less_than_the_exact_value(seed: int, baseline: rw.Baseline, varying: bool) -> None:
    world = tiny(seed, baseline)
    effect = rw.exact(world).value - world.idle_means.sum()
    game = build_game(world, False, 1e-5)
    game = with_own_prices(game, 3) if varying else game
    rng = np.random.default_rng(seed)
    for _ in range(30):
        own = rng.uniform(0.0, 0.1, 3) if varying else None
        assert try_prices(game, rng.exponential(0.1, 3), own).bound >= effect - 1e-9


@pytest.mark.parametrize("baseline", BASELINES)
def test_bounds_of_tiny_worlds_are_exact_and_tell_the_part_of_idling(baseline: rw.Baseline) -> None:
    world = tiny(1, baseline, horizon=4)
    bound = rw.upper_bound(world)
    assert bound.value == pytest.approx(rw.exact(world).value)
    assert bound.baseline == pytest.approx(baseline.means(4).sum())
    assert bound.effect == bound.value - bound.baseline


def test_the_effect_of_a_bound_without_budgets_is_that_of_the_best_schedule() -> None:
    """With one arm and nothing to spend the bound is tight, whatever doing nothing brings in each round."""
    arm = rw.everyday_arm("walk", rested=0.7, wear=0.8, half_life=3)
    for baseline in BASELINES:
        world = rw.World(rw.Problem([arm], [], 12, baseline=baseline), [0.0], [[]])
        idle, best = baseline.means(12), -np.inf
        for pulled in itertools.product((0.0, 1.0), repeat=12):
            x, total = np.zeros((1, 1)), 0.0
            for t, pull in enumerate(pulled):
                total += float(mean_rewards(arm, x)[0]) if pull else idle[t]
                x = next_states(arm, x, pull)
            best = max(best, total)
        game = build_game(world, False, 1e-6)
        found = try_prices(game, np.zeros(1))
        assert found.bound + idle.sum() == pytest.approx(best, abs=1e-3)
        assert found.reward + idle.sum() == pytest.approx(best, abs=1e-2)  # the schedule that it follows
        assert rw.upper_bound(world).value == pytest.approx(best, abs=1e-3)


def test_no_policy_beats_the_bound_and_fractions_are_of_effects() -> None:
    world = rw.catalog.messages().with_problem(baseline=rw.Baseline(0.3, at_end=0.2))
    runs = rw.simulate(world, ["clairvoyant", "roguewk-plan"], 40)
    bound, effects = runs.bound, runs.frame().groupby("policy", sort=False)["effect"].mean()
    assert bound.status == "converged"
    assert runs.fraction.to_numpy() == pytest.approx((effects / bound.effect).to_numpy())
    assert 0.9 < runs.fraction["clairvoyant"] < 1.01
    assert runs.regret_upper.to_numpy() == pytest.approx((bound.effect - effects).to_numpy())
    constant = rw.upper_bound(world.with_problem(baseline=rw.Baseline(0.3)))
    least = rw.upper_bound(world.with_problem(baseline=rw.Baseline(0.2)))
    assert constant.effect < bound.effect < least.effect


def test_a_constant_added_to_all_rewards_is_added_to_the_bound() -> None:
    def world(shift: float) -> rw.World:
        arm = rw.everyday_arm("dose", rested=1.0 + shift, wear=0.3, half_life=3, family="gaussian", sigma=0.5)
        baseline = rw.Baseline(shift, "gaussian", sigma=0.5) if shift else None
        problem = rw.Problem([arm], [rw.Resource("euros", 20.0)], 80, idle=True, baseline=baseline)
        return rw.World(problem, [0.0], [[rw.Cost.uniform(0.2, 0.8)]])

    without, shifted = rw.upper_bound(world(0.0)), rw.upper_bound(world(4.0))
    assert shifted.effect == pytest.approx(without.value, rel=1e-4)
    assert shifted.prices == pytest.approx(without.prices, rel=1e-2)


def test_what_knows_of_pulls_alone_is_refused_in_a_sentence() -> None:
    world = tiny(0, BASELINES[0])
    for refused, sentence in (
        (lambda: rw.upper_bound(world, idle=False), "idle rounds of this world bring something, so they are allowed"),
        (lambda: rw.exact(world, idle=False), "idle rounds of this world bring something, so they are allowed"),
        (lambda: rw.nlp(world), "the paper's nonlinear program knows of pulls alone"),
        (lambda: rw.theorem(world), "the paper's analysis knows of pulls alone"),
    ):
        with pytest.raises(rw.InputError, match=sentence):
            refused()
