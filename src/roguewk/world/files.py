"""World files and other TOML: read once, every mistake told in one sentence."""

import os
import re
import tomllib
from typing import Any

from roguewk.problem.errors import InputError, shown
from roguewk.problem.plain import problem_from_data
from roguewk.problem.problem import Problem
from roguewk.world.plain import world_from_data
from roguewk.world.world import World

_IDLE = re.compile(r"^[ \t]*idle[ \t]*=[ \t]*\w*", re.MULTILINE)
_IDLE_TABLE = re.compile(r"^[ \t]*\[[ \t]*idle[ \t]*\]", re.MULTILINE)


def load_world(path: str | os.PathLike[str]) -> World:
    """Read a world from a TOML file.

    >>> import roguewk as rw, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "world.toml")
    >>> _ = path.write_text('''
    ... horizon = 200
    ... [[resource]]
    ... name = "staff"
    ... budget = 30
    ... [[arm]]
    ... name = "walk"
    ... rested = 0.6
    ... wear = 0.5
    ... half_life = 2
    ... costs = [{ uniform = [0.1, 0.3] }]
    ... ''')
    >>> rw.load_world(path).mean_costs
    array([[0.2]])
    """
    return world_from_data(read_toml(path), os.fsdecode(path))


def is_path(name: str) -> bool:
    """Whether a world is named by a file, and not by its name in the catalogue."""
    return name.endswith(".toml") or "/" in name or "\\" in name


def load_problem(path: str | os.PathLike[str]) -> Problem:
    """Read a problem from a TOML file: what is known, and nothing of a truth that nobody knows.

    It is written as a world file without `costs`, `x0` and `start`, and with `largest_cost` of each resource; of an
    arm, half-life, wear and mean reward may be guesses, or left open.

    >>> import roguewk as rw, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "problem.toml")
    >>> _ = path.write_text('''
    ... horizon = 200
    ... idle = true
    ... [[resource]]
    ... name = "staff"
    ... budget = 30
    ... largest_cost = 2
    ... [[arm]]
    ... name = "walk"
    ... half_life = { about = 5, between = [1, 30] }
    ... [[arm]]
    ... name = "run"
    ... dynamics = "unknown"
    ... ''')
    >>> rw.load_problem(path).unknown
    ('walk', 'run')
    """
    problem = problem_from_data(read_toml(path), os.fsdecode(path))
    for resource in problem.resources:
        if resource.largest_cost is None:  # the first pull that takes more than 1 would be refused, too late
            what = f"{os.fsdecode(path)}: resource {resource.name!r} has no largest_cost"
            raise InputError(f"{what}: say the most that a pull may take of it, as nothing says what pulls cost")
    return problem


def read_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The tables of a TOML file."""
    try:
        where = os.fsdecode(path)
    except TypeError:
        raise InputError(f"the path of a world is {shown(path)}: give the name of a TOML file") from None
    return parse_toml(read_text(where), where)


def read_text(where: str) -> str:
    """The text of a file in UTF-8."""
    try:
        with open(where, "rb") as file:
            # "-sig": some editors begin a file with a byte order mark.
            return file.read().decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{where}: there is no such file: check the path, or write one") from None
    except IsADirectoryError:
        raise InputError(f"{where}: this is a directory: give a file in it") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: byte {error.start} is not UTF-8: save the file as UTF-8 text") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{where!r}: the file cannot be read ({reason}): check its name and permissions") from None


def parse_toml(content: str, where: str) -> dict[str, Any]:
    """The tables in a TOML text; `where` names it in errors."""
    try:
        return tomllib.loads(content)
    except RecursionError:
        raise InputError(f"{where}: the file is nested too deeply: write tables and lists as in the example") from None
    except ValueError as error:
        reason = " ".join(str(error).split())
        idle = _IDLE.search(content)
        if idle and _IDLE_TABLE.search(content) and "overwrite" in reason:
            what = f"{where}: `{idle[0].strip()}` stands beside [idle], which takes its place"
            raise InputError(f"{what}: leave out one of them") from None
        raise InputError(f"{where}: this is not TOML: {reason}: correct that line") from None
