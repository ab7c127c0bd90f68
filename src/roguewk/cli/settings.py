"""Names with settings as typed at a command line: `sw-ucb:w1=30:cost_scale=0.5`, `catalog:paper:budget=100`."""

import os
from collections.abc import Sequence
from typing import Any

from roguewk.policy.registry import MAIN, all_recipes
from roguewk.problem.errors import InputError, known, unique
from roguewk.world import catalog
from roguewk.world.files import is_path, load_world
from roguewk.world.world import World

WORDS = {"true": True, "false": False, "none": None}


def read_policies(typed: str | None) -> list[tuple[str, dict[str, Any]]]:
    """Policies separated by commas; "all" is every one of them, None the main ones.

    >>> read_policies("ucb1,sw-ucb:w1=30:cost_scale=0.5")
    [('ucb1', {}), ('sw-ucb', {'w1': 30, 'cost_scale': 0.5})]
    """
    if typed is None:
        return [(name, {}) for name in MAIN]
    if typed.strip() == "all":
        return [(name, {}) for name in all_recipes()]
    return [_named(each.strip(), "policy") for each in typed.split(",")]


def read_horizons(typed: str) -> list[int]:
    """Horizons separated by commas.

    >>> read_horizons("100,1000,1e4")
    [100, 1000, 10000]
    """
    horizons = []
    for each in typed.split(","):
        value = _value(each.strip())
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int):
            raise InputError(f"{each.strip()!r} of the horizons is no whole number: write them as 100,1000,10000")
        horizons.append(value)
    return horizons


def read_world(typed: str) -> World:
    """A TOML file, or a world of the catalogue; `catalog:` before its name is needed where a file is called alike.

    >>> read_world("paper:budget=50").problem.budgets.tolist()
    [50.0, 50.0, 50.0]
    """
    plain = not typed.startswith("catalog:")
    if plain and (os.path.isfile(typed) or is_path(typed)):
        return load_world(typed)
    name, options = _named(typed.removeprefix("catalog:"), "world")
    known(name, catalog.names(), "world or file" if plain else "world")
    return catalog.get(name, **options)


def read_worlds(typed: Sequence[str]) -> dict[str, World]:
    """Several of them, by what they are called."""
    names = [each.removeprefix("catalog:") for each in typed]
    unique(names, "worlds")
    return {name: read_world(where) for name, where in zip(names, typed, strict=True)}


def _named(typed: str, what: str) -> tuple[str, dict[str, Any]]:
    name, *pairs = typed.split(":")
    if not name:
        raise InputError(f"a {what} has no name in {typed!r}: give one")
    settings: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not (key and equals and value):
            raise InputError(f"{pair!r} of {what} {name!r} is no setting: write it as key=value")
        if key in settings:
            raise InputError(f"{key!r} of {what} {name!r} is given twice: give it once")
        settings[key] = _value(value)
    return name.strip(), settings


def _value(typed: str) -> Any:
    if typed.lower() in WORDS:
        return WORDS[typed.lower()]
    for kind in (int, float):
        try:
            return kind(typed)
        except ValueError:
            continue
    return typed
