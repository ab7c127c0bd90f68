"""What arms are worth that contexts shift and forbid, against slow value iteration in NumPy."""

import math
from typing import Any

import numpy as np
import pytest
from benchmarks.reference import ahead
from hypothesis import given, settings

import roguewk as rw
from roguewk.kernel.arrays import Vector
from roguewk.problem.family.registry import family_code
from roguewk.relax.retabulate import Believed, build_bench, build_own_worth, retabulate
from roguewk.relax.worth import PRICES, ROUNDS, Mixture, build_worth, mixtures_of
from tests.problem.surrounded import days_of, problems
from tests.problem.test_context import chance_by_hand, drawn_of

ARMS = {
    "wears off": rw.Arm("a", A=0.7, B=-1.2, K=0.4, alpha=0.5, beta=0.9, state=(-3, 3)),
    "improves with use": rw.Arm("a", A=0.8, B=0.6, K=-0.4),
    "gaussian": rw.Arm("a", A=0.8, B=-0.6, K=0.2, alpha=0.5, beta=1.5, family="gaussian", sigma=0.7),
    "poisson": rw.Arm("a", A=0.8, B=-0.6, K=0.2, alpha=0.5, family="poisson"),
    "two coordinates": rw.Arm("a", [[0.4, 0.0], [0.1, 0.9]], [-1.0, -0.1], [0.0, 0.0], 1.0, [1.0, 0.6]),
}
MIXTURES = {
    "shifted at times": Mixture(np.array([0.7, 0.3]), np.array([0.0, 1.0])),
    "forbidden at times": Mixture(np.array([0.4]), np.array([0.0])),
    "of every kind": Mixture(np.array([0.2, 0.3, 0.1]), np.array([-1.0, 0.25, 2.0])),
    "always forbidden": Mixture(np.array([]), np.array([])),
}


def mean_of(family: str, level: Vector) -> Vector:
    if family == "gaussian":
        return level
    return np.asarray(np.exp(level) if family == "poisson" else 1 / (1 + np.exp(-level)))


@pytest.mark.parametrize("mixture", MIXTURES)
@pytest.mark.parametrize("kind", ARMS)
def test_the_tables_of_an_arm_that_is_there_in_several_ways_are_those_of_value_iteration(
    kind: str, mixture: str
) -> None:
    arm, ways = ARMS[kind], MIXTURES[mixture]
    worth = build_worth((arm,), [ways])
    grid = worth.grids[0]
    axes = [grid.low + grid.gap * np.arange(grid.count)]
    if arm.dimension == 2:
        axes.append(grid.second_low + grid.second_gap * np.arange(grid.second_count))
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, arm.dimension)
    rest, pull = (ahead.moved(arm, nodes, pulled) for pulled in (0.0, 1.0))
    rewards = [mean_of(arm.family, arm.alpha + nodes @ arm.weights + shift) for shift in ways.shifts]
    shape, size = tuple(map(len, axes)), math.prod(map(len, axes))
    for k in (0, 13, 24, 35, PRICES - 1):
        value = np.zeros(shape)
        for done in range(1, 65 if arm.dimension == 1 else 17):
            rested, pulled = (ahead.interpolated(axes, value, x) for x in (rest, pull))
            gained = np.zeros(size)
            for chance, now in zip(ways.chances, rewards, strict=True):
                gained += chance * np.maximum(now - worth.prices[0, k] + pulled - rested, 0.0)
            value = (rested + gained).reshape(shape)
            if done in ROUNDS:
                found = worth.values[0, k, ROUNDS.index(done), :size]
                np.testing.assert_allclose(found, value.ravel(), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("mixture", ["shifted at times", "forbidden at times", "of every kind"])
@pytest.mark.parametrize("kind", ["wears off", "gaussian", "poisson"])
def test_prices_go_from_used_whenever_it_is_there_to_never(kind: str, mixture: str) -> None:
    worth = build_worth((ARMS[kind],), [MIXTURES[mixture]])
    used = -np.diff(worth.rates[0]) / np.diff(worth.prices[0])
    assert used[0] == pytest.approx(MIXTURES[mixture].chances.sum(), abs=5e-3)
    assert used[-1] == pytest.approx(0.0, abs=2e-3)


@pytest.mark.parametrize("kind", ARMS)
def test_a_context_that_does_nothing_leaves_the_tables_as_they_are(kind: str) -> None:
    plain, mixed = build_worth((ARMS[kind],)), build_worth((ARMS[kind],), [Mixture(np.ones(1), np.zeros(1))])
    for one, other in zip(plain, mixed, strict=True):
        np.testing.assert_array_equal(one, other)


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(problem=problems())
def test_mixtures_are_how_often_each_shift_is_there_in_the_long_run(problem: rw.Problem) -> None:
    days = days_of(problem)
    lengths = [days.rounds(each.each) * len(each.cycle) for each in problem.contexts if each.cycle is not None]
    rounds = math.lcm(*lengths) if lengths else 1
    for arm, mixture in zip(problem.arms, mixtures_of(problem), strict=True):
        expected: dict[float, float] = {}
        for t in range(rounds):
            for drawn in drawn_of(problem.contexts):
                values = days.at(t, drawn)
                if days.allows(arm.name, values):
                    shift = days.shift(arm.name, values)
                    expected[shift] = expected.get(shift, 0.0) + chance_by_hand(problem.contexts, drawn) / rounds
        assert mixture.shifts == pytest.approx(np.array(sorted(expected)))
        assert mixture.chances == pytest.approx(np.array([expected[shift] for shift in sorted(expected)]))


@pytest.mark.parametrize("mixture", ["shifted at times", "forbidden at times", "of every kind", "always forbidden"])
@pytest.mark.parametrize("family", ["bernoulli", "poisson"])
def test_tables_made_in_the_loop_are_those_of_a_dynamic_program_word_for_word(family: str, mixture: str) -> None:
    own: Any = build_own_worth(1)
    ways, bench = MIXTURES[mixture], build_bench(4)
    bench.ways[0] = ways.shifts.size
    bench.chances[: ways.shifts.size], bench.shifts[: ways.shifts.size] = ways
    believed = Believed(family_code(family), True, 0.5 ** (1 / 12), 0.4, -0.3, 0.25, -0.4)
    retabulate(own, bench, 0, believed)
    grid = own.grids[0]
    x = grid["low"] + grid["gap"] * np.arange(grid["count"])
    rest, pull = believed.retention * x, believed.retention * x + believed.push
    for k in (0, 17, 48):
        values, kept = np.zeros(x.size), {}
        for done in range(1, 97):
            rested, pulled = np.interp(rest, x, values), np.interp(pull, x, values)
            values = rested.copy()
            for chance, shift in zip(*ways, strict=True):
                now = mean_of(family, believed.rested + x + shift)
                values += chance * np.maximum(now - own.prices[0, k] + pulled - rested, 0.0)
            kept[done] = values
        for level, rounds in enumerate(own.rounds[1:14], start=1):
            assert own.values[0, k, level] == pytest.approx(kept[int(rounds)], abs=1e-9)
    used = -np.diff(own.rates[0]) / np.diff(own.prices[0])
    assert used[0] == pytest.approx(ways.chances.sum(), abs=0.02)
    assert used[-1] == pytest.approx(0.0, abs=0.02)
