"""The sentences that name what is allowed."""

import pytest

from roguewk.problem.errors import InputError, known


def test_all_that_is_allowed_is_named_unless_it_is_very_long() -> None:
    with pytest.raises(InputError, match=r"known are n0, n1, .*, n19$"):
        known("?", [f"n{i}" for i in range(20)], "thing")
    with pytest.raises(InputError, match=r"n19 and 1 more$"):
        known("?", [f"n{i}" for i in range(21)], "thing")
