"""What an arm is worth alone, against value iteration with SciPy's interpolation."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from benchmarks.reference import ahead

import roguewk as rw
from roguewk.kernel.arrays import Vector
from roguewk.relax import worth as relax_worth
from roguewk.relax.worth import PRICES, ROUNDS, Worth, build_worth, read, worth_by_price, worth_by_state


def tired(x: float, pulled: float) -> float:
    return 0.6 * math.sin(x) - 0.7 * pulled


def hill(x: float) -> float:
    return 0.1 + 0.8 * math.exp(-2 * x * x)


def one_in_three(x: float) -> float:
    return 1 / 3


ARMS = {
    "wears off": rw.Arm("a", A=0.7, B=-1.2, K=0.4, alpha=0.5, beta=0.9, state=(-3, 3)),
    "slow": rw.Arm("a", A=0.96, B=-0.45, alpha=2.0),
    "swings": rw.Arm("a", A=-0.6, B=-1.0, K=0.3),
    "improves with use": rw.Arm("a", A=0.8, B=0.6, K=-0.4),
    "gets better without": rw.Arm("a", A=0.8, B=0.6, K=-0.4, beta=-1.0),
    "does not feel a pull": rw.Arm("a", A=0.6, B=0.0, K=0.2),
    "forgets at once": rw.Arm("a", A=0.0, B=-1.0, K=0.5),
    "gaussian": rw.Arm("a", A=0.8, B=-0.6, K=0.2, alpha=0.5, beta=1.5, family="gaussian", sigma=0.7),
    "gaussian losses": rw.Arm("a", A=0.5, B=-1.0, alpha=-20.0, beta=3.0, family="gaussian", sigma=2.0),
    "own h and g": rw.Arm("a", h=tired, g=hill, state=(-2, 2)),
    "own g": rw.Arm("a", A=0.7, B=-0.5, K=0.2, g=hill),
    "leaves its state set": rw.Arm("a", A=0.7, B=-1.2, K=0.4, state=(0.0, 0.5)),
    "two coordinates": rw.Arm("a", [[0.4, 0.0], [0.1, 0.9]], [-1.0, -0.1], [0.0, 0.0], 1.0, [1.0, 0.6]),
    "two that swing": rw.Arm("a", [[0.3, 0.4], [-0.5, 0.6]], [-0.8, 0.2], [0.2, 0.1], 0.2, [0.7, -0.9]),
}
SAME = {
    "no weight": rw.Arm("a", A=0.5, B=-1.0, K=0.2, beta=0.0),
    "no weight, gaussian": rw.Arm("a", A=0.5, B=-1.0, alpha=-7.0, beta=0.0, family="gaussian", sigma=1.0),
    "always zero": rw.Arm("a", A=0.5, B=-1.0, beta=0.0, family="gaussian", sigma=1.0),
    "own g": rw.Arm("a", A=0.5, B=-1.0, g=one_in_three),
}


def table_of(kind: str) -> Worth:
    return build_worth((ARMS[kind],))


def axes_of(worth: Worth, a: int = 0) -> list[Vector]:
    grid = worth.grids[a]
    axes = [grid.low + grid.gap * np.arange(grid.count)]
    return axes if grid.second_count == 1 else [*axes, grid.second_low + grid.second_gap * np.arange(grid.second_count)]


def states_of(arm: rw.Arm, count: int, seed: int) -> Vector:
    """Anywhere in X, (state, coordinate)."""
    return np.random.default_rng(seed).uniform(arm.box[:, 0], arm.box[:, 1], (count, arm.dimension))


@pytest.mark.parametrize("kind", ARMS)
def test_the_tables_are_those_of_value_iteration_with_scipys_interpolation(kind: str) -> None:
    arm, worth = ARMS[kind], table_of(kind)
    axes, size = axes_of(worth), math.prod(map(len, axes_of(worth)))
    last = 256 if len(axes) == 1 else 32
    for k in (0, 1, 13, 24, 35, PRICES - 2, PRICES - 1):
        for rounds, table in enumerate(ahead.values(arm, axes, worth.prices[0, k], last), start=1):
            if rounds in ROUNDS:
                found = worth.values[0, k, ROUNDS.index(rounds), :size]
                np.testing.assert_allclose(found, table.ravel(), rtol=1e-10, atol=1e-10)
    assert not worth.values[:, :, 0].any()


@pytest.mark.parametrize("kind", ARMS)
def test_no_state_that_matters_leads_out_of_the_grid(kind: str) -> None:
    arm, axes = ARMS[kind], axes_of(table_of(kind))
    low, high = np.array([[axis[0], axis[-1]] for axis in axes]).T
    nodes = np.stack([each.ravel() for each in np.meshgrid(*axes)], axis=1)
    slack = 1e-9 * (high - low)
    beyond = [arm.box[:, 0][arm.box[:, 0] < low - slack], arm.box[:, 1][arm.box[:, 1] > high + slack]]
    for pulled in (0.0, 1.0):
        after = ahead.moved(arm, nodes, pulled)
        beyond += [after[(after < low - slack).any(axis=1)], after[(after > high + slack).any(axis=1)]]
    ends = ahead.means(arm, np.array([low, high]))
    for states in beyond:  # but to such as bring next to nothing, or no more
        lost = np.abs(ahead.means(arm, states.reshape(-1, arm.dimension)) - ends.min())
        assert (lost < 0.003 * ends.max()).all()


@pytest.mark.parametrize("kind", ARMS)
def test_the_grid_is_fine_enough(kind: str) -> None:
    """Against four times as many nodes on an axis, over 24 rounds."""
    arm, worth = ARMS[kind], table_of(kind)
    fine = [np.linspace(axis[0], axis[-1], 4 * len(axis) + 1) for axis in axes_of(worth)]
    states, curve = states_of(arm, 20, 1), np.zeros(PRICES)
    scale = float(np.ptp(ahead.means(arm, np.stack(np.meshgrid(*fine), axis=-1))))
    for k in (6, 24, 42):
        *_, table = ahead.values(arm, fine, worth.prices[0, k], 24)
        for x, truth in zip(states, ahead.interpolated(fine, table, states), strict=True):
            worth_by_price(worth, 0, x, 24.0, curve)
            assert curve[k] == pytest.approx(truth, abs=(0.05 if arm.dimension == 1 else 0.08) * scale)


@pytest.mark.parametrize("kind", ARMS)
def test_a_table_is_read_like_scipy_reads_it(kind: str) -> None:
    arm, worth = ARMS[kind], table_of(kind)
    axes = axes_of(worth)
    row = np.random.default_rng(2).normal(size=tuple(map(len, axes)))
    nodes = np.array(np.meshgrid(*axes)).reshape(len(axes), -1).T
    around = np.concatenate([states_of(arm, 200, 3), 3 * states_of(arm, 50, 4) - 1, nodes[::7]])
    expected = ahead.interpolated(axes, row, around)
    found = [read(worth.grids[0], row.ravel(), x) for x in around]
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", ARMS)
def test_worth_falls_with_the_price_by_pulls_that_fit_in_the_rounds_and_ever_more_slowly(kind: str) -> None:
    arm, worth = ARMS[kind], table_of(kind)
    curve, gap = np.zeros(PRICES), worth.prices[0, 1] - worth.prices[0, 0]
    for x in states_of(arm, 10, 5):
        for rounds in (1.0, 1.5, 7.0, 100.3, 256.0):
            worth_by_price(worth, 0, x, rounds, curve)
            pulls, dust = -np.diff(curve) / gap, 1e-9 * (1 + np.abs(curve).max() / gap)
            assert (pulls >= -dust).all()
            assert (pulls <= rounds + dust).all()
            assert (np.diff(pulls) <= dust).all()
            assert (curve >= -1e-9).all()


@pytest.mark.parametrize("kind", ARMS)
def test_rounds_between_two_tables_are_between_them_in_worth(kind: str) -> None:
    arm, worth = ARMS[kind], table_of(kind)
    at, before, after = np.zeros((3, PRICES))
    for x in states_of(arm, 5, 6):
        for low, high in itertools.pairwise(ROUNDS):
            for part in (0.0, 0.3, 1.0):
                worth_by_price(worth, 0, x, float(low), before)
                worth_by_price(worth, 0, x, float(high), after)
                worth_by_price(worth, 0, x, low + part * (high - low), at)
                np.testing.assert_allclose(at, before + part * (after - before), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("kind", [kind for kind, arm in ARMS.items() if arm.dimension == 1])
def test_beyond_the_last_table_every_round_adds_as_much(kind: str) -> None:
    arm, worth = ARMS[kind], table_of(kind)
    states, curve = states_of(arm, 5, 7), np.zeros(PRICES)
    scale = float(np.ptp(worth.prices[0]))
    for k in (6, 24, 42):
        *_, table = ahead.values(arm, axes_of(worth), worth.prices[0, k], 700)
        for x, truth in zip(states, ahead.interpolated(axes_of(worth), table, states), strict=True):
            worth_by_price(worth, 0, x, 700.0, curve)
            assert curve[k] == pytest.approx(truth, abs=0.02 * scale + 0.002 * truth)


@pytest.mark.parametrize("kind", ARMS)
def test_worth_by_state_is_worth_by_price_but_for_a_constant(kind: str) -> None:
    arm, worth = ARMS[kind], table_of(kind)
    states, curve = states_of(arm, 8, 8), np.zeros(PRICES)
    row = np.zeros(worth.values.shape[3])
    for rounds in (1.0, 5.0, 50.0, 256.0, 900.0):
        for share in (0.0, 0.237, 0.5, 0.961, 1.0):
            price = worth.prices[0, 0] + share * (worth.prices[0, -1] - worth.prices[0, 0])
            worth_by_state(worth, 0, price, rounds, row)
            shift = []
            for x in states:
                worth_by_price(worth, 0, x, rounds, curve)
                shift.append(np.interp(price, worth.prices[0], curve) - read(worth.grids[0], row, x))
            assert np.ptp(shift) <= 1e-9 * (1 + np.abs(curve).max())


@pytest.mark.parametrize("kind", ARMS)
def test_the_prices_go_from_always_used_to_never_used(kind: str) -> None:
    worth = table_of(kind)
    used = -np.diff(worth.rates[0]) / np.diff(worth.prices[0])
    assert used[0] == pytest.approx(1.0, abs=2e-3)
    assert used[-1] == pytest.approx(0.0, abs=2e-3)
    inside = np.flatnonzero((used > 2e-3) & (used < 1 - 2e-3))
    if kind not in ("does not feel a pull", "improves with use"):  # those are used always or never
        assert inside.size >= 20  # the tables are not wasted on prices that never matter
    assert (np.diff(worth.prices[0]) > 0).all()


@pytest.mark.parametrize("kind", ARMS)
def test_prices_beyond_the_table_are_like_its_ends(kind: str) -> None:
    worth = table_of(kind)
    row, end = np.zeros((2, worth.values.shape[3]))
    for k, beyond in ((0, -3.0), (-1, 3.0)):
        worth_by_state(worth, 0, worth.prices[0, k], 60.0, end)
        worth_by_state(worth, 0, worth.prices[0, k] + beyond * np.ptp(worth.prices[0]), 60.0, row)
        np.testing.assert_allclose(row, end, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("kind", SAME)
def test_an_arm_that_nothing_changes_is_worth_its_reward_less_the_price_each_round(kind: str) -> None:
    arm = SAME[kind]
    worth, curve = build_worth((arm,)), np.zeros(PRICES)
    reward = float(ahead.means(arm, arm.box[None, :, 0])[0])
    assert worth.prices[0, 0] < reward < worth.prices[0, -1]
    for rounds in (3.0, 40.0, 1000.0):
        worth_by_price(worth, 0, arm.box[:, 0], rounds, curve)
        np.testing.assert_allclose(curve, rounds * np.maximum(reward - worth.prices[0], 0), rtol=1e-6, atol=1e-9)


def test_arms_of_one_and_two_coordinates_share_the_tables() -> None:
    kinds = ["two coordinates", "wears off", "own h and g"]
    worth = build_worth(tuple(ARMS[kind] for kind in kinds))
    together, alone = np.zeros((2, PRICES))
    for a, kind in enumerate(kinds):
        for x in states_of(ARMS[kind], 5, 9):
            wide = np.append(x, 99.0)[:2]  # scalar arms leave the second coordinate unused
            worth_by_price(worth, a, wide, 77.0, together)
            worth_by_price(table_of(kind), 0, x, 77.0, alone)
            np.testing.assert_allclose(together, alone, rtol=1e-12)


def test_arms_alike_share_their_tables_and_others_have_their_own() -> None:
    told: dict[str, Any] = {"A": 0.7, "B": -1.2, "K": 0.4, "alpha": 0.5, "beta": 0.9, "state": (-3, 3)}

    def tables(arm: rw.Arm) -> Any:
        return relax_worth._table(relax_worth.Alike(arm, relax_worth.mixture_of(arm, np.zeros(1), np.ones(1))))

    one, other = rw.Arm("one", **told), rw.Arm("other", **told)
    assert tables(one) is tables(other)
    changes: list[dict[str, Any]] = [
        {"A": 0.71}, {"B": -1.21}, {"K": 0.41}, {"alpha": 0.51}, {"beta": 0.91}, {"state": (-3, 3.1)},
        {"family": "gaussian", "sigma": 0.5}, {"alpha": None, "beta": None, "g": hill},
        {"A": None, "B": None, "K": None, "h": tired},
    ]  # fmt: skip
    for change in changes:
        given = {key: value for key, value in change.items() if value is not None}
        without = {key for key, value in change.items() if value is None}
        changed = rw.Arm("one", **{key: value for key, value in {**told, **given}.items() if key not in without})
        assert tables(changed) is not tables(one)
        fresh = relax_worth._table.__wrapped__(
            relax_worth.Alike(changed, relax_worth.mixture_of(changed, np.zeros(1), np.ones(1)))
        )
        assert fresh.values.tolist() == tables(changed).values.tolist()
