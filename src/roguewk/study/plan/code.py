"""Policies of one's own in a study: a Python file, loaded from its text on every machine that plays them."""

import functools
import hashlib
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, NamedTuple

from roguewk.engine.specs import Name
from roguewk.part.part import ROLES
from roguewk.policy.registry import all_parts, all_recipes
from roguewk.problem.errors import InputError, text
from roguewk.study.plan.model import ADDED, PACKAGE, PLAIN


class Loaded(NamedTuple):
    """The module of a study's own code, and the names of the policies and parts that it has added."""

    module: ModuleType
    added: frozenset[str]


@functools.cache
def load_code(source: str) -> Loaded:
    """Run the text as a module; policies that it adds with rw.add_policy are known from then on."""
    name = f"roguewk_study_code_{hashlib.sha256(source.encode()).hexdigest()[:12]}"
    module = ModuleType(name)
    sys.modules[name] = module  # dataclasses and named tuples look their module up
    before = _registered()
    try:
        exec(compile(source, f"<{name}>", "exec"), module.__dict__)
    except InputError:
        raise
    except (Exception, SystemExit) as error:  # anything may go wrong in someone's own file
        reason = " ".join(f"{type(error).__name__}: {error}".replace(f"<{name}>", "the file").split())
        raise InputError(f"the code of the study cannot be loaded ({reason}): correct the file") from None
    added = {name for name, what in _registered().items() if before.get(name) is not what}
    return Loaded(module, frozenset(added))


def _registered() -> dict[str, object]:
    """Every policy and every part there is, by name; what is registered anew is another object."""
    parts = {name: part for role in ROLES for name, part in all_parts(role).items()}
    return {**parts, **all_recipes()}


def own_classes(source: str) -> dict[str, Callable[..., Any]]:
    """The policies in plain Python that a file defines."""
    if not source:
        return {}
    module = load_code(source).module
    return {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type) and value.__module__ == module.__name__ and hasattr(value, "select")
    }


def policy_named(name: str | Mapping[str, str], source: str) -> Name:
    """What the engine plays under this name: a policy of the package, three parts, or a class of the file."""
    if isinstance(name, Mapping):
        return name
    classes = own_classes(source)
    return classes[text(name, "name of a policy")] if name in classes and name not in all_recipes() else name


def origin_of(name: str | Mapping[str, str], source: str) -> str:
    """Whose the policy of this name is, or that of these parts."""
    if callable(policy_named(name, source)):
        return PLAIN
    names = name.split("/") if isinstance(name, str) else name.values()
    return ADDED if source and not load_code(source).added.isdisjoint(names) else PACKAGE
