"""Every distribution of costs in its folder: SciPy's numbers, its draws, its form in files, and what it forgets."""

import json
import pickle
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

import roguewk as rw
import roguewk.world.cost as costs
from roguewk.kernel.arrays import Vector
from roguewk.problem.errors import InputError
from roguewk.world.cost import DISTRIBUTIONS, Cost, Distribution, cost_from_data, cost_keys, cost_to_data
from roguewk.world.truth import build_truth, draw_costs

JUDGES: list[tuple[Cost, Any]] = [
    (Cost.fixed(0.7), None),
    (Cost.uniform(0.1, 0.7), stats.uniform(0.1, 0.6)),
    (Cost.bernoulli(0.3), stats.bernoulli(0.3)),
    (Cost.bernoulli(1.0), None),
    (Cost.beta(2.0, 5.0, 0.5), stats.beta(2.0, 5.0, scale=0.5)),
    (Cost.choices([0.2, 0.9], [3, 1]), stats.rv_discrete(values=([2, 9], [0.75, 0.25]))),
    (Cost.triangular(0.1, 0.3, 0.9), stats.triang(0.25, 0.1, 0.8)),
    (Cost.triangular(0.0, 0.0, 1.0), stats.triang(0.0)),
    (Cost.triangular(0.2, 1.0, 1.0), stats.triang(1.0, 0.2, 0.8)),
    (Cost.triangular(0.4, 0.4, 0.4), None),
]
every_cost = pytest.mark.parametrize(("cost", "judge"), JUDGES, ids=lambda value: str(getattr(value, "kind", "")))
TENTHS = {"choices"}  # kinds whose judge, a discrete one, is in tenths


def drawn(cost: Cost, count: int) -> Vector:
    arm = rw.Arm("a", A=0.5, B=-1.0)
    truth = build_truth(rw.World(rw.Problem([arm], [rw.Resource("r", 10.0)], 10), [0.0], [[cost]]))
    numbers = np.empty((count, 1))
    for t in range(count):
        draw_costs(truth, 0, np.uint64(12), 1, t, numbers[t])
    return numbers[:, 0]


def test_every_file_of_the_folder_is_a_kind_of_cost_and_is_judged_here() -> None:
    files = {path.stem for path in Path(str(costs.__file__)).parent.glob("*.py")} - {"__init__", "cost"}
    assert files == set(DISTRIBUTIONS) == {cost.kind for cost, _ in JUDGES}
    for kind, distribution in DISTRIBUTIONS.items():
        assert distribution.make.__name__ == kind
        assert getattr(rw.Cost, kind) is distribution.make


def test_a_distribution_that_forgets_something_is_an_error_at_once() -> None:
    whole = {field.name: getattr(DISTRIBUTIONS["uniform"], field.name) for field in fields(Distribution)}
    for name in whole:
        with pytest.raises(TypeError, match=name):
            Distribution(**{key: value for key, value in whole.items() if key != name})


@every_cost
def test_means_and_ends_are_those_of_scipy(cost: Cost, judge: Any) -> None:
    if judge is None:
        assert cost.mean == pytest.approx(cost.numbers[0])
        assert cost.smallest == cost.largest == cost.numbers[0]
        return
    unit = 0.1 if cost.kind in TENTHS else 1.0
    assert cost.mean == pytest.approx(judge.mean() * unit)
    low, high = judge.support()
    assert (cost.smallest, cost.largest) == pytest.approx((low * unit, high * unit))


@every_cost
def test_no_cost_exceeds_an_amount_by_more_than_its_residual_on_average(cost: Cost, judge: Any) -> None:
    numbers = np.sort(drawn(cost, 8000))
    exceeded = [numbers[numbers > r].mean() - r for r in (0.0, *numbers[:-200:40]) if (numbers > r).any()]
    assert cost.mean <= cost.residual <= cost.largest * (1 + 1e-12)
    assert max(exceeded) <= cost.residual * 1.05
    if cost.atoms is None or cost.atoms[0][1] == 0:  # found, not only enclosed
        assert max(exceeded) == pytest.approx(cost.residual, rel=0.05)


