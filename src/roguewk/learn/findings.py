"""What is in a log, in sentences: a reader should know it before believing what is learned from it."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from roguewk.learn.rounds import LoggedRounds
from roguewk.problem.errors import MOST_LISTED, shown


def joined(names: Iterable[str]) -> str:
    """The names as a list in a sentence.

    >>> joined("ab"), joined("abcdefghijklmnopqrstuvw")[-18:]
    ('a and b', 'r, s, t and 3 more')
    """
    listed = list(names)
    more = len(listed) - MOST_LISTED
    *first, last = [*listed[:MOST_LISTED], f"{more:,} more"] if more > 0 else listed
    return f"{', '.join(first)} and {last}" if first else last


def findings(log: LoggedRounds) -> list[str]:
    """What a log holds; what is strange in it, and may spoil what is learned, is said by `strange`."""
    said = [_size(log), _span(log), _gaps(log), _missing(log), _costs(log), _single(log), _idle(log)]
    return [sentence for sentence in said if sentence]


def count(number: int, thing: str) -> str:
    """So many of a thing."""
    return f"{number:,} {thing}{'s' * (number != 1)}"


def _number(value: np.floating[Any], unit: str) -> str:
    told = f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    one = unit.replace("units", "unit").removesuffix("s")
    return f"{told} {one if told == '1' else unit}"


def share(part: int, whole: int, things: str) -> str:
    """A part of a whole, with its percentage."""
    return f"{part:,} of {whole:,} {things} ({100 * part / whole:.1f} %)"


def _size(log: LoggedRounds) -> str:
    rows = np.bincount(log.subject)
    each = f"{rows.min():,}" if rows.min() == rows.max() else f"from {rows.min():,} to {rows.max():,}"
    people = f" of {count(rows.size, 'subject')}" + (f", {each} rows each" if rows.size > 1 else "")
    given = int((log.arm >= 0).sum())
    arms = f"{given:,} with one of {count(len(log.arms), 'arm')}, {log.arm.size - given:,} idle"
    return f"{count(log.arm.size, 'row')}{people}: {arms}."


def _span(log: LoggedRounds) -> str:
    gaps = np.diff(log.time)[np.diff(log.subject) == 0]
    if log.regular:
        told = f"Rounds go from {log.time.min():,.0f} to {log.time.max():,.0f}"
    else:
        starts = np.searchsorted(log.subject, np.arange(len(log.subjects)))
        ends = np.append(starts[1:], log.subject.size) - 1
        told = f"Subjects are seen for up to {_number((log.time[ends] - log.time[starts]).max(), log.unit)}"
    if not gaps.size:
        return f"{told}."
    longest = "" if log.regular else f", the longest {_number(gaps.max(), log.unit)}"
    return f"{told}, and the median gap between rows of a subject is {_number(np.median(gaps), log.unit)}{longest}."


def _gaps(log: LoggedRounds) -> str:
    if not log.regular:
        return ""
    left_out = np.where(np.diff(log.subject) == 0, np.diff(log.time) - 1, 0)
    with_gaps = np.unique(log.subject[1:][left_out > 0]).size
    if not with_gaps:
        return ""
    rounds = count(int(left_out.sum()), "round")
    return f"Between rows of {count(with_gaps, 'subject')}, {rounds} are missing: they are taken as idle."


def _missing(log: LoggedRounds) -> str:
    given = log.arm >= 0
    unknown = int((np.isnan(log.reward) & given).sum())
    return f"The outcome is missing in {share(unknown, int(given.sum()), 'rows with an arm')}." if unknown else ""


def _costs(log: LoggedRounds) -> str:
    given = log.arm >= 0
    unknown = zip(log.resources, np.isnan(log.costs[given]).sum(axis=0), strict=True)
    told = [f"of {shown(name)} in {share(int(n), int(given.sum()), 'rows with an arm')}" for name, n in unknown if n]
    return f"Costs are missing: {joined(told)}." if told else ""


def _single(log: LoggedRounds) -> str:
    rows = np.bincount(log.subject)
    single = int((rows == 1).sum())
    return f"A single row is all there is of {share(single, rows.size, 'subjects')}." * (single > 0 and rows.size > 1)


def _idle(log: LoggedRounds) -> str:
    idle = log.reward[(log.arm < 0) & ~np.isnan(log.reward)]
    use = ": they say what a round brings in which nothing is done" if idle.any() else ", all of them 0"
    return f"There are rewards in {count(idle.size, 'idle row')}{use}." if idle.size else ""
