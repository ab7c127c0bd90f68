"""Random numbers against NumPy's Philox and SciPy's distributions."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

import roguewk as rw
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import block, normal, unit
from roguewk.world.truth import build_truth, draw_costs

LARGEST = 2**64 - 1
CORNERS = [0, 1, 2**31, 2**32, 2**63 - 1, 2**63, LARGEST]
COSTS = [
    rw.Cost.fixed(0.7),
    rw.Cost.uniform(0.2, 0.9),
    rw.Cost.bernoulli(0.3, 0.8),
    rw.Cost.beta(2.0, 5.0),
    rw.Cost.beta(0.4, 0.3, scale=0.5),
    rw.Cost.beta(1e-3, 2e-3),
    rw.Cost.choices([0.1, 0.5, 1.0], [0.2, 0.5, 0.3]),
    rw.Cost.choices([0.0, 0.25], [1, 0]),
]


def numpy_words(seed: int, replicate: int, round_: int, purpose: int, part: int) -> list[int]:
    """The block by NumPy, whose counter is one ahead of what it is given."""
    counter = (round_ + (purpose << 64) + (part << 128) - 1) % 2**256
    key = np.array([seed, replicate], dtype=np.uint64)
    return [int(word) for word in np.random.Philox(key=key, counter=counter).random_raw(4)]


def our_words(*place: int) -> list[int]:
    return [int(word) for word in block(*(np.uint64(number) for number in place))]  # type: ignore[arg-type]


def drawn_costs(cost: rw.Cost, count: int) -> Vector:
    """(draw,) from the engine, all of seed 5 and replicate 3, on the sixth resource of a world that has it."""
    arm = rw.Arm("a", A=0.5, B=-1.0)
    resources = [rw.Resource(f"r{j}", 10.0) for j in range(6)]
    world = rw.World(rw.Problem([arm], resources, 10), [0.0], [[rw.Cost.fixed(0.0)] * 5 + [cost]])
    truth, out = build_truth(world), np.zeros(6)
    result = np.empty(count)
    for t in range(count):
        draw_costs(truth, 0, np.uint64(5), 3, t, out)
        result[t] = out[5]
    return result


def test_the_blocks_are_those_of_numpy_for_random_keys_and_counters() -> None:
    rng = np.random.default_rng(1)
    for place in rng.integers(0, 2**64, size=(500, 5), dtype=np.uint64).tolist():
        assert our_words(*place) == numpy_words(*place)


@pytest.mark.parametrize("corner", CORNERS)
def test_the_blocks_are_those_of_numpy_at_the_ends_of_every_word(corner: int) -> None:
    for position in range(5):
        place = [3, 1, 4, 1, 5]
        place[position] = corner
        assert our_words(*place) == numpy_words(*place)


def test_a_block_can_be_asked_for_with_ordinary_whole_numbers() -> None:
    assert [int(word) for word in block(7, 2, 11, 1, 3)] == numpy_words(7, 2, 11, 1, 3)  # type: ignore[arg-type]


def test_a_unit_number_is_the_top_53_bits_and_less_than_one() -> None:
    rng = np.random.default_rng(2)
    words: list[int] = [0, 1, 2**11 - 1, 2**11, LARGEST, *rng.integers(0, 2**64, 300, dtype=np.uint64).tolist()]
    numbers = [unit(np.uint64(word)) for word in words]
    assert numbers == [(word >> 11) / 2**53 for word in words]
    assert numbers[0] == 0.0
    assert 0.9999999999999998 < max(numbers) < 1.0


def luck(purpose: int, count: int) -> Any:
    """(draw, 4) words."""
    words = [block(np.uint64(17), 0, t, purpose, 0) for t in range(count)]
    return np.array(words, dtype=np.uint64)


def test_unit_numbers_are_uniform_in_all_four_words() -> None:
    words = luck(0, 20_000)
    for column in range(4):
        assert stats.kstest([unit(word) for word in words[:, column]], "uniform").pvalue > 0.01


def test_unit_numbers_of_neighbouring_rounds_words_and_purposes_are_uncorrelated() -> None:
    numbers, others = ((luck(purpose, 20_001) >> np.uint64(11)) * 2.0**-53 for purpose in (0, 1))
    pairs = [(numbers[:-1, 0], numbers[1:, 0]), (numbers[:, 0], numbers[:, 1]), (numbers[:, 0], others[:, 0])]
    for one, other in pairs:
        assert abs(np.corrcoef(one, other)[0, 1]) < 4 / np.sqrt(20_000)


def test_normal_numbers_are_standard_normal() -> None:
    numbers = np.array([normal(words[0], words[1]) for words in luck(0, 40_000)])
    moments = [np.mean(numbers**power) for power in (1, 2, 3, 4)]
    assert moments == pytest.approx([0, 1, 0, 3], abs=4 * np.sqrt(96 / 40_000))  # 96: variance of the fourth power
    assert stats.kstest(numbers, "norm").pvalue > 0.01


def test_a_normal_number_is_finite_for_the_most_extreme_words() -> None:
    ends = [np.uint64(0), np.uint64(LARGEST)]
    assert np.isfinite([normal(first, second) for first in ends for second in ends]).all()


@pytest.mark.parametrize(("a", "b"), [(2.0, 5.0), (1.0, 1.0), (0.5, 0.5), (0.3, 4.0), (30.0, 0.7), (200.0, 300.0)])
def test_beta_costs_follow_the_beta_distribution(a: float, b: float) -> None:
    numbers = drawn_costs(rw.Cost.beta(a, b, scale=0.5), 20_000) / 0.5
    judge = stats.beta(a, b)
    assert numbers.mean() == pytest.approx(judge.mean(), abs=4 * judge.std() / np.sqrt(20_000))
    assert numbers.var() == pytest.approx(judge.var(), rel=0.05)
    assert stats.kstest(numbers, judge.cdf).pvalue > 0.01


@pytest.mark.parametrize("cost", COSTS, ids=str)
def test_costs_have_the_mean_they_state_and_never_exceed_the_largest(cost: rw.Cost) -> None:
    numbers = drawn_costs(cost, 20_000)
    error = max(numbers.std(), 1e-12) / np.sqrt(20_000)
    assert numbers.mean() == pytest.approx(cost.mean, abs=4 * error)
    assert numbers.min() >= 0
    assert numbers.max() <= cost.largest
    assert numbers.max() == pytest.approx(cost.largest, rel=0.3)


def test_choices_come_as_often_as_their_weights_say() -> None:
    numbers = drawn_costs(rw.Cost.choices([0.1, 0.5, 1.0], [2, 5, 3]), 20_000)
    seen = [int((numbers == value).sum()) for value in (0.1, 0.5, 1.0)]
    assert sum(seen) == 20_000
    assert stats.chisquare(seen, [4_000, 10_000, 6_000]).pvalue > 0.01


def test_a_uniform_cost_spreads_evenly() -> None:
    numbers = drawn_costs(rw.Cost.uniform(0.2, 0.9), 20_000)
    assert stats.kstest(numbers, stats.uniform(0.2, 0.7).cdf).pvalue > 0.01


def test_costs_of_different_resources_are_independent() -> None:
    arm = rw.Arm("a", A=0.5, B=-1.0)
    resources = [rw.Resource(f"r{j}", 10.0) for j in range(9)]
    kinds = [rw.Cost.uniform(0.0, 1.0)] * 5 + [rw.Cost.beta(0.5, 0.5)] * 4
    truth = build_truth(rw.World(rw.Problem([arm], resources, 10), [0.0], [kinds]))
    table = np.empty((10_000, 9))
    for t in range(10_000):
        draw_costs(truth, 0, np.uint64(8), 0, t, table[t])
    between = np.corrcoef(table.T) - np.eye(9)
    assert np.abs(between).max() < 5 / np.sqrt(10_000)


def test_a_beta_cost_with_minute_parameters_is_nearly_a_coin() -> None:
    numbers = drawn_costs(rw.Cost.beta(1e-3, 1e-3), 5_000)
    assert np.mean(numbers > 0.5) == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(5_000))
    assert np.mean((numbers < 1e-6) | (numbers > 1 - 1e-6)) > 0.97
