"""Tables of runs that nobody played."""

import itertools
import math
from collections.abc import Mapping
from typing import Any

import pandas as pd
import pyarrow as pa

import roguewk as rw
from roguewk.kernel.arrays import Vector
from roguewk.study.plan.model import PlannedPolicy, PlannedWorld, Study
from roguewk.study.stats.compare import compare
from roguewk.study.stats.grid import arrange

NO_BOUNDS = pd.DataFrame({"world": [], "bound": [], "gap": [], "failed": []})


def planned(worlds: int, policies: int, replicates: int, skipped: Mapping[tuple[str, str], str] | None = None) -> Study:
    world = rw.catalog.paper(horizon=5)
    return Study(
        name="made",
        title="made",
        replicates=replicates,
        seed=0,
        baseline="p0",
        worlds=tuple(PlannedWorld(f"w{i}", {}, world) for i in range(worlds)),
        policies=tuple(PlannedPolicy(f"p{j}", "ucb1", {}) for j in range(policies)),
        skipped=skipped or {},
    )


def made(rewards: Vector, skipped: Mapping[tuple[str, str], str] | None = None) -> tuple[Any, Study]:
    """A table of runs with these rewards (world, policy, replicate), nan for those that failed, and its study."""
    worlds, policies, replicates = rewards.shape
    study = planned(worlds, policies, replicates, skipped)
    rows = []
    for (i, world), (j, policy) in itertools.product(enumerate(study.worlds), enumerate(study.policies)):
        if (world.label, policy.label) not in study.skipped:
            for r, reward in enumerate(rewards[i, j].tolist()):
                lost = math.isnan(reward)
                numbers = {"reward": reward, "expected_reward": reward + 0.5, "plays": 20 + r, "rounds": 30}
                numbers |= {"spent_a": 2.0 * r, "spent_b": None if i else 1.0}
                rows.append(
                    {"world": world.label, "policy": policy.label, "replicate": r}
                    | (dict.fromkeys(numbers) if lost else numbers)
                    | {"failed": "ValueError: no luck" if lost else None}
                )
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    floats = ("reward", "expected_reward", "spent_a", "spent_b")
    types = {**dict.fromkeys(floats, "f8"), "plays": "i8", "rounds": "i8", "failed": "string"}
    return pa.table({name: pa.array(values, types.get(name)) for name, values in columns.items()}), study


def compared(table: Any, study: Study, bounds: pd.DataFrame = NO_BOUNDS) -> pd.DataFrame:
    return compare(arrange(table, study), bounds)


def played(replicates: int) -> tuple[Any, Study, rw.Runs]:
    world = rw.catalog.paper(budget=100)
    names = ("sw-ucb", "roguewk-ucb", "ucb1")
    runs = rw.simulate(world, list(names), replicates=replicates, seed=3)
    table = runs.frame("arrow")
    table = table.add_column(0, "world", pa.repeat("paper", len(table)))
    table = table.append_column("failed", pa.nulls(len(table), pa.string()))
    policies = tuple(PlannedPolicy(name, name, {}) for name in names)
    study = Study("real", "real", replicates, 3, "sw-ucb", (PlannedWorld("paper", {}, world),), policies)
    return table, study, runs


def exact_share(differences: list[int]) -> float:
    """The share of all sign patterns whose sums are as far from zero, counted by adding one difference at a time."""
    ways = {0: 1}
    for d in differences:
        sums: dict[int, int] = {}
        for total, count in ways.items():
            for sign in (d, -d):
                sums[total + sign] = sums.get(total + sign, 0) + count
        ways = sums
    return sum(count for total, count in ways.items() if abs(total) >= abs(sum(differences))) / 2 ** len(differences)
