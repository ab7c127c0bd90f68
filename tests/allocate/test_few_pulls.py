"""What the last few pulls that a cap allows are worth, beside optimal stopping worked out literally."""

from typing import Any

import numpy as np
import pytest

import roguewk as rw

GOOD_HOUR: Any = {"good": 1.0}


def one_good_hour(hours: int, cap: int = 1) -> rw.World:
    """So many pulls a day of which one hour is good, of an arm that wears off."""
    arm = rw.everyday_arm("call", rested=0.4, wear=0.5, half_life=4, known_start="rested", when=GOOD_HOUR)
    day = rw.Context("hour", cycle=["good"] + ["other"] * (hours - 1))
    return rw.World(rw.Problem([arm], [rw.at_most(cap, hours)], 40 * hours, True, contexts=[day]), [0.0], [[]])


@pytest.mark.parametrize("hours", [2, 3, 5, 7, 14])
def test_the_only_pull_of_a_day_goes_to_its_good_hour(hours: int) -> None:
    world = one_good_hour(hours)
    for policy in ("roguewk-plan", "clairvoyant"):
        runs = rw.simulate(world, policy, replicates=1, curves=True)
        (arms,) = runs.curves[policy].arms
        in_good_hours = (arms.reshape(-1, hours)[:, 0] >= 0).mean()
        assert in_good_hours >= 0.95
        assert runs.totals[policy]["expected"].mean() >= 0.98 * rw.upper_bound(world).value


def stopping(means: list[float], chances: list[float], rounds: int, pulls: int) -> Any:
    """(round, pulls) what so many pulls are worth where so many rounds are left, if each may bring one of `means`."""
    worth = np.zeros((rounds + 1, pulls + 1))
    for left in range(1, rounds + 1):
        for n in range(1, pulls + 1):
            each = [max(worth[left - 1, n], mean + worth[left - 1, n - 1]) for mean in means]
            worth[left, n] = np.dot(chances, each)
    return worth


def test_the_last_pull_costs_what_optimal_stopping_says_that_it_is_worth_later() -> None:
    """An arm that never changes, in places that are drawn: secretaries whose worth is known when they come."""
    shifts, chances, period = {"fair": 0.4, "good": 1.5}, [0.6, 0.3, 0.1], 12
    place = rw.Context("place", ["poor", "fair", "good"], chances=chances)
    arm = rw.Arm("coin", alpha=-1.0, known_start="rested", when=shifts)
    problem = rw.Problem([arm], [rw.at_most(1, period)], 5 * period, True, contexts=[place])
    means = [1 / (1 + np.exp(1.0 - shifts.get(value, 0.0))) for value in place.values]
    worth = stopping(means, chances, period, 1)
    policy, rng, seen = rw.make_policy("roguewk-plan", problem), np.random.default_rng(4), 0
    for t in range(problem.horizon):
        k = rng.choice(3, p=chances)
        decision, price = policy.select(context=place.values[k]), worth[period - t % period - 1, 1]
        if not decision.left_out:  # the pull of this period is not made yet
            assert decision.prices[0] == pytest.approx(price, abs=1e-3)
            assert (decision.arm is not None) == (means[k] > price)
            seen += 1
        if decision.arm is not None:
            policy.update(decision, reward=1)
    assert seen >= 15


def test_two_pulls_are_never_charged_more_than_optimal_stopping_says() -> None:
    shifts, chances, period = {"good": 1.5}, [0.8, 0.2], 10
    place = rw.Context("place", ["poor", "good"], chances=chances)
    arm = rw.Arm("coin", alpha=-1.0, known_start="rested", when=shifts)
    problem = rw.Problem([arm], [rw.at_most(2, period)], 6 * period, True, contexts=[place])
    means = [1 / (1 + np.exp(1.0 - shifts.get(value, 0.0))) for value in place.values]
    worth = stopping(means, chances, period, 2)
    policy, rng, pulls = rw.make_policy("roguewk-plan", problem), np.random.default_rng(4), 0
    for t in range(problem.horizon):
        pulls = 0 if t % period == 0 else pulls
        decision = policy.select(context=place.values[rng.choice(2, p=chances)])
        if pulls < 2:
            left, n = period - t % period - 1, 2 - pulls
            assert decision.prices[0] <= worth[left, n] - worth[left, n - 1] + 1e-3
        if decision.arm is not None:
            pulls += 1
            policy.update(decision, reward=1)


def test_a_gap_within_a_cap_is_not_paid_for_twice() -> None:
    """With two pulls a day that must be two rounds apart, both are made: nothing else could be done in the day."""
    arm = rw.Arm("coin", alpha=0.0, known_start="rested", when={"good": 1.0})
    place = rw.Context("place", ["poor", "good"], chances=[0.5, 0.5])
    limits: Any = {"resources": [rw.at_most(2, 5)], "gaps": [rw.Gap(2)], "contexts": [place]}
    world = rw.World(rw.Problem([arm], horizon=500, idle=True, **limits), [0.0], [[]])
    runs = rw.simulate(world, "roguewk-plan", replicates=10, seed=5)
    assert runs.totals["roguewk-plan"]["plays"].mean() >= 0.97 * 200


def test_a_cap_that_leaves_more_than_a_longer_gap_does_not_put_pulls_off() -> None:
    """A pull each seven rounds is all that there is: one in five, which the cap allows, must not wait for its last."""
    arm = rw.everyday_arm("call", rested=0.55, wear=0.9, half_life=1.2, known_start="rested")
    problem = rw.Problem([arm], [rw.at_most(1, 5)], 240, True, gaps=[rw.Gap(7)])
    runs = rw.simulate(rw.World(problem, [0.0], [[]]), "clairvoyant", replicates=1)
    assert runs.totals["clairvoyant"]["plays"][0] >= 240 // 7


@pytest.mark.parametrize("chance", [0.2, 0.5])
def test_the_last_pull_does_not_wait_for_an_arm_that_may_not_be_there_again(chance: float) -> None:
    arm = rw.everyday_arm("call", rested=0.6, wear=0.5, half_life=4, known_start="rested", available=chance)
    world = rw.World(rw.Problem([arm], [rw.at_most(1, 7)], 700, True), [0.0], [[]])
    weeks_with_a_chance = 100 * (1 - (1 - chance) ** 7)
    for policy in ("roguewk-plan", "clairvoyant"):
        plays = rw.simulate(world, policy, replicates=10, seed=1).totals[policy]["plays"].mean()
        assert plays >= 0.95 * weeks_with_a_chance
