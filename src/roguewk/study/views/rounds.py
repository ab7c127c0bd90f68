"""Rounds that were recorded: spending over time, and single runs, for a few worlds spread over the study."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.show.numbers import short
from roguewk.study.plan.model import PlannedWorld
from roguewk.study.results import Results

if TYPE_CHECKING:
    import pandas as pd

MOST_WORLDS = 6
MOST_STEPS = 60  # of a curve of spending
COLUMN = "cost_"
AFTER = -2  # the arm of rounds after the end of a game


@dataclass(frozen=True)
class Recorded:
    """The rounds of every policy in a world that was chosen to be shown."""

    place: int  # of the world in the study
    world: PlannedWorld
    traces: "dict[int, pd.DataFrame]"  # by the policy's place in the study

    @cached_property
    def steps(self) -> Vector:
        """The rounds at which spending is shown, until the last run has stopped."""
        end = 1 + max(int(frame["round"][frame["arm"] != AFTER].max()) for frame in self.traces.values())
        return np.unique(np.linspace(0, end, min(MOST_STEPS, end) + 1).round().astype(np.int64))

    def spending(self, policy: int, resource: int) -> Vector:
        """The share of all that a budget brings that is spent before each step, averaged over replicates."""
        frame, problem = self.traces[policy], self.world.world.problem
        costs = frame[f"{COLUMN}{problem.resources[resource].name}"].to_numpy()
        rounds, replicates = frame["round"].to_numpy(), frame["replicate"].to_numpy()
        steps = self.steps
        curves = []
        for each in np.unique(replicates):
            own = replicates == each
            spent = np.concatenate([[0.0], np.cumsum(costs[own])])
            curves.append(spent[np.searchsorted(rounds[own], steps)])
        return np.asarray(np.mean(curves, axis=0) / problem.totals[resource])


def recorded(results: Results) -> list[Recorded]:
    """The worlds to show, spread evenly over those with recorded rounds."""
    study = results.study
    if not study.record.traces:
        return []
    found = []
    for i in spread_evenly(len(study.worlds), MOST_WORLDS):
        traces = {j: results.trace(study.worlds[i].label, each.label) for j, each in enumerate(study.policies)}
        kept = {j: frame for j, frame in traces.items() if frame is not None and len(frame)}
        if kept:
            found.append(Recorded(i, study.worlds[i], kept))
    return found


def spread_evenly(number: int, most: int) -> list[int]:
    """At most so many places out of a number of them.

    >>> spread_evenly(30, 4)
    [0, 10, 19, 29]
    """
    return sorted({int(each) for each in np.linspace(0, number - 1, min(number, most)).round()})


def spending_data(worlds: Sequence[Recorded]) -> list[dict[str, Any]]:
    """Curves of spending, as shares of the budget."""
    found = []
    for each in worlds:
        resources = each.world.world.problem.resources
        curves = {
            str(policy): [[short(value) for value in each.spending(policy, j)] for j in range(len(resources))]
            for policy in each.traces
        }
        names = [resource.name for resource in resources]
        if names:
            found.append({"world": each.place, "steps": each.steps.tolist(), "resources": names, "curves": curves})
    return found
