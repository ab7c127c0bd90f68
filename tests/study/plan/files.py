"""Study files to try things with."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import roguewk as rw

SMALL = """
replicates = 3
[[world]]
world = "paper"
budget = [20, 40]
horizon = 50
[[policy]]
policy = "roguewk-ucb"
cost_scale = [0.1, 1.0]
[[policy]]
policy = ["ucb1", "sw-ucb"]
"""


def study(tmp_path: Path, text: str, **options: bool) -> rw.Study:
    (tmp_path / "mine.toml").write_text(text)
    return rw.load_study(tmp_path / "mine.toml", **options)


def refused(tmp_path: Path, text: str) -> str:
    with pytest.raises(rw.InputError) as caught:
        study(tmp_path, text)
    assert str(caught.value).startswith(str(tmp_path))
    return str(caught.value)


VALUES: tuple[Any, ...] = (None, True, 5, -1, 0.5, 1e999, 10**400, "", "x", "\n", [], {}, [5], {"x": 5}, [[]], "../x")


def mutations(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Plain data with one thing changed: a value replaced or left out, an entry twice, a key that nobody knows."""
    for value in VALUES:
        yield (*path, value), value
    if isinstance(data, dict):
        yield (*path, "more"), {**data, "more": 1}
        for key in data:
            yield (*path, key, "gone"), {other: value for other, value in data.items() if other != key}
            for where, changed in mutations(data[key], (*path, key)):
                yield where, {**data, key: changed}
    if isinstance(data, list) and data:
        yield (*path, "twice"), [*data, data[0]]
        for where, changed in mutations(data[0], (*path, 0)):
            yield where, [changed, *data[1:]]
