"""The single-step linear program against HiGHS."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

import roguewk as rw
from roguewk.kernel.arrays import Vector
from roguewk.relax.simplex import SOLVED, build_tableau, simplex, solve_again

Instance = tuple[Vector, Vector, Vector]  # rewards (arm,), costs (arm, resource), rates (resource,)


def judge(g: Vector, c: Vector, b: Vector, equality: bool = False) -> Any:
    one = np.ones((1, len(g)))
    if equality:
        return linprog(-g, c.T if b.size else None, b if b.size else None, one, [1.0], method="highs")
    return linprog(-g, np.vstack([c.T, one]), np.append(b, 1.0), method="highs")


def assert_optimal(g: Vector, c: Vector, b: Vector) -> rw.Allocation:
    """Feasible, as good as HiGHS, and certified by its prices: duality, which needs no judge."""
    found = rw.solve_lp(g, c, b)
    shares, prices = found.probabilities, found.prices
    worth, size = max(np.abs(g).max(), 1e-300), np.abs(c).max(axis=0, initial=0.0)
    size = np.where(size > 0, size, 1.0)
    assert found.status == "optimal"
    assert shares.min() >= 0
    assert shares.sum() <= 1 + 1e-9
    assert (shares @ c <= b + 1e-9 * size).all()
    assert found.value == pytest.approx(float(g @ shares), abs=1e-9 * worth)
    assert found.value == pytest.approx(-judge(g / worth, c / size, b / size).fun * worth, abs=1e-8 * worth)

    round_price = max(float((g - c @ prices).max()), 0.0)
    assert (prices >= 0).all()
    assert found.value == pytest.approx(float(prices @ b) + round_price, abs=1e-8 * worth)
    assert prices * (b - shares @ c) == pytest.approx(np.zeros(b.size), abs=1e-8 * worth)
    assert shares * (round_price + c @ prices - g) == pytest.approx(np.zeros(g.size), abs=1e-8 * worth)
    return found


def random_instance(rng: np.random.Generator, arms: int = 8, resources: int = 5) -> Instance:
    m, d = int(rng.integers(1, arms + 1)), int(rng.integers(0, resources + 1))
    return rng.uniform(0, 1, m), rng.uniform(0, 1, (m, d)), rng.uniform(0, 0.8, d)


def negative_rewards(rng: np.random.Generator) -> Instance:
    g, c, b = random_instance(rng)
    return g - 0.5, c, b


def tied(rng: np.random.Generator) -> Instance:
    g, c, b = random_instance(rng)
    return np.round(g * 3) / 3, c, b


def twins(rng: np.random.Generator) -> Instance:
    g, c, b = random_instance(rng)
    copies = rng.integers(0, len(g), 2 * len(g))
    return g[copies], c[copies], b


def zeros(rng: np.random.Generator) -> Instance:
    g, c, b = random_instance(rng)
    return g, c * (rng.random(c.shape) < 0.5), b * (rng.random(b.shape) < 0.6)


def rounded(rng: np.random.Generator) -> Instance:
    """Whole numbers and their multiples: bases tie, and many vertices are degenerate."""
    m, d = int(rng.integers(1, 9)), int(rng.integers(1, 6))
    return rng.integers(-1, 4, m) / 2, rng.integers(0, 4, (m, d)) / 3, rng.integers(0, 3, d) / 3


def twin_resources(rng: np.random.Generator) -> Instance:
    g, c, b = random_instance(rng)
    return g, np.hstack([c, 2 * c]), np.append(b, 2 * b)


def large(rng: np.random.Generator) -> Instance:
    return rng.uniform(0, 1, 50), rng.uniform(0, 1, (50, 10)), rng.uniform(0.05, 0.4, 10)


def mixed_units(rng: np.random.Generator) -> Instance:
    """Costs of a million beside costs of a millionth, rewards in any unit."""
    g, c, b = random_instance(rng)
    unit = 10.0 ** rng.integers(-6, 7, b.size)
    return g * 10.0 ** rng.integers(-6, 7), c * unit, b * unit


KINDS: dict[Callable[[np.random.Generator], Instance], int] = {
    random_instance: 600,
    negative_rewards: 200,
    tied: 300,
    twins: 300,
    zeros: 400,
    rounded: 600,
    twin_resources: 200,
    large: 60,
    mixed_units: 400,
}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_solution_is_that_of_highs_and_its_prices_prove_it(
    kind: Callable[[np.random.Generator], Instance],
) -> None:
    rng = np.random.default_rng(11)
    for _ in range(KINDS[kind]):
        assert_optimal(*kind(rng))


@pytest.mark.parametrize("scale", [1e-9, 1e-6, 1e6, 1e9])
def test_units_of_costs_and_rewards_do_not_matter(scale: float) -> None:
    rng = np.random.default_rng(12)
    for _ in range(50):
        g, c, b = random_instance(rng, resources=3)
        plain, scaled = rw.solve_lp(g, c, b), rw.solve_lp(g / scale, c * scale, b * scale)
        assert scaled.probabilities == pytest.approx(plain.probabilities, abs=1e-9)
        assert scaled.value * scale == pytest.approx(plain.value, abs=1e-9)
        assert scaled.prices * scale**2 == pytest.approx(plain.prices, abs=1e-8)


def test_a_price_is_what_a_little_more_of_the_resource_earns() -> None:
    rng = np.random.default_rng(13)
    for _ in range(200):
        g, c, b = rng.uniform(0, 1, 6), rng.uniform(0.1, 1, (6, 3)), rng.uniform(0.05, 0.4, 3)
        found = rw.solve_lp(g, c, b)
        for j in range(3):
            more = b + 1e-7 * (np.arange(3) == j)
            assert rw.solve_lp(g, c, more).value - found.value == pytest.approx(1e-7 * found.prices[j], abs=1e-12)


def test_one_affordable_arm_is_always_played() -> None:
    found = rw.solve_lp([0.3], [[0.2]], [0.2])
    assert (found.probabilities.tolist(), found.value, found.prices.tolist()) == ([1.0], 0.3, [0.0])


def test_one_arm_is_played_as_often_as_its_budget_lasts() -> None:
    found = rw.solve_lp([0.3], [[0.8]], [0.2])
    assert found.probabilities == pytest.approx([0.25])
    assert found.prices == pytest.approx([0.375])


def test_without_resources_the_first_of_the_best_arms_is_played() -> None:
    found = rw.solve_lp([0.1, 0.9, 0.9], [[], [], []], [])
    assert found.probabilities.tolist() == [0.0, 1.0, 0.0]
    assert found.prices.size == 0


def test_costs_that_are_all_zero_leave_the_largest_reward() -> None:
    found = rw.solve_lp([0.1, 0.5, 0.4], np.zeros((3, 4)), np.zeros(4))
    assert found.probabilities.tolist() == [0.0, 1.0, 0.0]
    assert found.prices.tolist() == [0.0] * 4


def test_a_rate_of_zero_forbids_what_costs_anything_of_it() -> None:
    found = rw.solve_lp([0.9, 0.2], [[0.1, 0.1], [0.0, 0.3]], [0.0, 1.0])
    assert found.probabilities == pytest.approx([0.0, 1.0])
    assert found.value == pytest.approx(0.2)


def test_rewards_that_are_all_negative_leave_the_round_idle() -> None:
    found = rw.solve_lp([-0.2, -0.1], [[0.5], [0.5]], [0.9])
    assert found.probabilities.tolist() == [0.0, 0.0]
    assert (found.value, found.prices.tolist(), found.status) == (0.0, [0.0], "optimal")


def test_a_program_on_which_the_largest_gain_rule_cycles_is_solved() -> None:
    """Beale 1955: 3/4 x4 - 20 x5 + 1/2 x6 - 6 x7, two rows with a right side of zero, one with 1; here as rates."""
    g = np.array([0.75, -20.0, 0.5, -6.0])
    c = np.array([[0.25, 0.5, 0.0], [-8.0, -12.0, 0.0], [-1.0, -0.5, 1.0], [9.0, 3.0, 0.0]])
    found = assert_optimal(g, c, np.array([0.0, 0.0, 1.0]))
    assert found.value == pytest.approx(float(-judge(g, c, np.array([0.0, 0.0, 1.0])).fun))


def test_other_programs_that_are_degenerate_at_the_start_are_solved() -> None:
    """Kuhn's and Marshall and Suurballe's examples, each bounded by the row that says a round is one round."""
    kuhn = ([2, 3, -1, -12], [[-2, 1 / 3], [-9, 1], [1, -1 / 3], [9, -2]], [0, 0])
    marshall = ([10, -57, -9, -24], [[0.5, 0.5], [-5.5, -1.5], [-2.5, -0.5], [9, 1]], [0, 0])
    for g, c, b in (kuhn, marshall):
        assert_optimal(np.array(g, dtype=float), np.array(c, dtype=float), np.array(b, dtype=float))


def test_without_idling_the_optimum_is_scaled_up_to_one() -> None:
    rng = np.random.default_rng(14)
    stretched = 0
    for _ in range(500):
        g, c, b = random_instance(rng)
        idle, busy = rw.solve_lp(g, c, b), rw.solve_lp(g, c, b, idle=False)
        total = idle.probabilities.sum()
        assert busy.probabilities.sum() == pytest.approx(1.0, abs=1e-12)
        assert busy.value == pytest.approx(float(g @ busy.probabilities))
        assert busy.probabilities == pytest.approx(idle.probabilities / total, abs=1e-9)
        assert busy.prices == pytest.approx(idle.prices)
        scaled_up = total < 1 - 1e-9
        assert ("scaled up" in busy.status) == scaled_up
        stretched += scaled_up
    assert 50 < stretched < 450


@pytest.mark.parametrize("rule", ["normalise", "longest", "ignore"])
def test_without_idling_an_arm_is_played_even_if_nothing_is_worth_it(rule: str) -> None:
    found = rw.solve_lp([-0.5, -0.2], [[0.5], [0.9]], [0.0], idle=False, infeasible=rule)
    assert found.probabilities.tolist() == [0.0, 1.0]
    assert "is played" in found.status


@pytest.mark.parametrize("rule", ["longest", "ignore"])
def test_a_pull_in_every_round_is_the_equality_program_when_that_is_feasible(rule: str) -> None:
    rng = np.random.default_rng(15)
    feasible = 0
    for _ in range(500):
        g, c, b = random_instance(rng)
        g = g - rng.choice([0.0, 0.5, 2.0])
        best = judge(g, c, b, equality=True)
        found = rw.solve_lp(g, c, b, idle=False, infeasible=rule)
        assert found.probabilities.sum() == pytest.approx(1.0, abs=1e-9)
        if best.status == 0:
            feasible += 1
            assert found.value == pytest.approx(-best.fun, abs=1e-8)
            assert (found.probabilities @ c <= b + 1e-9).all()
            assert found.status == "optimal"
        elif rule == "ignore":
            assert found.probabilities.tolist() == np.eye(len(g))[g.argmax()].tolist()
    assert 100 < feasible < 450


def test_when_no_mix_lasts_longest_plays_what_fits_into_the_most_rounds() -> None:
    rng = np.random.default_rng(16)
    seen = 0
    for _ in range(300):
        g, c, b = random_instance(rng)
        if judge(g, c, b, equality=True).status == 0:
            continue
        seen += 1
        most = -judge(np.ones(len(g)), c, b).fun  # rounds played per round
        if most < 1e-9:
            continue
        shares = rw.solve_lp(g, c, b, idle=False, infeasible="longest").probabilities
        lasts = min(rate / use for rate, use in zip(b, shares @ c, strict=True) if use > 0)
        assert lasts == pytest.approx(most, rel=1e-2)  # the reward still breaks near-ties
    assert seen > 50


def test_nothing_that_was_given_is_changed() -> None:
    g, c, b = np.array([0.5, 0.9]), np.array([[0.5], [0.9]]), np.array([0.3])
    before = [array.copy() for array in (g, c, b)]
    rw.solve_lp(g, c, b)
    for array, old in zip((g, c, b), before, strict=True):
        assert array.tolist() == old.tolist()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (([], [], []), "rewards are empty: give one for each arm"),
        (([0.5, float("nan")], [[1], [1]], [1]), "give a list of numbers below 1e+150"),
        (([0.5], [[float("inf")]], [1]), "give a table, arm by resource, of numbers below 1e+150"),
        (([0.5], [[0.5]], [float("nan")]), "give a list of numbers below 1e+150"),
        (([0.5], [[0.5]], [-0.1]), "budget_rates are [-0.1]: give numbers of at least 0"),
        (([0.5], [[0.5, 0.5]], [0.1]), "costs have shape (1, 2): give 1 x 1 numbers, arm by resource"),
        (([0.5], [0.5], [0.1]), "give a table, arm by resource, of numbers below 1e+150"),
        (([0.5], [[0.5], [0.1, 0.2]], [0.1]), "costs are [[0.5], [0.1, 0.2]]: give numbers"),
        ((["much"], [[0.5]], [0.1]), "rewards are ['much']: give numbers"),
        ((0.5, [[0.5]], [0.1]), "give a list of numbers below 1e+150"),
        (([0.5], [[0.5]], [0.1], 1), "idle is 1: give true or false"),
        (([0.5], [[0.5]], [0.1], False, "longst"), "did you mean 'longest'?"),
    ],
)
def test_bad_input_gets_a_sentence(arguments: tuple[Any, ...], sentence: str) -> None:
    with pytest.raises(rw.InputError) as caught:
        rw.solve_lp(*arguments)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("rule", ["longest", "ignore"])
def test_prices_are_in_rewards_whatever_the_rule_for_rounds_that_must_be_played(rule: str) -> None:
    with_idle = rw.solve_lp([0.5, 0.3], [[0.8], [0.6]], [0.2])
    without = rw.solve_lp([0.5, 0.3], [[0.8], [0.6]], [0.2], idle=False, infeasible=rule)
    np.testing.assert_allclose(without.prices, with_idle.prices)
    np.testing.assert_array_equal(without.probabilities, [0, 1] if rule == "longest" else [1, 0])


@pytest.mark.parametrize("family", [random_instance, negative_rewards, tied, twins, zeros, rounded, large])
def test_a_program_whose_rates_move_is_solved_again_as_if_it_were_new(family: Callable[..., Instance]) -> None:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        g, c, b = family(rng)
        if not b.size:
            continue
        b = np.maximum(b, 0.01)
        tableau, shares, prices = build_tableau(*c.shape), np.zeros(g.size), np.zeros(b.size)
        simplex(tableau, g, c, b, np.ones(g.size, dtype=np.bool_), shares, prices)
        for _ in range(5):
            moved = b * np.exp(rng.normal(0, 0.7, b.size))
            assert solve_again(tableau, g.size, moved - b, prices) == SOLVED
            b = moved
            round_price = max(float((g - c @ prices).max()), 0.0)
            assert (prices >= 0).all()
            assert float(prices @ b) + round_price == pytest.approx(-judge(g, c, b).fun, abs=1e-8)
