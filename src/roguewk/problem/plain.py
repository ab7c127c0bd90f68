"""A problem as plain data (dicts, lists, numbers, texts), in the shape of the TOML file, both ways."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from roguewk.problem.arm import Arm
from roguewk.problem.baseline import baseline_from_data, baseline_to_data
from roguewk.problem.context import Context
from roguewk.problem.duration import all_in_rounds
from roguewk.problem.errors import InputError, known, shown, text
from roguewk.problem.everyday import everyday_arm
from roguewk.problem.prior import prior_from_data
from roguewk.problem.problem import Problem
from roguewk.problem.resource import Gap, Resource, at_most
from roguewk.problem.unknown import unknown_arm

Data = dict[str, Any]
_TOP = ("horizon", "idle", "rounds_per_day", "resource", "limit", "context", "arm")
_COSTS = ("known_costs", "largest_costs")
_RESOURCE = ("name", "budget", "largest_cost", "every", "carry_over")
_LIMIT = ("name", "arms", "at_most", "every", "carry_over", "gap")
_CONTEXT = ("name", "values", "chances", "cycle", "each")
_SHARED = ("name", "family", "sigma", "state", "known_start", "available", "when")
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
    allowed = ("name", "family", "sigma", "known_start", "available", "when", "like", *EVERYDAY)
    with placed(what):
        return unknown_arm(**{key: table[key] for key in allowed if key in table})


def read_resource(value: Any, place: int) -> Resource:
    """A resource from its table."""
    table = read_table(
        value, _RESOURCE, ("name", "budget"), label_of(value, "resource", place), "each as a table [[resource]]"
    )
    return Resource(**table)


def _read_limit(value: Any, place: int) -> tuple[list[Resource], list[Gap]]:
    """A cap, a gap or both, from their table."""
    what = label_of(value, "limit", place)
    table = read_table(value, _LIMIT, (), what, "each as a table [[limit]]")
    arms, found = table.get("arms"), []
    if "at_most" in table:
        cap = {key: table[key] for key in ("every", "carry_over", "name") if key in table}
        found.append(at_most(table["at_most"], arms=arms, **cap))
    for key in ("every", "carry_over") if not found else ():
        if key in table:
            raise InputError(f"{what} has {key!r} and no 'at_most': say how many pulls are allowed in each period")
    if not found and "gap" not in table:
        raise InputError(f'{what} limits nothing: add `at_most = 2` and `every = "7 days"`, `gap = "2 days"`, or both')
    return found, [Gap(table["gap"], arms)] if "gap" in table else []


def read_context(value: Any, place: int, more: Sequence[str] = ()) -> Context:
    """A context from its table, which may have `more` keys."""
    what = label_of(value, "context", place)
    table = read_table(value, (*_CONTEXT, *more), ("name",), what, "each as a table [[context]]")
    return Context(**{key: part for key, part in table.items() if key in _CONTEXT})


def read_frame(top: Data) -> tuple[list[Resource], Data]:
    """What a problem has besides its arms: its resources, and all else by the names that rw.Problem has for it."""
    resources = [read_resource(table, j) for j, table in enumerate(read_tables(top, "resource"))]
    limits = [_read_limit(table, j) for j, table in enumerate(read_tables(top, "limit"))]
    resources += [cap for caps, _ in limits for cap in caps]
    frame: Data = {key: top[key] for key in ("horizon", "rounds_per_day") if key in top}
    frame["gaps"] = [gap for _, gaps in limits for gap in gaps]
    return resources, frame


def read_idle(top: Data, arms: Sequence[Arm]) -> Data:
    """Whether rounds may be left idle, or what they bring then, by the names that rw.Problem has for it."""
    said = top.get("idle", False)
    return {"baseline": baseline_from_data(said, arms)} if isinstance(said, dict) else {"idle": said}


def read_top(data: Any, more: Sequence[str] = ()) -> Data:
    """The outermost table, which may have `more` keys than a problem has."""
    check_plain(data)
    table = read_table(data, (*_TOP, *more), ("horizon",), "the world", "horizon, [[resource]] and [[arm]]")
    if not read_tables(table, "arm"):
        raise InputError("the world has no arm: add an [[arm]] table")
    return table | {kind: _in_rounds(table, kind) for kind in ("arm", "belief") if kind in table}


def _in_rounds(top: Data, kind: str) -> list[Any]:
    """The tables of arms or beliefs with half-lives in rounds, as arms do not know how long a round is."""
    tables = []
    for place, table in enumerate(read_tables(top, kind)):
        what = f"half_life of {label_of(table, kind, place)}"
        prior = _half_life_in_rounds(table.get("prior") if isinstance(table, dict) else None, top, what)
        told = _half_life_in_rounds(table, top, what)
        tables.append(told if prior is None else {**told, "prior": prior})
    return tables


def _half_life_in_rounds(table: Any, top: Data, what: str) -> Any:
    if not isinstance(table, dict) or "half_life" not in table:
        return table
    return {**table, "half_life": all_in_rounds(table["half_life"], top.get("rounds_per_day"), what)}


def problem_from_data(data: Any, where: str = "") -> Problem:
    """The problem that `problem_to_data` has written down; `where` names the source in errors.

    >>> import roguewk as rw
    >>> from roguewk.problem.plain import problem_from_data, problem_to_data
    >>> problem_from_data(problem_to_data(rw.catalog.paper().problem)).horizon
    1000
    """
    with placed(where):
        top = read_top(data, _COSTS)
        resources, frame = read_frame(top)
        arms = [read_arm(table, a) for a, table in enumerate(read_tables(top, "arm"))]
        frame["contexts"] = [read_context(table, i) for i, table in enumerate(read_tables(top, "context"))]
        costs = {key: top[key] for key in _COSTS if key in top}
        return Problem(arms, resources, **frame, **read_idle(top, arms), **costs)


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
    if arm.when is not None:
        data["when"] = dict(arm.when)
    return data


def _costs_to_data(problem: Problem) -> Data:
    """What is said of costs that are told: those of pulls that are counted say themselves."""
    tables = {"known_costs": problem.known_costs, "largest_costs": problem.largest_costs}
    told = {key: [list(row[: len(problem.told)]) for row in rows] for key, rows in tables.items() if rows is not None}
    return {key: rows for key, rows in told.items() if any(value is not None for row in rows for value in row)}


def _renewal_to_data(resource: Resource) -> Data:
    carried = {"carry_over": True} if resource.carry_over else {}
    return {} if resource.every is None else {"every": resource.every, **carried}


def _resource_to_data(resource: Resource) -> Data:
    data = {"name": resource.name, "budget": resource.budget, "largest_cost": resource.unit}
    return data | _renewal_to_data(resource)


def context_to_data(context: Context) -> Data:
    """A context as its table."""
    data: Data = {"name": context.name}
    if context.cycle is not None:
        return {**data, "cycle": list(context.cycle), **({"each": context.each} if context.each != 1 else {})}
    chances = {} if context.chances is None else {"chances": list(context.chances)}
    return {**data, "values": list(context.values), **chances}


def _of_arms(arms: Sequence[str] | None) -> Data:
    return {"arms": list(arms)} if arms else {}


def _cap_to_data(cap: Resource) -> Data:
    return {"name": cap.name, **_of_arms(cap.counts), "at_most": int(cap.budget), **_renewal_to_data(cap)}


def _gap_to_data(gap: Gap) -> Data:
    return {**_of_arms(gap.arms), "gap": gap.least}


def problem_to_data(problem: Problem, *, functions_by_name: bool = False) -> Data:
    """A problem as plain data: what a policy may know, nothing of the truth.

    Arms with functions of their own cannot be written down; by name, they can at least be told apart.

    >>> import roguewk as rw
    >>> from roguewk.problem.plain import problem_to_data
    >>> problem_to_data(rw.catalog.paper().problem)["resource"][0]
    {'name': 'resource 1', 'budget': 300.0, 'largest_cost': 1.0}
    """
    per_day = {} if problem.rounds_per_day is None else {"rounds_per_day": problem.rounds_per_day}
    contexts = list(map(context_to_data, problem.contexts))
    limits = [*map(_cap_to_data, problem.resources[len(problem.told) :]), *map(_gap_to_data, problem.gaps)]
    return {
        "horizon": problem.horizon,
        "idle": problem.idle if problem.baseline is None else baseline_to_data(problem.baseline),
        **per_day,
        **_costs_to_data(problem),
        "resource": [_resource_to_data(resource) for resource in problem.told],
        **({"limit": limits} if limits else {}),
        **({"context": contexts} if contexts else {}),
        "arm": [arm_to_data(arm, functions_by_name) for arm in problem.arms],
    }
