"""Draw an arm with chances that are given once and for all, as trials do; a round that no arm takes is left idle.

Where rounds may be idle, budgets are kept for sure: no arm is drawn unless what is left of each budget covers the
largest cost of its resource, also for pulls whose costs have not come yet. Elsewhere the game ends as for every policy.
Arms that are away leave their chances to idling, or to the others if no chance is left for idling.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant
from roguewk.part.desk import Desk
from roguewk.part.parameter import Parameter
from roguewk.part.part import ALLOCATE, Part
from roguewk.part.status import Status
from roguewk.part.verbs import allocate
from roguewk.problem.errors import InputError, number, shown
from roguewk.problem.ledger import WITHIN, first_uncovered
from roguewk.problem.problem import Problem

ROUNDING = 1e-9


class Given(NamedTuple):
    """The same chances in every round."""

    chances: Constant[Vector]  # (arm,)
    may_idle: bool
    idles: bool  # by chance


def _chance(value: Any, what: str) -> float:
    result = number(value, what)
    if not 0 <= result <= 1:
        raise InputError(f"{what} is {shown(value)}: give a number from 0 to 1")
    return result


def _as_given(value: Any, what: str) -> Any:
    """Plain data, as a saved policy needs it; how many there are is checked against the problem."""
    if value is None:
        return None
    if isinstance(value, Mapping):
        return {str(name): _chance(each, f"{what} for arm {name!r}") for name, each in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_chance(each, f"{what} for arm {a}") for a, each in enumerate(value)]
    return _chance(value, what)


def _by_arm(problem: Problem, chances: Any) -> Vector:
    arms = len(problem.arms)
    if chances is None:
        return np.full(arms, 1.0 / (arms + problem.idle))
    if isinstance(chances, Mapping):
        found = np.zeros(arms)
        for name, each in chances.items():
            found[problem.arm_index(name)] = each
        return found
    if isinstance(chances, list):
        if len(chances) != arms:
            raise InputError(f"{len(chances)} chances are given for {arms} arms: give one each, or name the arms")
        return np.array(chances)
    return np.full(arms, chances / arms)


def _build(problem: Problem, chances: Any) -> Given:
    found = _by_arm(problem, chances)
    total = float(found.sum())
    if total > 1.0 + ROUNDING:
        raise InputError(f"the chances of the arms sum to {total:g}: let them sum to at most 1")
    if total < 1.0 - ROUNDING and not problem.idle:
        raise InputError(
            f"the chances of the arms sum to {total:g}, and this problem has no idle rounds: let them sum to 1, or set"
            " idle"
        )
    return Given(found, problem.idle, total < 1.0 - ROUNDING)


@allocate.body(Given)
def _allocate(part: Given, desk: Desk, now: Now) -> int:
    desk.shares[:] = 0.0
    desk.prices[:] = 0.0
    if not desk.available.any():
        return Status.NOTHING
    if part.may_idle and first_uncovered(desk.ledger) != WITHIN:
        return Status.UNCOVERED
    total = 0.0
    for a in range(desk.shares.size):
        if desk.available[a]:
            desk.shares[a] = part.chances[a]
            total += part.chances[a]
    if not part.idles and (total > 0.0 or not part.may_idle):  # those that are away leave their chances to the others
        for a in range(desk.shares.size):
            if desk.available[a]:
                desk.shares[a] = desk.shares[a] / total if total > 0.0 else 1.0 / desk.available.sum()
    return Status.GIVEN


GIVEN_CHANCES = Part(
    role=ALLOCATE,
    name="given",
    summary="an arm drawn with chances that are given, budgets kept where rounds may be idle",
    build=_build,
    parameters={
        "chances": Parameter(
            None,
            "of each arm, in order or by name, or of any pull, shared evenly; the rest is for idle rounds; by default"
            " all alike",
            _as_given,
        )
    },
)
PARTS = (GIVEN_CHANCES,)
