"""How every policy did in every world of a study."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.study.stats.grid import Grid
from roguewk.study.stats.intervals import mean_intervals

if TYPE_CHECKING:
    import pandas as pd

NUMBERS = ("reward", "expected_reward", "plays", "rounds")


def summarise(grid: Grid, bounds: "pd.DataFrame") -> "pd.DataFrame":
    """A row per world and policy, in the study's order, without those that do not fit each other.

    `bounds` has the columns `world` and `bound`. Of the column `runs` so many as
    in `failed` brought no numbers; all other columns are about the rest, and nan if nothing is left. `reward` is a mean
    with standard error and 95 % bootstrap interval; `median` and quartiles are of the reward too. `share` is the mean
    expected reward over the certified bound, with its interval. `reward_per_play` is
    all reward over all plays, the columns `per_play_...` are over runs.

    Where idle rounds bring something in some world, `idle_reward` is what idling throughout would bring, `effect` how
    much more than that was to be expected, with its interval, median and quartiles; shares are of effects, and
    `effect_per_play` and its quartiles stand in place of those of the reward.
    """
    import pandas

    study = grid.study
    names = [*NUMBERS, *grid.names("spent_")]
    columns = {name: grid.column(name) for name in names}
    places = list(grid.fitting())
    samples = [{name: columns[name][i, j][grid.finished[i, j]] for name in names} for i, j in places]
    rewards = mean_intervals([sample["reward"] for sample in samples])
    expected = mean_intervals([sample["expected_reward"] for sample in samples])
    known = dict(zip(bounds["world"], bounds["bound"], strict=True))
    rows = [
        _row(grid, place, sample, float(known.get(study.worlds[place[0]].label, math.nan)), *intervals)
        for place, sample, *intervals in zip(places, samples, rewards, expected, strict=True)
    ]
    return pandas.DataFrame(rows)


def _row(
    grid: Grid, place: tuple[int, int], sample: Mapping[str, Vector], bound: float, rewards: Vector, expected: Vector
) -> dict[str, Any]:
    reward, plays = sample["reward"], sample["plays"]
    made, finished = int(grid.there[place].sum()), len(reward)
    idle = float(grid.idle_totals[place[0]])
    whole = bound - idle if bound > idle else math.nan
    effects = grid.study.has_effects
    return {
        "world": grid.study.worlds[place[0]].label,
        "policy": grid.study.policies[place[1]].label,
        "runs": made,
        "failed": made - finished,
        "reward": _mean(reward),
        "standard_error": float(reward.std(ddof=1)) / math.sqrt(finished) if finished > 1 else math.nan,
        "reward_low": rewards[0],
        "reward_high": rewards[1],
        **_quartiles(reward, "median", "lower_quartile", "upper_quartile"),
        "expected_reward": _mean(sample["expected_reward"]),
        **(_effects(sample["expected_reward"] - idle, idle, expected) if effects else {}),
        "plays": _mean(plays),
        **_quartiles(plays, "plays_median", "plays_lower", "plays_upper"),
        "rounds": _mean(sample["rounds"]),
        **(_per_play(sample["expected_reward"] - idle, plays, "effect_") if effects else _per_play(reward, plays)),
        "bound": bound,
        "share": (_mean(sample["expected_reward"]) - idle) / whole,
        "share_low": (expected[0] - idle) / whole,
        "share_high": (expected[1] - idle) / whole,
        **{name: _mean(values) for name, values in sample.items() if name.startswith("spent_")},
    }


def _effects(effects: Vector, idle: float, expected: Vector) -> dict[str, float]:
    return {
        "idle_reward": idle,
        "effect": _mean(effects),
        "effect_low": float(expected[0]) - idle,
        "effect_high": float(expected[1]) - idle,
        **_quartiles(effects, "effect_median", "effect_lower_quartile", "effect_upper_quartile"),
    }


def _per_play(earned: Vector, plays: Vector, start: str = "") -> dict[str, float]:
    names = (f"{start}per_play_{name}" for name in ("median", "lower", "upper"))
    whole = float(earned.sum() / plays.sum()) if plays.sum() > 0 else math.nan
    return {f"{start or 'reward_'}per_play": whole, **_quartiles(earned / np.maximum(plays, 1), *names)}


def _mean(values: Vector) -> float:
    return float(values.mean()) if values.size else math.nan


def _quartiles(values: Vector, median: str, lower: str, upper: str) -> dict[str, float]:
    found = np.quantile(values, [0.5, 0.25, 0.75]).tolist() if values.size else [math.nan] * 3
    return dict(zip((median, lower, upper), found, strict=True))
