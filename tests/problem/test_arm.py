import copy
import dataclasses
import math
import pickle
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import Arm, link, unlink
from roguewk.problem.errors import InputError
from roguewk.problem.everyday import everyday_arm
from roguewk.problem.plain import problem_from_data, problem_to_data
from roguewk.problem.problem import Problem


def walk(arm: Arm, x: Vector, rounds: int, rng: np.random.Generator) -> Vector:
    """(round, coordinate) states under random pulls, some in long runs."""
    states, chance = [x], 0.5
    for _ in range(rounds):
        if rng.random() < 0.05:
            chance = float(rng.choice([0.0, 0.1, 0.5, 0.9, 1.0]))
        x = arm.matrix @ x + arm.push * float(rng.random() < chance) + arm.pull_back
        states.append(x)
    return np.array(states)


def inside(arm: Arm, states: Vector) -> bool:
    slack = 1e-9 * (arm.box[:, 1] - arm.box[:, 0])
    return bool(((states >= arm.box[:, 0] - slack) & (states <= arm.box[:, 1] + slack)).all())


@pytest.mark.parametrize("seed", range(20))
def test_states_that_start_in_the_natural_box_stay_in_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = 1 + seed % 3
    A = rng.uniform(-1, 1, (size, size))
    A *= rng.uniform(0.2, 0.98) / np.abs(np.linalg.eigvals(np.abs(A))).max()
    arm = Arm("any", A=A, B=rng.normal(size=size), K=rng.normal(size=size), beta=rng.uniform(0.01, 0.1, size))
    for corner in (arm.box[:, 0], arm.box[:, 1], arm.box.mean(axis=1)):
        assert inside(arm, walk(arm, corner, 2000, rng))


@pytest.mark.parametrize(("A", "B", "K"), [(0.2, -0.5, 0.8), (0.7, -1.2, 0.4), (0.95, 0.3, -1.0)])
def test_the_natural_box_of_a_scalar_arm_lies_between_worn_and_rested(A: float, B: float, K: float) -> None:
    ends = sorted([K / (1 - A), (K + B) / (1 - A)])
    assert Arm("any", A=A, B=B, K=K).state == pytest.approx(ends, abs=1e-12)


def test_the_natural_box_is_no_larger_than_the_states_that_are_reached() -> None:
    arm = Arm("swings", A=-0.6, B=1.0, K=0.2)
    x, seen = arm.box.mean(axis=1), []
    for t in range(400):
        x = arm.matrix @ x + arm.push * float(t % 2) + arm.pull_back
        seen.append(float(x[0]))
    assert (min(seen), max(seen)) == pytest.approx(arm.state, abs=1e-9)


@pytest.mark.parametrize("A", [0.0, 0.5, 0.99, -0.99])
def test_an_arm_that_nothing_moves_gets_one_unit_of_log_odds_either_way(A: float) -> None:
    assert Arm("still", A=A, B=0.0, beta=2.0).state == pytest.approx((-0.5, 0.5))


def test_a_coordinate_that_nothing_moves_gets_width_and_the_box_stays_invariant() -> None:
    arm = Arm("half", A=[[0.5, 0.3], [0.0, 0.9]], B=[-1.0, 0.0], K=[0.0, 0.0], beta=[1.0, 1.0])
    assert (np.diff(arm.box, axis=1) > 0).all()
    assert inside(arm, walk(arm, arm.box[:, 1], 500, np.random.default_rng(1)))


def test_a_rotation_contracts_but_needs_its_state_set_given() -> None:
    turn = 0.8 * np.array([[math.cos(1), -math.sin(1)], [math.sin(1), math.cos(1)]])
    with pytest.raises(InputError, match="give `state`"):
        Arm("turn", A=turn, B=[1.0, 0.0], K=[0.0, 0.0], beta=[1.0, 1.0])
    given = Arm("turn", A=turn, B=[1.0, 0.0], K=[0.0, 0.0], beta=[1.0, 1.0], state=[[-5, 5], [-5, 5]])
    assert given.dimension == 2


@pytest.mark.parametrize("x0", [-40.0, -3.1, 1.7, 12.0])
def test_a_widened_box_holds_x0_and_every_later_state(x0: float) -> None:
    arm = Arm("call", A=0.7, B=-1.2, K=0.4).widened([x0])
    assert arm.box[0, 0] <= x0 <= arm.box[0, 1]
    assert inside(arm, walk(arm, np.array([x0]), 500, np.random.default_rng(0)))


