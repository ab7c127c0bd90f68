"""Occasions: the combinations of the values of all contexts, as arrays for what is compiled.

Those of the cycles follow from the round, those of the contexts that are drawn are told: an occasion is the number of a
combination of cycles, times how many draws there are, plus the number of the draw.
"""

import itertools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.memory import Constant, Learned, Scratch
from roguewk.problem.arm import Arm
from roguewk.problem.context import Context, is_certain, joint_chances
from roguewk.problem.duration import whole_rounds
from roguewk.problem.errors import InputError
from roguewk.problem.family import compiled as families
from roguewk.problem.family.registry import family_code
from roguewk.problem.problem import Problem

MOST = 64  # occasions
MOST_PHASES = 100_000  # rounds after which all cycles begin anew together
DOUBT = 1.0  # rounds that the first guess of the chances of each draw counts for, where they are learned


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
    """The occasions of these contexts, one if there are none."""
    cycles = [_rounds_of(context, rounds_per_day) for context in contexts if not context.drawn]
    length = math.lcm(*map(len, cycles)) if cycles else 1
    if length > MOST_PHASES:
        raise InputError(f"the cycles begin anew together after {length:,} rounds: give cycles of shorter periods")
    turns = [tuple(cycle[t % len(cycle)] for cycle in cycles) for t in range(length)]
    places = {turn: place for place, turn in enumerate(dict.fromkeys(turns))}
    draws = list(itertools.product(*(context.values for context in contexts if context.drawn)))
    if len(places) * len(draws) > MOST:
        count = len(places) * len(draws)
        raise InputError(f"the contexts have {count} combinations: give no more than {MOST} of them")
    occasions = []
    for turn, draw in itertools.product(places, draws):
        turned, drawn = iter(turn), iter(draw)
        occasions.append(tuple(next(drawn) if context.drawn else next(turned) for context in contexts))
    phases = np.array([places[turn] for turn in turns], dtype=np.int64)
    return Calendar(tuple(occasions), phases, len(draws), np.array(joint_chances(contexts)))


def _rounds_of(context: Context, rounds_per_day: float | None) -> list[str]:
    """The value of a context that goes round in each round of its cycle."""
    each = whole_rounds(context.each, rounds_per_day, f"each of context {context.name!r}")
    cycle = context.cycle or ()
    if each * len(cycle) > MOST_PHASES:
        raise InputError(f"context {context.name!r} goes round in {each * len(cycle):,} rounds: give a shorter cycle")
    return [value for value in cycle for _ in range(each)]


class Occasions(NamedTuple):
    """What is made of contexts round by round; all arrays are empty where there are none."""

    shifts: Constant[Vector]  # (occasion, arm) of levels
    barred: Constant[Any]  # (occasion, arm) where an arm is forbidden
    phases: Constant[Any]  # (phase,)
    paces: Constant[Vector]  # (combination of cycles,) how often it is there
    chances: Constant[Vector]  # (draw,) as they are said, or first guessed
    families: Constant[Any]  # (arm,) codes
    seen: Learned[Any]  # (draw,) how often it was there
    now: Scratch[Any]  # (1,) the occasion of this round
    plain: Scratch[Vector]  # (arm,) what an arm is taken to bring where no context shifts it
    learned: bool  # whether chances are learned
    used: bool  # whether what arms are taken to bring is shifted


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


def build_occasions(problem: Problem, used: bool) -> Occasions:
    """Nothing seen yet."""
    calendar = calendar_of(problem.contexts, problem.rounds_per_day)
    shifts, barred = shift_table(problem.arms, calendar)
    some = bool(problem.contexts)
    turns = np.bincount(calendar.phases) / len(calendar.phases)
    return Occasions(
        shifts=shifts if some else shifts[:0],
        barred=barred if some else barred[:0],
        phases=calendar.phases,
        paces=turns,
        chances=calendar.chances,
        families=np.array([family_code(arm.family) for arm in problem.arms]),
        seen=np.zeros(calendar.draws if some else 0, dtype=np.int64),
        now=np.zeros(1, dtype=np.int64),
        plain=np.zeros(len(problem.arms)),
        learned=not is_certain(problem.contexts),
        used=used and some,
    )


@compiled
def has_contexts(part: Occasions) -> bool:
    """Whether rounds differ."""
    return part.shifts.shape[0] > 0


@compiled
def enter(part: Occasions, round_: int, draw: int) -> None:
    """It is this round, and so much was drawn."""
    part.now[0] = part.phases[round_ % part.phases.size] * part.chances.size + draw


@compiled
def note_draw(part: Occasions, draw: int) -> None:
    """Count what was drawn, for those who learn how often that is."""
    part.seen[draw] += 1


@compiled
def chance_of(part: Occasions, draw: int) -> float:
    """How likely a draw is by what is said, or by what was seen."""
    if not part.learned:
        return part.chances[draw]
    total = 0
    for d in range(part.seen.size):
        total += part.seen[d]
    guess = DOUBT * part.chances.size
    return (part.seen[draw] + guess * part.chances[draw]) / (total + guess)


@compiled
def odds_of(part: Occasions, occasion: int) -> float:
    """How often an occasion is there in the long run."""
    draws = part.chances.size
    return part.paces[occasion // draws] * chance_of(part, occasion % draws)


@compiled
def shift_now(part: Occasions, arm: int) -> float:
    """By how much the level of an arm is shifted this round."""
    return part.shifts[part.now[0], arm] if part.shifts.shape[0] > 0 else 0.0


@compiled
def is_barred(part: Occasions, arm: int) -> bool:
    """Whether an arm is forbidden this round."""
    return part.shifts.shape[0] > 0 and part.barred[part.now[0], arm]


@compiled
def shifted_mean(family: int, mean: float, shift: float) -> float:
    """The mean reward at a level that is shifted."""
    if shift == 0.0:
        return mean
    return families.mean_of_level(family, families.level_of_mean(family, families.kept(family, mean)) + shift)


@compiled
def shift_bounds(part: Occasions, rewards: Vector) -> None:
    """Make of what each arm is taken to bring, (arm,), what it brings this round."""
    if not part.used:
        return
    for a in range(rewards.size):
        part.plain[a] = rewards[a]
        if np.isfinite(rewards[a]):
            rewards[a] = shifted_mean(part.families[a], rewards[a], shift_now(part, a))
