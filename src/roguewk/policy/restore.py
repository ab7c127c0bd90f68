"""Continue a policy from its state."""

import functools
import json
from collections.abc import Mapping
from typing import Any

from roguewk.policy.judge import check_learned
from roguewk.policy.online import Policy
from roguewk.policy.registry import recipe
from roguewk.policy.saved import Saved, bytes_to_saved, data_to_saved, problem_digest
from roguewk.policy.templates import template
from roguewk.problem.errors import InputError
from roguewk.problem.plain import problem_from_data
from roguewk.problem.problem import Problem, check_problem


def restore_policy(state: Mapping[str, Any] | bytes, problem: Problem | None = None) -> Policy:
    """Continue a policy from its `state()` or its `to_bytes()`, random numbers included.

    A state brings its problem along, unless it was left out, has arms with functions of your own, or comes as bytes:
    give the problem then.

    >>> import json
    >>> import roguewk as rw
    >>> problem = rw.catalog.paper().problem
    >>> policy = rw.make_policy("ucb1", problem)
    >>> saved = json.dumps(policy.state())
    >>> rw.restore_policy(json.loads(saved)).select().arm == policy.select().arm
    True
    >>> rw.restore_policy(policy.to_bytes(), problem=problem).round
    1
    """
    if isinstance(state, bytes | bytearray | memoryview):
        saved = bytes_to_saved(bytes(state))
    elif isinstance(state, Mapping):
        saved = data_to_saved(state)
    else:
        raise InputError(f"the state is a {type(state).__name__}: give what policy.state() or to_bytes() returned")
    how = recipe(saved.policy)
    made = template(how, _problem(saved, problem), how.complete(saved.parameters))
    policy = Policy(made, saved.seed, saved.replicate)
    check_learned(made, saved.learned, saved.pending, policy.learned)
    policy.open_pulls.update(saved.pending)
    return policy


def _problem(saved: Saved, given: Problem | None) -> Problem:
    if given is None and saved.problem is None:
        raise InputError("the state has no problem with it: give the problem to restore_policy")
    found = _read_problem(json.dumps(saved.problem)) if given is None else check_problem(given)
    if problem_digest(found) != saved.digest:
        raise InputError("the state is of another problem: give the problem that the policy was made for")
    return found


@functools.lru_cache(maxsize=64)
def _read_problem(content: str) -> Problem:
    """Read once, so that policies restored from states of one problem share what is made from it."""
    return problem_from_data(json.loads(content), "the state")
