"""The JSON Schema of study files, made from what the package knows, so that editors complete and check them."""

from collections.abc import Iterable
from typing import Any

from roguewk.kernel.luck import LARGEST_SEED
from roguewk.part.parameter import COMMON, Parameter
from roguewk.part.part import ROLES
from roguewk.policy.registry import all_parts, all_recipes
from roguewk.problem.family.registry import NAMES
from roguewk.study.plan.checks import MOST_REPLICATES, MOST_TRACES
from roguewk.study.plan.model import FIGURES, KINDS, Record
from roguewk.study.plan.policies import ALL
from roguewk.study.plan.read import REPLICATES, UNFIT
from roguewk.world import catalog
from roguewk.world.plain import WORLD_ARM_KEYS

Schema = dict[str, Any]
_ABOVE_ZERO: Schema = {"type": "number", "exclusiveMinimum": 0}
_NUMBER: Schema = {"type": "number"}
_ROUNDS: Schema = {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string"}]}
_DURATION: Schema = {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]}
_NAMED: dict[str, tuple[Schema, str]] = {  # settings of what has a name in a world file
    "at_most": ({"type": "integer", "minimum": 1}, "pulls that caps allow"),
    "gap": (_DURATION, "rounds, or a text such as '2 days', from one pull to the next"),
    "every": (_DURATION, "rounds, or a text such as '7 days', after which budgets and caps renew"),
    "carry_over": ({"type": "boolean"}, "whether what is left of a period is kept"),
    "largest_cost": (_ABOVE_ZERO, "the most that one pull can take of a resource"),
    "chances": ({"type": "array", "items": {"type": "number", "minimum": 0}}, "of the values of a context"),
    "known": ({"type": "boolean"}, "whether policies are told the chances"),
    "cycle": ({"type": "array", "items": {"type": "string"}}, "in which a context goes round"),
    "each": (_DURATION, "how long an entry of a cycle lasts"),
}
_COST: Schema = {"anyOf": [{"type": "number", "minimum": 0}, {"type": "object"}]}
_ARM: dict[str, Schema] = {  # keys of arms that are alike in every world
    **dict.fromkeys(("alpha", "rested", "wear", "worn"), _NUMBER),
    "half_life": {"anyOf": [_ABOVE_ZERO, {"type": "string"}]},
    "sigma": _ABOVE_ZERO,
    "family": {"enum": list(NAMES)},
    "costs": {"anyOf": [{"type": "array"}, {"type": "object", "additionalProperties": _COST}]},
    "when": {"type": "object", "additionalProperties": {"anyOf": [_NUMBER, {"const": False}]}},
}


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
            "policy": _tables(_policy(), "a policy, or several where values are lists"),
            "record": _record(),
            "plot": _plot(),
        },
        # Policies of one's own have names and parameters that nobody knows here.
        "if": {"not": {"required": ["code"]}},
        "then": {"properties": {"policy": {"items": _known_policy()}}},
    }


def _text(description: str) -> Schema:
    return {"type": "string", "minLength": 1, "description": description}


def _whole(least: int, most: int, default: int, description: str) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most, "default": default, "description": description}


def _tables(items: Schema, description: str) -> Schema:
    return {"type": "array", "minItems": 1, "items": items, "description": description}


def _swept(one: Schema, description: str) -> Schema:
    """A value, or a list of values to sweep."""
    return {"anyOf": [one, {"type": "array", "minItems": 1, "items": one}], "description": description}


def _of_all_or_one(one: Schema, description: str) -> Schema:
    """A setting of everything that has it, or a table with that of each by name."""
    both = {"anyOf": [_swept(one, "of all"), {"type": "object", "additionalProperties": _swept(one, "of this one")}]}
    return {**both, "description": description}


