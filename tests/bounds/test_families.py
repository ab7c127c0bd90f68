"""Bounds, analysis and planners on worlds of counts and shares, against enumeration and the exact optimum."""

import itertools
import math

import numpy as np
import pytest

import roguewk as rw
from roguewk.kernel.arrays import Vector
from roguewk.problem.constants import mean_rewards, next_states
from roguewk.relax.lattice import build_lattice
from roguewk.relax.schedule import build_table, solve_arm

RESTED = {"poisson": (4.0, 2.5), "bounded": (0.7, 0.5)}


def world_of(family: str, horizon: int, budget: float, idle: bool = True) -> rw.World:
    arms = [
        rw.everyday_arm("visit", rested=RESTED[family][0], wear=0.6, half_life=2, family=family),
        rw.everyday_arm("letter", rested=RESTED[family][1], wear=0.1, half_life=4, family=family),
    ]
    arms = [arm.widened([-0.4]) for arm in arms]
    problem = rw.Problem(arms, [rw.Resource("staff", budget)], horizon, idle)
    return rw.World(problem, [-0.4, 0.0], [[rw.Cost.fixed(0.5)], [rw.Cost.bernoulli(0.4)]])


def earned(arm: rw.Arm, x0: Vector, pulls: tuple[int, ...]) -> float:
    x, total = x0[None, :], 0.0
    for pulled in pulls:
        total += pulled * float(mean_rewards(arm, x)[0])
        x = next_states(arm, x, float(pulled))
    return total


@pytest.mark.parametrize("family", RESTED)
@pytest.mark.parametrize("price", [0.0, 0.4, 2.5])
def test_an_arm_alone_is_worth_what_enumerating_its_schedules_says(family: str, price: float) -> None:
    arm, rounds = world_of(family, 9, 4.0).problem.arms[0], 9
    lattice = build_lattice(arm, np.array([-0.4]), 1e-6)
    table = build_table(lattice, rounds)
    solve_arm(lattice, price, table)
    for length in (1, 4, rounds):
        options = itertools.product((0, 1), repeat=length)
        truth = max(earned(arm, np.array([-0.4]), pulls) - price * sum(pulls) for pulls in options)
        assert truth - 1e-12 <= table.values[length] <= truth + 2e-3


@pytest.mark.parametrize("family", RESTED)
@pytest.mark.parametrize("idle", [True, False])
def test_the_bound_is_above_the_exact_optimum_of_a_tiny_world_and_near_it(family: str, idle: bool) -> None:
    world = world_of(family, 6, 2.0, idle)
    exact, bound = rw.exact(world).value, rw.upper_bound(world).value
    assert exact <= bound + 1e-9
    assert bound <= 1.35 * exact


@pytest.mark.parametrize("family", RESTED)
def test_planners_earn_nearly_the_exact_optimum_and_nobody_beats_the_bound(family: str) -> None:
    world = world_of(family, 7, 2.0)
    runs = rw.simulate(world, ["clairvoyant", "roguewk-plan", "roguewk-ucb", "ucb1"], replicates=4000, seed=5)
    means = runs.frame().groupby("policy")["expected_reward"].mean()
    best = rw.exact(world).value
    assert means.max() <= best * (1 + 4 / math.sqrt(4000))
    assert means["clairvoyant"] >= 0.8 * best  # it cannot know which pull will break the budget
    assert means.max() <= runs.bound.value


@pytest.mark.parametrize("family", RESTED)
def test_over_many_rounds_the_fraction_of_the_bound_is_what_is_left_to_learning(family: str) -> None:
    runs = rw.simulate(world_of(family, 300, 60.0), ["roguewk-plan", "roguewk-ucb", "ucb1"], replicates=30, seed=6)
    assert (runs.fraction < 1).all()
    assert runs.fraction["roguewk-plan"] > 0.9
    frame = runs.frame()
    spread = frame["reward"].std() / math.sqrt(len(frame))
    assert frame["reward"].mean() == pytest.approx(frame["expected_reward"].mean(), abs=5 * spread)


def test_the_assumptions_say_where_theorem_1_stops_for_counts() -> None:
    report = rw.check_assumptions(world_of("poisson", 100, 20.0))
    checks = {check.label: check for check in report.checks}
    assert (checks["3"].holds, checks["4"].holds) == (False, False)
    assert "sub-exponential, not sub-Gaussian, so Theorem 1 does not hold" in checks["4"].sentence
    assert "'visit', 'letter'" in checks["4"].sentence
    analysis = rw.theorem(world_of("poisson", 100, 20.0))
    assert analysis["Theorem 1"].holds is False
    assert analysis["OPT(T), at most"].value > analysis.schedule.assured  # type: ignore[union-attr]


def test_shares_keep_every_assumption_about_rewards() -> None:
    report = rw.check_assumptions(world_of("bounded", 100, 20.0))
    assert all(check.holds for check in report.checks if check.label in "1234")
    assert report.constants["visit"].sigma == 0.5


@pytest.mark.parametrize("family", RESTED)
def test_the_fractional_program_stays_below_the_bound(family: str) -> None:
    pytest.importorskip("casadi")
    world = world_of(family, 20, 6.0)
    assert rw.nlp(world).value <= rw.upper_bound(world).value + 1e-6


@pytest.mark.parametrize("rule", ["theorem", "rogue", "tuned", "wilks"])
def test_every_radius_is_finite_for_counts(rule: str) -> None:
    runs = rw.simulate(world_of("poisson", 60, 15.0), ("roguewk-ucb", {"radius": rule}), replicates=3, seed=7)
    assert (runs.frame()["reward"] > 0).all()
