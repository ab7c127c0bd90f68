"""A part of a policy by name: a reward estimate, a cost estimate or an allocation."""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from roguewk.part.parameter import Parameter
from roguewk.problem.errors import InputError, known, shown, text, truth_value
from roguewk.problem.family.family import Rewards
from roguewk.problem.problem import Problem

REWARDS, COSTS, ALLOCATE = "rewards", "costs", "allocate"
ROLES = (REWARDS, COSTS, ALLOCATE)
CONTEXTS = "contexts"  # given by estimates and allocations that take contexts into account


def any_problem(problem: Problem) -> None:
    """Every problem will do."""


@dataclass(frozen=True)
class Part:
    """What a part is, its parameters, and how it is built: `build(problem, **parameters)`.

    `first_pulls` has every arm played once before all else. `check` raises an InputError for a problem that the part
    does not fit. An allocation `needs` what some estimates `give` beyond bounds, and `fixes` some of their constants.
    A part that draws random numbers of its own says so by `draws`: the probabilities of decisions are then given these.

    >>> import roguewk as rw
    >>> from roguewk.allocate.argmax import EXPLORE
    >>> EXPLORE.role, EXPLORE.name, list(EXPLORE.parameters)
    ('allocate', 'explore', ['explore', 'explore_decay'])
    """

    role: str
    name: str
    summary: str
    build: Callable[..., Any]
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    first_pulls: bool = False
    check: Callable[[Problem], None] = any_problem
    gives: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    fixes: Mapping[str, Any] = field(default_factory=dict)
    only_for: frozenset[str] = frozenset()  # the allocations that an estimate is for, if not for all
    draws: bool = False

    def __post_init__(self) -> None:
        what = f"part {text(self.name, 'name of a part')!r}"
        known(self.role, ROLES, f"role of {what}:")
        for name in ("build", "check"):
            if not callable(getattr(self, name)):
                raise InputError(f"{name} of {what} is {shown(getattr(self, name))}: give a function")
        for name in ("parameters", "fixes"):
            if not isinstance(getattr(self, name), Mapping):
                raise InputError(f"{name} of {what} is {shown(getattr(self, name))}: give a dict")
        for name in ("gives", "needs", "only_for"):
            if not isinstance(getattr(self, name), Set):
                raise InputError(f"{name} of {what} is {shown(getattr(self, name))}: give a set of names")
        for each in self.parameters.values():
            if not isinstance(each, Parameter):
                raise InputError(f"a parameter of {what} is {shown(each)}: make it with roguewk.part.parameter")
        for name in ("first_pulls", "draws"):
            truth_value(getattr(self, name), f"{name} of {what}")


def coin_rewards(name: str, instead: str) -> Callable[[Problem], None]:
    """A check that all rewards are 0 or 1; `instead` names what would do for others."""
    return _fitting_rewards(name, "of 0 or 1", instead, lambda rewards: rewards.coins)


def unit_rewards(name: str, instead: str) -> Callable[[Problem], None]:
    """A check that all rewards are in [0, 1]; `instead` names what would do for others."""
    return _fitting_rewards(name, "from 0 to 1", instead, lambda rewards: rewards.unit)


def _fitting_rewards(name: str, needed: str, instead: str, fit: Callable[[Rewards], bool]) -> Callable[[Problem], None]:
    def check(problem: Problem) -> None:
        for arm in problem.arms:
            if not fit(arm.reward_family.rewards):
                raise InputError(
                    f"{name!r} needs rewards {needed} and those of arm {arm.name!r} are not: take {instead}"
                )

    return check


def some_resource(name: str, instead: str) -> Callable[[Problem], None]:
    """A check that there is something to spend."""

    def check(problem: Problem) -> None:
        if not problem.resources:
            raise InputError(f"{name!r} weighs rewards against costs and the problem has no resource: take {instead}")

    return check
