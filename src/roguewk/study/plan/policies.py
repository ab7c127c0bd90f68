"""The policies of a study: by name or by parts, with parameters that are set or swept."""

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from roguewk.part.part import ROLES
from roguewk.policy.registry import all_recipes, check_name, recipe
from roguewk.problem.errors import InputError, known, text
from roguewk.study.plan.code import origin_of, own_classes, policy_named
from roguewk.study.plan.model import PACKAGE, PlannedPolicy
from roguewk.study.plan.sweep import Settings, all_settings, named, swept

ALL = "all"


def plan_policies(table: Mapping[str, Any], place: int, code: str) -> Iterator[PlannedPolicy]:
    """The policies of one table [[policy]]; `code` is the text of the file with policies of one's own."""
    where = f"policy number {place + 1}"
    label = text(table["label"], f"label of {where}") if "label" in table else None
    given = {key: value for key, value in table.items() if key != "label"}
    if given.get("policy") == ALL:
        given["policy"] = list(all_recipes())
    if "policy" not in given and not set(ROLES) <= set(given):
        raise InputError(f"{where} has no 'policy': add `policy = \"roguewk-ucb\"`, or rewards, costs and allocate")
    for chosen in all_settings(given, where):
        name, settings = _split(chosen, where, code)
        varied = [key for key in swept(given) if key in settings]
        lists_names = any(key in swept(given) for key in ("policy", *ROLES) if key not in settings)
        start = label or told_name(name)
        if label and lists_names:
            start = f"{label} {told_name(name)}"
        told = named(start, settings, varied if label else list(settings))
        yield PlannedPolicy(told, name, settings, origin_of(name, code))


def told_name(name: str | Mapping[str, str]) -> str:
    """The name, or the parts as they are written in one word.

    >>> told_name({"rewards": "rogue", "costs": "wilson", "allocate": "lp"})
    'rogue/wilson/lp'
    """
    return name if isinstance(name, str) else "/".join(name.values())


def all_parameters(policy: PlannedPolicy) -> Settings:
    """All parameters of a policy of the package; of the study's own those given, as only its code knows the others."""
    if policy.origin != PACKAGE:
        return dict(policy.settings)
    return recipe(policy.name).complete(policy.settings)


def _split(chosen: Settings, where: str, code: str) -> tuple[str | dict[str, str], Settings]:
    """Name or parts, and the parameters, both checked."""
    name: str | dict[str, str]
    if "policy" in chosen:
        name = text(chosen["policy"], f"policy of {where}")
        settings = {key: value for key, value in chosen.items() if key != "policy"}
    else:
        name = {role: text(chosen[role], f"{role} of {where}") for role in ROLES}
        settings = {key: value for key, value in chosen.items() if key not in ROLES}
    what = policy_named(name, code)
    if callable(what):
        for key in settings:
            known(key, list(inspect.signature(what).parameters)[2:], f"parameter of policy {name!r}:")
        return name, settings
    both = [role for role in ROLES if role in settings]
    if both:
        raise InputError(f"{where} has both 'policy' and {both[0]!r}: give a name, or rewards, costs and allocate")
    if isinstance(name, str) and ":" in name:
        remedy = 'give each a key of its own, such as `dynamics = "learned"`'
        raise InputError(f"policy {name!r} of {where} has its parameters as commands have them: {remedy}")
    if isinstance(name, str) and "/" not in name:
        check_name(name, [*all_recipes(), *own_classes(code)])
    recipe(what).complete(settings)
    return name, settings
