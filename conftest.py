"""What a test adds to the package, no other test sees, whichever runs first."""

import sys
from collections.abc import Iterator

import pytest

from roguewk.policy import registry


@pytest.fixture(autouse=True)
def _own_policies_are_forgotten() -> Iterator[None]:
    yield
    registry._OWN_RECIPES.clear()
    registry._OWN_PARTS.clear()
    code = sys.modules.get("roguewk.study.plan.code")
    if code is not None:
        code.load_code.cache_clear()  # or policies that it added would not come back with it
