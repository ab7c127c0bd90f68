"""How arms are used in cycles, beside linear programs over how often an arm is in which state at which time."""

import itertools
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import lil_array

import roguewk as rw
from roguewk.problem.occasions import calendar_of, shift_table
from roguewk.problem.problem import Problem
from roguewk.relax.cycles import Cycle, build_cycle, in_rounds, is_followed
from roguewk.relax.lattice import planning_lattice, shifted_rewards
from roguewk.relax.worth import Worth, build_worth, mixtures_of

WEEK = rw.Context("weekday", cycle=["workday"] * 5 + ["weekend"] * 2)
PLACE = rw.Context("place", ["home", "out"], chances=[0.7, 0.3])
WAYS = (4, 20, 33, 44)  # between neighbouring prices, of 48


def arm(half_life: float, when: dict[str, Any] | None, **others: Any) -> rw.Arm:
    return rw.everyday_arm("walk", rested=0.55, wear=0.6, half_life=half_life, when=when, **others)


PROBLEMS = {
    "a week": Problem([arm(3, {"weekend": 0.9})], [], 500, True, contexts=[WEEK]),
    "a day forbids": Problem([arm(2, {"weekend": False})], [], 500, True, contexts=[WEEK]),
    "a week and a place": Problem([arm(4, {"weekend": 0.5, "out": False})], [], 500, True, contexts=[WEEK, PLACE]),
    "counts": Problem(
        [rw.everyday_arm("walk", rested=2.0, wear=0.3, half_life=3, family="poisson", when={"weekend": -0.6})],
        [],
        500,
        True,
        contexts=[WEEK],
    ),
    "half of the time": Problem([arm(3, {"weekend": 0.9}, available=0.5)], [], 500, True, contexts=[WEEK]),
}


def followed(problem: Problem) -> tuple[Worth, Cycle]:
    worth = build_worth(problem.arms, mixtures_of(problem))
    return worth, build_cycle(problem, worth)


def best_per_cycle(problem: Problem, price: float) -> float:
    """What the first arm brings at most in a cycle beyond the price of its pulls, in the long run.

    Unknown are the shares of cycles in which it is at a node at a time (in that draw) and is pulled or not.
    """
    first, calendar = problem.arms[0], calendar_of(problem.contexts, problem.rounds_per_day)
    lattice, times, draws = planning_lattice(first), np.asarray(calendar.phases), calendar.draws
    shifts, barred = (table[:, 0] for table in shift_table(problem.arms, calendar))
    rewards = shifted_rewards(first, lattice, shifts)  # (occasion, node)
    there = 1.0 if first.available is None else first.available
    phases, nodes = times.size, lattice.rewards.size

    def place(phase: int, node: int) -> int:
        return (phase % phases) * nodes + node

    states, used = phases * nodes, 1 + draws
    flow: Any = lil_array((states + phases, states * used))
    gains, upper = np.zeros(states * used), []
    for phase, node in itertools.product(range(phases), range(nodes)):
        here = place(phase, node)
        flow[here, here] += 1.0  # leaving; the first block is how often it is there, the others how often pulled
        flow[states + phase, here] = 1.0
        for move, share in zip(lattice.rest[node], lattice.rest_shares[node], strict=True):
            flow[place(phase + 1, move), here] -= share
        for draw in range(draws):
            pulled, k = states * (1 + draw) + here, times[phase] * draws + draw
            gains[pulled] = rewards[k, node] - price
            chance = 0.0 if barred[k] else calendar.chances[draw] * there
            upper.append((pulled, here, chance))
            for move, share in zip(lattice.rest[node], lattice.rest_shares[node], strict=True):
                flow[place(phase + 1, move), pulled] += share
            for move, share in zip(lattice.pull[node], lattice.pull_shares[node], strict=True):
                flow[place(phase + 1, move), pulled] -= share
    at_most: Any = lil_array((len(upper), states * used))
    for row, (pulled, here, chance) in enumerate(upper):
        at_most[row, pulled], at_most[row, here] = 1.0, -chance
    right = np.append(np.zeros(states), np.ones(phases))
    found: Any = linprog(-gains, at_most.tocsr(), np.zeros(len(upper)), flow.tocsr(), right, method="highs")
    assert found.success
    return -float(found.fun)


