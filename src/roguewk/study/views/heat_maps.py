"""How heat maps are laid out: policies by worlds, two settings of worlds, two parameters, or a parameter by worlds."""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from roguewk.study.plan.model import Study
from roguewk.study.views.axes import Family, View, families, rest_of, world_axes, world_names, world_views
from roguewk.study.views.words import in_words, told

Pair = tuple[int, int]
Place = tuple[Any, str]  # what lies there, and its name


class HeatMap(NamedTuple):
    """A heat map: a cell is a pair (world, policy), or None."""

    label: str  # what it is of; empty if of everything
    row_title: str
    column_title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Pair | None, ...], ...]


class Layout(NamedTuple):
    """Heat maps of the same two things, one for each value of all the rest: nothing is averaged."""

    label: str
    grids: tuple[HeatMap, ...]
    swept: bool = False  # whether rows and columns are two numbers that the study sweeps
    by_world: bool = False  # whether a column is a world


def plan_layouts(study: Study) -> list[Layout]:
    """Every policy in every world; two settings of worlds; two parameters of a policy; a parameter by worlds.

    Of a single world the first is left out, as rows show it with intervals. Of the others those with a single row or
    column are, and those in which no cell was played.
    """
    swept, own = [view.key for view in world_views(study)], families(study.policies)
    found = [_settings_layout(study, across, down) for across, down in combinations(swept, 2)]
    found += [_parameters_layout(study, one, other) for one, other in combinations(own, 2) if one.name == other.name]
    found += [_parameter_layout(study, family) for family in own]
    kept = [layout._replace(grids=tuple(grid for grid in layout.grids if _is_telling(grid, study))) for layout in found]
    first = [_first_layout(study)] if len(study.worlds) > 1 else []
    return [*first, *(layout for layout in kept if layout.grids)]


def pairs_of(grid: HeatMap) -> list[Pair]:
    """The pairs of world and policy that a heat map shows."""
    return [pair for row in grid.cells for pair in row if pair is not None]


def _is_telling(grid: HeatMap, study: Study) -> bool:
    played = any((study.worlds[w].label, study.policies[p].label) not in study.skipped for w, p in pairs_of(grid))
    return played and len(grid.rows) > 1 and len(grid.columns) > 1


def _first_layout(study: Study) -> Layout:
    title, worlds = _world_columns(study, world_views(study))
    pairs = [(w, p) for w, _ in worlds for p in range(len(study.policies))]
    policies = [(p, each.label) for p, each in enumerate(study.policies)]
    grid = _grid("", ("policy", title), (policies, worlds), pairs, lambda w, p: (p, w))
    return Layout("every policy in every world", (grid,), by_world=True)


def _settings_layout(study: Study, across: str, down: str) -> Layout:
    axes = world_axes(study)
    rows, columns = axes[down], axes[across]
    grids: dict[str, list[Pair]] = {}
    for p, policy in enumerate(study.policies):
        for w in range(len(study.worlds)):
            if rows[w] is not None and columns[w] is not None:
                rest = told({key: values[w] for key, values in axes.items() if key not in (across, down)})
                grids.setdefault(f"{policy.label}, {rest}" if rest else policy.label, []).append((w, p))
    named = in_words(down), in_words(across)
    made = _swept_grids(grids, named, lambda w, p: (rows[w], columns[w]))
    return Layout(" by ".join(named), made, swept=True)


def _parameters_layout(study: Study, across: Family, down: Family) -> Layout:
    keys = down.key, across.key
    members = sorted(set(across.members) & set(down.members))
    values = {p: tuple(study.policies[p].settings[key] for key in keys) for p in members}
    made = _swept_grids(_with_rest(study, members, keys, by_world=True), keys, lambda w, p: values[p])
    return Layout(f"{across.name}: {down.key} by {across.key}", made, swept=True)


def _parameter_layout(study: Study, family: Family) -> Layout:
    title, worlds = _world_columns(study, world_views(study))
    values = {p: study.policies[p].settings[family.key] for p in family.members}
    made = []
    for rest, pairs in _with_rest(study, family.members, (family.key,), by_world=False).items():
        places = _values(values[p] for _, p in pairs), worlds
        made.append(_grid(rest, (family.key, title), places, pairs, lambda w, p: (values[p], w)))
    return Layout(f"{family.name}: {family.key} by {title}", tuple(made), by_world=True)


def _with_rest(study: Study, members: Sequence[int], keys: Sequence[str], by_world: bool) -> dict[str, list[Pair]]:
    """The pairs of some policies by all that they differ in but for some parameters, and by the world if told."""
    found: dict[str, list[Pair]] = {}
    names = world_names(study)
    told_apart = rest_of(study.policies, members, keys)
    for w, world in enumerate(study.worlds):
        for p, rest in told_apart.items():
            words = (names[world.label] if by_world and len(study.worlds) > 1 else "", rest)
            found.setdefault(", ".join(filter(None, words)), []).append((w, p))
    return found


def _world_columns(study: Study, views: Sequence[View]) -> tuple[str, list[Place]]:
    """Worlds as columns, by the swept number alone where that says it all."""
    if views and len(views[0].groups) == 1 and len(views[0].groups[0].worlds) == len(study.worlds):
        group = views[0].groups[0]
        placed = zip(group.worlds, group.values, strict=True)
        return in_words(views[0].key), [(i, f"{value:.10g}") for i, value in placed]
    return "world", list(enumerate(world_names(study).values()))


def _values(values: Iterable[Any]) -> list[Place]:
    return [(value, f"{value:.10g}") for value in sorted(set(values))]


def _swept_grids(
    grids: dict[str, list[Pair]], titles: tuple[str, str], place: Callable[[int, int], Any]
) -> tuple[HeatMap, ...]:
    """A heat map for each list of pairs; rows and columns are the numbers that it has."""
    found = []
    for label, pairs in grids.items():
        down, across = zip(*(place(w, p) for w, p in pairs), strict=True)
        found.append(_grid(label, titles, (_values(down), _values(across)), pairs, place))
    return tuple(found)


def _grid(
    label: str,
    titles: tuple[str, str],
    places: tuple[Sequence[Place], Sequence[Place]],
    pairs: Iterable[Pair],
    place: Callable[[int, int], Any],
) -> HeatMap:
    """Cells by `place`: from world and policy to row and column; `titles` and `places` are of rows, then of columns."""
    found = {tuple(place(w, p)): (w, p) for w, p in pairs}
    rows, columns = places
    cells = tuple(tuple(found.get((down, across)) for across, _ in columns) for down, _ in rows)
    return HeatMap(label, *titles, tuple(name for _, name in rows), tuple(name for _, name in columns), cells)
