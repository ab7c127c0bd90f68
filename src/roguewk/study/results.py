"""What a study brought: tables of runs, summaries, comparisons, and single runs."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

import roguewk
from roguewk.engine.table import from_arrow
from roguewk.problem.errors import InputError, known, text
from roguewk.study.plan.cells import BOUND, RUNS, TRACE, Cell, plan_cells
from roguewk.study.plan.model import Study
from roguewk.study.run.store import Store
from roguewk.study.stats.compare import compare
from roguewk.study.stats.grid import arrange
from roguewk.study.stats.summary import summarise

if TYPE_CHECKING:
    import pandas as pd

    from roguewk.study.stats.grid import Grid


@dataclass(frozen=True, eq=False)
class Results:
    """The finished cells of a study, as tables.

    `frame()` has a row per world, policy and replicate, `summary` one per world and policy, `comparisons` the paired
    differences from the baseline, `bounds` what no policy can expect to beat; `trace` has single runs.

    >>> import dataclasses, roguewk as rw, tempfile
    >>> paper = rw.load_study("paper")
    >>> few = dataclasses.replace(paper, worlds=paper.worlds[:2])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     results = rw.run_study(few, folder, engine="threads", replicates=2)
    ...     results.summary[["world", "policy", "runs", "failed"]].head(2)
                 world       policy  runs  failed
    0  paper budget=10  roguewk-ucb     2       0
    1  paper budget=10         ucb1     2       0
    """

    study: Study
    store: Store
    sources: str  # the code that worked the cells out

    @cached_property
    def cells(self) -> list[Cell]:
        """The cells that are finished."""
        cells = plan_cells(self.study, self.sources)
        finished = self.store.finished(cell.key for cell in cells)
        return [cell for cell in cells if cell.key in finished]

    @cached_property
    def runs(self) -> Any:
        """An Arrow table with a row per world, policy and replicate.

        `world` and `policy` are labels; `world_...` and `policy_...` the settings that differ within the study. A run
        that failed has the reason in `failed` and no numbers.
        """
        import pyarrow

        cells = [cell for cell in self.cells if cell.kind == RUNS]
        if not cells:
            raise InputError(f"no run of the study in '{self.store.folder}' is finished: run it first")
        tables = [self.store.read(cell.key) for cell in cells]
        table = pyarrow.concat_tables(tables, promote_options="permissive").combine_chunks()
        own = [name for name in table.column_names if name != "failed"]
        rows = np.repeat(np.arange(len(cells)), [each.num_rows for each in tables])
        labels = {name: pyarrow.array(values).take(rows) for name, values in self._labels_of(cells).items()}
        columns = {**labels, **{name: table[name] for name in (*own, "failed")}}
        return pyarrow.table(columns)

    @overload
    def frame(self, kind: Literal["pandas"] = "pandas") -> "pd.DataFrame": ...
    @overload
    def frame(self, kind: str) -> Any: ...
    def frame(self, kind: str = "pandas") -> Any:
        """`runs` as a "pandas", "arrow" or "polars" table."""
        return from_arrow(self.runs, text(kind, "kind of frame"))

    @cached_property
    def bounds(self) -> "pd.DataFrame":
        """A row per world: what no policy can expect to earn more than, where that was asked for and found."""
        import pandas

        rows = {cell.world: self.store.read(cell.key).to_pylist()[0] for cell in self.cells if cell.kind == BOUND}
        labels = [each.label for each in self.study.worlds]
        columns = ["world", "bound", "gap", "failed"]
        frame = pandas.DataFrame([{"world": labels[i], **row} for i, row in rows.items()], columns=columns)
        return frame.astype({"bound": float, "gap": float})

    @cached_property
    def grid(self) -> "Grid":
        """The runs by world, policy and replicate."""
        return arrange(self.runs, self.study)

    @cached_property
    def summary(self) -> "pd.DataFrame":
        """A row per world and policy: means, quartiles, shares of the bound, failures."""
        return summarise(self.grid, self.bounds)

    @cached_property
    def comparisons(self) -> "pd.DataFrame":
        """A row per world and policy: its difference from the baseline under the same luck, and how sure that is."""
        return compare(self.grid, self.bounds)

    def write(self) -> None:
        """The same as `rw.write_results(results)`."""
        roguewk.write_results(self)

    def trace(self, world: str, policy: str) -> "pd.DataFrame | None":
        """The recorded rounds of a policy in a world, by their labels; None if none were recorded."""
        known(text(world, "world"), [each.label for each in self.study.worlds], "world")
        known(text(policy, "policy"), [each.label for each in self.study.policies], "policy")
        cell = self._traces.get((world, policy))
        if cell is None:
            return None
        table = self.store.read(cell.key)
        return table.filter(table["failed"].is_null()).drop_columns(["failed"]).to_pandas()

    @cached_property
    def _traces(self) -> dict[tuple[str, str], Cell]:
        return {self._labels(cell): cell for cell in self.cells if cell.kind == TRACE}

    def _labels(self, cell: Cell) -> tuple[str, str]:
        return self.study.worlds[cell.world].label, self.study.policies[cell.policy].label

    def _labels_of(self, cells: list[Cell]) -> dict[str, list[Any]]:
        """The labels of cells, and those settings that differ within the study."""
        worlds, policies = setting_columns(self.study)
        found: dict[str, list[Any]] = {"world": [], "policy": []}
        for cell in cells:
            found["world"].append(self._labels(cell)[0])
            found["policy"].append(self._labels(cell)[1])
        for key in worlds:
            found[f"world_{key}"] = _plain([self.study.worlds[cell.world].settings.get(key) for cell in cells])
        for key in policies:
            found[f"policy_{key}"] = _plain([self.study.policies[cell.policy].settings.get(key) for cell in cells])
        return found


def setting_columns(study: Study) -> tuple[list[str], list[str]]:
    """The settings of worlds and of policies that are not the same throughout."""
    found = []
    for planned in (study.worlds, study.policies):
        keys = dict.fromkeys(key for each in planned for key in each.settings)
        found.append([key for key in keys if len({repr(each.settings.get(key)) for each in planned}) > 1])
    return found[0], found[1]


def _plain(values: list[Any]) -> list[Any]:
    """Values of one type: numbers as floats however they are written, and anything mixed as text."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float}:
        return [None if value is None else float(value) for value in values]
    if kinds in ({bool}, {str}):
        return values
    return [None if value is None else value if isinstance(value, str) else repr(value) for value in values]
