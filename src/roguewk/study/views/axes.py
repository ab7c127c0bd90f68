"""What a study sweeps: which worlds, or policies, lie along an axis."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from roguewk.show.words import count
from roguewk.study.plan.model import PlannedPolicy, PlannedWorld, Study
from roguewk.study.plan.policies import told_name
from roguewk.study.plan.sweep import unnamed
from roguewk.study.views.words import told, told_shortly

STRETCH = 100.0  # numbers this far apart are shown on a logarithmic axis


class Group(NamedTuple):
    """Worlds that differ only in the setting along the axis, in its order; along a parameter of policies, one world."""

    label: str
    worlds: tuple[int, ...]
    values: tuple[float, ...]


class Line(NamedTuple):
    """Policies that differ only in the parameter along the axis, in its order."""

    label: str
    policies: tuple[int, ...]
    values: tuple[float, ...]


class View(NamedTuple):
    """A setting of worlds that is a number, and the worlds along it; several groups if other settings differ too.

    Along a parameter of policies there are `lines`, and a group is a world.
    """

    key: str
    groups: tuple[Group, ...]
    log: bool
    note: str = ""  # what is not shown, and why
    lines: tuple[Line, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether all that lies along the axis are whole numbers, between which there is nothing to mark."""
        given = [each.values for each in self.groups] + [each.values for each in self.lines]
        return all(value.is_integer() for values in given for value in values)


class Curve(NamedTuple):
    """The pairs (world, policy) of a line in a figure, and where they lie along the axis."""

    label: str
    pairs: tuple[tuple[int, int], ...]
    values: tuple[float, ...]


class Family(NamedTuple):
    """Policies of one name that differ in a parameter that is a number."""

    name: str
    key: str
    members: tuple[int, ...]


def plan_views(study: Study) -> list[View]:
    """What can lie along an axis: settings of worlds, then parameters of policies; what the study names comes first."""
    views = [*world_views(study), *_parameter_views(study)]
    wanted = study.plot.x
    if wanted is None:
        return views
    first = [view for view in views if view.key == wanted][:1]
    return [*first, *(view for view in views if view not in first)] if first else []


def begins_with_rows(study: Study, views: Sequence[View]) -> bool:
    """Whether figures have a row for each world and policy, unless someone chooses an axis."""
    return not views or (study.plot.x is None and bool(views[0].lines))


def curves(view: View, group: Group, policies: Sequence[str]) -> list[Curve]:
    """The lines of a group; `policies` are the labels of the study."""
    if not view.lines:
        pairs = [tuple((w, p) for w in group.worlds) for p in range(len(policies))]
        return [Curve(label, own, group.values) for label, own in zip(policies, pairs, strict=True)]
    world = group.worlds[0]
    return [Curve(line.label, tuple((world, p) for p in line.policies), line.values) for line in view.lines]


def world_views(study: Study) -> list[View]:
    """The settings of worlds that can lie along an axis, the one to begin with first."""
    axes = world_axes(study)
    numeric = {key: values for key, values in axes.items() if are_numbers(values)}
    order = sorted(numeric, key=lambda key: (key != study.plot.x, -len(set(numeric[key]))))
    views = [_world_view(key, axes) for key in order]
    return [view for view in views if view.key == study.plot.x or any(len(each.worlds) > 1 for each in view.groups)]


def world_axes(study: Study) -> dict[str, list[Any]]:
    """The settings in which worlds differ, with the value in each world (None: not known)."""
    keys = dict.fromkeys(key for each in study.worlds for key in each.settings)
    axes: dict[str, list[Any]] = {"world": [unnamed(each.label, each.settings) for each in study.worlds]}
    axes |= {key: [_value(each, key) for each in study.worlds] for key in keys}
    return {key: values for key, values in axes.items() if len(set(map(repr, values))) > 1}


def world_names(study: Study) -> dict[str, str]:
    """By label, what worlds are called for people: by what tells them apart alone.

    >>> import roguewk as rw
    >>> list(world_names(rw.load_study("paper")).values())[:2]
    ['budget 10', 'budget 20']
    """
    axes, labels = world_axes(study), [each.label for each in study.worlds]
    starts = axes.pop("world", [""] * len(labels))
    settings = [told_shortly({key: values[i] for key, values in axes.items()}) for i in range(len(labels))]
    both = [", ".join(filter(None, pair)) for pair in zip(starts, settings, strict=True)]
    distinct = [names for names in (starts, both) if len(labels) > 1 and len(set(names)) == len(names)]
    return dict(zip(labels, distinct[0] if distinct else labels, strict=True))


