"""The runs of a study by world, policy and replicate."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roguewk.kernel.arrays import Vector
from roguewk.study.plan.model import Study


@dataclass(frozen=True, eq=False)
class Grid:
    """Where the rows of a table of runs belong; a run that failed is there, and not finished."""

    study: Study
    there: NDArray[np.bool_]  # (world, policy, replicate)
    finished: NDArray[np.bool_]  # (world, policy, replicate)
    _runs: Any
    _places: tuple[NDArray[Any], ...]  # of each row

    def column(self, name: str) -> Vector:
        """(world, policy, replicate) a column of numbers; nan where no run finished."""
        values = np.full(self.there.shape, np.nan)
        values[self._places] = _numbers(self._runs[name])
        values[~self.finished] = np.nan
        return values

    @property
    def idle_totals(self) -> Vector:
        """(world,) what idling throughout would bring on average."""
        return np.array([each.world.idle_means.sum() for each in self.study.worlds], dtype=np.float64)

    def names(self, start: str) -> list[str]:
        """The columns whose names start so."""
        return [name for name in self._runs.column_names if name.startswith(start)]

    def fitting(self) -> Iterator[tuple[int, int]]:
        """The places of worlds and of policies that fit each other, in the study's order."""
        for i, world in enumerate(self.study.worlds):
            for j, policy in enumerate(self.study.policies):
                if (world.label, policy.label) not in self.study.skipped:
                    yield i, j

    def shared_worlds(self) -> dict[int, list[int]]:
        """The places of policies beside the baseline -> those of the worlds that both fit, where there are any."""
        fitting = set(self.fitting())
        theirs = [each.label for each in self.study.policies].index(self.study.baseline)
        shared: dict[int, list[int]] = {}
        for i, j in sorted(fitting):
            if j != theirs and (i, theirs) in fitting:
                shared.setdefault(j, []).append(i)
        return dict(sorted(shared.items()))


def arrange(runs: Any, study: Study) -> Grid:
    """The grid of an Arrow table of runs, as in `Results.runs`."""
    worlds = _codes(runs["world"], [each.label for each in study.worlds])
    policies = _codes(runs["policy"], [each.label for each in study.policies])
    places = worlds, policies, _numbers(runs["replicate"]).astype(np.int64)
    there = np.zeros((len(study.worlds), len(study.policies), study.replicates), dtype=np.bool_)
    there[places] = True
    finished = np.zeros_like(there)
    finished[places] = _numbers(runs["failed"].is_null()).astype(np.bool_) & np.isfinite(_numbers(runs["reward"]))
    return Grid(study, there, finished, runs, places)


def _codes(column: Any, labels: list[str]) -> NDArray[Any]:
    import pyarrow
    import pyarrow.compute

    return np.asarray(pyarrow.compute.index_in(column, value_set=pyarrow.array(labels, pyarrow.string())).to_numpy())


def _numbers(column: Any) -> Vector:
    return np.asarray(column.cast("float64").to_numpy(), dtype=np.float64)
