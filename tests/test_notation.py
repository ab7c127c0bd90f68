"""Every name that the page on notation gives to a symbol of the paper exists in the code."""

import importlib
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).parents[1] / "docs" / "notation.md").read_text()
NAME = r"`((?:rw|roguewk)\.[\w.]+)(?:\((\w+)\))?`"
NAMES = sorted(set(re.findall(NAME, PAGE)))


def _found(dotted: str) -> Any:
    """What a dotted name stands for; of a field of a dataclass without a default there is only the name."""
    parts = dotted.replace("rw.", "roguewk.", 1).split(".") if dotted.startswith("rw.") else dotted.split(".")
    thing: Any = importlib.import_module(parts[0])
    for i, part in enumerate(parts[1:], start=1):
        if part in getattr(thing, "__dataclass_fields__", {}):
            assert i == len(parts) - 1, f"{dotted} goes on behind a field"
            return thing.__dataclass_fields__[part]
        if inspect.ismodule(thing) and not hasattr(thing, part):
            thing = importlib.import_module(".".join(parts[: i + 1]))
        else:
            thing = getattr(thing, part)
    return thing


@pytest.mark.parametrize(("dotted", "parameter"), NAMES, ids=lambda value: value or "-")
def test_a_name_in_the_notation_exists(dotted: str, parameter: str) -> None:
    thing = _found(dotted)
    assert thing is not None
    if parameter:
        assert parameter in inspect.signature(thing).parameters


def test_every_row_has_a_symbol_a_meaning_a_place_and_no_name_that_cannot_be_checked() -> None:
    rows = re.findall(r"^\| (.*) \| (.*) \| (.*) \| (.*) \|$", re.sub(r"\| \|", "|  |", PAGE), re.M)
    rows = [row for row in rows if row[0] != "symbol" and not row[0].startswith("---")]
    assert len(rows) > 60
    for symbol, meaning, code, where in rows:
        assert symbol.strip().startswith(("$", "[", "the"))
        assert meaning.strip()
        assert re.search(r"II|III|V|Assumption|Lemma|Definition|Theorem|Proposition|Algorithm|\(\d+\)|Table", where)
        for name in re.findall(r"`([^`]+)`", code):
            assert re.fullmatch(NAME, f"`{name}`") or name in ("rounds", "stopped_by"), name


def test_a_misspelt_name_would_be_found() -> None:
    with pytest.raises((AttributeError, ModuleNotFoundError)):
        _found("rw.Problem.armz")
