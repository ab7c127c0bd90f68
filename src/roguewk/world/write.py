"""The world file that a world is written to: as data, as text, and on disk."""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import Arm
from roguewk.problem.baseline import Baseline
from roguewk.problem.context import Context
from roguewk.problem.errors import InputError, shown
from roguewk.problem.plain import Data, arm_to_data, context_to_data, problem_to_data
from roguewk.problem.problem import Problem
from roguewk.problem.whole import write_all
from roguewk.world.belief import belief_to_data
from roguewk.world.cost import Cost, cost_from_data, cost_to_data
from roguewk.world.outcomes import PROMPT, Outcomes, outcomes_to_data

ENDING = ".toml"
TABLES = ("idle", "resource", "limit", "context", "arm", "belief", "outcomes")


def truth_to_data(
    problem: Problem,
    arms: Sequence[Arm],
    x0: Sequence[Vector],
    costs: Sequence[Sequence[Cost]],
    outcomes: Outcomes,
    contexts: Sequence[Context],
    baseline: Baseline | None,
) -> Data:
    """A world, by its parts, as plain data in the shape of a world file."""
    # What is known and largest of the costs these say themselves.
    data = problem_to_data(replace(problem, known_costs=None, largest_costs=None, baseline=baseline))
    believed, data["arm"] = data["arm"], [arm_to_data(arm) for arm in arms]
    beliefs = [belief_to_data(*pair) for pair in zip(believed, data["arm"], strict=True) if pair[0] != pair[1]]
    if beliefs:
        data["belief"] = beliefs
    for a, (arm, start) in enumerate(zip(data["arm"], x0, strict=True)):
        arm["x0"] = start.tolist() if len(start) > 1 else start.item()
        told = costs[a][: len(problem.told)]
        arm["costs"] = [cost_to_data(_told(problem, a, j, cost)) for j, cost in enumerate(told)]
    if contexts:
        data["context"] = [_context_to_data(*pair) for pair in zip(contexts, problem.contexts, strict=True)]
    if outcomes != PROMPT:
        data["outcomes"] = outcomes_to_data(outcomes)
    return data


def _context_to_data(true: Context, told: Context) -> Data:
    return context_to_data(true) | ({} if told == true else {"known": False})


def _told(problem: Problem, a: int, j: int, cost: Cost) -> Cost:
    """The cost, known if the problem says what it is on average."""
    known = None if problem.known_costs is None else problem.known_costs[a][j]
    return cost.told() if known is not None and known == cost.mean else cost


def check_writable(problem: Problem, arms: Sequence[Arm], costs: Sequence[Sequence[Cost]]) -> None:
    """Refuse what no world file can say."""
    for arm in (*arms, *problem.arms):
        if arm.custom:
            raise InputError(
                f"arm {arm.name!r} has its own h or g, which no file can hold: keep the Python code of the world"
            )
    for a, row in enumerate(costs):
        for j, cost in enumerate(row):
            what = f"cost of arm {arms[a].name!r} on {problem.resources[j].name!r}"
            known = None if problem.known_costs is None else problem.known_costs[a][j]
            if known is not None and known != cost.mean:
                raise InputError(
                    f"{what} is {cost.mean!r} on average and said to be {known!r}, which no file can say:"
                    " correct known_costs of the problem"
                )
            if cost_from_data(cost_to_data(cost)) != cost:
                raise InputError(f"{what} is {shown(cost)}, which no file can say: make it with rw.Cost.{cost.kind}")


def to_text(data: Mapping[str, Any]) -> str:
    """A world file with this data.

    >>> print(to_text({"horizon": 9, "resource": [{"name": "staff", "budget": 0.1}]}), end="")
    horizon = 9
    <BLANKLINE>
    [[resource]]
    name = "staff"
    budget = 0.1
    """
    return "\n".join(_lines(data)) + "\n"


def _lines(data: Mapping[str, Any]) -> Iterator[str]:
    tables = {key: value for key, value in data.items() if key in TABLES and not isinstance(value, bool)}
    yield from (f"{key} = {_value(value)}" for key, value in data.items() if key not in tables)
    for kind, value in tables.items():
        several = isinstance(value, list)
        for table in value if several else [value]:
            yield ""
            yield f"[[{kind}]]" if several else f"[{kind}]"
            yield from (f"{key} = {_value(part)}" for key, part in table.items())


def _key(key: str) -> str:
    """A key, in quotes if it is no bare one."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return (
            "{ " + ", ".join(f"{_key(key)} = {_value(part)}" for key, part in value.items()) + " }" if value else "{}"
        )
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return repr(value if isinstance(value, int) else float(value))


def write_text(text: str, path: str | os.PathLike[str]) -> None:
    """Write a world file, whole or not at all; one that is there is replaced."""
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"path is {shown(path)}: give a file name that ends in {ENDING}")
    where = os.fsdecode(path)
    if "\0" in where or Path(where).suffix.lower() != ENDING:
        raise InputError(f"path is {shown(where)}: give a file name that ends in {ENDING}")
    target = Path(os.path.realpath(where))
    if not os.path.isdir(target.parent):
        raise InputError(f"path is {shown(where)}: there is no such folder: make it first")
    if os.path.isdir(target):
        raise InputError(f"path is {shown(where)}: this is a folder: give the name of a file")
    try:
        write_all(target.parent, {target.name: text.encode()})
    except OSError as error:
        raise InputError(f"path {shown(where)} cannot be written ({error.strerror}): give another one") from None
