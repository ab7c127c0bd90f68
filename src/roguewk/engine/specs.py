"""How the policies of a simulation may be given: by name, with parameters, as parts, or as classes of your own."""

from collections.abc import Mapping, Sequence
from typing import Any

from roguewk.engine.plain import Maker
from roguewk.part.part import ROLES
from roguewk.policy.registry import recipe
from roguewk.problem.errors import InputError, shown, text, unique

Name = str | Mapping[str, Any] | Maker  # of a policy, of its parts by role, or a class of your own
Spec = Name | tuple[Name, Mapping[str, Any]]


def labelled(policies: Any) -> list[tuple[str, Name, Mapping[str, Any]]]:
    """Label, name and parameters of each policy."""
    if isinstance(policies, Mapping) and not _is_parts(policies):
        found = [(text(label, "label of a policy"), *_spec(spec)) for label, spec in policies.items()]
    else:
        pair = isinstance(policies, tuple) and _is_pair(policies)
        lone = isinstance(policies, str | Mapping) or callable(policies) or pair
        specs = [policies] if lone else policies if isinstance(policies, Sequence) else []
        found = [(_label(*_spec(spec)), *_spec(spec)) for spec in specs]
    if not found:
        raise InputError(f"policies are {shown(policies)}: give the name of at least one policy")
    unique((label for label, _, _ in found), "policies")
    return found


def _spec(spec: Any) -> tuple[Name, Mapping[str, Any]]:
    if isinstance(spec, Mapping) and _is_parts(spec):
        return {role: spec[role] for role in ROLES if role in spec}, {k: v for k, v in spec.items() if k not in ROLES}
    if isinstance(spec, str) or callable(spec):
        return spec, {}
    if not _is_pair(spec):
        raise InputError(f"policy {shown(spec)} is neither a name nor a pair of name and parameters: give one of them")
    return spec[0], spec[1]


def _is_parts(spec: Mapping[str, Any]) -> bool:
    return any(role in spec and isinstance(spec[role], str) for role in ROLES)


def _is_pair(spec: Any) -> bool:
    return isinstance(spec, tuple | list) and len(spec) == 2 and isinstance(spec[1], Mapping)


def _label(what: Name, parameters: Mapping[str, Any]) -> str:
    name = getattr(what, "__name__", type(what).__name__) if callable(what) else recipe(what).name
    return f"{name} {', '.join(f'{shown(key, str)}={shown(value, str)}' for key, value in parameters.items())}".strip()
