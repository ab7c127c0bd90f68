"""The sentences that name what is allowed."""

import pytest

from roguewk.problem.errors import InputError, known


def test_all_that_is_allowed_is_named_unless_it_is_very_long() -> None:
    with pytest.raises(InputError, match=r"known are n0, n1, .*, n19$"):
        known("?", [f"n{i}" for i in range(20)], "thing")
    with pytest.raises(InputError, match=r"n19 and 1 more$"):
        known("?", [f"n{i}" for i in range(21)], "thing")


def test_a_near_match_that_may_be_none_is_named_with_all_others() -> None:
    with pytest.raises(
        InputError, match=r"unknown kind 'normal': did you mean 'uniform'\? \(known are beta, uniform\)$"
    ):
        known("normal", ["beta", "uniform"], "kind", list_all=True)
