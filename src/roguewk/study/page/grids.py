"""How heat maps are laid out: policies by worlds, two settings of worlds, or a parameter by worlds."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from roguewk.study.page.views import Family, View, families, world_axes, world_views
from roguewk.study.plan.model import Study

Place = tuple[Hashable, str]


class Grid(NamedTuple):
    """A heat map: a cell averages over the pairs (world, policy) in it."""

    label: str
    row_title: str
    column_title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[tuple[tuple[int, int], ...], ...], ...]


def plan_grids(study: Study) -> list[Grid]:
    """Every policy in every world; two settings of worlds against each other; a parameter against a setting.

    After the first, those in which every cell would be empty are left out.
    """
    views, axes = world_views(study), world_axes(study)
    policies = [(j, each.label) for j, each in enumerate(study.policies)]
    worlds = _world_columns(study, views)
    first = _grid("every policy in every world", ("policy", policies), worlds, lambda w, p: (w, p))
    grids = []
    for j, label in policies if len(views) > 1 else []:
        across, down = views[0].key, views[1].key
        grids.append(_settings_grid(f"{label}: {down} by {across}", axes, across, down, j))
    grids += [_parameter_grid(study, family, worlds) for family in families(study.policies)]
    return [first, *(grid for grid in grids if _is_played(grid, study))]


def _is_played(grid: Grid, study: Study) -> bool:
    pairs = {pair for row in grid.cells for cell in row for pair in cell}
    return any((study.worlds[w].label, study.policies[p].label) not in study.skipped for w, p in pairs)


def _world_columns(study: Study, views: Sequence[View]) -> tuple[str, list[tuple[int, str]]]:
    """Worlds as columns, by the swept number alone where that says it all."""
    if views and len(views[0].groups) == 1 and len(views[0].groups[0].worlds) == len(study.worlds):
        group = views[0].groups[0]
        return views[0].key, [(i, f"{value:g}") for i, value in zip(group.worlds, group.values, strict=True)]
    axes = world_axes(study)
    if "world" in axes or not axes:
        return "world", [(i, each.label) for i, each in enumerate(study.worlds)]
    labels = [
        ", ".join(f"{key} {values[i]}" for key, values in axes.items() if values[i] is not None)
        for i in range(len(study.worlds))
    ]
    return "world", list(enumerate(labels))


def _grid(
    label: str,
    rows: tuple[str, Sequence[Place]],
    columns: tuple[str, Sequence[Place]],
    place: Callable[[Any, Any], tuple[Hashable, Hashable]],
    worlds: Iterable[int] | None = None,
    policies: Iterable[int] | None = None,
) -> Grid:
    """Cells by `place`: from world and policy to column and row."""
    ws = [w for w, _ in columns[1]] if worlds is None else list(worlds)
    ps = [p for p, _ in rows[1]] if policies is None else list(policies)
    found: dict[tuple[Hashable, Hashable], list[tuple[Any, Any]]] = {}
    for w in ws:
        for p in ps:
            found.setdefault(place(w, p), []).append((w, p))
    cells = tuple(tuple(tuple(found.get((column, row), [])) for column, _ in columns[1]) for row, _ in rows[1])
    return Grid(label, rows[0], columns[0], _names(rows[1]), _names(columns[1]), cells)


def _names(places: Iterable[Place]) -> tuple[str, ...]:
    return tuple(name for _, name in places)


def _values(values: Sequence[Any]) -> list[Place]:
    return [(value, f"{value:g}") for value in sorted({value for value in values if value is not None})]


def _settings_grid(label: str, axes: dict[str, list[Any]], across: str, down: str, policy: int) -> Grid:
    rows, columns = (down, _values(axes[down])), (across, _values(axes[across]))
    worlds = range(len(axes[across]))
    return _grid(label, rows, columns, lambda w, p: (axes[across][w], axes[down][w]), worlds, [policy])


def _parameter_grid(study: Study, family: Family, worlds: tuple[str, list[Any]]) -> Grid:
    values = {j: study.policies[j].settings[family.key] for j in family.members}
    rows = (family.key, _values(list(values.values())))
    ws = [w for w, _ in worlds[1]]
    label = f"{family.name}: {family.key} by {worlds[0]}"
    return _grid(label, rows, worlds, lambda w, p: (w, values[p]), ws, family.members)
