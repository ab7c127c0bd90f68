"""The JSON Schema of study files, made from what the package knows, so that editors complete and check them."""

from typing import Any

from roguewk.policy.registry import LARGEST_SEED, all_parts, all_recipes
from roguewk.problem import catalog
from roguewk.problem.parameter import COMMON, Parameter
from roguewk.problem.part import ROLES
from roguewk.problem.plain import ARM_KEYS
from roguewk.study.plan.model import FIGURES, KINDS, Record
from roguewk.study.plan.policies import ALL
from roguewk.study.plan.read import MOST_REPLICATES, MOST_TRACES, REPLICATES, UNFIT

Schema = dict[str, Any]


def study_schema() -> Schema:
    """The schema, as data.

    >>> study_schema()["required"]
    ['world', 'policy']
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "roguewk study",
        "type": "object",
        "required": ["world", "policy"],
        "additionalProperties": False,
        "properties": {
            "title": _text("what the report is called (default: the name of the file)"),
            "replicates": _whole(1, MOST_REPLICATES, REPLICATES, "runs of each policy in each world"),
            "seed": _whole(0, LARGEST_SEED, 0, "of all luck; every policy meets the same"),
            "baseline": _text("label of the policy that the others are compared with (default: the first)"),
            "unfit": {"enum": list(UNFIT), "default": UNFIT[0], "description": "policies that do not fit a world"},
            "code": _text("a Python file with policies of your own, relative to this file"),
            "world": _tables(_world(), "a world, or several where values are lists"),
            "policy": _tables({"type": "object"}, "a policy, or several where values are lists"),
            "record": _record(),
            "plot": _plot(),
        },
        # Policies of one's own have parameters that nobody knows here.
        "if": {"required": ["code"]},
        "then": {"properties": {"policy": {"items": _policy(known=False)}}},
        "else": {"properties": {"policy": {"items": _policy(known=True)}}},
    }


def _text(description: str) -> Schema:
    return {"type": "string", "minLength": 1, "description": description}


def _whole(least: int, most: int, default: int, description: str) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most, "default": default, "description": description}


def _tables(items: Schema, description: str) -> Schema:
    return {"type": "array", "minItems": 1, "items": items, "description": description}


def _named(names: list[str], description: str) -> Schema:
    """One of these names, another text, or a list of such."""
    one = {"anyOf": [{"enum": names}, {"type": "string"}]}
    return {"anyOf": [*one["anyOf"], {"type": "array", "minItems": 1, "items": one}], "description": description}


def _swept(kinds: list[str], description: str) -> Schema:
    """A value, or a list of values to sweep."""
    return {"type": [*kinds, "array"], "minItems": 1, "description": description}


def _world() -> Schema:
    scalar = ["number", "string", "boolean", "object"]
    arm = {key: _swept(scalar, f"{key} of the arms, as in world files") for key in ARM_KEYS}
    return {
        "type": "object",
        "required": ["world"],
        "additionalProperties": False,
        "properties": {
            "world": _named(catalog.names(), "a world of the catalogue, or the path of a world file"),
            "label": _text("what the world is called in tables and figures"),
            "horizon": _swept(["integer"], "rounds"),
            "idle": _swept(["boolean"], "whether rounds may be left idle"),
            "budget": _swept(["number", "object"], "of all resources, or a table with some of them by name"),
            "arms": _swept(["integer"], "number of arms, of worlds that have any number of them"),
            "arm": {"type": "object", "additionalProperties": {"type": "object", "properties": arm}},
            **arm,
        },
    }


def _policy(known: bool) -> Schema:
    every: dict[str, Parameter] = dict(COMMON)
    for recipe in all_recipes().values():
        every |= recipe.parameters
    for role in ROLES:
        for part in all_parts(role).values():
            every |= part.parameters
    given = {key: _parameter(each) for key, each in sorted(every.items()) if key not in ROLES}
    parts = {role: _named(list(all_parts(role)), f"part of the policy: {role}") for role in ROLES}
    policy = _named([*all_recipes(), ALL], f"a policy by name; {ALL!r} is every one")
    label = _text("what the policy is called in tables and figures")
    properties = {"policy": policy, "label": label, **parts, **given}
    return {
        "type": "object",
        "anyOf": [{"required": ["policy"]}, {"required": list(ROLES)}],
        "properties": properties,
        **({"additionalProperties": False} if known else {}),
    }


def _parameter(parameter: Parameter) -> Schema:
    return {"description": parameter.meaning, "minItems": 1}


def _record() -> Schema:
    traces = _whole(0, MOST_TRACES, Record.traces, "replicates that are kept round by round")
    bound = {"type": "boolean", "default": Record.bound, "description": "work out what no policy can beat"}
    return {"type": "object", "additionalProperties": False, "properties": {"traces": traces, "bound": bound}}


def _plot() -> Schema:
    some = {
        key: {"type": "array", "items": {"enum": list(options)}, "description": words}
        for key, options, words in (
            ("figures", FIGURES, "which figures are drawn (default: all)"),
            ("kinds", KINDS, "file kinds of the figures (default: all)"),
        )
    }
    x = _text("the setting of worlds along the axis (default: the one that is swept)")
    return {"type": "object", "additionalProperties": False, "properties": {"x": x, **some}}
