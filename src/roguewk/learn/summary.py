"""A fit as a table that is read at a terminal."""

import math
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from roguewk.learn.fitted import FittedArm, FittedEffect
from roguewk.learn.profile import Interval
from roguewk.problem.family.registry import family_named

WIDE = 80
NAME = 13  # of these columns are an arm's name
COLUMN = 22


def shown_number(value: float) -> str:
    """A number with two digits, or all of those before the point."""
    if math.isnan(value):
        return "?"
    if value == 0 or math.isinf(value) or 1e-3 <= abs(value) < 1e5:
        return f"{value:.0f}" if 100 <= abs(value) < 1e5 else f"{value:.2g}"
    digits, power = f"{value:.0e}".split("e")
    return f"{digits}e{int(power)}"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def cell(interval: Interval) -> str:
    """A number and what it lies between."""
    return f"{shown_number(interval.value)} ({shown_number(interval.low)} to {shown_number(interval.high)})"


def _clipped(name: str) -> str:
    return name if len(name) < NAME else name[: NAME - 2] + "…"


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
) -> str:
    """A line of numbers per arm, each with its 95 % interval, and the verdict below; then what arms share."""
    unit, pulls = family_named(family).unit, sum(arm.pulls for arm in arms)
    half_life = f"half-life ({time})"
    fits = len(half_life) <= WIDE - NAME - 2 * COLUMN
    lines = [
        f"{_many(pulls, 'pull')} of {_many(len(arms), 'arm')} by {_many(subjects.number, 'subject')}, {family} rewards",
        f"subjects' levels differ by {cell(subjects.sd)} {unit}; in brackets 95 %",
        *([] if subjects.wear_sd is None else [f"their wear differs by {cell(subjects.wear_sd)} {unit}"]),
        *([] if fits else textwrap.wrap(f"half-lives are in {time}", WIDE)),
        "",
        f"{'arm':<{NAME}}{'rested':<{COLUMN}}{f'wear ({unit})':<{COLUMN}}{half_life if fits else 'half-life'}",
    ]
    starts = any((arm.start.low, arm.start.high) != (0.0, 0.0) for arm in arms)
    for arm in arms:
        cells = [cell(arm.rested), cell(arm.wear), cell(arm.half_life)]
        lines.append((f"{_clipped(arm.name):<{NAME}}" + "".join(f"{each:<{COLUMN}}" for each in cells)).rstrip()[:WIDE])
        notes = arm.verdict.sentence + (f"; starts at {cell(arm.start)} from rested" if starts else "")
        lines += textwrap.wrap(notes, WIDE, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines + _effects(shared) + _strange(strange))
