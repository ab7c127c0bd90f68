"""Numbers in words."""

import math


def percent(value: float, digits: int = 1) -> str:
    """0.085 as "8.5 %".

    >>> percent(0.085), percent(-0.0001)
    ('8.5 %', '0.0 %')
    """
    if not math.isfinite(value):
        return "unknown"
    shown = round(100 * value, digits) + 0.0  # never "-0.0"
    return f"{shown:.{digits}f} %".replace("-", "\N{MINUS SIGN}")


def count(number: int, thing: str, things: str = "") -> str:
    """The number with its noun.

    >>> count(1, "arm"), count(3000, "arm"), count(2, "policy", "policies")
    ('1 arm', '3,000 arms', '2 policies')
    """
    return f"{number:,} {thing if number == 1 else things or f'{thing}s'}"
