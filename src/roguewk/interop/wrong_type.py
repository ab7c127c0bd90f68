"""The error for input of the wrong type, where other libraries tell wrong types from wrong values."""

from collections.abc import Callable
from typing import Any

from roguewk.problem.errors import InputError


class InputTypeError(InputError, TypeError):
    """Something given is wrong in a way for which the other library raises a TypeError.

    >>> from roguewk.interop.mabwiser import MAB, LearningPolicy
    >>> try:
    ...     MAB(["A", "B"], LearningPolicy.UCB1(alpha="one"))
    ... except TypeError as error:
    ...     print(error)
    alpha of MABWiser's UCB1 is 'one': give a number
    """


def type_checked(check: Callable[..., Any], *given: Any) -> Any:
    """What `check` makes of what was given; what it refuses is of the wrong type.

    >>> from roguewk.problem.errors import number
    >>> type_checked(number, 2, "reward 0")
    2.0
    """
    try:
        return check(*given)
    except InputError as error:
        raise InputTypeError(str(error)) from None
