"""A policy's state as plain data, with a checksum so that a damaged one is never continued."""

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from roguewk.kernel.handle import Handle
from roguewk.policy.online import Policy
from roguewk.policy.registry import recipe
from roguewk.problem.errors import InputError
from roguewk.problem.plain import problem_from_data, problem_to_data
from roguewk.problem.problem import Problem, check_problem

FORMAT = "roguewk policy 2"
# Working memory, and what is made from the problem anew, by the names of the fields in the package's own parts.
NOT_SAVED = {
    *("arms", "vectors", "grid", "solver", "limits", "spare", "spare_states", "rates", "fresh"),
    *("reward_bounds", "cost_bounds", "shares", "prices", "memo", "taken", "available"),
    *("worth", "program", "beam", "notes", "everything", "budgets"),
}


def policy_state(policy: Policy) -> dict[str, Any]:
    """The state of a policy."""
    custom = any(arm.custom for arm in policy.problem.arms)
    content = {
        "format": FORMAT,
        "policy": policy.recipe.name,
        "parameters": policy.parameters,
        "problem": None if custom else problem_to_data(policy.problem),
        "seed": policy.seed,
        "replicate": policy.replicate,
        "identity": policy.identity,
        "round": policy.round,
        "spent": list(policy.spent),
        "pending": [[round_, arm, *memo] for round_, (arm, memo) in policy.pending.items()],
        "arrays": {path: _to_lists(array) for path, array in _lasting(policy.parts)},
    }
    return {**content, "checksum": _checksum(content)}


def restore_policy(state: Mapping[str, Any], problem: Problem | None = None) -> Policy:
    """Continue a policy from its `state()`, random numbers included.

    The problem comes with the state, except for arms with functions of your own: give it then.

    >>> import json
    >>> import roguewk as rw
    >>> policy = rw.make_policy("ucb1", rw.catalog.paper().problem)
    >>> saved = json.dumps(policy.state())
    >>> rw.restore_policy(json.loads(saved)).select().arm == policy.select().arm
    True
    """
    if not isinstance(state, Mapping) or state.get("format") != FORMAT:
        raise InputError(f"the state is not of the format {FORMAT!r}: give what policy.state() returned")
    content = {key: value for key, value in state.items() if key != "checksum"}
    if state.get("checksum") != _checksum(content):
        raise InputError("the state is damaged, its checksum does not match: restore an undamaged copy")
    if problem is None:
        if content["problem"] is None:
            raise InputError("the state is of a problem with functions h or g: give that problem to restore_policy")
        problem = problem_from_data(content["problem"], "the state")
    how = recipe(content["policy"])
    parameters = how.complete(content["parameters"])
    policy = Policy(how, check_problem(problem), content["seed"], parameters, content.get("replicate", 0))
    policy.identity = content["identity"]
    policy.round = content["round"]
    policy.spent = [float(amount) for amount in content["spent"]]
    policy.pending = {round_: (arm, tuple(memo)) for round_, arm, *memo in content["pending"]}
    for path, array in _lasting(policy.parts):
        _fill(array, content["arrays"].get(path), path)
    return policy


def _lasting(part: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The arrays that carry what was learned, by their path in the parts."""
    skipped = NOT_SAVED if type(part).__module__.startswith("roguewk.") else {"spare"}
    for name, value in zip(part._fields, part, strict=True):
        if name in skipped:
            continue
        if isinstance(value, Handle):
            value = value.part
        if isinstance(value, np.ndarray):
            yield f"{path}{name}", value
        elif isinstance(value, tuple):
            yield from _lasting(value, f"{path}{name}.")


def _to_lists(array: Any) -> Any:
    if array.dtype.names is None:
        return _plain(array.tolist())
    return {name: _plain(array[name].tolist()) for name in array.dtype.names}


def _plain(value: Any) -> Any:
    """Numbers in lists, infinite ones as text: JSON has none."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value if math.isfinite(value) else str(value)


def _fill(array: Any, saved: Any, path: str) -> None:
    fields = array.dtype.names
    try:
        for name in fields or (None,):
            mine = array if name is None else array[name]
            theirs = np.array(saved if name is None else saved[name], dtype=mine.dtype).reshape(mine.shape)
            mine[...] = theirs
    except (TypeError, ValueError, KeyError):
        raise InputError(
            f"the state does not fit the problem at {path!r}: give the problem it was saved with"
        ) from None


def _checksum(content: Mapping[str, Any]) -> str:
    try:
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError):
        raise InputError("the state is damaged, it holds what JSON cannot: restore an undamaged copy") from None
    return hashlib.sha256(text.encode()).hexdigest()