def are_numbers(values: Iterable[Any]) -> bool:
    """Whether values, where there are any, are different numbers."""
    given = [value for value in values if value is not None]
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in given)
    return numbers and len(set(given)) > 1


def families(policies: Sequence[PlannedPolicy]) -> list[Family]:
    """Every name with a parameter that differs among its policies."""
    found = []
    for name, own in _by_name(policies).items():
        for key in dict.fromkeys(key for j in own for key in policies[j].settings):
            members = tuple(j for j in own if key in policies[j].settings)
            if are_numbers([policies[j].settings[key] for j in members]):
                found.append(Family(name, key, members))
    return found


def rest_of(policies: Sequence[PlannedPolicy], members: Iterable[int], keys: Sequence[str]) -> dict[int, str]:
    """In what else than some parameters policies of a name differ, in words."""
    every = {j: {"label": unnamed(policies[j].label, policies[j].settings), **policies[j].settings} for j in members}
    others = dict.fromkeys(key for each in every.values() for key in each if key not in keys)
    varied = [key for key in others if len({repr(each.get(key)) for each in every.values()}) > 1]
    return {j: told({key: each.get(key) for key in varied}) for j, each in every.items()}


def _by_name(policies: Sequence[PlannedPolicy]) -> dict[str, list[int]]:
    """Policies that are made alike, by the label they share, or else by their name or parts."""
    alike: dict[str, list[int]] = {}
    for j, each in enumerate(policies):
        alike.setdefault(told_name(each.name), []).append(j)
    found = {}
    for name, own in alike.items():
        labels = {unnamed(policies[j].label, policies[j].settings) for j in own}
        shared = labels.pop() if len(labels) == 1 else name
        found[f"{shared} ({name})" if shared in found else shared] = own
    return found


def _value(each: PlannedWorld, key: str) -> Any:
    """A setting of a world, or what the world has itself where the study does not set it."""
    problem, value = each.world.problem, each.settings.get(key)
    if key not in each.settings:
        if key in ("horizon", "idle", "rounds_per_day"):
            value = getattr(problem, key)
        elif key == "budget":
            budgets = {resource.budget for resource in problem.told}
            value = budgets.pop() if len(budgets) == 1 else None
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _world_view(key: str, axes: dict[str, list[Any]]) -> View:
    found: dict[str, list[int]] = {}
    for i, value in enumerate(axes[key]):
        if value is not None:
            others = {other: values[i] for other, values in axes.items() if other != key}
            found.setdefault(told(others), []).append(i)
    groups = []
    for label, members in found.items():
        members.sort(key=lambda i: axes[key][i])
        groups.append(Group(label, tuple(members), tuple(float(axes[key][i]) for i in members)))
    given = [value for value in axes[key] if value is not None]
    return View(key, tuple(groups), _far_apart(given), _note(len(axes[key]) - len(given), ("world",), key))


def _parameter_views(study: Study) -> list[View]:
    own, names = families(study.policies), world_names(study)
    groups = tuple(Group(names[each.label], (w,), ()) for w, each in enumerate(study.worlds))
    views = []
    for key in dict.fromkeys(family.key for family in own):
        lines = tuple(line for family in own if family.key == key for line in _lines(study.policies, family))
        given = [value for line in lines for value in line.values]
        note = _note(len(study.policies) - len(given), ("policy", "policies"), key)
        views.append(View(key, groups, _far_apart(given), note, lines))
    return views


def _lines(policies: Sequence[PlannedPolicy], family: Family) -> list[Line]:
    found: dict[str, list[int]] = {}
    for j, rest in rest_of(policies, family.members, (family.key,)).items():
        found.setdefault(f"{family.name}, {rest}" if rest else family.name, []).append(j)
    lines = []
    for label, members in found.items():
        members.sort(key=lambda j: policies[j].settings[family.key])
        lines.append(Line(label, tuple(members), tuple(float(policies[j].settings[family.key]) for j in members)))
    return lines


def _far_apart(values: Sequence[float]) -> bool:
    return min(values) > 0 and max(values) >= STRETCH * min(values)


def _note(number: int, what: Sequence[str], key: str) -> str:
    return f"not shown: {count(number, *what)} for which the study does not set {key}" if number else ""
