"""A world or a problem as plain data (dicts, lists, numbers, texts), in the shape of the TOML file, both ways."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from roguewk.problem.arms import Arm, Vector, everyday_arm, link, vector
from roguewk.problem.errors import InputError, known, text
from roguewk.problem.model import Problem, Resource
from roguewk.problem.world import Cost, World

Data = dict[str, Any]
_TOP = ("horizon", "idle", "resource", "arm")
_RESOURCE = ("name", "budget", "largest_cost")
_SHARED = ("name", "family", "sigma", "state")
_LINEAR = ("A", "B", "K", "alpha", "beta")
_EVERYDAY = ("rested", "wear", "half_life")
_HIDDEN = ("x0", "start", "costs")
ARM_KEYS = (*_SHARED[1:], *_LINEAR, *_EVERYDAY, *_HIDDEN)  # all but the name
_DEEPEST = 12  # tables in lists in tables; a world needs six levels
_MAKERS: dict[str, tuple[Callable[..., Cost], tuple[int, ...]]] = {
    "fixed": (Cost.fixed, (1,)),
    "uniform": (Cost.uniform, (2,)),
    "bernoulli": (Cost.bernoulli, (1, 2)),
    "beta": (Cost.beta, (2, 3)),
}


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


def _table(value: Any, keys: Sequence[str], required: Sequence[str], what: str, example: str) -> Data:
    """`value` as a table that has the required keys and no unknown ones."""
    if not isinstance(value, dict):
        raise InputError(f"{what} is {value!r}: write {example}")
    for key in value:
        known(key, keys, f"key of {what}:")
    for key in required:
        if key not in value:
            raise InputError(f"{what} has no {key!r}: add `{key} = ...`")
    return value


def _tables(data: Data, key: str) -> list[Any]:
    tables = data.get(key, [])
    if not isinstance(tables, list):
        raise InputError(f"{key} is {tables!r}: write each one as a table [[{key}]]")
    return tables


def _label(table: Any, kind: str, place: int) -> str:
    name = table.get("name") if isinstance(table, dict) else None
    return f"{kind} {name!r}" if isinstance(name, str) and name.strip() else f"{kind} number {place + 1}"


def _cost(value: Any, where: str) -> Cost:
    """A cost from its table, or a fixed one from a number."""
    if not isinstance(value, dict):
        with placed(where):
            return Cost.fixed(value)
    table = _table(value, (*_MAKERS, "choices", "weights"), (), where, "{ uniform = [0.1, 0.2] }")
    kinds = [key for key in table if key != "weights"]
    with placed(where):
        if len(kinds) != 1 or ("weights" in table and kinds != ["choices"]):
            raise InputError(
                f"found {', '.join(table) or 'nothing'}: give exactly one of {', '.join(_MAKERS)}, choices"
            )
        kind, numbers = kinds[0], table[kinds[0]]
        if kind == "choices":
            weights = table.get("weights", [1.0] * len(numbers) if isinstance(numbers, list) else [])
            if not isinstance(numbers, list) or not isinstance(weights, list):
                raise InputError(f"choices are {numbers!r}, weights {weights!r}: give a list of numbers for each")
            return Cost.choices(numbers, weights)
        make, sizes = _MAKERS[kind]
        numbers = numbers if isinstance(numbers, list) else [numbers]
        if len(numbers) not in sizes:
            raise InputError(f"{kind} has {len(numbers)} numbers: give {' or '.join(map(str, sizes))}")
        return make(*numbers)


def _arm(value: Any, place: int, truth: bool) -> tuple[Arm, Vector | None]:
    """An arm from its table, written either way, and its true initial state."""
    what = _label(value, "arm", place)
    hidden = _HIDDEN if truth else ()
    keys = (*_SHARED, *_LINEAR, *_EVERYDAY, *hidden)
    table = _table(value, keys, ("name",), what, "each arm as a table [[arm]]")
    plain = [key for key in (*_LINEAR, "x0") if key in table]
    everyday = [key for key in (*_EVERYDAY, "start") if key in table]
    if plain and everyday:
        raise InputError(
            f"{what} has both {plain[0]!r} and {everyday[0]!r}: give either A, B, K, alpha, beta, x0 "
            "or rested, wear, half_life, start"
        )
    required = _EVERYDAY if everyday else (*_LINEAR, "x0") if truth else _LINEAR
    _table(table, keys, required, what, "")
    chosen = _EVERYDAY if everyday else _LINEAR
    make = everyday_arm if everyday else Arm
    arm: Arm = make(**{key: table[key] for key in (*_SHARED, *chosen) if key in table})
    if not truth:
        return arm, None
    if everyday:
        start = link(table.get("start", table["rested"]), arm.family, f"start of {what}")
        x0 = vector(start - arm.alpha, (1,), f"x0 of {what}")
    else:
        x0 = vector(table["x0"], (arm.dimension,), f"x0 of {what}")
    return (arm if "state" in table else arm.widened(x0)), x0


def _costs(table: Data, what: str, resources: Sequence[str]) -> list[Cost]:
    if resources:
        _table(table, tuple(table), ("costs",), what, "")
    costs = table.get("costs", [])
    if not isinstance(costs, list):
        raise InputError(f"costs of {what} is {costs!r}: give a list with one cost for each resource")
    if len(costs) != len(resources):
        raise InputError(
            f"{what} has {len(costs)} costs for {len(resources)} resources: give one each, in the resources' order"
        )
    return [_cost(cost, f"cost of {what} on {name!r}") for cost, name in zip(costs, resources, strict=True)]


def _resource(value: Any, place: int, largest: float = 1.0) -> Resource:
    table = _table(
        value, _RESOURCE, ("name", "budget"), _label(value, "resource", place), "each as a table [[resource]]"
    )
    return Resource(**{"largest_cost": max(1.0, largest), **table})


def _top(data: Any) -> Data:
    check_plain(data)
    table = _table(data, _TOP, ("horizon",), "the world", "horizon, [[resource]] and [[arm]]")
    if not _tables(table, "arm"):
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
        top = _top(data)
        resources = [_resource(table, j) for j, table in enumerate(_tables(top, "resource"))]
        arms = [_arm(table, a, truth=False)[0] for a, table in enumerate(_tables(top, "arm"))]
        return Problem(arms, resources, top["horizon"], top.get("idle", False))


def world_from_data(data: Any, where: str = "") -> World:
    """The world in this data, which has the shape of a world file; `where` names the source in errors.

    >>> from roguewk.problem.plain import world_from_data
    >>> arm = {"name": "walk", "rested": 0.6, "wear": 0.5, "half_life": 2, "costs": [0.2]}
    >>> staff = {"name": "staff", "budget": 30}
    >>> world_from_data({"horizon": 200, "resource": [staff], "arm": [arm]}).mean_costs
    array([[0.2]])
    """
    with placed(where):
        top = _top(data)
        tables = _tables(top, "resource")
        names = [_resource(table, j).name for j, table in enumerate(tables)]
        arms, starts, costs = [], [], []
        for a, table in enumerate(_tables(top, "arm")):
            arm, x0 = _arm(table, a, truth=True)
            arms.append(arm)
            starts.append(x0)
            costs.append(_costs(table, f"arm {arm.name!r}", names))
        largest = [max(row[j].largest for row in costs) for j in range(len(names))]
        resources = [_resource(table, j, largest[j]) for j, table in enumerate(tables)]
        return World(Problem(arms, resources, top["horizon"], top.get("idle", False)), starts, costs)


def _arm_to_data(arm: Arm) -> Data:
    if arm.custom:
        raise InputError(f"arm {arm.name!r} has its own h or g, which cannot be written down: pass the problem itself")
    data: Data = {"name": arm.name}
    for key, array in (("A", arm.matrix), ("B", arm.push), ("K", arm.pull_back), ("beta", arm.weights)):
        data[key] = array.tolist() if arm.dimension > 1 else array.item()
    data |= {"alpha": arm.alpha, "family": arm.family}
    if arm.sigma is not None:
        data["sigma"] = arm.sigma
    data["state"] = arm.box.tolist() if arm.dimension > 1 else arm.box[0].tolist()
    return data


def problem_to_data(problem: Problem) -> Data:
    """A problem as plain data: what a policy may know, nothing of the truth.

    >>> import roguewk as rw
    >>> from roguewk.problem.plain import problem_to_data
    >>> problem_to_data(rw.catalog.paper().problem)["resource"][0]
    {'name': 'resource 1', 'budget': 300.0, 'largest_cost': 1.0}
    """
    return {
        "horizon": problem.horizon,
        "idle": problem.idle,
        "resource": [{"name": r.name, "budget": r.budget, "largest_cost": r.largest_cost} for r in problem.resources],
        "arm": [_arm_to_data(arm) for arm in problem.arms],
    }


def world_to_data(world: World) -> Data:
    """A world as plain data, in the shape of a world file.

    >>> import roguewk as rw
    >>> from roguewk.problem.plain import world_to_data
    >>> world_to_data(rw.catalog.paper())["arm"][0]["costs"][0]
    {'uniform': [0.1, 0.2]}
    """
    data = problem_to_data(world.problem)
    for arm, x0, costs in zip(data["arm"], world.x0, world.costs, strict=True):
        arm["x0"] = x0.tolist() if len(x0) > 1 else x0.item()
        arm["costs"] = [
            {cost.kind: cost.numbers[0] if cost.kind == "fixed" else list(cost.numbers)}
            | ({"weights": list(cost.weights)} if cost.weights else {})
            for cost in costs
        ]
    return data
