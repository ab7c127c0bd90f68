"""Looking ahead, against every sequence of arms, and depths against playing them."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from benchmarks.reference import ahead

import roguewk as rw
from roguewk.kernel.arrays import Vector
from roguewk.problem.dynamics import build_dynamics
from roguewk.relax.lookahead import (
    BETTER,
    DEPTHS,
    IDLE,
    TRIAL,
    WIDTHS,
    Beam,
    Scene,
    best_depth,
    build_beam,
    look_ahead,
    wear,
)
from roguewk.relax.worth import build_worth, worth_by_state


def tired(x: float, pulled: float) -> float:
    return 0.5 * math.tanh(x) - 0.6 * pulled


def hill(x: float) -> float:
    return 0.1 + 0.8 * math.exp(-2 * x * x)


TRIPLES = {
    "scalar": (
        rw.Arm("a", A=0.7, B=-1.2, K=0.4, alpha=0.5, beta=0.9),
        rw.Arm("b", A=0.5, B=-2.0, K=1.0, alpha=0.1),
        rw.Arm("c", A=0.9, B=-0.3, K=0.1, alpha=0.3),
    ),
    "gaussian, better with use, swinging": (
        rw.Arm("a", A=0.8, B=-0.6, K=0.2, family="gaussian", sigma=0.7),
        rw.Arm("b", A=0.8, B=0.5, K=-0.3),
        rw.Arm("c", A=-0.6, B=-1.0, K=0.3),
    ),
    "own functions and two coordinates": (
        rw.Arm("a", [[0.4, 0.0], [0.1, 0.9]], [-1.0, -0.1], [0.0, 0.0], 1.0, [1.0, 0.6]),
        rw.Arm("b", h=tired, g=hill, state=(-2, 2)),
        rw.Arm("c", A=0.6, B=-1.0, K=0.3),
    ),
}
EVERY = np.ones(3, dtype=np.bool_)


def random_scene(rng: np.random.Generator, kind: str) -> Scene:
    arms, worth = TRIPLES[kind], build_worth(TRIPLES[kind])
    dynamics = build_dynamics(arms)
    states, tables = np.zeros(dynamics.vectors.shape[:2]), np.zeros((3, worth.values.shape[3]))
    charges, round_price, rounds = rng.uniform(0, 0.6, 3), rng.uniform(-0.2, 0.3), float(rng.uniform(0, 300))
    for a, arm in enumerate(arms):
        states[a, : arm.dimension] = rng.uniform(arm.box[:, 0], arm.box[:, 1])
        worth_by_state(worth, a, charges[a] + round_price, rounds, tables[a])
    return Scene(worth, dynamics, tables, charges, states, np.zeros(3))


def wide_beam(scene: Scene, rows: int) -> Beam:
    """Working memory for more sequences than are ever followed."""
    beam = build_beam(3, scene.states.shape[1])
    by_sequence = {"states", "earned", "first", "next_states", "next_earned", "next_first", "scores", "parents", "arms"}
    return beam._replace(
        **{name: np.zeros((rows, *getattr(beam, name).shape[1:]), getattr(beam, name).dtype) for name in by_sequence}
    )


def worth_of(scene: Scene, kind: str, a: int, x: Vector) -> float:
    grid, arm = scene.worth.grids[a], TRIPLES[kind][a]
    axes = [grid.low + grid.gap * np.arange(grid.count)]
    if arm.dimension == 2:
        axes.append(grid.second_low + grid.second_gap * np.arange(grid.second_count))
    shape = tuple(map(len, axes))
    return float(ahead.interpolated(axes, scene.tables[a, : math.prod(shape)].reshape(shape), x[: arm.dimension])[0])


def played(scene: Scene, kind: str, sequence: tuple[int, ...]) -> tuple[float, list[Vector]]:
    """Rewards less charges of a sequence, and the states it ends in."""
    states, total = [x[: arm.dimension] for x, arm in zip(scene.states, TRIPLES[kind], strict=True)], 0.0
    for chosen in sequence:
        if chosen != IDLE:
            total += float(ahead.means(TRIPLES[kind][chosen], states[chosen])) - scene.charges[chosen]
        states = [ahead.moved(arm, states[a], float(a == chosen)) for a, arm in enumerate(TRIPLES[kind])]
    return total, states


def value_of(scene: Scene, kind: str, sequence: tuple[int, ...]) -> float:
    total, states = played(scene, kind, sequence)
    return total + sum(worth_of(scene, kind, a, x) for a, x in enumerate(states))


def best_by_first(scene: Scene, kind: str, available: Any, may_idle: bool, depth: int) -> dict[int, float]:
    """The value of the best sequence after each first choice."""
    choices = range(IDLE if may_idle else 0, 3)
    best: dict[int, float] = {}
    for sequence in itertools.product(choices, repeat=depth):
        if sequence[0] == IDLE or available[sequence[0]]:
            best[sequence[0]] = max(best.get(sequence[0], -np.inf), value_of(scene, kind, sequence))
    return best


@pytest.mark.parametrize("may_idle", [True, False])
@pytest.mark.parametrize("kind", TRIPLES)
def test_with_room_for_every_sequence_the_best_of_all_is_found(kind: str, may_idle: bool) -> None:
    rng = np.random.default_rng(61)
    for _ in range(25):
        scene, available = random_scene(rng, kind), rng.random(3) < 0.7
        best = best_by_first(scene, kind, available, may_idle, 3)
        first = look_ahead(wide_beam(scene, 64), scene, available, may_idle, 3, 64)
        if best:
            assert best[first] == pytest.approx(max(best.values()), abs=1e-9)
        else:
            assert first == IDLE


@pytest.mark.parametrize("kind", TRIPLES)
def test_the_few_sequences_that_are_followed_lose_next_to_nothing(kind: str) -> None:
    rng = np.random.default_rng(62)
    lost = []
    for _ in range(40):
        scene = random_scene(rng, kind)
        best = best_by_first(scene, kind, EVERY, True, 3)
        first = look_ahead(build_beam(3, scene.states.shape[1]), scene, EVERY, True, 3, WIDTHS[1])
        lost.append(max(best.values()) - best[first])
    assert np.mean(lost) < 1e-3
    assert np.max(lost) < 0.02


@pytest.mark.parametrize("may_idle", [True, False])
@pytest.mark.parametrize("kind", TRIPLES)
def test_one_round_ahead_is_the_index_rule(kind: str, may_idle: bool) -> None:
    """The largest reward less charge and wear, if it is positive or a round must play."""
    rng = np.random.default_rng(63)
    seen = set()
    for _ in range(60):
        scene, available = random_scene(rng, kind), rng.random(3) < 0.8
        index = np.full(3, -np.inf)
        for a in np.flatnonzero(available).tolist():
            arm, x = TRIPLES[kind][a], scene.states[a, : TRIPLES[kind][a].dimension]
            rested, pulled = (worth_of(scene, kind, a, ahead.moved(arm, x, by)) for by in (0.0, 1.0))
            index[a] = float(ahead.means(arm, x)) - scene.charges[a] + pulled - rested
            spare = np.zeros((2, scene.states.shape[1]))
            found = wear(scene.worth, scene.dynamics, a, scene.states[a], scene.tables[a], spare)
            assert found == pytest.approx((rested, pulled - rested), abs=1e-10)
        expected = int(index.argmax()) if index.max() > (0 if may_idle else -np.inf) else IDLE
        assert look_ahead(build_beam(3, scene.states.shape[1]), scene, available, may_idle, 1, 1) == expected
        seen.add(expected)
    assert len(seen) >= 3


@pytest.mark.parametrize("depth", [1, 3, 6])
def test_an_arm_that_is_not_available_now_can_still_be_waited_for(depth: int) -> None:
    """Of two ways to rest a good arm, that which leaves it for later is right: only the first round is masked."""
    good, poor = rw.Arm("good", A=0.5, B=-3.0, alpha=3.0), rw.Arm("poor", A=0.5, B=0.0, alpha=-1.0)
    arms = (good, poor, poor)
    worth = build_worth(arms)
    tables, charges, states = np.zeros((3, worth.values.shape[3])), np.array([0.0, 0.3, 0.3]), np.zeros((3, 1))
    scene = Scene(worth, build_dynamics(arms), tables, charges, states, np.zeros(3))
    mask = np.array([False, True, True])
    assert look_ahead(build_beam(3, 1), scene, EVERY, True, depth, 12) == 0
    assert look_ahead(build_beam(3, 1), scene, mask, True, depth, 12) == IDLE
    assert look_ahead(build_beam(3, 1), scene, mask, False, depth, 12) in (1, 2)
    assert look_ahead(build_beam(3, 1), scene, ~EVERY, False, depth, 12) == IDLE


def test_looking_ahead_changes_nothing_that_it_is_given() -> None:
    scene = random_scene(np.random.default_rng(64), "scalar")
    before = [scene.tables.copy(), scene.charges.copy(), scene.states.copy(), scene.shifts.copy()]
    beam = build_beam(3, 1)
    first = look_ahead(beam, scene, EVERY, True, 6, 12)
    best_depth(beam, scene, EVERY, True, 50)
    assert look_ahead(beam, scene, EVERY, True, 6, 12) == first
    for mine, old in zip(scene[2:], before, strict=True):
        assert mine.tolist() == old.tolist()


@pytest.mark.parametrize("may_idle", [True, False])
@pytest.mark.parametrize("kind", TRIPLES)
def test_the_depth_is_the_one_that_earns_most_when_played(kind: str, may_idle: bool) -> None:
    rng = np.random.default_rng(65)
    chosen = set()
    for rounds in (1, 7, 40, 40, 40, TRIAL, 2 * TRIAL):
        scene = random_scene(rng, kind)
        beam, totals = build_beam(3, scene.states.shape[1]), []
        for depth, width in zip(DEPTHS, WIDTHS, strict=True):
            now, sequence, states = scene, [], scene.states.copy()
            for _ in range(min(rounds, TRIAL)):
                arm = look_ahead(beam, now, EVERY, may_idle, depth, width)
                sequence.append(arm)
                for a, each in enumerate(TRIPLES[kind]):
                    states[a, : each.dimension] = ahead.moved(each, states[a, : each.dimension], float(a == arm))
                now = scene._replace(states=states.copy())
            totals.append(value_of(scene, kind, tuple(sequence)))
        expected = 0
        for d, total in enumerate(totals):
            expected = d if total > totals[expected] + BETTER else expected
        assert best_depth(beam, scene, EVERY, may_idle, rounds) == expected, totals
        chosen.add(expected)
    assert len(chosen) >= (2 if kind == "scalar" else 1)
