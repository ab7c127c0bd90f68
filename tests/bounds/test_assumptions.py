import json
import math
from typing import Any

import numpy as np
import pytest
import scipy.stats

from roguewk.bounds.assumptions import check_assumptions
from roguewk.problem.arm import Arm
from roguewk.problem.constants import arm_constants, largest_divergence, theorem_radius
from roguewk.problem.errors import InputError
from roguewk.problem.problem import Problem
from roguewk.problem.resource import Resource
from roguewk.world import catalog
from roguewk.world.cost import Cost
from roguewk.world.world import World

ARMS = [
    Arm("steep", A=0.5, B=-2.0, K=1.0, alpha=0.1, beta=1.0, state=(-3, 3)),
    Arm("one side", A=0.7, B=-1.2, K=0.4, alpha=3.0, beta=0.3),
    Arm("backwards", A=-0.4, B=0.5, alpha=-2.0, beta=-0.8),
    Arm("normal", A=0.6, B=-1.0, alpha=0.3, beta=1.7, family="gaussian", sigma=0.4),
    Arm("pair", A=[[0.5, 0.2], [-0.1, 0.8]], B=[-1.0, 0.2], K=[0.0, 0.3], alpha=0.2, beta=[0.9, -0.4]),
]


def grid(arm: Arm) -> np.ndarray:
    axes = [np.linspace(low, high, 4001 if arm.dimension == 1 else 201) for low, high in arm.box]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)


def steepest(values: np.ndarray, points: np.ndarray) -> float:
    """The largest gradient on the grid, by central differences."""
    axes = [np.unique(points[..., i]) for i in range(points.shape[-1])]
    slopes = np.gradient(values, *axes, edge_order=2)
    slopes = slopes if isinstance(slopes, tuple | list) else [slopes]
    return float(np.sqrt(sum(np.square(slope) for slope in slopes)).max())


@pytest.mark.parametrize("arm", ARMS, ids=lambda arm: arm.name)
def test_constants_agree_with_differences_on_a_grid(arm: Arm) -> None:
    found, points = arm_constants(arm), grid(arm)
    levels = arm.alpha + points @ arm.weights
    if arm.sigma is None:
        means = 1 / (1 + np.exp(-levels))
        logs = [np.asarray(scipy.stats.bernoulli.logpmf(reward, means)) for reward in (0, 1)]
        ratio_in_reward = logs[1] - logs[0]
    else:
        means = levels
        ends = means.min() - 4 * arm.sigma, means.max() + 4 * arm.sigma
        logs = [np.asarray(scipy.stats.norm.logpdf(reward, means, arm.sigma)) for reward in ends]
        ratio_in_reward = (logs[1] - logs[0]) / (ends[1] - ends[0])
    assert found.L_g == pytest.approx(steepest(np.asarray(means), points), rel=1e-4)
    assert found.L_f == pytest.approx(max(steepest(log, points) for log in logs), rel=1e-3)
    assert found.L_p == pytest.approx(np.ptp(ratio_in_reward), rel=1e-9)
    assert found.diameter == pytest.approx(np.linalg.norm(points.reshape(-1, arm.dimension)[-1] - arm.box[:, 0]))


@pytest.mark.parametrize("arm", ARMS, ids=lambda arm: arm.name)
def test_no_pair_of_states_moves_apart_faster_than_l_h(arm: Arm) -> None:
    rng = np.random.default_rng(0)
    low, high = arm.box.T
    one, two = rng.uniform(low, high, (2, 5000, arm.dimension))
    ratios = np.linalg.norm((one - two) @ arm.matrix.T, axis=1) / np.linalg.norm(one - two, axis=1)
    assert ratios.max() <= arm_constants(arm).L_h * (1 + 1e-9)
    assert ratios.max() >= arm_constants(arm).L_h * 0.99


@pytest.mark.parametrize("arm", ARMS, ids=lambda arm: arm.name)
def test_invariance_agrees_with_a_walk_from_the_corners(arm: Arm) -> None:
    for state in (arm.box, arm.box / 3):
        small = arm.with_state(state[0] if arm.dimension == 1 else state)
        corners = np.stack(np.meshgrid(*small.box), axis=-1).reshape(-1, arm.dimension)
        after = np.concatenate([corners @ arm.matrix.T + arm.push * p + arm.pull_back for p in (0, 1)])
        stays = bool(((after >= small.box[:, 0] - 1e-9) & (after <= small.box[:, 1] + 1e-9)).all())
        assert arm_constants(small).invariant is stays