@pytest.mark.parametrize(("a", "b"), [(0.3, 0.5), (0.5, 3.0), (0.2, 8.0), (2.0, 0.4), (1.0, 1.0), (3.0, 4.0)])
def test_the_residual_of_beta_costs_is_at_least_what_integrating_gives(a: float, b: float) -> None:
    judge, cost = stats.beta(a, b), Cost.beta(a, b, 2.0)
    exceeded = [2.0 * integrate.quad(judge.sf, r, 1)[0] / judge.sf(r) for r in np.linspace(0, 0.999, 200)]
    assert max(exceeded) <= cost.residual + 1e-9
    if a >= 1:
        assert max(exceeded) == pytest.approx(cost.residual)


@every_cost
def test_draws_follow_the_distribution(cost: Cost, judge: Any) -> None:
    numbers = drawn(cost, 8000)
    assert numbers.min() >= cost.smallest
    assert numbers.max() <= cost.largest
    if judge is None:
        assert (numbers == cost.numbers[0]).all()
    elif cost.atoms is not None:
        seen = [int((numbers == value).sum()) for _, value in cost.atoms]
        assert sum(seen) == numbers.size
        assert stats.chisquare([n for n in seen if n], [c * 8000 for c, _ in cost.atoms if c > 0]).pvalue > 0.01
    else:
        assert stats.kstest(numbers, judge.cdf).pvalue > 0.01


@every_cost
def test_atoms_add_up_to_one_and_to_the_mean(cost: Cost, judge: Any) -> None:
    if cost.atoms is not None:
        assert sum(chance for chance, _ in cost.atoms) == pytest.approx(1)
        assert sum(chance * value for chance, value in cost.atoms) == pytest.approx(cost.mean)


@every_cost
def test_a_cost_comes_back_from_files_and_pickles_as_the_same_value(cost: Cost, judge: Any) -> None:
    assert cost_from_data(json.loads(json.dumps(cost_to_data(cost)))) == cost
    assert pickle.loads(pickle.dumps(cost)) == cost
    assert hash(cost) == hash(pickle.loads(pickle.dumps(cost)))
    assert set(cost_to_data(cost)) <= set(cost_keys())


def test_costs_are_written_as_before() -> None:
    assert cost_to_data(Cost.fixed(2)) == {"fixed": 2.0}
    assert cost_to_data(Cost.bernoulli(0.3)) == {"bernoulli": [0.3, 1.0]}
    assert cost_to_data(Cost.choices([1, 2])) == {"choices": [1.0, 2.0], "weights": [0.5, 0.5]}
    assert cost_from_data({"bernoulli": 0.3}) == Cost.bernoulli(0.3)


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({}, "found nothing: give exactly one of fixed, uniform"),
        ({"fixed": 1, "beta": [1, 2]}, "give exactly one of"),
        ({"uniform": [0, 1], "weights": [1, 2]}, "found uniform, weights: give exactly one of"),
        ({"triangular": [1, 2]}, "triangular has 2 numbers: give 3"),
        ({"triangular": [2, 1, 3]}, "give low, mode and high in this order"),
        ({"triangular": [-1, 1, 3]}, "the low end of a triangular cost is -1"),
        ({"bernoulli": [0.1, 1, 2]}, "bernoulli has 3 numbers: give 1 or 2"),
        ({"choices": 3}, "give a list of numbers for each"),
    ],
)
def test_a_wrong_table_is_refused_in_one_sentence(table: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as error:
        cost_from_data(table)
    assert sentence in str(error.value)


def test_an_unknown_kind_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"did you mean 'triangular'\?"):
        Cost("triangle", (1.0, 2.0, 3.0))


def test_a_kind_that_is_not_there_is_told_those_that_are() -> None:
    with pytest.raises(AttributeError, match=r"no rw\.Cost\.normal: the kinds are fixed, uniform, bernoulli, beta"):
        Cost.normal(1.0, 0.2)
