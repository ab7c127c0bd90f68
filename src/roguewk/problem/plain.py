"""A problem as plain data (dicts, lists, numbers, texts), in the shape of the TOML file, both ways."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from roguewk.problem.arm import Arm, everyday_arm
from roguewk.problem.errors import InputError, known, shown, text
from roguewk.problem.prior import prior_from_data
from roguewk.problem.problem import Problem
from roguewk.problem.resource import Resource
from roguewk.problem.unknown import unknown_arm

Data = dict[str, Any]
_TOP = ("horizon", "idle", "resource", "arm")
_KNOWN_COSTS = "known_costs"
_RESOURCE = ("name", "budget", "largest_cost")
_SHARED = ("name", "family", "sigma", "state", "known_start", "available")
_LEARNED = ("prior", "like")  # of arms whose dynamics nobody knows
UNKNOWN = "unknown"  # what `dynamics` may be said to be
LINEAR = ("A", "B", "K", "alpha", "beta")
EVERYDAY = ("rested", "wear", "worn", "half_life")
ARM_KEYS = (*_SHARED, *LINEAR, *EVERYDAY, *_LEARNED, "dynamics")
_DEEPEST = 12  # tables in lists in tables; a world needs six levels


@contextmanager
def placed(where: str) -> Iterator[None]:
    """Put `where` before the message of an error."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{where}: {error}" if where else str(error)) from None


def check_plain(value: Any, depth: int = 0) -> None:
    """Refuse what could not even be shown in an error message."""
    if depth > _DEEPEST:
        raise InputError(f"the data is nested more than {_DEEPEST} deep: give tables and lists as in the example")
    if isinstance(value, int) and value.bit_length() > 1024:
        raise InputError(f"a whole number has {value.bit_length()} bits: give a number below 1e308")
    if isinstance(value, dict):
        for key in value:
            text(key, "a key")
    if isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            check_plain(part, depth + 1)


def read_table(value: Any, keys: Sequence[str], required: Sequence[str], what: str, example: str) -> Data:
    """`value` as a table that has the required keys and no unknown ones."""
    if not isinstance(value, dict):
        raise InputError(f"{what} is {shown(value)}: write {example}")
    for key in value:
        known(key, keys, f"key of {what}:")
    for key in required:
        if key not in value:
            raise InputError(f"{what} has no {key!r}: add `{key} = ...`")
    return value


def read_tables(data: Data, key: str) -> list[Any]:
    """The tables under this key, none if it is not there."""
    tables = data.get(key, [])
    if not isinstance(tables, list):
        raise InputError(f"{key} is {shown(tables)}: write each one as a table [[{key}]]")
    return tables


def label_of(table: Any, kind: str, place: int) -> str:
    """What errors call this table: by its name if it has one, else by its place."""
    name = table.get("name") if isinstance(table, dict) else None
    return f"{kind} {name!r}" if isinstance(name, str) and name.strip() else f"{kind} number {place + 1}"


def read_arm(value: Any, place: int, hidden: Sequence[str] = ()) -> Arm:
    """An arm from its table, written either way; `hidden` are the keys that tell the truth about it, if they may."""
    what = label_of(value, "arm", place)
    keys = (*ARM_KEYS, *hidden)
    table = read_table(value, keys, ("name",), what, "each arm as a table [[arm]]")
    if is_unknown(table):
        return _read_unknown(table, what)
    plain = [key for key in (*LINEAR, "x0") if key in table]
    everyday = [key for key in (*EVERYDAY, "start") if key in table]
    if plain and everyday:
        raise InputError(
            f"{what} has both {plain[0]!r} and {everyday[0]!r}: give either A, B, K, alpha, beta, x0 "
            "or rested, wear, half_life, start"
        )
    use = "worn" if "worn" in table else "wear"
    required = ("rested", use, "half_life") if everyday else (*LINEAR, "x0") if "x0" in hidden else LINEAR
    read_table(table, keys, required, what, "")
    chosen = EVERYDAY if everyday else LINEAR
    make = everyday_arm if everyday else Arm
    given = {key: table[key] for key in (*_SHARED, *chosen, "like") if key in table}
    if "prior" in table:
        given["prior"] = prior_from_data(table["prior"], f"prior of {what}")
    return make(**given)


