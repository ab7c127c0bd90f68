"""Numbers for the page: short in its data, plain in its text."""

import math
from typing import Any

MINUS = "\N{MINUS SIGN}"


def short(value: Any, digits: int = 6) -> float | int | None:
    """A number with few digits, None where there is none.

    >>> short(0.123456789), short(12.0), short(float("nan"))
    (0.123457, 12, None)
    """
    if value is None or not math.isfinite(value):
        return None
    rounded = float(f"{value:.{digits}g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 1e15 else rounded


def shown(value: Any, digits: int = 4) -> str:
    """A number for people; nothing where there is none.

    >>> shown(1234.5678), shown(0.5), shown(float("nan")), shown(123456.7)
    ('1235', '0.5', '', '123457')
    """
    if value is None or not math.isfinite(value):
        return ""
    places = max(0, digits - 1 - math.floor(math.log10(abs(value)))) if value else 0
    text = f"{value:.{min(places, 12)}f}" if abs(value) < 1e15 else f"{value:.{digits}g}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text.replace("-", MINUS) if text != "-0" else "0"
