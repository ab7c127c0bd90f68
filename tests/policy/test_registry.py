"""Policies and parts by name."""

import re
from pathlib import Path

import pytest

import roguewk as rw
from roguewk.policy.registry import all_parts
from roguewk.problem.errors import MOST_LISTED
from roguewk.study.plan.read import study_from_text

PROBLEM = rw.catalog.paper().problem
WHERE = r"and \d+ more: `roguewk policies` or rw.policies\(\) lists all$"


def test_a_refusal_that_names_some_policies_says_where_all_of_them_are() -> None:
    with pytest.raises(rw.InputError, match=WHERE):
        rw.make_policy("nope", PROBLEM)
    with pytest.raises(rw.InputError, match=WHERE):
        rw.simulate(rw.catalog.paper(), "nope")
    source = '[[world]]\nworld = "paper"\n[[policy]]\npolicy = "nope"\n'
    with pytest.raises(rw.InputError, match=WHERE):
        study_from_text(source, "study", Path())
    with pytest.raises(rw.InputError, match=re.escape("did you mean 'ucb1'?") + "$"):
        rw.make_policy("ucb2", PROBLEM)


def test_a_refusal_that_names_some_parts_says_where_all_of_them_are() -> None:
    assert len(all_parts("rewards")) > MOST_LISTED
    with pytest.raises(rw.InputError, match=r"more: `roguewk policies --parts` lists all$"):
        rw.make_policy("nope/wilson/lp", PROBLEM)
