"""A recipe: how a named policy is put together, and what its parameters mean."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from roguewk.allocate.lp import RULES
from roguewk.policy.parts import Parts
from roguewk.problem.errors import InputError, known, number, truth_value, whole
from roguewk.problem.model import LONGEST, Problem


@dataclass(frozen=True)
class Parameter:
    """A named constant of a policy."""

    default: Any
    meaning: str
    check: Callable[[Any, str], Any]


def not_negative(default: float, meaning: str) -> Parameter:
    """A number of at least 0."""

    def check(value: Any, what: str) -> float:
        result = number(value, what)
        if result < 0:
            raise InputError(f"{what} is {value!r}: give a number of at least 0")
        return result

    return Parameter(default, meaning, check)


def choice(default: str, options: tuple[str, ...], meaning: str) -> Parameter:
    """One of several words."""

    def check(value: Any, what: str) -> str:
        if value not in options:
            raise InputError(f"{what} is {value!r}: give one of {', '.join(map(repr, options))}")
        return str(value)

    return Parameter(default, f"{meaning}: {', '.join(options)}", check)


def optional_whole(meaning: str) -> Parameter:
    """A positive whole number, or None to have it worked out."""
    return Parameter(None, meaning, lambda value, what: None if value is None else whole(value, what, 1, LONGEST))


def optional_amount(meaning: str) -> Parameter:
    """A number of at least 0, or None to have it worked out."""
    inner = not_negative(0.0, meaning)
    return Parameter(None, meaning, lambda value, what: None if value is None else inner.check(value, what))


INFEASIBLE = choice("normalise", tuple(RULES), "rule when every round must play")

COMMON: Mapping[str, Parameter] = {
    "doubling": Parameter(
        0,
        "unknown horizon: length of the first epoch of the geometric doubling trick; 0 trusts the problem's horizon",
        lambda value, what: whole(value, what, 0, LONGEST),
    ),
    "restart": Parameter(False, "with doubling, forget everything at each new epoch", truth_value),
}


@dataclass(frozen=True)
class Recipe:
    """A policy by name: one line on what it is, its parameters, and the function that builds its parts."""

    name: str
    summary: str
    build: Callable[..., Parts]
    parameters: Mapping[str, Parameter]
    knows_truth: bool = False  # x0 and costs are the world's, unless given

    def complete(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters: those given, checked, and the defaults of the others."""
        allowed = {**self.parameters, **COMMON}
        for key in given:
            known(key, allowed, f"parameter of policy {self.name!r}:")
        return {
            key: each.check(given[key], f"{key} of policy {self.name!r}") if key in given else each.default
            for key, each in allowed.items()
        }

    def parts(self, problem: Problem, parameters: Mapping[str, Any]) -> Parts:
        """Fresh parts for this problem; `parameters` are complete."""
        return self.build(problem, **parameters)
