"""A fit as a table that is read at a terminal."""

import math
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from roguewk.learn.fitted import FittedArm, FittedEffect
from roguewk.learn.profile import Interval
from roguewk.problem.family.registry import family_named

WIDE = 80
APART = "  "  # between columns
NARROWEST = 8  # name of an arm
LONGEST_UNIT = 10  # that stands in a heading
LARGE = 1e6  # numbers from here on are written with powers of ten
FORMS = ((LARGE, 2), (1e3, 2), (1e3, 1))  # from where, and their digits then: the next where there is no room for one


def shown_number(value: float, large: float = LARGE, digits: int = 2) -> str:
    """A number with two digits, or all of those before the point.

    >>> shown_number(0.1234), shown_number(37671.2), shown_number(3e7)
    ('0.12', '37,671', '3e7')
    """
    if math.isnan(value):
        return "?"
    if value == 0 or math.isinf(value) or 1e-3 <= abs(value) < large:
        return f"{value:,.0f}" if 100 <= abs(value) < large else f"{value:.2g}"
    number, power = f"{value:.{digits - 1}e}".split("e")
    return f"{number.removesuffix('.0')}e{int(power)}"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def cell(interval: Interval, large: float = LARGE, digits: int = 2) -> str:
    """A number and what it lies between."""
    value, low, high = (shown_number(each, large, digits) for each in interval)
    return f"{value} ({low} to {high})"


def _shortened(name: str, width: int, tail: int) -> str:
    """The name in so many letters, of which so many are its last."""
    return name if len(name) <= width else f"{name[: width - 1 - tail]}…{name[len(name) - tail :]}"


def short_names(names: Sequence[str], width: int) -> list[str]:
    """Names in so many letters at the most, and no two of them the same; numbered where nothing else tells them apart.

    >>> short_names(["email reminder A", "email reminder B", "call"], 10)
    ['email re…A', 'email re…B', 'call']
    """
    for tail in range(width - 1):
        found = [_shortened(name, width, tail) for name in names]
        if len(set(found)) == len(names):
            return found
    return [_shortened(f"{name}{i}", width, len(str(i))) for i, name in enumerate(names, 1)]


def lined_up(
    head: Sequence[str], names: Sequence[str], intervals: Sequence[Sequence[Interval]]
) -> tuple[str, list[str]]:
    """The line of headings, and one for every name and its intervals, in columns as wide as they have to be."""
    for form in FORMS:
        rows = [[cell(each, *form) for each in row] for row in intervals]
        widths = [max(map(len, column)) for column in zip(head[1:], *rows, strict=True)]
        room = WIDE - sum(widths) - len(APART) * len(widths)
        if room >= NARROWEST:
            break
    told = [head[0], *short_names(names, max(room, NARROWEST))]
    widths = [max(map(len, told)), *widths]
    lines = [
        APART.join(each.ljust(width) for each, width in zip([name, *cells], widths, strict=True)).rstrip()
        for name, cells in zip(told, [head[1:], *rows], strict=True)
    ]
    return lines[0], lines[1:]


class Subjects(NamedTuple):
    """How many they are and how much their levels differ."""

    number: int
    sd: Interval
    wear_sd: Interval | None = None  # of their wear, if it may differ


def _effects(shared: Sequence[FittedEffect]) -> list[str]:
    """A line for each thing that arms share."""
    if not shared:
        return []
    lines = ["", "beside the wear of each arm by its own use"]
    for effect in shared:
        verdict = f"; {effect.verdict}" if effect.verdict else ""
        line = f"{effect.name}: {cell(effect.interval)} {effect.unit}{verdict}"
        lines += textwrap.wrap(line, WIDE, subsequent_indent="  ")
    if not all(effect.of_state for effect in shared):
        lines.append("rested effects are those at average covariates and times")
    return lines


def _strange(found: Sequence[str]) -> list[str]:
    """What is strange in the log, sentence by sentence."""
    told = [textwrap.wrap(sentence, WIDE, initial_indent="  ", subsequent_indent="    ") for sentence in found]
    return ["", "strange in the log", *(line for lines in told for line in lines)] if told else []


def summary(
    arms: Sequence[FittedArm],
    subjects: Subjects,
    family: str,
    time: str,
    shared: Sequence[FittedEffect] = (),
    strange: Sequence[str] = (),
    baseline: str | None = None,
) -> str:
    """A line of numbers per arm, each with its 95 % interval, and the verdict below; then what arms share."""
    unit, pulls = family_named(family).unit, sum(arm.pulls for arm in arms)
    fits = len(time) <= LONGEST_UNIT
    head = ["arm", "rested", f"wear ({unit})", f"half-life ({time})" if fits else "half-life"]
    intervals = [(arm.rested, arm.wear, arm.half_life) for arm in arms]
    top, numbers = lined_up(head, [arm.name for arm in arms], intervals)
    lines = [
        f"{_many(pulls, 'pull')} of {_many(len(arms), 'arm')} by {_many(subjects.number, 'subject')}, {family} rewards",
        f"subjects' levels differ by {cell(subjects.sd)} {unit}; in brackets 95 %",
        *([] if subjects.wear_sd is None else [f"their wear differs by {cell(subjects.wear_sd)} {unit}"]),
        *([] if baseline is None else textwrap.wrap(baseline, WIDE, subsequent_indent="  ")),
        *([] if fits else textwrap.wrap(f"half-lives are in {time}", WIDE)),
        "",
        top,
    ]
    starts = any((arm.start.low, arm.start.high) != (0.0, 0.0) for arm in arms)
    for arm, line in zip(arms, numbers, strict=True):
        lines.append(line)
        notes = arm.verdict.sentence + (f"; starts at {cell(arm.start)} from rested" if starts else "")
        lines += textwrap.wrap(notes, WIDE, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines + _effects(shared) + _strange(strange))
