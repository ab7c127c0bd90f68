"""World files that worlds are written to."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.experiment.hostile.families import FAMILIES, hostile_world
from roguewk.experiment.quality.random_worlds import random_world
from roguewk.learn.example import invented_log
from roguewk.world.plain import world_from_data
from tests.world.test_plain import GOOD

ARRAYS = ("matrix", "push", "pull_back", "weights", "box", "starts")
PLAIN = ("name", "alpha", "family", "sigma", "known_start", "available", "like")


def walk(**changes: Any) -> rw.Arm:
    return rw.everyday_arm("walk", **{"rested": 0.6, "wear": 0.5, "half_life": 2, **changes})


def world_of(*arms: rw.Arm, true: Any = None, costs: Any = None, **problem: Any) -> rw.World:
    given = problem.pop("resources", [rw.Resource("staff", 7.3)])
    rows = [[0.2]] * len(arms) if costs is None else costs
    return rw.World(rw.Problem(arms, given, 40, **problem), [arm.starts[:, 0] for arm in true or arms], rows, true)


def fitted(learn: bool) -> rw.World:
    fit = rw.fit(invented_log())
    world = fit.world(horizon=50, budgets={"minutes": 60.0})
    return world.believe(fit.problem(horizon=50, budgets={"minutes": 60.0}).arms) if learn else world


def odd_worlds() -> Iterator[tuple[str, Any]]:
    guess: dict[str, Any] = {"half_life": {"about": 5, "between": [1, 30]}, "rested": 0.3}
    unknown, alike = rw.unknown_arm("walk", **guess), rw.unknown_arm("run", like="walk")
    known = (walk(), rw.Arm("run", A=0.5, B=-0.1))
    yield "every kind of cost", lambda: world_from_data(GOOD)
    yield "no resources", lambda: world_of(walk(), resources=[], costs=[[]])
    yield "nobody knows", lambda: world_of(unknown, alike)
    yield "nobody is told", lambda: world_of(unknown, alike, true=known)
    yield "told of one", lambda: world_of(unknown, known[1], true=known)
    yield "untold", lambda: world_of(walk(), true=[walk(available=0.3, known_start="rested")])
    yield "told less", lambda: world_of(walk(known_start=[-0.5, 0.0]), true=[walk(known_start=-0.5)])
    yield "other guesses", lambda: world_of(unknown, true=[rw.unknown_arm("walk", wear=0.2)])
    yield "guesses are true", lambda: world_of(unknown, true=[rw.unknown_arm("walk", **guess)])
    yield "known costs", lambda: world_of(walk(), costs=[[rw.Cost.bernoulli(0.1, 3).told()]])
    yield "costs known by the problem", lambda: world_of(walk(), known_costs=[[0.2]])
    yield (
        "strange names",
        lambda: world_of(replace(walk(), name='"a\\b" = [é] # 猫'), resources=[rw.Resource("'\"", 1)]),
    )
    yield (
        "strange numbers",
        lambda: world_of(rw.Arm("x", A=5e-324, B=-1e-17, K=-0.0, alpha=0.1 + 0.2, family="gaussian", sigma=1e22)),
    )
    late = rw.Outcomes(delay=(2, 12), missing=0.3, costs=rw.Outcomes())
    yield "late", lambda: world_of(walk()).with_outcomes(late)
    yield "fitted", lambda: fitted(False)
    yield "fitted, and learned on", lambda: fitted(True)


def assert_same(one: rw.World, other: rw.World) -> None:
    assert [arm.name for arm in one.arms] == [arm.name for arm in other.arms]
    for mine, yours in zip((*one.arms, *one.problem.arms), (*other.arms, *other.problem.arms), strict=True):
        for key in ARRAYS:
            assert getattr(mine, key).tobytes() == getattr(yours, key).tobytes(), key
        assert [getattr(mine, key) for key in PLAIN] == [getattr(yours, key) for key in PLAIN]
        priors = [None if arm.prior is None else arm.prior.to_data() for arm in (mine, yours)]
        assert priors[0] == priors[1]
    assert [x0.tobytes() for x0 in one.x0] == [x0.tobytes() for x0 in other.x0]
    assert [[c.numbers + c.weights for c in row] for row in one.costs] == [
        [c.numbers + c.weights for c in row] for row in other.costs
    ]
    assert one.problem.known_costs == other.problem.known_costs
    assert (one.problem.resources, one.problem.horizon, one.problem.idle, one.outcomes) == (
        other.problem.resources, other.problem.horizon, other.problem.idle, other.outcomes,
    )  # fmt: skip


WORLDS: dict[str, Any] = {
    **{name: lambda name=name: rw.catalog.get(name) for name in rw.catalog.names()},
    **{f"random: {n}": lambda n=n: random_world(n) for n in range(8)},
    **{f"hostile: {name}": lambda name=name: hostile_world(name, 1) for name in FAMILIES},
    **dict(odd_worlds()),
}


@pytest.mark.parametrize("name", WORLDS)
def test_a_world_comes_back_exactly_from_its_file(name: str, tmp_path: Path) -> None:
    world = WORLDS[name]()
    content = world.to_toml(tmp_path / "world.toml")
    assert (tmp_path / "world.toml").read_text(encoding="utf-8") == content == world.to_toml()
    again = rw.load_world(tmp_path / "world.toml")
    assert_same(world, again)
    assert again.to_toml() == content


@pytest.mark.parametrize("name", ["paper", "two_dimensional", "hostile: now and then", "every kind of cost", "late"])
def test_the_same_luck_brings_the_same_in_a_world_that_comes_back(name: str, tmp_path: Path) -> None:
    world = WORLDS[name]()
    world = world.with_problem(horizon=min(world.problem.horizon, 60))
    world.to_toml(tmp_path / "world.toml")
    runs = [rw.simulate(w, "ucb1", replicates=3, seed=4) for w in (world, rw.load_world(tmp_path / "world.toml"))]
    assert np.array_equal(runs[0].totals["ucb1"], runs[1].totals["ucb1"])


def test_what_no_file_can_say_is_refused() -> None:
    own = rw.Arm("tea", g=lambda x: 0.5)
    told = world_of(walk(), known_costs=[[0.1]])
    bare = world_of(walk(), costs=[[rw.Cost("choices", (1.0, 2.0), (3.0, 1.0))]])
    for world, sentence in (
        (world_of(own), "arm 'tea' has its own h or g, which no file can hold: keep the Python code"),
        (told, "cost of arm 'walk' on 'staff' is 0.2 on average and said to be 0.1, which no file can say"),
        (bare, "which no file can say: make it with rw.Cost.choices"),
    ):
        with pytest.raises(rw.InputError) as caught:
            world.to_toml()
        assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        (3, "path is 3: give a file name that ends in .toml"),
        ("world.txt", "give a file name that ends in .toml"),
        ("a\0.toml", "give a file name that ends in .toml"),
        ("none/world.toml", "there is no such folder: make it first"),
        ("folder.toml", "this is a folder: give the name of a file"),
        ("x" * 300 + ".toml", "cannot be written (File name too long): give another one"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_and_nothing_is_left(
    path: Any, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(rw.InputError) as caught:
        rw.catalog.paper().to_toml(path)
    assert sentence in str(caught.value)
    assert [each.name for each in tmp_path.iterdir()] == ["folder.toml"]
