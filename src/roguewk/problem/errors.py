"""The one error that bad input raises, and the checks that raise it."""

import difflib
import math
from collections.abc import Iterable
from typing import Any

MOST_LISTED = 12


class InputError(ValueError):
    """Something given to roguewk is wrong; the message says what, where and the remedy.

    >>> import roguewk as rw
    >>> try:
    ...     rw.Resource("staff", budget=-1.0)
    ... except rw.InputError as error:
    ...     print(error)
    budget of resource 'staff' is -1.0: give a positive number
    """


def number(value: Any, what: str) -> float:
    """`value` as a finite float."""
    if isinstance(value, bool) or (not isinstance(value, int | float) and not hasattr(value, "__float__")):
        raise InputError(f"{what} is {value!r}: give a number")
    try:
        result = float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{what} is {value!r}: give a number") from None
    if not math.isfinite(result):
        raise InputError(f"{what} is {value!r}: give a finite number")
    return result


def positive(value: Any, what: str) -> float:
    """`value` as a finite float above zero."""
    result = number(value, what)
    if result <= 0:
        raise InputError(f"{what} is {value!r}: give a positive number")
    return result


def whole(value: Any, what: str, least: int, most: int | None = None) -> int:
    """`value` as an int between `least` and `most`."""
    span = f"of at least {least}" if most is None else f"from {least} to {most}"
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise InputError(f"{what} is {value!r}: give a whole number {span}")
    result = int(value.__index__())
    if result < least or (most is not None and result > most):
        raise InputError(f"{what} is {value!r}: give a whole number {span}")
    return result


def text(value: Any, what: str) -> str:
    """`value` as a non-empty name."""
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{what} is {value!r}: give a non-empty text")
    if not value.isprintable():
        raise InputError(f"{what} is {value!r}: leave out what cannot be printed")
    return value


def truth_value(value: Any, what: str) -> bool:
    """`value` as a bool."""
    # NumPy's own bool is known by its name: importing NumPy here would slow `roguewk --help`.
    if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):
        raise InputError(f"{what} is {value!r}: give true or false")
    return bool(value)


def unique(names: Iterable[str], what: str) -> None:
    """No name twice; `what` is a plural."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(f"{name!r} is the name of two {what}: give each its own")
        seen.add(name)


def known(key: str, allowed: Iterable[str], what: str) -> None:
    """`key` is one of `allowed`; otherwise name the nearest."""
    allowed = list(allowed)
    if key in allowed:
        return
    near = difflib.get_close_matches(key.lower(), allowed, n=1)
    shown = ", ".join(allowed[:MOST_LISTED]) + (
        f" and {len(allowed) - MOST_LISTED} more" * (len(allowed) > MOST_LISTED)
    )
    remedy = f"did you mean {near[0]!r}?" if near else f"known are {shown}"
    raise InputError(f"unknown {what} {key!r}: {remedy}")