@pytest.mark.parametrize("arm", ARMS[:4], ids=lambda arm: arm.name)
def test_functions_of_ones_own_get_the_constants_of_the_same_formula(arm: Arm) -> None:
    (a,), (b,), (k,), (beta,) = arm.matrix[0], arm.push, arm.pull_back, arm.weights

    def g(x: float) -> float:
        level = arm.alpha + float(beta) * x
        return level if arm.sigma else 1 / (1 + math.exp(-level))

    own = Arm("own", h=lambda x, p: a * x + b * p + k, g=g, state=arm.state, family=arm.family, sigma=arm.sigma)
    numerical, exact = arm_constants(own), arm_constants(arm)
    for key in ("L_h", "L_g", "L_p", "sigma", "diameter"):
        assert getattr(numerical, key) == pytest.approx(getattr(exact, key), rel=1e-3)
    assert numerical.L_f == pytest.approx(exact.L_f, rel=2e-3)
    assert (numerical.invariant, numerical.injective, numerical.numerical) == (exact.invariant, True, True)


def test_arms_without_weights_or_memory_divide_nothing_by_zero() -> None:
    found = arm_constants(Arm("flat", A=0.0, B=0.0, beta=0.0))
    assert (found.L_h, found.L_g, found.L_f, found.L_p) == (0.0, 0.0, 0.0, 0.0)
    assert not found.injective
    assert theorem_radius(Problem([Arm("flat", beta=0.0)], [], 10), 0, 1) == 0.0


def test_the_radius_of_theorem_1_by_hand() -> None:
    problem = catalog.paper().problem
    L_f, diameter = 1.0 / (1 + math.exp(-3.1)), 6.0
    c_f = 8 * L_f * diameter * math.sqrt(math.pi) + 96 * math.sqrt(2) * L_f * diameter * math.sqrt(math.pi)
    want = (c_f + 6.0 * 0.5 * math.sqrt(2 * math.log(6 * 3 * 1000**2))) / math.sqrt(25)
    assert theorem_radius(problem, "arm 2", 25) == pytest.approx(want)
    assert theorem_radius(problem, 2, 25, scale=0.1) == pytest.approx(want / 10)
    assert theorem_radius(problem, 2, 25, horizon=10**6) > want
    assert theorem_radius(problem, 2, 25, scale=0) == 0.0


def test_the_radius_of_theorem_1_in_two_dimensions() -> None:
    world = catalog.two_dimensional()
    c = arm_constants(world.problem.arms[0])
    c_f = c.L_f * c.diameter * math.sqrt(math.pi) * (8 + 48 * math.sqrt(2) * math.sqrt(2) * math.sqrt(2))
    want = c_f + c.L_p * c.sigma * math.sqrt(2 * math.log(6 * 3 * 1000**2))
    assert theorem_radius(world.problem, "sprint", 1) == pytest.approx(want)


@pytest.mark.parametrize(
    ("arm", "n", "options", "hint"),
    [
        ("arm 9", 1, {}, "no arm 'arm 9'"),
        (0, 0, {}, "number of pulls"),
        (0, 1.5, {}, "number of pulls"),
        (0, 1, {"scale": -1}, "scale is -1"),
        (0, 1, {"scale": math.nan}, "scale is nan"),
        (0, 1, {"horizon": 0}, "horizon is 0"),
    ],
)
def test_a_wrong_radius_is_refused(arm: Any, n: Any, options: dict[str, Any], hint: str) -> None:
    with pytest.raises(InputError, match=hint):
        theorem_radius(catalog.paper().problem, arm, n, **options)


def holds(world: World | Problem) -> dict[str, bool | None]:
    return {check.label: check.holds for check in check_assumptions(world).checks}


def test_the_papers_world_meets_its_assumptions_and_small_budgets_cannot_play_every_round() -> None:
    assert set(holds(catalog.paper(300.0)).values()) == {True}
    assert holds(catalog.paper(100.0))["B"] is False
    assert holds(catalog.paper(100.0, idle=True))["B"] is True


def test_budgets_and_costs_are_told_in_the_units_of_the_user() -> None:
    problem = Problem([Arm("call", A=0.5, B=-1.0)], [Resource("minutes", 60, largest_cost=30)], 100)
    report = check_assumptions(World(problem, [0.0], [[Cost.fixed(10.0)]]))
    six, playable = (next(check for check in report.checks if check.label == label) for label in "6B")
    assert six.sentence == "b = B / T is 0.6 of 'minutes' a round, of which a pull takes 30 at the most."
    assert six.numbers == {"minutes": 0.6}
    assert "fits b on 'minutes' (10 a pull on average, 0.6 a round)" in playable.sentence


def test_a_problem_without_its_world_leaves_two_questions_open() -> None:
    undecided = {label for label, answer in holds(catalog.paper().problem).items() if answer is None}
    assert undecided == {"1", "B"}