def test_a_box_that_holds_x0_or_misses_it_by_rounding_is_not_doubled() -> None:
    for A, K in ((0.3, 0.1), (0.7, 0.4), (0.9, 0.7), (0.95, 1 / 3)):
        arm = Arm("call", A=A, B=-0.7, K=K)
        rested = K / (1 - A)
        for x0 in (rested, math.nextafter(rested, math.inf), arm.state[0], arm.state[1]):
            wide = arm.widened([x0])
            assert wide.state == pytest.approx(arm.state, rel=1e-12)
            assert wide.box[0, 0] <= x0 <= wide.box[0, 1]


def test_the_arrays_of_the_caller_stay_his_own() -> None:
    B = np.array([-1.0, -2.0])
    arm = Arm("two", A=np.eye(2) / 2, B=B, K=[0, 0], beta=[1, 1])
    B[0] = 7.0
    assert arm.push.tolist() == [-1.0, -2.0]
    with pytest.raises(ValueError, match="read-only"):
        arm.push[0] = 1.0


@pytest.mark.parametrize("family", ["bernoulli", "gaussian"])
def test_an_everyday_arm_gives_its_rested_reward_and_recovers_half_in_a_half_life(family: str) -> None:
    sigma = 1.0 if family == "gaussian" else None
    arm = everyday_arm("walk", rested=0.6, wear=0.5, half_life=3, family=family, sigma=sigma)
    x = 0.0 * arm.A + arm.B
    assert x == -0.5
    assert arm.A**3 * x == pytest.approx(x / 2)
    assert arm.alpha == link(0.6, family, "rested")
    if family == "bernoulli":
        assert 1 / (1 + math.exp(-arm.alpha)) == pytest.approx(0.6)


GOOD: dict[str, Any] = {"A": 0.5, "B": -1.0, "K": 0.0, "alpha": 0.0, "beta": 1.0}
BAD: list[tuple[dict[str, Any], str]] = [
    ({"A": 1.0}, "does not contract"),
    ({"A": -1.5}, "give a retention between -1 and 1"),
    ({"A": math.nan}, "A of arm 'call'"),
    ({"A": "0.5"}, "give numbers"),
    ({"A": True}, "give numbers"),
    ({"A": []}, "A of arm 'call' is empty"),
    ({"A": [[0.1, 0.2]]}, "A of arm 'call' is [[0.1, 0.2]]: give a number, or a square matrix such as [["),
    ({"A": [[0.1, 0.2], [0.3]]}, "A of arm 'call'"),
    ({"A": [0.1, 0.2]}, "give a number, or a square matrix"),
    ({"A": 10**400}, "A of arm 'call'"),
    ({"A": [[0.5, 0.0], [0.0, 0.5]]}, "B of arm 'call' has shape"),
    ({"B": [1.0, 2.0]}, "B of arm 'call'"),
    ({"B": {"x": 1}}, "B of arm 'call'"),
    ({"K": math.inf}, "give finite numbers"),
    ({"K": 1e300}, "K of arm 'call' reaches 1e+300"),
    ({"beta": None}, "beta of arm 'call'"),
    ({"alpha": "high"}, "alpha of arm 'call'"),
    ({"family": "bernouli"}, "did you mean 'bernoulli'"),
    ({"family": 3}, "family of arm 'call'"),
    ({"family": "gaussian"}, "give sigma"),
    ({"family": "gaussian", "sigma": 0.0}, "sigma of arm 'call'"),
    ({"family": "gaussian", "sigma": 1e-200}, "more ordinary unit"),
    ({"alpha": -1e40}, "alpha of arm 'call' reaches 1e+40"),
    ({"state": (-1e20, 1e20), "beta": 1e20, "family": "gaussian", "sigma": 1.0}, "alpha + beta x of arm 'call'"),
    ({"A": 0.999, "B": 1e28, "family": "gaussian", "sigma": 1.0}, "state of arm 'call' reaches"),
    ({"sigma": 1.0}, "leave it out"),
    ({"state": [1.0, -1.0]}, "lower end before"),
    ({"state": 3}, "state of arm 'call'"),
    ({"state": [[0, 1], [2]]}, "state of arm 'call'"),
    ({"state": [0.0, 1e6]}, "log-odds"),
    ({"h": 3, "state": [0, 1]}, "give a function"),
    ({"g": 3}, "give a function"),
    ({"h": max, "A": 0.0, "B": 0.0, "K": 0.0}, "with a function h"),
    ({"name": "  "}, "name of an arm"),
]


@pytest.mark.parametrize(("change", "hint"), BAD, ids=[hint for _, hint in BAD])
def test_a_wrong_arm_is_refused_in_one_sentence(change: dict[str, Any], hint: str) -> None:
    with pytest.raises(InputError) as caught:
        Arm(**{"name": "call", **GOOD, **change})
    assert hint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("said", [{}, {"state": (-1, 1)}, {"family": "gaussian", "sigma": 1.0}, {"known_start": 0.0}])
