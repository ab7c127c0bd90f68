"""Settings of what has a name in a world file: budgets that renew, caps, gaps and contexts."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from roguewk.problem.errors import InputError, known
from roguewk.problem.plain import Data
from roguewk.problem.resource import at_most


class _Kind(NamedTuple):
    """What a setting is of: its tables, which of them can have it, and which are meant where no name is given."""

    noun: str
    tables: tuple[str, ...]
    may: Callable[[Data], bool]
    meant: Callable[[Data], bool]


def _having(key: str) -> Callable[[Data], bool]:
    return lambda table: key in table


def _stores(table: Data) -> bool:
    return "budget" in table or "at_most" in table


_RENEWING = _Kind("budget or cap that renews", ("resource", "limit"), _stores, _having("every"))
_DRAWN = _Kind("context that is drawn", ("context",), _having("values"), _having("values"))
_CYCLE = _Kind("context that goes round", ("context",), _having("cycle"), _having("cycle"))
KINDS: Mapping[str, _Kind] = {
    "at_most": _Kind("cap", ("limit",), _having("at_most"), _having("at_most")),
    "gap": _Kind("gap", ("limit",), _having("gap"), _having("gap")),
    "every": _RENEWING,
    "carry_over": _RENEWING,
    "largest_cost": _Kind("resource", ("resource",), _stores, _stores),
    "chances": _DRAWN,
    "known": _DRAWN,
    "cycle": _CYCLE,
    "each": _CYCLE,
}
LISTS = ("chances", "cycle")  # whose values are lists, which are swept unless they stand in another one


def set_named(data: Data, key: str, value: Any, what: str) -> None:
    """Set `at_most.calls`, or `at_most` of all caps, in the data of a world file; `what` names the world in errors."""
    start, _, name = key.partition(".")
    kind = KINDS[start]
    tables = [(each, _name(each, start)) for part in kind.tables for each in data.get(part, []) if kind.may(each)]
    if not name:
        chosen = [each for each, _ in tables if kind.meant(each)]
        if not chosen:
            names = ", ".join(f"{start}.{own}" for _, own in tables)
            remedy = f"set {names}" if names else "add one to its world file"
            raise InputError(f"{start} is set, and {what} has no {kind.noun}: {remedy}")
    else:
        chosen = [each for each, own in tables if own == name]
        if not chosen and name.isdigit() and 0 < int(name) <= len(tables):
            chosen = [tables[int(name) - 1][0]]
        if not chosen:
            known(name, [own for _, own in tables], f"{kind.noun} of {what}:")
        if len(chosen) > 1:
            raise InputError(f"{name!r} is the name of two, a {kind.noun} each, of {what}: say {start}.1, or {start}.2")
    for table in chosen:
        table[start] = value


def _name(table: Data, key: str) -> str:
    """What a table is called in settings: by its name, or else by the arms that it limits."""
    if "name" in table:
        return str(table["name"])
    if key == "gap":
        arms = table.get("arms", ())
        return " or ".join([arms] if isinstance(arms, str) else arms) or "pulls"
    return at_most(table["at_most"], table.get("every"), table.get("arms", ())).name