def _world() -> Schema:
    path = {"type": "string", "pattern": r"(\.toml$|/|\\)"}
    names = [*catalog.names(), *(f"catalog:{name}" for name in catalog.names())]
    arm = {key: _swept(_ARM.get(key, {}), f"{key} of the arms, as in world files") for key in WORLD_ARM_KEYS}
    one_arm = {"type": "object", "additionalProperties": False, "properties": arm}
    late = {"anyOf": [_ROUNDS, {"type": "array", "minItems": 2, "maxItems": 2, "items": _ROUNDS}]}
    outcomes = {
        "delay": _swept(late, "rounds until outcomes are known, or the fewest and the most"),
        "missing": _swept({"type": "number", "minimum": 0, "maximum": 1}, "share of them that never is"),
    }
    return {
        "type": "object",
        "required": ["world"],
        "additionalProperties": False,
        "properties": {
            "world": _swept(
                {"anyOf": [{"enum": names}, path]}, "a world of the catalogue, or the path of a world file"
            ),
            "label": _text("what the world is called in tables and figures"),
            "horizon": _swept({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]}, "rounds, or a text"),
            "rounds_per_day": _swept(_ABOVE_ZERO, "rounds that a day has"),
            **{key: _of_all_or_one(*each) for key, each in _NAMED.items()},
            "idle": {
                "anyOf": [
                    _swept({"type": "boolean"}, "whether rounds may be left idle"),
                    {"type": "object", "additionalProperties": False, "properties": _idle()},
                ]
            },
            "budget": _of_all_or_one(_ABOVE_ZERO, "of resources"),
            "outcomes": {"type": "object", "additionalProperties": False, "properties": outcomes},
            "arms": _swept({"type": "integer", "minimum": 1}, "number of arms, of worlds that have any number of them"),
            "arm": {"type": "object", "additionalProperties": one_arm},
            **arm,
        },
    }


def _idle() -> Schema:
    """What idle rounds bring."""
    return {
        "reward": _swept(_NUMBER, "what an idle round brings on average"),
        "at_end": _swept(_NUMBER, "what it brings in the last round, if it drifts"),
        "family": _swept({"enum": list(NAMES)}, "of its outcomes (default: that of the arms)"),
        "sigma": _swept(_ABOVE_ZERO, "spread of Gaussian ones"),
        "known": _swept({"type": "boolean"}, "whether policies are told"),
    }


def _policy() -> Schema:
    every: dict[str, Parameter] = dict(COMMON)
    for part in (part for role in ROLES for part in all_parts(role).values()):
        every |= part.parameters
    for recipe in all_recipes().values():
        every |= recipe.parameters
    given = {key: _parameter(each) for key, each in sorted(every.items()) if key not in ROLES}
    names = {key: {"description": words, "examples": list(options)} for key, (options, words) in _names().items()}
    label = _text("what the policy is called in tables and figures")
    return {
        "type": "object",
        "anyOf": [{"required": ["policy"]}, {"required": list(ROLES)}],
        "properties": {**names, "label": label, **given},
    }


def _known_policy() -> Schema:
    """What holds besides for policies of the package."""
    combined = {"type": "string", "pattern": "^[^/]+/[^/]+/[^/]+$"}
    properties = {}
    for key, (options, words) in _names().items():
        properties[key] = _swept({"anyOf": [{"enum": list(options)}, combined]}, words)
    # "costs" is also a parameter, of policies that are told the truth.
    properties["costs"]["anyOf"].append({"type": "array", "items": {"type": "array"}})
    return {"propertyNames": {"enum": list(_policy()["properties"])}, "properties": properties}


def _names() -> dict[str, tuple[Iterable[str], str]]:
    """The keys that name policies and parts, with the names there are."""
    parts = {role: (all_parts(role), f"part of the policy: {role}") for role in ROLES}
    return {"policy": ((*all_recipes(), ALL), f"a policy by name; {ALL!r} is every one"), **parts}


def _parameter(parameter: Parameter) -> Schema:
    kinds = {bool: ["boolean"], int: ["number"], float: ["number"], str: ["string"]}
    kind = kinds.get(type(parameter.default))
    return _swept({"type": kind} if kind else {}, parameter.meaning)


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
    x = _text(
        "the setting of worlds, or the swept parameter of policies, along the axis (default: the setting that is swept)"
    )
    return {"type": "object", "additionalProperties": False, "properties": {"x": x, **some}}
