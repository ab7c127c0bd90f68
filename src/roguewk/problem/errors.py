"""The one error that bad input raises, and the checks that raise it."""

import difflib
import math
import operator
from collections.abc import Callable, Collection, Iterable
from typing import Any

MOST_LISTED = 20
LONGEST_SHOWN = 200  # characters of what was given
LARGEST = 1e30  # of numbers with a unit: squares of products of them must neither overflow nor vanish
LARGEST_WHOLE = 2**63 - 1  # as compiled code has them


class InputError(ValueError):
    """Something given to roguewk is wrong; the message says what, where and the remedy.

    >>> import roguewk as rw
    >>> try:
    ...     rw.Resource("staff", budget=-1.0)
    ... except rw.InputError as error:
    ...     print(error)
    budget of resource 'staff' is -1.0: give a positive number
    """


def shown(value: Any, how: Callable[[Any], str] = repr) -> str:
    """What was given, as one line that is not too long."""
    try:
        line = " ".join(how(value).split())
    except Exception:  # it may be anything, also a number of more digits than Python prints
        line = f"a {type(value).__name__}"
    return line if len(line) <= LONGEST_SHOWN else line[: LONGEST_SHOWN - 3] + "..."


def number(value: Any, what: str) -> float:
    """`value` as a finite float."""
    alone = not isinstance(value, bool) and getattr(value, "ndim", 0) == 0
    if not alone or (not isinstance(value, int | float) and not hasattr(value, "__float__")):
        raise InputError(f"{what} is {shown(value)}: give a number")
    try:
        result = float(value)
    except Exception:  # too many digits, or whatever a class of the user's own raises
        raise InputError(f"{what} is {shown(value)}: give a number") from None
    if not math.isfinite(result):
        raise InputError(f"{what} is {shown(value)}: give a finite number")
    return result


def positive(value: Any, what: str) -> float:
    """`value` as a finite float above zero."""
    result = number(value, what)
    if result <= 0:
        raise InputError(f"{what} is {shown(value)}: give a positive number")
    return result


def whole(value: Any, what: str, least: int, most: int = LARGEST_WHOLE) -> int:
    """`value` as an int between `least` and `most`."""
    try:
        result = least - 1 if isinstance(value, bool) else operator.index(value)
    except Exception:  # no whole number, or whatever a class of the user's own raises
        result = least - 1
    if not least <= result <= most:
        span = f"from {least} to {most}" if most != LARGEST_WHOLE or result > most else f"of at least {least}"
        raise InputError(f"{what} is {shown(value)}: give a whole number {span}")
    return result


def text(value: Any, what: str) -> str:
    """`value` as a non-empty name."""
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{what} is {shown(value)}: give a non-empty text")
    if not value.isprintable():
        raise InputError(f"{what} is {shown(value)}: leave out what cannot be printed")
    return value


def truth_value(value: Any, what: str) -> bool:
    """`value` as a bool."""
    # NumPy's own bool is known by its name: importing NumPy here would slow `roguewk --help`.
    if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):
        raise InputError(f"{what} is {shown(value)}: give true or false")
    return bool(value)


def unique(names: Iterable[str], what: str) -> None:
    """No name twice; `what` is a plural."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(f"{name!r} is the name of two {what}: give each its own")
        seen.add(name)


def listed(names: Iterable[str]) -> str:
    """Names for a sentence, all but those beyond the first twenty.

    >>> listed(["walk", "call"]), listed("abcdefghijklmnopqrstuvw")[-18:]
    ('walk, call', 'r, s, t and 3 more')
    """
    told = list(names)
    more = len(told) - MOST_LISTED
    return ", ".join(told[:MOST_LISTED]) + (f" and {more:,} more" if more > 0 else "")


def known(key: Any, allowed: Collection[str], what: str, *, list_all: bool = False) -> None:
    """`key` is one of `allowed`; otherwise name the nearest, and all others too where it may just look like that."""
    if isinstance(key, str) and key in allowed:
        return
    near = difflib.get_close_matches(key.lower(), allowed, n=1) if isinstance(key, str) else []
    all_of_them = f"known are {listed(allowed)}"
    remedy = all_of_them if not near else f"did you mean {near[0]!r}?" + f" ({all_of_them})" * list_all
    raise InputError(f"unknown {what} {shown(key)}: {remedy}")
