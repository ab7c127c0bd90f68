"""Durations: numbers of rounds, or texts such as "7 days" where it is said how many rounds a day has."""

import re
from fractions import Fraction
from typing import Any

from roguewk.problem.errors import LARGEST_WHOLE, InputError, number, positive, shown, whole

Duration = int | str  # as users give them
_DAYS = {"hour": Fraction(1, 24), "day": Fraction(1), "week": Fraction(7)}
_TEXT = re.compile(r"\s*(\d{1,9}(?:\.\d{1,9})?)?\s*(round|hour|day|week)s?\s*")
FEWEST_A_DAY, MOST_A_DAY = 1e-5, 1e9  # rounds: beyond, numbers of them are no longer told apart as fractions
_EXAMPLE = 'a whole number of rounds, or a text such as "7 days" (in rounds, hours, days or weeks)'


def _parsed(value: Any, what: str) -> tuple[Fraction, str]:
    """How many of which unit a text says; "day" alone is one."""
    found = _TEXT.fullmatch(value.lower()) if isinstance(value, str) else None
    if found is None:
        raise InputError(f"{what} is {shown(value)}: give {_EXAMPLE}")
    return Fraction(found[1] or 1), found[2]


def check_duration(value: Any, what: str) -> Duration:
    """`value` if it is a duration; how many rounds it is, only a problem can tell.

    >>> check_duration("7 days", "every")
    '7 days'
    """
    if not isinstance(value, str):
        return whole(value, what, 1)
    _parsed(value, what)
    return value


def check_rounds_per_day(value: Any) -> float:
    """`value` if a day can have so many rounds.

    >>> check_rounds_per_day(1 / 7)  # a round a week
    0.14285714285714285
    """
    found = positive(value, "rounds_per_day")
    if not FEWEST_A_DAY <= found <= MOST_A_DAY:
        span = f"from {FEWEST_A_DAY:g} to {MOST_A_DAY:g}"
        raise InputError(f"rounds_per_day is {shown(value)}: give a number {span}, or all durations in rounds")
    return found


def _exactly(rounds_per_day: float) -> Fraction:
    """A round a week is 1/7 a day, which no float is."""
    return Fraction(rounds_per_day).limit_denominator(10**6)


def rounds_in(value: Any, rounds_per_day: float | None, what: str) -> float:
    """How many rounds a duration is, not always a whole number.

    >>> rounds_in("36 hours", 2, "half_life")
    3.0
    """
    if not isinstance(value, str):
        return number(value, what)
    count, unit = _parsed(value, what)
    if unit == "round":
        return float(count)
    if rounds_per_day is None:
        raise InputError(f"{what} is {shown(value)} and nothing says how long a round is: give rounds_per_day")
    return float(count * _DAYS[unit] * _exactly(rounds_per_day))


def whole_rounds(value: Any, rounds_per_day: float | None, what: str, least: int = 1) -> int:
    """How many rounds a duration is, if they are whole.

    >>> whole_rounds("1 week", 3, "every")
    21
    """
    if not isinstance(value, str):
        return whole(value, what, least)
    rounds = rounds_in(value, rounds_per_day, what)
    if rounds != int(rounds) or not least <= rounds <= LARGEST_WHOLE:
        told = f"{what} is {shown(value)}, which is {rounds:g} rounds"
        nearest = max(round(rounds), least) if rounds <= LARGEST_WHOLE else least
        raise InputError(f'{told}: give whole rounds, such as "{in_words(nearest, rounds_per_day)}"')
    return int(rounds)


def in_words(rounds: int, rounds_per_day: float | None) -> str:
    """A duration as people say it.

    >>> in_words(21, 3), in_words(1, None)
    ('7 days', '1 round')
    """
    days = rounds / _exactly(rounds_per_day) if rounds_per_day else Fraction(1, 2)
    count, unit = (int(days), "day") if days == int(days) else (rounds, "round")
    return f"{count} {unit}" + "s" * (count != 1)
