"""Round prices that vary, between the exact optimum and the bound at constant ones."""

import math

import numpy as np
import pytest

import roguewk as rw
from roguewk.bounds.tiny import Tiny
from tests.judge import MAIN


@pytest.fixture(autouse=True)
def prices_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiny worlds have exact values: here it is prices that are tried on them."""
    monkeypatch.setattr("roguewk.bounds.upper.tiny_value", lambda world, idle: Tiny(math.inf, exact=False))


def _twins(rounds: int, idle: bool) -> rw.World:
    """Two arms alike: at a constant price both want the same rounds, and one round has room for one of them."""
    arms = [rw.Arm(name, A=0.6, B=-2.0, alpha=1.5) for name in ("one", "other")]
    return rw.World(rw.Problem(arms, [], rounds, idle), [0.0, 0.0], [[], []])


@pytest.mark.parametrize("idle", [True, False])
@pytest.mark.parametrize("rounds", [5, 6, 10])
def test_arms_that_want_the_same_rounds_are_told_apart(rounds: int, idle: bool) -> None:
    world = _twins(rounds, idle)
    best = rw.exact(world).value
    constant, varying = (rw.upper_bound(world, round_prices=kind) for kind in ("constant", "varying"))
    assert constant.value > 1.04 * best
    assert best - 1e-9 <= varying.value <= 1.002 * best


def _tiny_world(rng: np.random.Generator, idle: bool) -> rw.World:
    arms, costs = [], []
    resources = [rw.Resource(f"r{j}", float(rng.uniform(0.5, 2.5))) for j in range(int(rng.integers(0, 3)))]
    for a in range(int(rng.integers(1, 4))):
        A, B, K = rng.uniform(-0.3, 0.9), rng.uniform(-2, 0.3), rng.uniform(-0.5, 0.5)
        family = "gaussian" if rng.random() < 0.3 else "bernoulli"
        arms.append(rw.Arm(f"arm {a}", A, B, K, 0.3, 1.0, family, 0.5 if family == "gaussian" else None))
        costs.append([rw.Cost.bernoulli(float(rng.uniform(0.2, 0.9)), float(rng.uniform(0.2, 1))) for _ in resources])
    x0 = [rng.uniform(arm.box[:, 0], arm.box[:, 1]) for arm in arms]
    return rw.World(rw.Problem(arms, resources, int(rng.integers(1, 6)), idle), x0, costs)


@pytest.mark.parametrize("idle", [True, False])
def test_varying_prices_bound_tiny_worlds_and_are_never_worse_than_constant_ones(idle: bool) -> None:
    rng = np.random.default_rng(4)
    tighter = 0
    for _ in range(20):
        world = _tiny_world(rng, idle)
        constant, varying = rw.upper_bound(world), rw.upper_bound(world, round_prices="varying")
        assert rw.exact(world).value - 1e-9 <= varying.value <= constant.value
        tighter += varying.value < 0.99 * constant.value
    assert tighter >= 3


@pytest.mark.parametrize("name", ["paper", "gaussian", "messages"])
@pytest.mark.parametrize("idle", [True, False])
def test_no_policy_earns_more_than_the_varying_bound_of_a_short_game(name: str, idle: bool) -> None:
    world = rw.catalog.get(name, horizon=30).with_problem(idle=idle)
    bound = rw.upper_bound(world, round_prices="varying")
    runs = rw.simulate(world, [*MAIN, ("roguewk-ucb", {"cost_scale": 0.1})], replicates=400)
    assert runs.summary()["expected_reward"].max() <= bound.value <= rw.upper_bound(world).value


def test_round_prices_are_told_for_every_round_and_their_mean_is_the_round_price() -> None:
    world = _twins(8, True)
    constant = rw.upper_bound(world)
    np.testing.assert_array_equal(constant.round_prices, np.full(8, constant.round_price))
    varying = rw.upper_bound(world, round_prices="varying")
    assert varying.round_prices.shape == (8,)
    assert varying.round_price == pytest.approx(varying.round_prices.mean())
    assert (varying.round_prices >= -1e-12).all()
    assert np.ptp(varying.round_prices) > 0.01
    assert np.isnan(varying.gap)
    assert varying.status == "settled"


def test_the_end_of_a_long_game_may_have_its_own_prices() -> None:
    world = rw.catalog.paper(budget=900, horizon=3000)
    constant, varying = rw.upper_bound(world), rw.upper_bound(world, round_prices="varying")
    assert 0.999 * constant.value < varying.value <= constant.value
    assert len(set(varying.round_prices[:1000])) == 1
    assert varying.round_prices.shape == (3000,)


def test_the_steps_that_are_taken_are_told() -> None:
    told: list[tuple[int, int]] = []
    world = _twins(8, True)
    bound = rw.upper_bound(world, round_prices="varying", progress=lambda step, most: told.append((step, most)))
    steps, most = zip(*told, strict=True)
    assert steps == tuple(range(len(told)))
    assert set(most) == {500}
    assert 1 < len(told) <= 500
    assert bound.value == rw.upper_bound(world, round_prices="varying").value
    with pytest.raises(rw.InputError, match="progress is 3: give a function of the steps taken"):
        rw.upper_bound(world, progress=3)  # type: ignore[arg-type]


def test_another_kind_of_round_prices_is_refused() -> None:
    with pytest.raises(rw.InputError, match="unknown kind of round prices 'varing': did you mean 'varying'"):
        rw.upper_bound(_twins(4, True), round_prices="varing")  # type: ignore[arg-type]
    with pytest.raises(rw.InputError, match="round_prices is 3"):
        rw.upper_bound(_twins(4, True), round_prices=3)  # type: ignore[arg-type]
