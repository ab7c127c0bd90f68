"""Named constants of policies: their defaults, meanings and checks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from roguewk.problem.errors import LARGEST, InputError, number, shown, truth_value, whole
from roguewk.problem.problem import LONGEST


@dataclass(frozen=True)
class Parameter:
    """A named constant of a policy."""

    default: Any
    meaning: str
    check: Callable[[Any, str], Any]


def within(default: float, low: float, high: float, meaning: str) -> Parameter:
    """A number from `low` to `high`."""

    def check(value: Any, what: str) -> float:
        result = number(value, what)
        if not low <= result <= high:
            span = f"of at least {low:g}" if high >= LARGEST > result else f"from {low:g} to {high:g}"
            raise InputError(f"{what} is {shown(value)}: give a number {span}")
        return result

    return Parameter(default, meaning, check)


def not_negative(default: float, meaning: str) -> Parameter:
    """A number of at least 0."""
    return within(default, 0.0, LARGEST, meaning)


def above_zero(default: float, meaning: str) -> Parameter:
    """A positive number."""
    inner = not_negative(default, meaning)

    def check(value: Any, what: str) -> float:
        result: float = inner.check(value, what)
        if result < 1 / LARGEST:
            raise InputError(f"{what} is {shown(value)}: give a number above {0 if result == 0 else 1 / LARGEST:g}")
        return result

    return Parameter(default, meaning, check)


def counted(default: int, least: int, most: int, meaning: str) -> Parameter:
    """A whole number."""
    return Parameter(default, meaning, lambda value, what: whole(value, what, least, most))


def switch(default: bool, meaning: str) -> Parameter:
    """True or false."""
    return Parameter(default, meaning, truth_value)


def choice(default: str, options: tuple[str, ...], meaning: str) -> Parameter:
    """One of several words."""

    def check(value: Any, what: str) -> str:
        if not isinstance(value, str) or value not in options:
            raise InputError(f"{what} is {shown(value)}: give one of {', '.join(map(repr, options))}")
        return str(value)

    return Parameter(default, f"{meaning}: {', '.join(options)}", check)


def optional(inner: Parameter) -> Parameter:
    """The same, or None to have it worked out."""
    return Parameter(None, inner.meaning, lambda value, what: None if value is None else inner.check(value, what))


def optional_whole(meaning: str) -> Parameter:
    """A positive whole number, or None to have it worked out."""
    return optional(counted(1, 1, LONGEST, meaning))


def optional_amount(meaning: str) -> Parameter:
    """A number of at least 0, or None to have it worked out."""
    return optional(not_negative(0.0, meaning))


KNOWN, LEARNED = "known", "learned"
DYNAMICS = optional(
    choice(
        KNOWN,
        (KNOWN, LEARNED),
        "whether how arms wear off and recover is taken from the problem or learned; without it, learned if any arm has"
        " a prior",
    )
)
COMMON: Mapping[str, Parameter] = {
    "doubling": counted(
        0,
        0,
        LONGEST,
        "unknown horizon: length of the first epoch of the geometric doubling trick; 0 trusts the problem's horizon",
    ),
    "restart": switch(False, "with doubling, forget everything at each new epoch"),
}
