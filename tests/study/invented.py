"""Stand-ins for what the report is made from: results without a folder, of runs that nobody played."""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow
import pytest

from roguewk.study.figures.study import study_figures
from roguewk.study.plan.model import Study
from roguewk.study.plan.read import study_from_text
from roguewk.study.stats.compare import compare
from roguewk.study.stats.grid import Grid, arrange
from roguewk.study.stats.summary import summarise

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

    @cached_property
    def grid(self) -> Grid:
        return arrange(self.runs, self.study)

    @cached_property
    def summary(self) -> pd.DataFrame:
        return summarise(self.grid, self.bounds)

    @cached_property
    def comparisons(self) -> pd.DataFrame:
        return compare(self.grid, self.bounds)

    def but(self, **tables: pd.DataFrame) -> "Played":
        """The same with other tables."""
        made = replace(self)
        vars(made).update(tables)
        return made

    def trace(self, world: str, policy: str) -> pd.DataFrame | None:
        return self.traces.get((world, policy))


def invented(study: Study, traced: int = 2, failures: bool = False) -> Any:
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
            columns |= {"rounds": 100, "stopped_by": "horizon"}
            columns |= {f"spent_{each.name}": 0.9 * each.budget for each in world.world.problem.resources}
            frame = pd.DataFrame({**columns, "failed": pd.Series([None] * n, dtype="string")})
            if failures and p == 0:
                frame.loc[0, "failed"] = "ValueError: <b>no</b>"
                frame.loc[0, ["reward", "expected_reward", "plays"]] = np.nan
            frames.append(frame)
            if traced:
                traces[world.label, policy.label] = _trace(world.world.problem, min(traced, n), rng)
    runs = pyarrow.Table.from_pandas(pd.concat(frames), preserve_index=False)
    return Played(study, runs, pd.DataFrame(bounds, columns=["world", "bound", "gap", "failed"]), traces)


def _trace(problem: Any, replicates: int, rng: np.random.Generator) -> pd.DataFrame:
    """Made of whole columns at once: a page or a figure of many policies has hundreds of these."""
    rounds = [problem.horizon - 10 * replicate for replicate in range(replicates)]
    names = [
        f"state_{arm.name}{f'[{i}]' if arm.dimension > 1 else ''}" for arm in problem.arms for i in range(arm.dimension)
    ]
    arms, states = [], []
    for n in rounds:
        arms.append(rng.integers(-1, len(problem.arms), n))
        states.append(np.hstack([rng.normal(size=(n, arm.dimension)) for arm in problem.arms]))
    played = np.concatenate(arms)
    columns: dict[str, Any] = {"replicate": np.repeat(np.arange(replicates), rounds)}
    columns |= {"round": np.concatenate([np.arange(n) for n in rounds]), "arm": played}
    columns |= {"reward": (played >= 1).astype(float), "expected_reward": 0.5}
    columns |= {f"cost_{each.name}": each.budget / problem.horizon for each in problem.resources}
    return pd.DataFrame({**columns, **dict(zip(names, np.vstack(states).T, strict=True))})


def planned(source: str) -> Any:
    """A study from its text."""
    return study_from_text(source, "small.toml", Path())


def drawn(data: Any) -> dict[str, Any]:
    """The figures of a study, before they become files."""
    kept: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("roguewk.study.figures.study.saved", lambda figures, *_: kept.update(figures) or {})
        study_figures(data)
    return kept
