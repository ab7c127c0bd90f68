"""Which policy where: all of them on the same worlds, under the same luck, as shares of what nobody can beat."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from roguewk.bounds.upper import upper_bound
from roguewk.engine.simulate import refusal, simulate
from roguewk.kernel.arrays import Vector
from roguewk.policy.registry import all_recipes, recipe
from roguewk.problem.errors import unique, whole
from roguewk.world import catalog
from roguewk.world.world import World

if TYPE_CHECKING:
    import pandas as pd

PAPER, PAPER_IDLE = "paper, B=100", "paper, B=100, idle"
# The catalogue, and its first world at a budget that is scarce, with and without idle rounds.
WORLDS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    PAPER: ("paper", {"budget": 100}),
    PAPER_IDLE: ("paper", {"budget": 100, "idle": True}),
    "paper, B=300": ("paper", {}),
    **{
        name.replace("_", " "): (name, {})
        for name in (
            *("one_resource", "many_arms", "slow_recovery", "two_dimensional"),
            *("gaussian", "messages", "advertising", "mobile_health"),
        )
    },
}
MOST_REPLICATES = 1_000_000
Progress = Callable[[int, int], None]
Policies = Sequence[tuple[str, Mapping[str, Any]]]


@dataclass(frozen=True)
class Comparison:
    """A row per world and policy in `frame`; policies that do not fit a world have no reward there, but a `reason`.

    A share is a row's `effect` by its `bound_of_effect`: what idling throughout would bring is in neither.
    """

    worlds: tuple[str, ...]
    policies: tuple[str, ...]
    frame: "pd.DataFrame"
    replicates: int
    seed: int
    runs: Mapping[tuple[str, str], Vector]  # by world and policy: (replicate,) shares

    def average(self, policy: str) -> tuple[float, float]:
        """The share over all worlds that a policy fits, with its standard error: worlds are played under one luck."""
        return _with_error(np.mean([runs for (_, own), runs in self.runs.items() if own == policy], axis=0))

    def shares(self) -> "pd.DataFrame":
        """Shares of the bound, policy by world, the best on average first; those that do not fit a world come last."""
        table = self.frame.pivot(index="policy", columns="world", values="share")[list(self.worlds)]
        ranks = table.assign(missing=table.isna().sum(axis=1), average=-table.mean(axis=1))
        return table.loc[ranks.sort_values(["missing", "average"], kind="stable").index]


def usual_worlds() -> dict[str, World]:
    """The worlds that policies are compared on unless others are given, by what they are called."""
    return {label: catalog.get(name, **options) for label, (name, options) in WORLDS.items()}


def usual_policies() -> Policies:
    """All policies, and those that can learn dynamics also where they do."""
    recipes = all_recipes()
    learners: Policies = [(name, {"dynamics": "learned"}) for name in recipes if recipes[name].learns_dynamics]
    return [*((name, {}) for name in recipes), *learners]


def run_compare(
    worlds: Mapping[str, World],
    policies: Policies,
    replicates: int = 100,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Play every policy in every world that it fits."""
    import pandas

    whole(replicates, "replicates", 1, MOST_REPLICATES)
    labels = [_label(name, parameters) for name, parameters in policies]
    unique(labels, "policies")
    rows: list[dict[str, Any]] = []
    runs: dict[tuple[str, str], Vector] = {}
    for place, (name, world) in enumerate(worlds.items()):
        part = None if progress is None else _shifted(progress, place, len(worlds))
        specs = dict(zip(labels, policies, strict=True))
        for row, shares in _in_world(name, world, specs, replicates, seed, threads, part):
            rows.append(row)
            if shares is not None:
                runs[name, row["policy"]] = shares
    return Comparison(tuple(worlds), tuple(labels), pandas.DataFrame(rows), replicates, seed, runs)


def _with_error(values: Vector) -> tuple[float, float]:
    """The mean, and its standard error where there are several."""
    error = float(values.std(ddof=1)) / math.sqrt(values.size) if values.size > 1 else math.nan
    return float(values.mean()), error


def _shifted(progress: Progress, place: int, places: int) -> Progress:
    return lambda done, total: progress(place * total + done, places * total)


def _label(name: str, parameters: Mapping[str, Any]) -> str:
    return " ".join([name, *(f"{key}={value}" for key, value in parameters.items())])


def _the_same(world: World, spec: tuple[str, Mapping[str, Any]], policies: Mapping[str, Any]) -> str | None:
    """Why a policy that is asked to learn need not be played: it would learn anyway, and so play the same rounds."""
    name, parameters = spec
    anyway = {key: value for key, value in parameters.items() if key != "dynamics"}
    if parameters.get("dynamics") != "learned" or not world.problem.unknown or (name, anyway) not in policies.values():
        return None
    told = f"arm {world.problem.unknown[0]!r} has dynamics that nobody knows"
    return f"the same as {_label(name, anyway)!r} here, which learns without being asked, as {told}"


def _in_world(
    name: str,
    world: World,
    policies: Mapping[str, tuple[str, Mapping[str, Any]]],
    replicates: int,
    seed: int,
    threads: int | None,
    progress: Progress | None,
) -> Iterator[tuple[dict[str, Any], Vector | None]]:
    """For every policy its row, and its shares by replicate if it fits."""
    reasons = {label: refusal(world, *spec) or _the_same(world, spec, policies) for label, spec in policies.items()}
    fitting = {label: spec for label, spec in policies.items() if not reasons[label]}
    bound = upper_bound(world)
    unit = bound.effect if bound.effect > 0 else float("nan")  # where nothing can be earned, there are no shares
    runs = simulate(world, fitting, replicates, seed, threads=threads, progress=progress) if fitting else None
    for label, (policy, _) in policies.items():
        how = recipe(policy)
        totals = None if runs is None or reasons[label] else runs.totals[label]
        # What pulls were worth: the luck of single rewards would show shares above what can be expected.
        earned = np.full(1, np.nan) if totals is None else totals["expected"]
        effect = float(earned.mean()) - bound.baseline
        shares = (earned - bound.baseline) / unit
        row = {
            "world": name,
            "policy": label,
            "setting": how.setting,
            "budget": how.budget,
            "dynamics": how.dynamics,
            "expected_reward": float(earned.mean()),
            "bound": bound.value,
            "share": effect / unit,
            "standard_error": _with_error(shares)[1],
            "plays": math.nan if totals is None else float(totals["plays"].mean()),
            "reason": reasons[label],
            "effect": effect,
            "bound_of_effect": bound.effect,
        }
        yield row, None if totals is None else shares
