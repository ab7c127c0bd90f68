"""Occasions: the combinations of the values of all contexts, and in which rounds they are there.

Those of the cycles follow from the round, those of the contexts that are drawn are told: an occasion is the number of a
combination of cycles, times how many draws there are, plus the number of the draw.
"""

import functools
import itertools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import Arm
from roguewk.problem.context import Context, joint_chances
from roguewk.problem.duration import whole_rounds
from roguewk.problem.errors import InputError

MOST = 64  # occasions
MOST_PHASES = 100_000  # rounds after which all cycles begin anew together


class Calendar(NamedTuple):
    """What the contexts of a problem make of its rounds."""

    occasions: tuple[tuple[str, ...], ...]  # values, in the order of the contexts
    phases: Any  # (phase,) the number of a combination of cycles
    draws: int
    chances: Vector  # (draw,) as they are said, or even

    @property
    def odds(self) -> Vector:
        """(phase, occasion) how likely each is."""
        odds = np.zeros((len(self.phases), len(self.occasions)))
        for row, cycle in zip(odds, self.phases, strict=True):
            row[cycle * self.draws : (cycle + 1) * self.draws] = self.chances
        return odds


def calendar_of(contexts: Sequence[Context], rounds_per_day: float | None) -> Calendar:
    """The occasions of these contexts, one if there are none.

    >>> import roguewk as rw
    >>> week = rw.Context("weekday", cycle=["workday"] * 5 + ["weekend"] * 2, each="1 day")
    >>> calendar_of([week, rw.Context("place", ["home", "out"])], rounds_per_day=1).occasions[1]
    ('workday', 'out')
    """
    return _calendar_of(tuple(contexts), rounds_per_day)


@functools.lru_cache(maxsize=64)  # every game of a world asks for the same one
def _calendar_of(contexts: tuple[Context, ...], rounds_per_day: float | None) -> Calendar:
    cycles = [_rounds_of(context, rounds_per_day) for context in contexts if not context.drawn]
    length = math.lcm(*map(len, cycles)) if cycles else 1
    if length > MOST_PHASES:
        raise InputError(f"the cycles begin anew together after {length:,} rounds: give cycles of shorter periods")
    turns = [tuple(cycle[t % len(cycle)] for cycle in cycles) for t in range(length)]
    places = {turn: place for place, turn in enumerate(dict.fromkeys(turns))}
    drawn = [context.values for context in contexts if context.drawn]
    count = len(places) * math.prod(map(len, drawn))
    if count > MOST:
        raise InputError(f"the contexts have {count} combinations: give no more than {MOST} of them")
    draws, occasions = list(itertools.product(*drawn)), []
    for turn, draw in itertools.product(places, draws):
        left = {False: iter(turn), True: iter(draw)}
        occasions.append(tuple(next(left[context.drawn]) for context in contexts))
    phases = np.array([places[turn] for turn in turns], dtype=np.int64)
    return Calendar(tuple(occasions), phases, len(draws), np.array(joint_chances(contexts)))


def _rounds_of(context: Context, rounds_per_day: float | None) -> list[str]:
    """The value of a context that goes round in each round of its cycle."""
    each = whole_rounds(context.each, rounds_per_day, f"each of context {context.name!r}")
    cycle = context.cycle or ()
    if each * len(cycle) > MOST_PHASES:
        raise InputError(f"context {context.name!r} goes round in {each * len(cycle):,} rounds: give a shorter cycle")
    return [value for value in cycle for _ in range(each)]


def shift_table(arms: Sequence[Arm], calendar: Calendar) -> tuple[Vector, Any]:
    """Shifts of levels, and where arms are forbidden, both (occasion, arm)."""
    shape = len(calendar.occasions), len(arms)
    shifts, barred = np.zeros(shape), np.zeros(shape, dtype=np.bool_)
    for k, values in enumerate(calendar.occasions):
        for a, arm in enumerate(arms):
            effects = [effect for value, effect in (arm.when or {}).items() if value in values]
            barred[k, a] = any(effect is False for effect in effects)
            shifts[k, a] = sum(float(effect) for effect in effects)
    return shifts, barred


def check_shifts(arms: Sequence[Arm], calendar: Calendar) -> None:
    """Refuse contexts that shift levels to where rewards of a family cannot be."""
    shifts, barred = shift_table(arms, calendar)
    for arm, moved in zip(arms, np.where(barred, 0.0, shifts).T, strict=True):
        low, high = min(float(moved.min()), 0.0), max(float(moved.max()), 0.0)
        if low == high:
            continue
        least, most = arm.level_range()
        refusal = arm.reward_family.refusal(least + low, most + high).partition(":")[0]
        if refusal:
            what = f"`when` of arm {arm.name!r} shifts its level by {low:g} to {high:g} {arm.reward_family.unit}"
            raise InputError(f"{what}, which {refusal}: give smaller shifts, or false where it is forbidden")
