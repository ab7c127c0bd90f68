"""Worlds with extreme numbers: everything asked of them is answered by a finite number or refused in one sentence."""

import copy
import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import roguewk as rw
from roguewk.cli import main
from roguewk.world.plain import world_from_data, world_to_data

SIZES = [10.0**power for power in (3, 6, 9, 16, 29, 31, 50, 150, 300, 308)]
EXTREMES = [0.0, 1.0, -1.0, 0.5, 1 - 1e-12, 5e-324, *SIZES, *(-size for size in SIZES), *(1 / size for size in SIZES)]
COSTS: list[Any] = [
    0.2,
    {"uniform": [0.1, 0.3]},
    {"bernoulli": [0.3, 0.9]},
    {"beta": [2.0, 3.0, 0.5]},
    {"choices": [0.1, 0.4], "weights": [1.0, 2.0]},
]
FORMS: list[dict[str, Any]] = [
    {"rested": 0.6, "wear": 0.5, "half_life": 2.0},
    {"rested": 0.6, "wear": 0.5, "half_life": 10.0, "start": 0.4},
    {"A": 0.9, "B": -0.5, "K": 0.8, "alpha": 0.2, "beta": 0.8, "x0": 5.0},
    {"A": -0.5, "B": -0.5, "K": 0.8, "alpha": 0.2, "beta": -1.0, "x0": 0.5, "state": [-3.0, 3.0]},
    {"A": [[0.5, 0.1], [0.0, 0.3]], "B": [-0.5, 0.2], "K": [0.3, 0.1], "alpha": 0.2, "beta": [0.8, 0.3],
     "x0": [0.1, 0.2], "state": [[-3.0, 3.0], [-2.0, 2.0]]},
]  # fmt: skip


def ordinary(luck: random.Random) -> dict[str, Any]:
    resources, arms = luck.randrange(3), []
    for a in range(luck.randrange(1, 4)):
        family: dict[str, Any] = luck.choice([{}, {"family": "gaussian", "sigma": 0.3}])
        arms.append({"name": f"arm {a}", **family, **luck.choice(FORMS), "costs": luck.choices(COSTS, k=resources)})
    named = [{"name": f"resource {j}", "budget": 3.0, "largest_cost": 1.0} for j in range(resources)]
    return copy.deepcopy({"horizon": luck.choice([1, 20]), "idle": luck.random() < 0.5, "resource": named, "arm": arms})


def numbers(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in the data that holds a number: what holds it, and by which key."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        if isinstance(value, dict | list):
            yield from numbers(value)
        elif isinstance(value, float):
            yield data, key


def extreme(seed: int) -> dict[str, Any]:
    luck = random.Random(seed)
    data = ordinary(luck)
    places = list(numbers(data))
    for holder, key in luck.choices(places, k=luck.choice([1, 1, 2, 3])):
        holder[key] = luck.choice(EXTREMES)
    return data


def finite(*values: Any) -> None:
    assert all(np.isfinite(np.asarray(value, dtype=float)).all() for value in values), values


def simulated(world: rw.World, policy: str) -> None:
    runs = rw.simulate(world, policy, replicates=2)
    frame = runs.frame()
    finite(frame["reward"], frame["expected_reward"], *runs.spent.values(), runs.summary()["reward"])


def decided(world: rw.World, policy: str) -> None:
    player = rw.make_policy(policy, world.problem, seed=1)
    for _ in range(5):
        decision = player.select()
        finite(decision.probabilities)
        assert decision.explain()
        if decision.arm is not None:
            player.update(decision, 1.0, [cost.mean for cost in world.costs[decision.arm]])


def bounded(world: rw.World, **options: Any) -> None:
    bound = rw.upper_bound(world, **options)
    finite(bound.value, bound.prices, bound.round_prices)


def checked(world: rw.World) -> None:
    report = rw.check_assumptions(world)
    assert "nan" not in str(report).split()
    for each in report.constants.values():
        finite(each.L_h, each.L_g, each.sigma, each.diameter)


def analysed(world: rw.World) -> None:
    analysis = rw.theorem(world)
    assert str(analysis)
    assert not any(math.isnan(row.value) for row in analysis.rows)


def inferred(world: rw.World) -> None:
    for a in range(len(world.problem.arms)):
        found = rw.state_bounds(world.problem, a, [1, 0, 1], [1.0, 0.0], 0.05)
        finite(found.mle, found.lower, found.upper, found.reward_ucb)


ASKED: list[Callable[[rw.World], None]] = [
    lambda world: finite(world_from_data(world_to_data(world)).mean_costs),
    checked,
    analysed,
    inferred,
    bounded,
    lambda world: bounded(world, idle=True, round_prices="varying"),
    lambda world: finite(rw.theorem_radius(world.problem, 0, 3)),
    lambda world: finite(rw.exact(world.with_problem(horizon=3)).value),
    lambda world: finite(rw.nlp(world.with_problem(horizon=2)).value),
    *(lambda world, policy=policy: simulated(world, policy) for policy in ("roguewk-ucb", "sw-ucb", "ucb1")),
    lambda world: decided(world, "roguewk-ucb"),
]


def refusal(ask: Callable[[], Any]) -> str:
    """What is said against it; nothing if it is answered."""
    try:
        ask()
    except rw.InputError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("seeds", [range(first, first + 50) for first in range(0, 300, 50)], ids=str)
def test_a_world_of_extreme_numbers_is_refused_or_answers_whatever_it_is_asked(seeds: range) -> None:
    for seed in seeds:
        data = extreme(seed)
        said = [refusal(lambda data=data: world_from_data(data))]  # type: ignore[misc]  # mypy knows no such default
        if not said[0]:
            world = world_from_data(data)
            said = [refusal(lambda ask=ask, world=world: ask(world)) for ask in ASKED]  # type: ignore[misc]
        for sentence in filter(None, said):
            assert ": " in sentence, (seed, sentence)
            assert "\n" not in sentence, (seed, sentence)


START = """
horizon = 20
[[arm]]
name = "walk"
family = "gaussian"
sigma = 1.0
rested = 0.6
wear = 0.5
half_life = 2
start = {start}
"""


@pytest.mark.parametrize("start", ["-1e308", "1e31", "-1e29", "1e-300"])
@pytest.mark.parametrize("command", ["check", "bound", "theorem", "simulate", "explain"])
def test_commands_answer_or_refuse_an_extreme_start(
    command: str, start: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "world.toml"
    path.write_text(START.format(start=start))
    options = ["--policy", "ucb1", "--out", str(tmp_path / "out")] if command == "explain" else []
    options += ["--policies", "ucb1"] if command == "simulate" else []
    try:
        code = main([command, str(path), *options])
    except SystemExit as end:
        code = end.code  # type: ignore[assignment]  # argparse's is a number
    shown = capsys.readouterr()
    assert code in (0, 2), shown.err
    assert (code == 0) == (abs(float(start)) < 1e30), shown.err
    assert "nan" not in shown.out.split()
