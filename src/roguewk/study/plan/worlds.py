"""The worlds of a study: from the catalogue or a file, with some of their numbers set or swept."""

import difflib
import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from roguewk.problem.arm import RESTED, link, unlink
from roguewk.problem.baseline import KEYS as IDLE_KEYS
from roguewk.problem.duration import all_in_rounds
from roguewk.problem.errors import InputError, known, shown, text, truth_value
from roguewk.problem.everyday import everyday_arm
from roguewk.problem.plain import EVERYDAY, Data, read_frame
from roguewk.study.plan.model import PlannedWorld
from roguewk.study.plan.named import KINDS, LISTS, set_named
from roguewk.study.plan.sweep import all_settings, named, swept
from roguewk.world import catalog
from roguewk.world.files import is_path, load_world, read_toml
from roguewk.world.outcomes import KEYS as OUTCOME_KEYS
from roguewk.world.plain import WORLD_ARM_KEYS, world_from_data, world_to_data
from roguewk.world.world import World

OWN_KEYS = ("world", "label")
# A state set that was worked out, or chosen, for other dynamics would be wrong for these.
_EVERYDAY = (*EVERYDAY, "start")
_INSTEAD = {"wear": "worn", "worn": "wear"}
_MOVE_STATES = ("A", "B", "K", "x0", *_EVERYDAY)
_BY_NAME = ("budget", "outcomes", "idle", *KINDS)  # which may be a table
_OUTCOMES = OUTCOME_KEYS[:2]
_WHOLE = ("horizon", "rounds_per_day", "idle")  # of the world, and of nothing in it


def plan_worlds(table: Mapping[str, Any], place: int, folder: Path) -> Iterator[PlannedWorld]:
    """The worlds of one table [[world]]; paths are relative to `folder`."""
    where = f"world number {place + 1}"
    if "world" not in table:
        raise InputError(f"{where} has no 'world': add `world = \"paper\"`, or the path of a world file")
    label = text(table["label"], f"label of {where}") if "label" in table else None
    settings = flat_settings(table)
    for key, value in settings.items():
        is_list = key.rpartition(".")[2] == "state" or key.partition(".")[0] in LISTS
        if is_list and isinstance(value, list) and value and not any(isinstance(each, list) for each in value):
            raise InputError(f"{key} of {where} is {value}, and a list is swept: write it as [{value}]")
    for chosen in all_settings({"world": table["world"], **settings}, where):
        name = text(chosen.pop("world"), f"world of {where}")
        what = f"world {label or name!r}"
        start = label or Path(name.removeprefix("catalog:")).stem
        keys = swept(settings) if label else list(settings)
        if label and isinstance(table["world"], list):
            start = f"{label} {Path(name.removeprefix('catalog:')).stem}"
        yield PlannedWorld(named(start, chosen, keys), chosen, settled_world(name, chosen, folder, what))


