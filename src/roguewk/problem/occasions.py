"""Occasions as compiled code sees them: which one it is now, what it does to arms, how often it was there."""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.memory import Constant, Learned, Scratch
from roguewk.problem.calendar import Calendar as Calendar
from roguewk.problem.calendar import calendar_of as calendar_of
from roguewk.problem.calendar import shift_table as shift_table
from roguewk.problem.context import is_certain
from roguewk.problem.family import compiled as families
from roguewk.problem.family.registry import family_code
from roguewk.problem.problem import Problem

DOUBT = 1.0  # rounds that the first guess of the chances of each draw counts for, where they are learned


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
    if part.used:
        _shift_bounds(part, rewards)


@compiled_apart
def _shift_bounds(part: Occasions, rewards: Vector) -> None:
    for a in range(rewards.size):
        part.plain[a] = rewards[a]
        if np.isfinite(rewards[a]):
            rewards[a] = shifted_mean(part.families[a], rewards[a], shift_now(part, a))
