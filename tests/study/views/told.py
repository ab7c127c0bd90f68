"""Results of which sentences can be made."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd

from roguewk.kernel.arrays import Vector
from roguewk.study.stats.compare import compare
from roguewk.study.stats.grid import arrange
from roguewk.study.stats.summary import summarise
from roguewk.study.views.findings import findings
from tests.study.stats.made import NO_BOUNDS, made


def results_of(
    rewards: Vector, skipped: Mapping[tuple[str, str], str] | None = None, bounds: pd.DataFrame = NO_BOUNDS
) -> Any:
    """As much of results as sentences ask for; rewards are (world, policy, replicate), nan where a run failed."""
    table, study = made(rewards, skipped)
    grid = arrange(table, study)
    parts = {"summary": summarise(grid, bounds), "comparisons": compare(grid, bounds)}
    return SimpleNamespace(study=study, runs=table, grid=grid, bounds=bounds, **parts)


def told(results: Any) -> list[str]:
    return findings(results)


def some_rewards(worlds: int = 2, policies: int = 3, replicates: int = 20) -> Vector:
    rewards = np.random.default_rng(1).integers(20, 40, (worlds, policies, replicates)).astype(float)
    return rewards + np.arange(policies)[:, None]
