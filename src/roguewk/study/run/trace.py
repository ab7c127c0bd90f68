"""Single runs, round by round."""

from typing import Any

import numpy as np
import pyarrow

from roguewk.engine.runs import Runs
from roguewk.problem.problem import Problem
from roguewk.world.world import World


def state_columns(problem: Problem | World) -> list[tuple[str, int, int]]:
    """The columns of the states: name, arm and coordinate.

    >>> import roguewk as rw
    >>> [name for name, _, _ in state_columns(rw.catalog.two_dimensional().problem)][1:]
    ['state_sprint[1]', 'state_run[0]', 'state_run[1]', 'state_stretch']
    """
    found = []
    for a, arm in enumerate(problem.arms):
        ends = [""] if arm.dimension == 1 else [f"[{i}]" for i in range(arm.dimension)]
        found += [(f"state_{arm.name}{end}", a, i) for i, end in enumerate(ends)]
    if len({name for name, _, _ in found}) < len(found):  # an arm may be called "a[0]"
        return [(f"{name} of arm {a}", a, i) for name, a, i in found]
    return found


def trace_table(runs: Runs) -> Any:
    """A row per replicate and round of its only policy: arm (-1 idle), reward, costs, and the true states before it.

    Where idle rounds bring something, those after the end are there too, with arm -2 and no states.
    """
    problem, curves = runs.world.problem, runs.curves[runs.policies[0]]
    arms = np.asarray(curves.arms)  # (replicate, round)
    played = arms >= -1
    kept = played if runs.world.baseline is None else np.ones_like(played)
    replicate, round_ = np.nonzero(kept)
    columns: dict[str, Any] = {
        "replicate": runs.first_replicate + replicate,
        "round": round_,
        "arm": arms[kept],
        "reward": curves.rewards[kept],
        "expected_reward": curves.expected[kept],
    }
    for j, resource in enumerate(problem.resources):
        columns[f"cost_{resource.name}"] = curves.costs[..., j][kept]
    for name, a, i in state_columns(runs.world):
        columns[name] = np.where(played, curves.states[..., a, i], np.nan)[kept]
    columns["failed"] = pyarrow.nulls(replicate.size, pyarrow.string())
    return pyarrow.table(columns)