def flat_settings(table: Mapping[str, Any]) -> dict[str, Any]:
    """Settings by one key each: "budget.staff" and "arm.walk.A" for those of one resource or arm."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if key in OWN_KEYS:
            continue
        if "." in key:
            raise InputError(f"{key!r} of a world is one key in quotes: write it without, as in `arm.walk.A = ...`")
        if key in _BY_NAME and isinstance(value, Mapping):
            flat |= {f"{key}.{name}": each for name, each in value.items()}
        elif key == "arm":
            if not isinstance(value, Mapping) or not all(isinstance(each, Mapping) for each in value.values()):
                raise InputError("arm of a world is no table of arms: write `arm.NAME.A = ...`")
            flat |= {f"arm.{name}.{own}": each for name, keys in value.items() for own, each in keys.items()}
        else:
            flat[key] = value
    return flat


def settled_world(name: str, settings: Mapping[str, Any], folder: Path, what: str) -> World:
    """The world of this name or file with these settings."""
    given = dict(settings)
    if is_path(name):
        world = load_world(folder / name)  # whatever is wrong in the file is told as being there
        data = read_toml(folder / name) if given else {}
    else:
        base = name.removeprefix("catalog:")
        known(base, catalog.names(), "world")
        options = inspect.signature(getattr(catalog, base)).parameters
        world = catalog.get(base, **{key: given.pop(key) for key in settings if key in options})
        data = world_to_data(world) if given else {}
    if not given:
        return world
    per_day = given.get("rounds_per_day", data.get("rounds_per_day"))
    for key in given:
        if key.rpartition(".")[2] == "half_life":
            given[key] = all_in_rounds(given[key], per_day, f"{key} of {what}")
        rival = f"{key.removesuffix('worn')}wear"
        if key.rpartition(".")[2] == "worn" and rival in given:
            raise InputError(f"{what} has both {rival!r} and {key!r}: give one of them")
    # Starts and worn rewards depend on other numbers, and a cap without a name is called after its period.
    for key in sorted(given, key=lambda key: (key.endswith("start"), key.endswith("worn"), key.startswith("every"))):
        _edit(data, key, given[key], what, given)
    return world_from_data(data, what)


def _edit(data: Data, key: str, value: Any, what: str, settings: Mapping[str, Any]) -> None:
    if key == "idle":
        data["idle"] = _idle(data.get("idle", False), value, what)
    elif key in _WHOLE:
        data[key] = value
    elif key.startswith("idle."):
        own = key.removeprefix("idle.")
        known(own, IDLE_KEYS, f"setting of idle of {what}:")
        data["idle"] = {**(data["idle"] if isinstance(data.get("idle"), dict) else {}), own: value}
    elif key.startswith("outcomes."):
        own = key.removeprefix("outcomes.")
        known(own, _OUTCOMES, f"setting of outcomes of {what}:")
        data.setdefault("outcomes", {})[own] = value
    elif key == "budget" or key.startswith("budget."):
        name = key.partition(".")[2]
        if any(name == each.name for each in read_frame(data)[0] if each.counts is not None):
            raise InputError(f"{key} of {what} is of a cap on pulls, not of a budget: set at_most.{name}")
        for resource in _chosen(data, "resource", name, what):
            resource["budget"] = value
    elif key.partition(".")[0] in KINDS:
        set_named(data, key, value, what)
    elif key.startswith("arm."):
        name, _, own = key.removeprefix("arm.").rpartition(".")
        known(own, WORLD_ARM_KEYS, f"setting of arm {name!r} of {what}:")
        state_given = "state" in settings or f"arm.{name}.state" in settings
        _set_arms(_chosen(data, "arm", name, what), own, value, state_given)
    else:
        if key not in WORLD_ARM_KEYS:
            raise InputError(f"unknown setting of {what}: {shown(key)}: {_instead(key)}")
        _set_arms(data["arm"], key, value, "state" in settings)


def _idle(before: Any, value: Any, what: str) -> Any:
    """What idle rounds bring stays as it is where they are allowed; there is no world without any."""
    if not isinstance(before, dict):
        return value
    if truth_value(value, f"idle of {what}"):
        return before
    raise InputError(
        f"idle of {what} is false, and the world says what idle rounds bring, which there are then: leave idle out, or"
        " sweep idle.reward"
    )


def _instead(key: str) -> str:
    """What may have been meant, or all that could have been."""
    near = difflib.get_close_matches(key.lower(), (*_WHOLE, *_BY_NAME, *WORLD_ARM_KEYS), n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    of_tables = [*(f"idle.{own}" for own in IDLE_KEYS), *(f"outcomes.{own}" for own in _OUTCOMES)]
    named = [f"{own}.NAME" for own in ("budget", *KINDS)]
    alone, arms = [*_WHOLE, *of_tables, *named], WORLD_ARM_KEYS
    return f"known are {', '.join(alone)}; and of all arms, or as arm.NAME.KEY, {', '.join(arms)}"


def _chosen(data: Data, kind: str, name: str, what: str) -> list[Data]:
    """The arm or resource of this name, or all of them."""
    tables: list[Data] = data.get(kind, [])
    if name:
        known(name, [each["name"] for each in tables], f"{kind} of {what}:")
    return [each for each in tables if name in ("", each["name"])]


def _translated(arm: Data, key: str, value: Any) -> Data:
    """An everyday number of an arm that is written with A, B, K, alpha and beta."""
    what = f"arm {arm['name']!r}"
    if isinstance(arm["A"], list) or arm["K"] != 0 or arm["beta"] != 1:
        raise InputError(f"{what} has no {key!r}: its state is not a distance from rested: set A, B, K, alpha, beta")
    family = arm.get("family", "bernoulli")
    if key == "start" and value == RESTED:
        return {"x0": RESTED}
    if key == "start":
        return {"x0": link(value, family, f"start of {what}") - arm["alpha"]}
    if key == "worn":
        return {"B": -(arm["alpha"] - link(value, family, f"worn of {what}")) * (1 - arm["A"])}
    numbers = {"rested": unlink(arm["alpha"], family), "wear": 1.0, "half_life": 1.0, key: value}
    made = everyday_arm(arm["name"], **numbers, family=family, sigma=arm.get("sigma"))
    own = {"rested": "alpha", "wear": "B", "half_life": "A"}[key]
    return {own: getattr(made, own)}


def _set_arms(arms: list[Data], key: str, value: Any, state_given: bool) -> None:
    for arm in arms:
        arm.pop(_INSTEAD.get(key, ""), None)
        arm |= {key: value} if "A" not in arm or key not in _EVERYDAY else _translated(arm, key, value)
        if key in _MOVE_STATES and not state_given:
            arm.pop("state", None)
