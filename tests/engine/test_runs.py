"""Regret against the bound, in the results of a simulation."""

import numpy as np
import pytest

import roguewk as rw


def test_regret_is_the_bound_less_what_a_policy_expects_to_earn() -> None:
    world = rw.catalog.paper(budget=50, horizon=200)
    runs = rw.simulate(world, {"mine": "roguewk-ucb", "naive": "ucb1"}, replicates=5, seed=3)
    expected = [runs.totals[label]["expected"].mean() for label in ("mine", "naive")]
    bound = rw.upper_bound(world).value
    assert runs.bound.value == bound
    assert list(runs.regret_upper.index) == list(runs.fraction.index) == ["mine", "naive"]
    np.testing.assert_allclose(runs.regret_upper, bound - np.array(expected))
    np.testing.assert_allclose(runs.fraction, np.array(expected) / bound)
    assert (runs.regret_upper > 0).all()
    assert runs.fraction["mine"] > runs.fraction["naive"]


def test_the_bound_is_that_of_the_world_played_idle_rounds_or_not() -> None:
    values = []
    for idle in (True, False):
        world = rw.catalog.paper(budget=30, horizon=100, idle=idle)
        values.append(rw.simulate(world, "ucb1", replicates=1).bound.value)
        assert values[-1] == rw.upper_bound(world, idle).value
    assert values[0] > values[1]


def test_the_bound_is_worked_out_once_and_only_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counted(world: rw.World) -> rw.Bound:
        calls.append(world)
        return rw.upper_bound(world)

    monkeypatch.setattr("roguewk.engine.runs.upper_bound", counted)
    runs = rw.simulate(rw.catalog.paper(horizon=50), ["ucb1", "sw-ucb"], replicates=2)
    plain = runs.summary()
    assert calls == []
    full = runs.summary(bound=True)
    assert full["regret_upper"].tolist() == runs.regret_upper.tolist()
    assert full["fraction"].tolist() == runs.fraction.tolist()
    assert len(calls) == 1
    assert list(full.columns) == [*plain.columns, "regret_upper", "fraction"]
    assert full[plain.columns].equals(plain)


def test_a_world_that_cannot_be_bounded_still_simulates_and_says_why_it_has_no_regret() -> None:
    cube = rw.Arm("cube", A=(0.5 * np.eye(3)).tolist(), B=[-1, -1, -1], K=[0, 0, 0], beta=[1, 1, 1])
    runs = rw.simulate(rw.World(rw.Problem([cube], [], 10), [[-1, -1, -1]], [[]]), "ucb1", replicates=2)
    assert len(runs.summary()) == 1
    for ask in (lambda: runs.bound, lambda: runs.regret_upper, lambda: runs.fraction, lambda: runs.summary(bound=True)):
        with pytest.raises(rw.InputError, match="'cube' has 3 coordinates"):
            ask()
    with pytest.raises(rw.InputError, match="bound is 'yes'"):
        runs.summary(bound="yes")  # type: ignore[arg-type]