@pytest.mark.parametrize("name", PROBLEMS)
def test_cycles_are_used_as_well_as_a_linear_program_finds(name: str) -> None:
    problem = PROBLEMS[name]
    worth, cycle = followed(problem)
    gap = worth.prices[0, 1] - worth.prices[0, 0]
    for way in WAYS:
        price = worth.prices[0, way] + 0.5 * gap
        earned = cycle.rewards[0, way, :, -1].sum() - price * cycle.pulls[0, way, :, -1].sum()
        best = best_per_cycle(problem, price)
        # Use that repeats itself after several cycles is that of twelve, on average.
        assert earned == pytest.approx(best, rel=2e-3, abs=2e-4)


@pytest.mark.parametrize("name", PROBLEMS)
def test_what_a_cycle_has_before_a_phase_only_grows_and_never_beyond_the_chances(name: str) -> None:
    problem = PROBLEMS[name]
    _, cycle = followed(problem)
    assert (cycle.pulls[:, :, :, 0] == 0).all()
    steps = np.diff(cycle.pulls, axis=-1)
    assert steps.min() >= 0
    assert (steps <= cycle.chances[:, None] + 1e-9).all()
    barred = shift_table(problem.arms, calendar_of(problem.contexts, None))[1][:, 0]
    phases = np.asarray(calendar_of(problem.contexts, None).phases)
    for draw in range(cycle.chances.size):
        forbidden = barred[phases * cycle.chances.size + draw]
        assert (steps[:, :, draw][..., forbidden] == 0).all()


def test_a_better_weekend_is_used_more_and_more_so_at_higher_prices() -> None:
    _, cycle = followed(PROBLEMS["a week"])
    by_day = np.diff(cycle.pulls[0, :, 0], axis=-1)  # (way, day)
    sometimes = (by_day.sum(axis=1) > 0.5) & (by_day.sum(axis=1) < 4)
    assert sometimes.any()
    assert (by_day[sometimes][:, 5:].mean(axis=1) > by_day[sometimes][:, :5].mean(axis=1)).all()


def test_cycles_whose_days_are_alike_are_used_as_the_tables_say() -> None:
    alike = rw.Context("weekday", cycle=["a", "b", "c"])
    _, cycle = followed(Problem([arm(3, {"a": 0.4, "b": 0.4, "c": 0.4})], [], 500, True, contexts=[alike]))
    per_round, usual = cycle.pulls[0, :, 0, -1] / 3, cycle.usual[0, :, 0]
    # Where pulls are periodic, use jumps at some price: the tables have it between two, cycles at one of them.
    assert np.quantile(np.abs(per_round - usual), 0.9) < 0.02
    assert per_round.mean() == pytest.approx(usual.mean(), rel=0.01)


def test_rounds_to_come_are_added_up_as_one_would() -> None:
    rng = np.random.default_rng(3)
    for phases, start, rounds in itertools.product((1, 2, 7), (0, 3, 30), (1, 2, 6, 7, 8, 40)):
        each = rng.random(phases)
        before = np.append(0.0, np.cumsum(each))
        literal = sum(each[t % phases] for t in range(start, start + rounds)) / rounds
        assert in_rounds(before, start, float(rounds)) == pytest.approx(literal, abs=1e-12)


def test_where_all_rounds_are_alike_nothing_is_followed() -> None:
    assert not is_followed(Problem([arm(3, None)], [], 50, True))
    assert not is_followed(Problem([arm(3, {"out": 1.0})], [], 50, True, contexts=[PLACE]))
    assert is_followed(Problem([arm(3, {"out": 1.0})], [], 50, True, contexts=[rw.Context("place", ["home", "out"])]))
    assert is_followed(PROBLEMS["a week"])
