"""What the contexts of a round are called, and what they do to arms, for decisions and their explanations."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from roguewk.policy.wording import amount, listing
from roguewk.problem.calendar import calendar_of, shift_table
from roguewk.problem.context import forbidden_in
from roguewk.problem.problem import Problem

MOST = 8  # arms named one by one


class Surroundings(NamedTuple):
    """What all decisions of a policy have in common of contexts."""

    names: tuple[str, ...]  # of the contexts
    occasions: tuple[tuple[str, ...], ...]  # their values
    arms: tuple[str, ...]
    forbidden: tuple[tuple[str, ...], ...]  # (arm,) the values in which it is
    shifts: Any  # (occasion, arm) of levels
    phases: Any  # (phase,) the number of a combination of cycles
    draws: int
    possible: Any  # (phase, arm) whether it is allowed in something that may be drawn then
    used: bool  # whether the policy looks at more than what they forbid

    def occasion(self, round_: int, draw: int) -> int:
        """Which one a round is, by the number of what was drawn, below 0 if nothing is."""
        return int(self.phases[round_ % len(self.phases)]) * self.draws + max(draw, 0)

    def values(self, occasion: int) -> dict[str, str]:
        """By name of the contexts."""
        return dict(zip(self.names, self.occasions[occasion], strict=True))

    def causes(self, arm: int, occasion: int) -> list[str]:
        """The values that forbid an arm in an occasion."""
        return [value for value in self.occasions[occasion] if value in self.forbidden[arm]]

    def first_allowed(self, arm: int, round_: int) -> int | None:
        """The first round, from this one on, in which an arm may be allowed; None if there is none."""
        since = round_ % len(self.phases)
        ahead = np.flatnonzero(np.roll(self.possible[:, arm], -since))
        return round_ + int(ahead[0]) if ahead.size else None

    def in_words(self, occasion: int, levels: Sequence[str]) -> str:
        """What the contexts are and do; `levels` (arm,) is what they are measured in."""
        shifts = self.shifts[occasion]
        moved = [a for a in range(len(self.arms)) if shifts[a] and not self.causes(a, occasion)]
        effects = [f"{self.arms[a]!r} {_signed(float(shifts[a]))} {levels[a]}" for a in moved]
        does = f": {_some(effects)}" if effects else ", which shifts no arm"
        unused = ", which this policy does not look at" if effects and not self.used else ""
        out = [(a, self.causes(a, occasion)) for a in range(len(self.arms))]
        barred = [f"{self.arms[a]!r} ({listing(causes)})" for a, causes in out if causes]
        last = f" Forbidden: {_some(barred)}." if barred else ""
        return f"In context {', '.join(self.occasions[occasion])}{does}{unused}.{last}"


def _signed(shift: float) -> str:
    return f"{'+' if shift > 0 else '-'}{amount(abs(shift))}"


def _some(parts: list[str]) -> str:
    more = len(parts) - MOST
    return listing(parts if more < 2 else [*parts[:MOST], f"{more} more"])


def surroundings_of(problem: Problem, used: bool) -> Surroundings | None:
    """Those of a problem, None if it has no contexts.

    >>> import roguewk as rw
    >>> arms = [rw.Arm("walk", alpha=0.0, when={"rain": -0.5, "night": False}), rw.Arm("read", alpha=0.0)]
    >>> contexts = [rw.Context("hour", cycle=["day", "night"]), rw.Context("weather", ["dry", "rain"])]
    >>> found = surroundings_of(rw.Problem(arms, [], 10, idle=True, contexts=contexts), used=True)
    >>> found.in_words(found.occasion(0, 1), ["log-odds"] * 2)
    "In context day, rain: 'walk' -0.5 log-odds."
    >>> found.in_words(found.occasion(1, 0), ["log-odds"] * 2)
    "In context night, dry, which shifts no arm. Forbidden: 'walk' (night)."
    >>> found.first_allowed(0, round_=1)
    2
    """
    if not problem.contexts:
        return None
    calendar = calendar_of(problem.contexts, problem.rounds_per_day)
    shifts, barred = shift_table(problem.arms, calendar)
    return Surroundings(
        names=tuple(context.name for context in problem.contexts),
        occasions=calendar.occasions,
        arms=tuple(arm.name for arm in problem.arms),
        forbidden=tuple(forbidden_in(arm.when) for arm in problem.arms),
        shifts=shifts,
        phases=calendar.phases,
        draws=calendar.draws,
        possible=calendar.odds @ ~barred > 0,
        used=used,
    )
