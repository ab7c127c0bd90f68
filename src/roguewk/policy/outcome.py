"""What a caller says of a round, checked: which arms are possible, and what a pull took."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from roguewk.policy.templates import Template
from roguewk.problem.errors import InputError, number, shown
from roguewk.problem.problem import Problem


def mask_of(problem: Problem, available: Sequence[int | str | bool]) -> Any:
    """(arm,) which arms are possible, from their names, indices or flags."""
    if isinstance(available, str | Mapping):
        raise InputError(f"available is {shown(available)}: give a list of arms")
    try:
        listed = list(available)
    except TypeError:
        raise InputError(f"available is {shown(available)}: give a list of arms") from None
    arms = len(problem.arms)
    if listed and all(isinstance(each, bool | np.bool_) for each in listed):
        if len(listed) != arms:
            raise InputError(f"available has {len(listed)} flags for {arms} arms: give one each")
        return np.array(listed, dtype=np.bool_)
    mask = np.zeros(arms, dtype=np.bool_)
    for each in listed:
        mask[problem.arm_index(each)] = True
    return mask


def take_costs(made: Template, arm: int, costs: Any, out: Any) -> None:
    """Write what a pull took, checked, to `out`, (resource,), scaled into [0, 1]."""
    limits, units, names = made.limits, made.setting.units, made.setting.resources
    if isinstance(costs, Mapping):
        if set(costs) != set(names):
            raise InputError(f"costs name {', '.join(map(shown, costs))}: name each of {', '.join(map(repr, names))}")
        costs = [costs[name] for name in names]
    if type(costs) is not list:
        try:
            costs = [] if costs is None else list(costs)
        except TypeError:
            raise InputError(f"costs are {shown(costs)}: give a list, or a dict by resource") from None
    if len(costs) != len(limits):
        raise InputError(f"{len(costs)} costs for {len(limits)} resources: give one each, in their order")
    for j, value in enumerate(costs):
        if type(value) is not float or not 0.0 <= value <= limits[j]:
            value = _cost(made, arm, j, value)
        out[j] = value / units[j]


def _cost(made: Template, arm: int, j: int, value: Any) -> float:
    resource = made.problem.resources[j]
    what = f"cost of arm {made.setting.arms[arm]!r} on {resource.name!r}"
    result = number(value, what)
    if not 0 <= result <= made.limits[j]:
        remedy = "give a number of at least 0" if result < 0 else "set that resource's largest_cost"
        raise InputError(f"{what} is {shown(value)}, outside [0, {resource.unit:g}]: {remedy}")
    return result
