"""What a study sweeps: which worlds lie along an axis, and how heat maps are laid out."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from roguewk.study.plan.model import PlannedPolicy, Study
from roguewk.study.plan.sweep import unnamed

STRETCH = 100.0  # numbers this far apart are shown on a logarithmic axis


class Group(NamedTuple):
    """Worlds that differ only in the setting along the axis, in its order."""

    label: str
    worlds: tuple[int, ...]
    values: tuple[float, ...]


class View(NamedTuple):
    """A setting that is a number, and the worlds along it; several groups if other settings differ too."""

    key: str
    groups: tuple[Group, ...]
    log: bool


class Grid(NamedTuple):
    """A heat map: a cell averages over the pairs (world, policy) in it."""

    label: str
    row_title: str
    column_title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[tuple[tuple[int, int], ...], ...], ...]


def plan_views(study: Study) -> list[View]:
    """The settings that can lie along an axis, the one to begin with first; none if no swept setting is a number."""
    axes = _world_axes(study)
    numeric = {key: values for key, values in axes.items() if _are_numbers(values)}
    order = sorted(numeric, key=lambda key: (key != study.plot.x, -len(set(numeric[key]))))
    if study.plot.x is not None and study.plot.x not in numeric:
        return []
    return [_view(key, axes, [each.label for each in study.worlds]) for key in order]


def plan_grids(study: Study) -> list[Grid]:
    """Every policy in every world; two settings of worlds against each other; a parameter against a setting."""
    views, axes = plan_views(study), _world_axes(study)
    policies = [(j, each.label) for j, each in enumerate(study.policies)]
    worlds = _world_columns(study, views)
    grids = [_grid("every policy in every world", ("policy", policies), worlds, lambda w, p: (w, p))]
    for j, label in policies if len(views) > 1 else []:
        across, down = views[0].key, views[1].key
        grids.append(_settings_grid(f"{label}: {down} by {across}", axes, across, down, j))
    for name, key, members in _families(study.policies):
        grids.append(_parameter_grid(study, name, key, members, worlds))
    return grids


def _world_axes(study: Study) -> dict[str, list[Any]]:
    """The settings in which worlds differ, with the value in each world (None: not set)."""
    keys = dict.fromkeys(key for each in study.worlds for key in each.settings)
    axes: dict[str, list[Any]] = {"world": [unnamed(each.label, each.settings) for each in study.worlds]}
    axes |= {key: [each.settings.get(key) for each in study.worlds] for key in keys}
    return {key: values for key, values in axes.items() if len(set(map(repr, values))) > 1}


def _are_numbers(values: Iterable[Any]) -> bool:
    given = [value for value in values if value is not None]
    return len(set(map(repr, given))) > 1 and all(isinstance(each, int | float) and each is not True for each in given)


def _view(key: str, axes: dict[str, list[Any]], labels: Sequence[str]) -> View:
    found: dict[str, list[int]] = {}
    for i, value in enumerate(axes[key]):
        if value is not None:
            rest = ", ".join(f"{other} {values[i]}" for other, values in axes.items() if other != key)
            found.setdefault(rest, []).append(i)
    groups = []
    for label, members in found.items():
        members.sort(key=lambda i: axes[key][i])
        groups.append(Group(label, tuple(members), tuple(float(axes[key][i]) for i in members)))
    given = [value for value in axes[key] if value is not None]
    return View(key, tuple(groups), min(given) > 0 and max(given) >= STRETCH * min(given))


def _world_columns(study: Study, views: Sequence[View]) -> tuple[str, list[tuple[int, str]]]:
    """Worlds as columns, by the swept number alone where that says it all."""
    if views and len(views[0].groups) == 1 and len(views[0].groups[0].worlds) == len(study.worlds):
        group = views[0].groups[0]
        return views[0].key, [(i, f"{value:g}") for i, value in zip(group.worlds, group.values, strict=True)]
    axes = _world_axes(study)
    if "world" in axes or not axes:
        return "world", [(i, each.label) for i, each in enumerate(study.worlds)]
    labels = [", ".join(f"{key} {values[i]}" for key, values in axes.items()) for i in range(len(study.worlds))]
    return "world", list(enumerate(labels))


Place = tuple[Hashable, str]


def _grid(
    label: str,
    rows: tuple[str, Sequence[Place]],
    columns: tuple[str, Sequence[Place]],
    place: Callable[[int, int], tuple[Hashable, Hashable] | None],
    worlds: Iterable[int] | None = None,
    policies: Iterable[int] | None = None,
) -> Grid:
    """Cells by `place`: from world and policy to column and row."""
    ws = [w for w, _ in columns[1]] if worlds is None else list(worlds)
    ps = [p for p, _ in rows[1]] if policies is None else list(policies)
    found: dict[Any, list[tuple[int, int]]] = {}
    for w in ws:
        for p in ps:
            found.setdefault(place(w, p), []).append((w, p))  # type: ignore[arg-type]  # rows of policies hold places in the study
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


def _families(policies: Sequence[PlannedPolicy]) -> list[tuple[str, str, list[int]]]:
    """Policies of one name that differ in a parameter that is a number."""
    found = []
    for name in dict.fromkeys(str(each.name) for each in policies):
        own = [j for j, each in enumerate(policies) if str(each.name) == name]
        for key in dict.fromkeys(key for j in own for key in policies[j].settings):
            members = [j for j in own if key in policies[j].settings]
            if _are_numbers([policies[j].settings[key] for j in members]):
                found.append((name, key, members))
    return found


def _parameter_grid(study: Study, name: str, key: str, members: list[int], worlds: tuple[str, list[Any]]) -> Grid:
    values = {j: study.policies[j].settings[key] for j in members}
    rows = (key, _values(list(values.values())))
    ws = [w for w, _ in worlds[1]]
    return _grid(f"{name}: {key} by {worlds[0]}", rows, worlds, lambda w, p: (w, values[p]), ws, members)
