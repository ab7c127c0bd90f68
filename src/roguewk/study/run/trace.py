"""Single runs, round by round."""

from typing import Any

import numpy as np
import pyarrow

from roguewk.engine.runs import Runs


def trace_table(runs: Runs) -> Any:
    """A row per replicate and round of its only policy: arm (-1 idle), reward, costs, and the true states before it."""
    problem, curves = runs.world.problem, runs.curves[runs.policies[0]]
    arms = np.asarray(curves.arms)  # (replicate, round)
    played = arms >= -1
    replicate, round_ = np.nonzero(played)
    columns: dict[str, Any] = {
        "replicate": runs.first_replicate + replicate,
        "round": round_,
        "arm": arms[played],
        "reward": curves.rewards[played],
        "expected_reward": curves.expected[played],
    }
    for j, resource in enumerate(problem.resources):
        columns[f"cost_{resource.name}"] = curves.costs[..., j][played]
    for a, arm in enumerate(problem.arms):
        for i in range(arm.dimension):
            name = f"state_{arm.name}" if arm.dimension == 1 else f"state_{arm.name}_{i}"
            columns[name] = curves.states[..., a, i][played]
    columns["failed"] = pyarrow.nulls(replicate.size, pyarrow.string())
    return pyarrow.table(columns)
