"""Open Bandit Pipeline, in its own environment."""

import importlib
import importlib.util
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from benchmarks.libraries import child


def _without_torch() -> ModuleType:
    """Its context-free policies; the packages around them would also import PyTorch, which these do not need."""
    found = importlib.util.find_spec("obp")
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError("obp")
    root = found.submodule_search_locations[0]
    for name, folder in (("obp", root), ("obp.policy", f"{root}/policy")):
        package = ModuleType(name)
        package.__path__ = [folder]
        sys.modules[name] = package
    return importlib.import_module("obp.policy.contextfree")


policies = _without_torch()


def make(policy: str, constants: Mapping[str, Any], arms: int, seed: int) -> child.Player:
    """The policy of this name."""
    made = getattr(policies, policy)(n_actions=arms, random_state=seed, **constants)
    return lambda: made.select_action()[0], made.update_params


if __name__ == "__main__":
    child.main("obp", make)
