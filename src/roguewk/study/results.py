"""What a study brought: tables of runs, summaries, comparisons, and single runs."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from roguewk.study.plan.cells import BOUND, RUNS, TRACE, Cell, plan_cells
from roguewk.study.plan.model import Study
from roguewk.study.run.store import Store

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Results:
    """The finished cells of a study."""

    study: Study
    store: Store

    @cached_property
    def cells(self) -> list[Cell]:
        """All cells of the study."""
        return plan_cells(self.study)

    @cached_property
    def runs(self) -> Any:
        """An Arrow table with a row per world, policy and replicate.

        `world` and `policy` are labels; `world_...` and `policy_...` the settings that differ within the study. A run
        that failed has the reason in `failed` and no numbers.
        """
        import pyarrow

        tables = list(self._labelled(RUNS))
        table = pyarrow.concat_tables(tables, promote_options="default").combine_chunks()
        return table.select([*(name for name in table.column_names if name != "failed"), "failed"])

    @cached_property
    def bounds(self) -> "pd.DataFrame":
        """A row per world: what no policy can expect to earn more than, where that was asked for and found."""
        import pandas

        rows = {cell.world: self.store.read(cell.key).to_pylist()[0] for cell in self.cells if cell.kind == BOUND}
        labels = [each.label for each in self.study.worlds]
        columns = ["world", "bound", "gap", "failed"]
        frame = pandas.DataFrame([{"world": labels[i], **row} for i, row in rows.items()], columns=columns)
        return frame.astype({"bound": float, "gap": float})

    def trace(self, world: str, policy: str) -> "pd.DataFrame | None":
        """The recorded rounds of a policy in a world; None if there are none."""
        for cell in self.cells:
            if cell.kind == TRACE and self._labels(cell) == (world, policy):
                table = self.store.read(cell.key)
                return table.filter(table["failed"].is_null()).drop_columns(["failed"]).to_pandas()
        return None

    def _labels(self, cell: Cell) -> tuple[str, str]:
        return self.study.worlds[cell.world].label, self.study.policies[cell.policy].label

    def _labelled(self, kind: str) -> Iterator[Any]:
        import pyarrow

        worlds, policies = setting_columns(self.study)
        for cell in self.cells:
            if cell.kind != kind:
                continue
            table = self.store.read(cell.key)
            world, policy = self._labels(cell)
            fixed: dict[str, Any] = {"world": world, "policy": policy}
            fixed |= {f"world_{key}": self.study.worlds[cell.world].settings.get(key) for key in worlds}
            fixed |= {f"policy_{key}": self.study.policies[cell.policy].settings.get(key) for key in policies}
            for place, (name, value) in enumerate(fixed.items()):
                table = table.add_column(place, name, _repeated(value, table.num_rows, pyarrow))
            yield table


def setting_columns(study: Study) -> tuple[list[str], list[str]]:
    """The settings of worlds and of policies that are not the same throughout."""
    found = []
    for planned in (study.worlds, study.policies):
        keys = dict.fromkeys(key for each in planned for key in each.settings)
        found.append([key for key in keys if len({repr(each.settings.get(key)) for each in planned}) > 1])
    return found[0], found[1]


def _repeated(value: Any, size: int, pyarrow: Any) -> Any:
    if isinstance(value, bool | int | float | None):
        scalar = pyarrow.scalar(float(value) if isinstance(value, int) and not isinstance(value, bool) else value)
    else:
        scalar = pyarrow.scalar(value if isinstance(value, str) else repr(value))
    return pyarrow.repeat(scalar, size)