def test_each_violation_is_told() -> None:
    skew = Arm("skew", A=[[0.5, 3.0], [0.0, 0.5]], B=[0.1, 0.1], K=[0, 0], beta=[0.1, 0.1])
    forgetful = Arm("forgetful", A=0.0, B=-1.0)
    leaky = Arm("leaky", A=0.5, B=-3.0, state=(-1, 1))
    normal = Arm("normal", A=0.5, B=-1.0, family="gaussian", sigma=1.0)
    sure = Arm("sure", A=0.5, B=-0.1, g=lambda x: min(1.0, max(0.0, 0.5 + x)), state=(-1, 1))
    for arm, label in ((skew, "5"), (forgetful, "5"), (leaky, "X"), (normal, "3"), (sure, "3")):
        report = check_assumptions(Problem([arm], [Resource("staff", 5.0)], 10))
        broken = [check for check in report.checks if check.holds is False]
        assert [check.label for check in broken] == [label]
        assert repr(arm.name) in broken[0].sentence


def test_bijective_is_said_to_be_read_as_one_to_one() -> None:
    assert "never maps a compact X onto" in " ".join(str(check_assumptions(catalog.paper())).split())


@pytest.mark.parametrize("name", catalog.names())
def test_a_report_fits_80_columns_and_json(name: str) -> None:
    report = check_assumptions(catalog.get(name))
    assert max(map(len, str(report).splitlines())) <= 80
    assert json.loads(json.dumps(report.to_data(), allow_nan=False)) == report.to_data()
    assert [check.label for check in report.checks][:6] == ["1", "2", "3", "4", "5", "6"]


def test_an_infinite_constant_is_none_in_json() -> None:
    sure = Arm("sure", A=0.5, B=-0.1, g=lambda x: min(1.0, max(0.0, 0.5 + x)), state=(-1, 1))
    report = check_assumptions(World(Problem([sure], [Resource("s", 1.0)], 10), [0.0], [[Cost.fixed(0.1)]]))
    assert report.to_data()["constants"]["sure"]["L_f"] is None
    assert theorem_radius(Problem([sure], [], 10), 0, 1) == math.inf


@pytest.mark.parametrize(
    ("g", "hint"), [(lambda x: 2 * x, "give mean rewards from 0 to 1"), (lambda x: math.nan, "not finite")]
)
def test_a_mean_reward_that_is_none_is_refused(g: Any, hint: str) -> None:
    with pytest.raises(InputError, match=hint):
        arm_constants(Arm("odd", A=0.5, g=g, state=(-1, 1)))


def test_only_a_world_or_a_problem_is_checked() -> None:
    with pytest.raises(InputError, match=r"give an rw\.World"):
        check_assumptions(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", catalog.names())
def test_the_largest_divergence_is_that_of_the_worst_pair_of_states(name: str) -> None:
    for arm in catalog.get(name).problem.arms:
        ends = arm.weights[:, None] * arm.box
        levels = arm.alpha + np.linspace(ends.min(axis=1).sum(), ends.max(axis=1).sum(), 301)
        if arm.sigma is None:
            p, q = 1 / (1 + np.exp(-levels))[:, None], 1 / (1 + np.exp(-levels))[None, :]
            worst = (p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))).max()
        else:
            worst = ((levels[-1] - levels[0]) / arm.sigma) ** 2 / 2
        np.testing.assert_allclose(largest_divergence(arm), worst, rtol=1e-5)


def test_the_largest_divergence_is_unknown_where_states_may_leave_x_and_known_for_own_functions() -> None:
    assert largest_divergence(Arm("leaky", A=0.5, B=-5.0, state=(-1.0, 1.0))) == math.inf
    own = Arm("own", g=lambda x: 0.2 + 0.3 * x**2, A=0.5, B=-0.2, state=(-1.0, 1.0))
    worst = max(p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q)) for p, q in ((0.2, 0.5), (0.5, 0.2)))
    np.testing.assert_allclose(largest_divergence(own), worst, rtol=1e-5)


def test_every_arm_that_breaks_an_assumption_is_named() -> None:
    names = [f"arm {i}" for i in range(12)]
    leaky = [Arm(name, A=0.999, B=-3.0, state=(-1, 1)) for name in names]
    checks = {each.label: each for each in check_assumptions(Problem(leaky, [], 5000)).checks}
    for label in "XP":
        assert all(repr(name) in checks[label].sentence for name in names)


def test_arms_that_are_beyond_the_tables_of_planners_are_named() -> None:
    slow = Arm("slow", A=0.999, B=-0.2, alpha=0.4)
    fine = Arm("fine", A=0.9, B=-0.003, alpha=0.4, state=(-3, 3))
    for arm, why in ((slow, "remembers pulls for longer than the 1024 rounds"), (fine, "moves with a pull by less")):
        [check] = [check for check in check_assumptions(Problem([arm], [], 5000)).checks if check.label == "P"]
        assert why in check.sentence
        assert check.holds is False
        short = check_assumptions(Problem([arm], [], 100))
        assert "P" not in [check.label for check in short.checks]
