import subprocess
import sys

import numpy as np
import pytest
import scipy.optimize

from roguewk.problem.constants import arm_constants
from roguewk.problem.errors import InputError
from roguewk.world import catalog
from roguewk.world.world import World
from tests.plain_worlds import NAMES as PLAIN_WORLDS


@pytest.fixture(params=catalog.names())
def world(request: pytest.FixtureRequest) -> World:
    return catalog.get(request.param)


def rested_means(world: World) -> np.ndarray:
    """(arm,) mean rewards of arms left alone for ever."""
    means = []
    for arm in world.problem.arms:
        rested = np.linalg.solve(np.eye(arm.dimension) - arm.matrix, arm.pull_back)
        level = arm.alpha + float(arm.weights @ rested)
        means.append(level if arm.family == "gaussian" else 1 / (1 + np.exp(-level)))
    return np.array(means)


def test_every_initial_state_is_possible_and_x_is_never_left(world: World) -> None:
    for arm, x0 in zip(world.problem.arms, world.x0, strict=True):
        assert (arm.box[:, 0] <= x0).all()
        assert (x0 <= arm.box[:, 1]).all()
        assert arm_constants(arm).invariant
        assert arm_constants(arm).injective


@pytest.mark.parametrize("name", PLAIN_WORLDS)
def test_the_budgets_bind(name: str) -> None:
    world = catalog.get(name)
    rates = world.problem.budgets / world.problem.horizon
    answer = scipy.optimize.linprog(
        -rested_means(world),
        A_ub=np.vstack([world.mean_costs.T, np.ones(len(world.problem.arms))]),
        b_ub=np.append(rates, 1.0),
    )
    assert np.asarray(answer.slack)[:-1].min() < 1e-9


@pytest.mark.parametrize("name", [name for name in catalog.names() if name != "paper"])
def test_a_longer_horizon_keeps_the_budget_per_round(name: str) -> None:
    longer = catalog.get(name, horizon=5000)
    assert longer.problem.rates == pytest.approx(catalog.get(name).problem.rates)


def test_the_papers_world_is_tables_1_and_2() -> None:
    world = catalog.paper()
    assert [arm.name for arm in world.problem.arms] == ["arm 0", "arm 1", "arm 2"]
    assert [resource.name for resource in world.problem.resources] == ["resource 1", "resource 2", "resource 3"]
    assert {arm.state for arm in world.problem.arms} == {(-3.0, 3.0)}
    assert [float(x[0]) for x in world.x0] == [0.1, 0.3, 0.9]
    assert [(arm.A, arm.B, arm.K, arm.alpha, arm.beta) for arm in world.problem.arms][1] == (0.7, -1.2, 0.4, 0.5, 0.3)
    assert world.mean_costs == pytest.approx(np.array([[0.15, 0.7, 0.4], [0.25, 0.35, 0.3], [0.25, 0.3, 0.2]]))
    assert (world.problem.horizon, world.problem.idle) == (1000, False)


def test_the_catalogue_has_every_kind_of_world() -> None:
    worlds = {name: catalog.get(name) for name in catalog.names()}
    assert len(worlds["one_resource"].problem.resources) == 1
    assert len(worlds["many_arms"].problem.arms) == 20
    assert all(0.93 < arm.A < 0.97 for arm in worlds["slow_recovery"].problem.arms)
    assert max(arm.dimension for arm in worlds["two_dimensional"].problem.arms) == 2
    assert all(arm.family == "gaussian" for arm in worlds["gaussian"].problem.arms)
    assert all(worlds[name].problem.idle for name in ("messages", "advertising"))
    assert (worlds["advertising"].problem.scales > 1).all()


def test_a_world_is_the_same_every_time() -> None:
    assert catalog.many_arms().mean_costs.tolist() == catalog.many_arms().mean_costs.tolist()


def test_a_wrong_name_or_option_names_the_nearest() -> None:
    with pytest.raises(InputError, match="unknown world 'papper': did you mean 'paper'"):
        catalog.get("papper")
    with pytest.raises(InputError, match="did you mean 'budget'"):
        catalog.get("paper", buget=3)
    with pytest.raises(InputError, match="name of a world"):
        catalog.get(3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="horizon is 0"):
        catalog.gaussian(horizon=0)
    with pytest.raises(InputError, match="horizon is 'x'"):
        catalog.get("gaussian", horizon="x")
    with pytest.raises(InputError, match="budget of resource 'resource 1'"):
        catalog.paper(budget=-1.0)


def test_making_a_world_does_not_load_numba() -> None:
    code = "import sys; from roguewk.world import catalog; catalog.paper(); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