def test_an_arm_of_which_nothing_is_said_is_refused_with_the_remedies(said: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        Arm("tip", **said)
    assert str(caught.value) == (
        "arm 'tip' has no dynamics: make it with rw.everyday_arm, or rw.unknown_arm if nobody knows them, or give A, "
        "B, K, alpha and beta, of which alpha = 0.0 alone says that it is a coin that nothing changes"
    )


@pytest.mark.parametrize("said", [{"A": 0.5}, {"B": -1.0}, {"K": 0.0}, {"alpha": 0.0}, {"beta": 1.0}])
def test_an_arm_of_which_something_is_said_has_the_usual_numbers_also_in_copies(said: dict[str, float]) -> None:
    arm = Arm("coin", **said)  # type: ignore[arg-type]  # floats, all of them
    usual = {"A": 0.0, "B": 0.0, "K": 0.0, "alpha": 0.0, "beta": 1.0}
    copies = [arm, pickle.loads(pickle.dumps(arm)), copy.deepcopy(arm), dataclasses.replace(arm, name="other")]
    for each in copies:
        assert {name: getattr(each, name) for name in usual} == usual | said
        assert all(type(getattr(each, name)) is float for name in usual)
    assert repr(copies[1]) == repr(arm)
    problem = Problem([arm], [], 5)
    assert repr(problem_from_data(problem_to_data(problem)).arms[0]) == repr(arm)


@pytest.mark.parametrize("family", ["bernoulli", "gaussian", "poisson", "bounded"])
@pytest.mark.parametrize("worn", [0.2, 0.6, 0.7])
def test_an_everyday_arm_that_is_used_all_the_time_comes_to_its_worn_reward(family: str, worn: float) -> None:
    sigma = 0.1 if family == "gaussian" else None
    arm = everyday_arm("walk", rested=0.6, worn=worn, half_life=3, family=family, sigma=sigma)
    x = 0.0
    for _ in range(300):
        x = arm.A * x + arm.B + arm.K
    assert unlink(arm.alpha + x, family) == pytest.approx(worn, abs=1e-12)
    if family == "bernoulli":
        judge = (math.log(0.6 / 0.4) - math.log(worn / (1 - worn))) * (1 - 0.5 ** (1 / 3))
        assert pytest.approx(-judge, abs=1e-15) == arm.B


@pytest.mark.parametrize(
    ("change", "hint"),
    [
        ({"rested": 1.0}, "strictly between 0 and 1"),
        ({"rested": "much"}, "rested of arm 'walk'"),
        ({"half_life": 0}, "half_life of arm 'walk'"),
        ({"half_life": 1e300}, "never recovers"),
        ({"wear": math.nan}, "wear of arm 'walk'"),
        ({"family": []}, "family of arm 'walk'"),
        ({"worn": 0.2}, "arm 'walk' has both 'wear' and 'worn': give one of them"),
        ({"wear": None}, "arm 'walk' has neither 'wear' nor 'worn': give one of them"),
        ({"wear": None, "worn": 0.0}, "worn of arm 'walk' is 0.0: give a mean reward strictly between 0 and 1"),
    ],
)
def test_a_wrong_everyday_arm_is_refused_in_one_sentence(change: dict[str, Any], hint: str) -> None:
    with pytest.raises(InputError, match=hint):
        everyday_arm("walk", **{"rested": 0.6, "wear": 0.5, "half_life": 2, **change})


def test_a_state_too_far_away_to_widen_to_is_refused() -> None:
    with pytest.raises(InputError, match="log-odds"):
        Arm("call", **GOOD).widened([1e20])
    with pytest.raises(InputError, match="x0 of arm 'call' reaches 1e\\+300"):
        Arm("call", **GOOD).widened([1e300])
    with pytest.raises(InputError, match="x0 of arm 'call'"):
        Arm("call", **GOOD).widened([math.nan])


def test_wear_that_leaves_nothing_of_an_arm_is_told_as_it_was_written() -> None:
    ad = {"name": "ad", "rested": 20, "half_life": 25, "family": "poisson"}
    with pytest.raises(
        rw.InputError, match=r"comes by its wear and half_life .* 20 to 3.94e-12 .*or `worn`, that mean"
    ):
        rw.everyday_arm(**ad, wear=0.8)  # type: ignore[arg-type]
    assert rw.everyday_arm(**ad, worn=2).state[0] == pytest.approx(np.log(0.1))  # type: ignore[arg-type]
    with pytest.raises(rw.InputError, match="give less wear, or a shorter half-life"):
        rw.unknown_arm(**ad, wear=0.8)  # type: ignore[arg-type]
