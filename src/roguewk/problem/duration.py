"""Durations: numbers of rounds, or texts such as "7 days" where it is said how many rounds a day has."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from roguewk.problem.errors import LARGEST_WHOLE, InputError, number, positive, shown, whole

Duration = int | str  # as users give them
_DAYS = {"hour": Fraction(1, 24), "day": Fraction(1), "week": Fraction(7)}
_TEXT = re.compile(r"\s*(\d{1,9}(?:\.\d{1,9})?)?\s*(round|hour|day|week)s?\s*")
FEWEST_A_DAY, MOST_A_DAY = 1e-5, 1e9  # rounds: beyond, numbers of them are no longer told apart as fractions
_ROUNDS, _WHOLE = "a number of rounds", "a whole number of rounds"
_EXAMPLE = 'a text such as "7 days" (in rounds, hours, days or weeks)'


def _parsed(value: Any, what: str, rounds: str) -> tuple[Fraction, str]:
    """How many of which unit a text says; "day" alone is one."""
    found = _TEXT.fullmatch(value.lower()) if isinstance(value, str) else None
    if found is None:
        raise InputError(f"{what} is {shown(value)}: give {rounds}, or {_EXAMPLE}")
    return Fraction(found[1] or 1), found[2]


def check_duration(value: Any, what: str) -> Duration:
    """`value` if it is a duration; how many rounds it is, only a problem can tell.

    >>> check_duration("7 days", "every")
    '7 days'
    """
    if not isinstance(value, str):
        return whole(value, what, 1)
    _parsed(value, what, _WHOLE)
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
    count, unit = _parsed(value, what, _ROUNDS)
    if unit == "round":
        return float(count)
    if rounds_per_day is None:
        raise InputError(f"{what} is {shown(value)} and nothing says how long a round is: give rounds_per_day")
    return float(count * _DAYS[unit] * _exactly(positive(rounds_per_day, "rounds_per_day")))


def all_in_rounds(said: Any, rounds_per_day: float | None, what: str) -> Any:
    """What is said of a number of rounds, a guess of it too, with rounds in place of texts; all else as it is.

    >>> all_in_rounds({"about": "4 days", "between": ["2 days", 10]}, 0.5, "half_life")
    {'about': 2.0, 'between': [1.0, 10]}
    """
    if isinstance(said, Mapping):
        return {key: all_in_rounds(part, rounds_per_day, what) for key, part in said.items()}
    if isinstance(said, list | tuple):
        return [all_in_rounds(part, rounds_per_day, what) for part in said]
    return rounds_in(said, rounds_per_day, what) if isinstance(said, str) else said


def rounds_alone(value: Any, what: str) -> float:
    """A number of rounds, where nothing can say how many of them a day has."""
    if isinstance(value, str):
        remedy = "give a number of rounds, or write it in a file that has rounds_per_day"
        raise InputError(f"{what} is {shown(value)}, and an arm by itself does not know how long a round is: {remedy}")
    return number(value, what)


def whole_rounds(value: Any, rounds_per_day: float | None, what: str, least: int = 1) -> int:
    """How many rounds a duration is, if they are whole.

    >>> whole_rounds("1 week", 3, "every")
    21
    """
    if not isinstance(value, str):
        return whole(value, what, least)
    rounds = rounds_in(check_duration(value, what), rounds_per_day, what)
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
