"""Stand-ins for what the report is made from: results without a folder, and statistics by a few lines of pandas."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow
import pytest

from roguewk.study.page.figures import study_figures
from roguewk.study.plan.model import Study
from roguewk.study.plan.read import study_from_text

Z = 1.96
SMALL = """
title = "Small"
replicates = 30
[[world]]
world = "paper"
horizon = 50
budget = [5, 10]
[[policy]]
policy = ["ucb1", "sw-ucb"]
"""
PARAMETER = """
replicates = 20
[[world]]
world = "paper"
horizon = 50
budget = [5, 10]
[[policy]]
policy = "ucb1"
[[policy]]
policy = "sw-ucb"
w1 = [30, 10, 20]
w2 = [5, 6]
"""


@dataclass
class Played:
    """What the report asks of results."""

    study: Study
    runs: Any
    bounds: pd.DataFrame
    traces: dict[tuple[str, str], pd.DataFrame]
    sources: str = "0 no code"

    def trace(self, world: str, policy: str) -> pd.DataFrame | None:
        return self.traces.get((world, policy))


def invented(study: Study, traced: int = 2, failures: bool = False) -> Played:
    """Results of a study that nobody played: rewards that grow with the place of the policy and of the world."""
    rng = np.random.default_rng(7)
    frames, traces, bounds = [], {}, []
    for w, world in enumerate(study.worlds):
        bounds.append((world.label, 60.0 + 20 * w, 0.0, None))
        for p, policy in enumerate(study.policies):
            if (world.label, policy.label) in study.skipped:
                continue
            n = study.replicates
            rewards = rng.binomial(100 + 20 * w, 0.3 + 0.02 * (p % 30), n).astype(float)
            columns: dict[str, Any] = {"world": world.label, "policy": policy.label, "replicate": np.arange(n)}
            columns |= {"reward": rewards, "expected_reward": rewards, "plays": 90.0 + rng.integers(0, 9, n)}
            frame = pd.DataFrame({**columns, "rounds": 100, "stopped_by": "horizon"})
            for resource in world.world.problem.resources:
                frame[f"spent_{resource.name}"] = 0.9 * resource.budget
            frame["failed"] = pd.Series([None] * n, dtype="string")
            if failures and p == 0:
                frame.loc[0, "failed"] = "ValueError: <b>no</b>"
                frame.loc[0, ["reward", "expected_reward", "plays"]] = np.nan
            frames.append(frame)
            if traced:
                traces[world.label, policy.label] = _trace(world.world.problem, min(traced, n), rng)
    runs = pyarrow.Table.from_pandas(pd.concat(frames), preserve_index=False)
    return Played(study, runs, pd.DataFrame(bounds, columns=["world", "bound", "gap", "failed"]), traces)


def _trace(problem: Any, replicates: int, rng: np.random.Generator) -> pd.DataFrame:
    frames = []
    for replicate in range(replicates):
        n = problem.horizon - 10 * replicate
        arms = rng.integers(-1, len(problem.arms), n)
        frame = pd.DataFrame({"replicate": replicate, "round": np.arange(n), "arm": arms, "reward": arms >= 1.0})
        frame["reward"] = frame["reward"].astype(float)
        frame["expected_reward"] = 0.5
        for resource in problem.resources:
            frame[f"cost_{resource.name}"] = resource.budget / problem.horizon
        for arm in problem.arms:
            names = [f"state_{arm.name}{f'[{i}]' if arm.dimension > 1 else ''}" for i in range(arm.dimension)]
            frame[names] = rng.normal(size=(n, len(names)))
        frames.append(frame)
    return pd.concat(frames, ignore_index=True)


def summary_of(played: Any) -> pd.DataFrame:
    """A row per world and policy."""
    runs = played.runs.to_pandas()
    bounds = dict(zip(played.bounds["world"], played.bounds["bound"], strict=True))
    rows = []
    for (world, policy), own in runs.groupby(["world", "policy"], sort=False):
        good = own[own["failed"].isna()]
        rate = good["reward"] / good["plays"]
        mean, error = good["reward"].mean(), good["reward"].std() / np.sqrt(len(good))
        row: dict[str, Any] = {"world": world, "policy": policy, "runs": len(own), "failed": len(own) - len(good)}
        row |= {
            "reward": mean,
            "standard_error": error,
            "reward_low": mean - Z * error,
            "reward_high": mean + Z * error,
        }
        row |= dict(zip(["lower_quartile", "median", "upper_quartile"], _quartiles(good["reward"]), strict=True))
        row |= {"expected_reward": good["expected_reward"].mean(), "plays": good["plays"].mean()}
        row |= dict(zip(["plays_lower", "plays_median", "plays_upper"], _quartiles(good["plays"]), strict=True))
        row |= {"rounds": good["rounds"].mean(), "reward_per_play": good["reward"].sum() / good["plays"].sum()}
        row |= dict(zip(["per_play_lower", "per_play_median", "per_play_upper"], _quartiles(rate), strict=True))
        bound = bounds.get(world, np.nan)
        share = row["expected_reward"] / bound
        row |= {"bound": bound, "share": share, "share_low": share - 0.01, "share_high": share + 0.01}
        row |= {name: good[name].mean() for name in runs.columns if name.startswith("spent_")}
        rows.append(row)
    return pd.DataFrame(rows)


def _quartiles(values: pd.Series) -> list[float]:
    return [float(each) for each in np.quantile(values, [0.25, 0.5, 0.75])]


def comparisons_of(played: Any) -> pd.DataFrame:
    """A row per world, or over all, and policy other than the baseline."""
    study = played.study
    table = played.runs.to_pandas().pivot_table("reward", ["world", "replicate"], "policy", sort=False)
    rows = []
    for place in [*(each.label for each in study.worlds), *(["all worlds"] if len(study.worlds) > 1 else [])]:
        for policy in study.policies:
            if policy.label == study.baseline or policy.label not in table:
                continue
            gaps = (table[policy.label] - table[study.baseline]).dropna()
            base = table[study.baseline].mean()
            if place == "all worlds":
                gaps = gaps.groupby("replicate").mean()
            elif place in gaps.index.get_level_values("world"):
                gaps, base = gaps.loc[place], table.loc[place][study.baseline].mean()
            else:
                continue
            rows.append(_compared(place, policy.label, study.baseline, gaps, base))
    columns = "world policy baseline pairs difference low high relative p_value p_adjusted verdict detectable"
    return pd.DataFrame(rows, columns=columns.split())


def _compared(world: str, policy: str, baseline: str, gaps: pd.Series, base: float) -> tuple[Any, ...]:
    mean, error = gaps.mean(), gaps.std() / np.sqrt(len(gaps))
    low, high = mean - Z * error, mean + Z * error
    verdict = "more" if low > 0 else "less" if high < 0 else "undecided"
    p = 0.5 if verdict == "undecided" else 0.001
    return (world, policy, baseline, len(gaps), mean, low, high, mean / base, p, p, verdict, 4 * error)


def planned(source: str) -> Any:
    """A study from its text."""
    return study_from_text(source, "small.toml", Path())


def frames(played: Any) -> tuple[Any, Any, Any]:
    """What the report is made from."""
    return played, summary_of(played), comparisons_of(played)


def drawn(data: Any) -> dict[str, Any]:
    """The figures of a study, before they become files."""
    kept: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("roguewk.study.page.figures.saved", lambda figures, *_: kept.update(figures) or {})
        study_figures(*data)
    return kept
