"""Policies of one's own in a study: a Python file, loaded from its text on every machine that plays them."""

import functools
import hashlib
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from roguewk.engine.specs import Name
from roguewk.policy.registry import all_recipes
from roguewk.problem.errors import InputError, text


@functools.cache
def load_code(source: str) -> ModuleType:
    """The module with this text; policies that it adds with rw.add_policy are known from then on."""
    name = f"roguewk_study_code_{hashlib.sha256(source.encode()).hexdigest()[:12]}"
    module = ModuleType(name)
    sys.modules[name] = module  # dataclasses and named tuples look their module up
    try:
        exec(compile(source, f"<{name}>", "exec"), module.__dict__)
    except InputError:
        raise
    except (Exception, SystemExit) as error:  # anything may go wrong in someone's own file
        reason = " ".join(f"{type(error).__name__}: {error}".replace(f"<{name}>", "the file").split())
        raise InputError(f"the code of the study cannot be loaded ({reason}): correct the file") from None
    return module


def own_classes(source: str) -> dict[str, Callable[..., Any]]:
    """The policies in plain Python that a file defines."""
    if not source:
        return {}
    module = load_code(source)
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
