"""A study as plain data, whole: with it a folder can be read again, wherever its files came from.

Anyone may have edited what is read, so it is checked like a study file, and nothing of it is run.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from roguewk.part.part import ROLES
from roguewk.policy.registry import recipe
from roguewk.problem.errors import InputError, known, text
from roguewk.problem.plain import check_plain, placed
from roguewk.study.plan.checks import check_baseline, check_keys, check_labels, check_plot, check_record, check_size
from roguewk.study.plan.model import ADDED, PACKAGE, PLAIN, PlannedPolicy, PlannedWorld, Study
from roguewk.world.files import parse_toml
from roguewk.world.plain import world_from_data, world_to_data

TEXTS = ("code", "source", "file")
KEYS = (
    *("name", "title", "replicates", "seed", "baseline", *TEXTS),
    *("worlds", "policies", "record", "plot", "skipped"),
)


def study_to_data(study: Study) -> dict[str, Any]:
    """Everything about a study.

    >>> import roguewk as rw
    >>> study_to_data(rw.load_study("paper"))["policies"][0]
    {'label': 'roguewk-ucb', 'name': 'roguewk-ucb', 'settings': {}, 'origin': 'package'}
    """
    plot = study.plot
    made = {
        "worlds": [
            {"label": each.label, "settings": dict(each.settings), "world": world_to_data(each.world)}
            for each in study.worlds
        ],
        "policies": [asdict(each) for each in study.policies],
        "record": asdict(study.record),
        "plot": {"x": plot.x, "figures": list(plot.figures), "kinds": list(plot.kinds)},
        "skipped": [[*pair, reason] for pair, reason in study.skipped.items()],
    }
    return {key: made[key] if key in made else getattr(study, key) for key in KEYS}


def study_from_data(data: Any) -> Study:
    """The study that `study_to_data` has written down; it is `foreign`."""
    check_plain(data)
    table = _whole_table(data, KEYS, "the study")
    for key in TEXTS:
        if not isinstance(table[key], str):
            raise InputError(f"{key} is {table[key]!r}: give a text")
    parse_toml(table["source"], "source")
    worlds = [_world(each, i) for i, each in enumerate(_some(table, "worlds"))]
    policies = [_policy(each, i, bool(table["code"])) for i, each in enumerate(_some(table, "policies"))]
    check_labels(worlds, policies)
    replicates, seed = check_size(table["replicates"], table["seed"])
    return Study(
        name=_file_name(table["name"]),
        title=text(table["title"], "title"),
        replicates=replicates,
        seed=seed,
        baseline=check_baseline(table["baseline"], policies),
        worlds=tuple(worlds),
        policies=tuple(policies),
        record=check_record(table["record"]),
        plot=check_plot(table["plot"], [*worlds, *policies]),
        skipped=_skipped(table["skipped"], worlds, policies),
        code=table["code"],
        source=table["source"],
        file=table["file"],
        foreign=True,
    )


def _whole_table(value: Any, keys: Sequence[str], what: str) -> Mapping[str, Any]:
    table = check_keys(value, keys, what)
    for key in keys:
        if key not in table:
            raise InputError(f"{what} has no {key!r}: run the study again, its finished cells are kept")
    return table


def _some(table: Mapping[str, Any], key: str) -> list[Any]:
    several = table[key]
    if not isinstance(several, list) or not several:
        raise InputError(f"{key} are {several!r}: give a list of at least one")
    return several


def _file_name(name: Any) -> str:
    """A folder may be called after it."""
    if any(each in text(name, "name") for each in "/\\") or name in (".", ".."):
        raise InputError(f"name is {name!r}: give one without slashes")
    return str(name)


def _world(value: Any, place: int) -> PlannedWorld:
    what = f"world number {place + 1}"
    table = _whole_table(value, ("label", "settings", "world"), what)
    label = text(table["label"], f"label of {what}")
    with placed(what):
        return PlannedWorld(label, _settings(table["settings"], what), world_from_data(table["world"]))


def _policy(value: Any, place: int, has_code: bool) -> PlannedPolicy:
    what = f"policy number {place + 1}"
    table = _whole_table(value, ("label", "name", "settings", "origin"), what)
    label, name = text(table["label"], f"label of {what}"), table["name"]
    if isinstance(name, Mapping):
        parts = _whole_table(name, ROLES, f"name of {what}")
        name = {role: text(parts[role], f"{role} of {what}") for role in ROLES}
    else:
        text(name, f"name of {what}")
    settings, origin = _settings(table["settings"], what), text(table["origin"], f"origin of {what}")
    known(origin, (PACKAGE, ADDED, PLAIN), f"origin of {what}:")
    if origin != PACKAGE and not has_code:
        raise InputError(f"{what} is of the study's own code, and there is none: run the study again from its file")
    if origin == PLAIN and not isinstance(name, str):
        raise InputError(f"{what} is a class of the study's own code, and has parts: run the study again from its file")
    if origin == PACKAGE:
        recipe(name).complete(settings)  # the others' parameters are known to their code alone, which is not run here
    return PlannedPolicy(label, name, settings, origin)


def _settings(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise InputError(f"settings of {what} are {value!r}: give a table")
    for key, each in value.items():
        _check_finite(each, f"{key} of {what}")
    return dict(value)


def _check_finite(value: Any, what: str) -> None:
    """JSON has numbers that TOML has not, and figures cannot show."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            finite = math.isfinite(value)
        except OverflowError:
            finite = False
        if not finite:
            raise InputError(f"{what} is {value!r}: give a finite number")
    for each in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        _check_finite(each, what)


def _skipped(
    value: Any, worlds: Sequence[PlannedWorld], policies: Sequence[PlannedPolicy]
) -> dict[tuple[str, str], str]:
    """The pairs that do not fit each other, by their labels, with the reason."""
    found: dict[tuple[str, str], str] = {}
    for each in value if isinstance(value, list) else [value]:
        if not isinstance(each, list) or len(each) != 3:
            raise InputError(f"one of skipped is {each!r}: give a world, a policy and the reason")
        world, policy, reason = (text(word, "one of skipped") for word in each)
        known(world, [every.label for every in worlds], "world of skipped:")
        known(policy, [every.label for every in policies], "policy of skipped:")
        found[world, policy] = reason
    return found
