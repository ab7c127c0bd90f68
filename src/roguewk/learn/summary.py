"""A fit as a table that is read at a terminal."""

import math
import textwrap
from typing import TYPE_CHECKING

from roguewk.learn.profile import Interval
from roguewk.problem.family.registry import family_named

if TYPE_CHECKING:
    from roguewk.learn.result import Fit

WIDE = 80
NAME = 13  # of these columns are an arm's name
COLUMN = 22


def _number(value: float) -> str:
    if math.isnan(value):
        return "?"
    if value == 0 or math.isinf(value) or 1e-3 <= abs(value) < 1e5:
        return f"{value:.0f}" if 100 <= abs(value) < 1e5 else f"{value:.2g}"
    digits, power = f"{value:.0e}".split("e")
    return f"{digits}e{int(power)}"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _cell(interval: Interval) -> str:
    """A number and what it lies between."""
    return f"{_number(interval.value)} ({_number(interval.low)} to {_number(interval.high)})"


def _clipped(name: str) -> str:
    return name if len(name) < NAME else name[: NAME - 2] + "…"


def summary(fit: "Fit") -> str:
    """A line of numbers per arm, each with its 95 % interval, and the verdict below."""
    unit, time = family_named(fit.family).unit, fit.unit
    pulls = sum(arm.pulls for arm in fit.arms)
    lines = [
        f"{_many(pulls, 'pull')} of {_many(len(fit.arms), 'arm')} by {_many(fit.subjects, 'subject')},"
        f" {fit.family} rewards",
        f"subjects' levels differ by {_cell(fit.subject_sd)} {unit}; in brackets 95 %",
        "",
        f"{'arm':<{NAME}}{'rested':<{COLUMN}}{f'wear ({unit})':<{COLUMN}}half-life ({time})"[:WIDE].rstrip(),
    ]
    starts = any((arm.start.low, arm.start.high) != (0.0, 0.0) for arm in fit.arms)
    for arm in fit.arms:
        cells = [_cell(arm.rested), _cell(arm.wear), _cell(arm.half_life)]
        lines.append((f"{_clipped(arm.name):<{NAME}}" + "".join(f"{cell:<{COLUMN}}" for cell in cells)).rstrip()[:WIDE])
        notes = arm.verdict.sentence + (f"; starts at {_cell(arm.start)} from rested" if starts else "")
        lines += textwrap.wrap(notes, WIDE, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines)