def is_unknown(table: Data) -> bool:
    """Whether a table leaves it open how an arm moves: says so, guesses a number, or likens it to another arm."""
    guessed = any(isinstance(table.get(key), dict) for key in EVERYDAY)
    return guessed or "dynamics" in table or ("like" in table and not any(key in table for key in LINEAR))


def _read_unknown(table: Data, what: str) -> Arm:
    if table.get("dynamics", UNKNOWN) != UNKNOWN:
        raise InputError(f'dynamics of {what} is {shown(table["dynamics"])}: write "unknown", or leave it out')
    for key in (*LINEAR, "worn", "state", "prior"):
        if key in table:
            raise InputError(f"{what} has {key!r} and dynamics that nobody knows: leave {key!r} out")
    allowed = ("name", "family", "sigma", "known_start", "available", "like", *EVERYDAY)
    with placed(what):
        return unknown_arm(**{key: table[key] for key in allowed if key in table})


def read_resource(value: Any, place: int) -> Resource:
    """A resource from its table."""
    table = read_table(
        value, _RESOURCE, ("name", "budget"), label_of(value, "resource", place), "each as a table [[resource]]"
    )
    return Resource(**table)


def read_top(data: Any, more: Sequence[str] = ()) -> Data:
    """The outermost table, which may have `more` keys than a problem has."""
    check_plain(data)
    table = read_table(data, (*_TOP, *more), ("horizon",), "the world", "horizon, [[resource]] and [[arm]]")
    if not read_tables(table, "arm"):
        raise InputError("the world has no arm: add an [[arm]] table")
    return table


def problem_from_data(data: Any, where: str = "") -> Problem:
    """The problem that `problem_to_data` has written down; `where` names the source in errors.

    >>> import roguewk as rw
    >>> from roguewk.problem.plain import problem_from_data, problem_to_data
    >>> problem_from_data(problem_to_data(rw.catalog.paper().problem)).horizon
    1000
    """
    with placed(where):
        top = read_top(data, (_KNOWN_COSTS,))
        resources = [read_resource(table, j) for j, table in enumerate(read_tables(top, "resource"))]
        arms = [read_arm(table, a) for a, table in enumerate(read_tables(top, "arm"))]
        return Problem(arms, resources, top["horizon"], top.get("idle", False), top.get(_KNOWN_COSTS))


def arm_to_data(arm: Arm, functions_by_name: bool = False) -> Data:
    """An arm as plain data, with numbers for A, B, K, alpha and beta."""
    if arm.custom and not functions_by_name:
        raise InputError(f"arm {arm.name!r} has its own h or g, which cannot be written down: pass the problem itself")
    data: Data = {"name": arm.name}
    for key, array in (("A", arm.matrix), ("B", arm.push), ("K", arm.pull_back), ("beta", arm.weights)):
        data[key] = array.tolist() if arm.dimension > 1 else array.item()
    data |= {"alpha": arm.alpha, "family": arm.family}
    if arm.sigma is not None:
        data["sigma"] = arm.sigma
    for key, function in (("h", arm.h), ("g", arm.g)):
        if function is not None:
            data[key] = getattr(function, "__qualname__", type(function).__name__)
    data["state"] = arm.box.tolist() if arm.dimension > 1 else arm.box[0].tolist()
    if arm.known_start is not None:
        data["known_start"] = arm.known_start
    if arm.available is not None:
        data["available"] = arm.available
    if arm.prior is not None:
        data["prior"] = arm.prior.to_data()
    if arm.like is not None:
        data["like"] = arm.like
    return data


def problem_to_data(problem: Problem, *, functions_by_name: bool = False) -> Data:
    """A problem as plain data: what a policy may know, nothing of the truth.

    Arms with functions of their own cannot be written down; by name, they can at least be told apart.

    >>> import roguewk as rw
    >>> from roguewk.problem.plain import problem_to_data
    >>> problem_to_data(rw.catalog.paper().problem)["resource"][0]
    {'name': 'resource 1', 'budget': 300.0, 'largest_cost': 1.0}
    """
    known_costs = {} if problem.known_costs is None else {_KNOWN_COSTS: [list(row) for row in problem.known_costs]}
    return {
        "horizon": problem.horizon,
        "idle": problem.idle,
        **known_costs,
        "resource": [{"name": r.name, "budget": r.budget, "largest_cost": r.unit} for r in problem.resources],
        "arm": [arm_to_data(arm, functions_by_name) for arm in problem.arms],
    }
