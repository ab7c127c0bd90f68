"""Value iteration that stops when it repeats itself, against plain value iteration through every round."""

import math

import numpy as np
import pytest

import roguewk as rw
from roguewk.kernel.arrays import Vector
from roguewk.problem.dynamics import build_dynamics
from roguewk.relax.lattice import Lattice, build_lattice
from roguewk.relax.schedule import MOST_CHOICES, PERIODS, build_table, follow, solve_arm

TOLERANCE = 1e-7


def _through_every_round(lattice: Lattice, price: float, rounds: int, own: Vector | None = None) -> Vector:
    values, now = np.zeros(rounds + 1), np.zeros(lattice.rewards.size)
    for s in range(rounds):
        rested = (lattice.rest_shares * now[lattice.rest]).sum(axis=1)
        paid = price + (own[s] if own is not None and s < own.size else 0.0)
        pulled = (lattice.pull_shares * now[lattice.pull]).sum(axis=1) + lattice.rewards - paid
        now = np.maximum(pulled, rested) + lattice.slack
        values[s + 1] = lattice.start_shares @ now[lattice.start] + lattice.slack
    return values


def _own(name: str, bend: float) -> rw.Arm:
    return rw.Arm(
        name,
        h=lambda x, pulled: bend * math.sin(x) - 0.5 * pulled,
        g=lambda x: 0.5 + 0.4 * math.tanh(x),
        state=(-3.0, 3.0),
    )


def _arms(kind: str) -> list[tuple[rw.Arm, Vector]]:
    rng = np.random.default_rng(5)
    if kind == "catalogue":
        worlds = [rw.catalog.paper(), rw.catalog.slow_recovery(), rw.catalog.gaussian()]
        return [pair for world in worlds for pair in zip(world.problem.arms, world.x0, strict=True)]
    arms = []
    for i in range(8 if kind == "scalar" else 3):
        if kind == "scalar":
            A, B, K = rng.uniform(-0.5, 0.95), rng.uniform(-2, 0.5), rng.uniform(-1, 1)
            arm = rw.Arm(f"arm {i}", A, B, K, rng.uniform(-0.5, 0.5), rng.uniform(-1, 1.5))
        elif kind == "in turns":  # worn out at once, back in two, three and four rounds
            arm = rw.Arm(f"arm {i}", A=0.3 + 0.2 * i, B=-8.0, alpha=1.0)
        elif kind == "two coordinates":
            matrix = np.diag(rng.uniform(0.1, 0.8, 2)).tolist()
            arm = rw.Arm(f"arm {i}", matrix, rng.uniform(-1, 0, 2), rng.uniform(0, 0.5, 2), 0.1, [0.5, 0.8])
        else:
            arm = _own(f"arm {i}", 0.3 + 0.3 * i)
        arms.append((arm, rng.uniform(arm.box[:, 0], arm.box[:, 1])))
    return arms


KINDS = ["scalar", "in turns", "two coordinates", "of one's own", "catalogue"]


@pytest.mark.parametrize("kind", KINDS)
def test_stopping_early_bounds_every_round_and_adds_no_more_than_the_tolerance(kind: str) -> None:
    rng = np.random.default_rng(6)
    rounds = {"two coordinates": 600, "of one's own": 1000}.get(kind, 2500)
    stopped = 0
    for arm, x0 in _arms(kind):
        lattice = build_lattice(arm, x0, 1e-3 if kind in ("two coordinates", "of one's own") else 1e-5)
        price = rng.uniform(0.05, 0.7)
        table = build_table(lattice, rounds, TOLERANCE)
        solve_arm(lattice, price, table)
        truth = _through_every_round(lattice, price, rounds)
        assert (table.values >= truth - 1e-9).all()
        assert (table.values <= truth + TOLERANCE * rounds + 1e-9).all()
        stopped += table.repeat[0] < rounds
    assert stopped > 0


@pytest.mark.parametrize("kind", KINDS)
def test_the_schedule_beyond_the_last_iteration_is_a_real_one_and_nearly_the_best(kind: str) -> None:
    for arm, x0 in _arms(kind):
        lattice = build_lattice(arm, x0, 1e-4)
        rounds = 20_000
        table = build_table(lattice, rounds, 1e-5)
        solve_arm(lattice, 0.3, table)
        state = np.zeros((2, arm.dimension))
        state[0] = x0
        pulls, reward = follow(lattice, build_dynamics((arm,)), 0, table, rounds, state)
        assert table.repeat[0] < rounds
        assert 0 <= table.values[rounds] - (reward - 0.3 * pulls) <= rounds * (2e-3 + lattice.slack)


@pytest.mark.parametrize("last", [1, 7, 100, 400, 1500])
def test_last_rounds_with_prices_of_their_own_do_not_break_the_bound_on_the_others(last: int) -> None:
    rng = np.random.default_rng(last)
    rounds = 1500
    for arm, x0 in _arms("catalogue")[:3] + _arms("in turns"):
        lattice = build_lattice(arm, x0, 1e-5)
        table = build_table(lattice, rounds, TOLERANCE, last)
        table.own[:] = rng.uniform(-0.5, 0.5, last)
        solve_arm(lattice, 0.3, table)
        truth = _through_every_round(lattice, 0.3, rounds, table.own)
        assert (table.values >= truth - 1e-9).all()
        assert (table.values <= truth + TOLERANCE * rounds + 1e-9).all()
        state = np.array([[float(x0[0])], [0.0]])
        pulls, reward = follow(lattice, build_dynamics((arm,)), 0, table, rounds, state)
        paid = 0.3 * pulls + table.own @ table.last_pulls
        assert set(table.last_pulls) <= {0.0, 1.0}
        assert 0 <= truth[-1] - (reward - paid) <= rounds * 1e-3


@pytest.mark.parametrize("rounds", [1, 2, 11, 12, 13, PERIODS, PERIODS + 1, 200])
def test_short_horizons_are_iterated_as_they_are(rounds: int) -> None:
    arm, x0 = _arms("scalar")[0]
    lattice = build_lattice(arm, x0, 1e-5)
    table = build_table(lattice, rounds)
    solve_arm(lattice, 0.2, table)
    np.testing.assert_allclose(table.values, _through_every_round(lattice, 0.2, rounds), atol=1e-12)


def test_memory_does_not_grow_with_the_horizon_beyond_a_number_per_round() -> None:
    arm, x0 = _arms("two coordinates")[0]
    lattice = build_lattice(arm, x0, 1e-6)
    short, long = build_table(lattice, 10_000), build_table(lattice, 10_000_000)
    assert short.choices.nbytes == long.choices.nbytes <= MOST_CHOICES + lattice.rewards.size
    assert long.recent.nbytes == short.recent.nbytes


@pytest.mark.parametrize("idle", [True, False])
def test_the_bound_of_a_long_game_is_in_proportion_to_that_of_a_shorter_one(idle: bool) -> None:
    short, long = (rw.upper_bound(rw.catalog.paper(budget=0.3 * T, horizon=T), idle).value for T in (4000, 100_000))
    assert long / 100_000 == pytest.approx(short / 4000, rel=2e-3)
