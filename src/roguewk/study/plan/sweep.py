"""Sweeps: a list in a table stands for several tables, one for each of its values."""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from roguewk.problem.errors import InputError

Settings = dict[str, Any]


def count_settings(table: Mapping[str, Any]) -> int:
    """How many tables a sweep stands for.

    >>> count_settings({"budget": [10, 20], "idle": [True, False], "horizon": 100})
    4
    """
    return math.prod(len(value) for value in table.values() if isinstance(value, list))


def all_settings(table: Mapping[str, Any], what: str) -> Iterator[Settings]:
    """Every combination of the values in the lists of a table, the last key varying fastest.

    >>> list(all_settings({"a": [1, 2], "b": 3}, "it"))
    [{'a': 1, 'b': 3}, {'a': 2, 'b': 3}]
    """
    for key, value in table.items():
        if value == []:
            raise InputError(f"{key} of {what} is an empty list: give at least one value, or leave it out")
    choices = [value if isinstance(value, list) else [value] for value in table.values()]
    for values in itertools.product(*choices):
        yield dict(zip(table, values, strict=True))


def swept(table: Mapping[str, Any]) -> list[str]:
    """The keys whose values vary."""
    return [key for key, value in table.items() if isinstance(value, list)]


def named(start: str, settings: Mapping[str, Any], keys: Sequence[str]) -> str:
    """A label with these settings in it.

    >>> named("paper", {"budget": 10, "idle": True}, ["budget"])
    'paper budget=10'
    """
    return " ".join([start, *(_told(key, settings[key]) for key in keys)])


def unnamed(label: str, settings: Mapping[str, Any]) -> str:
    """A label without the settings in it.

    >>> unnamed("paper budget=10", {"budget": 10, "idle": True})
    'paper'
    """
    for key, value in reversed(list(settings.items())):
        label = label.removesuffix(f" {_told(key, value)}")
    return label


def _told(key: str, value: Any) -> str:
    return f"{key}={_shown(value)}"


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value}"
