"""What a pull keeps others from, of arms that are kept some rounds apart, where rounds differ.

The price program lets all turns be used in the rounds that are best. But who knows only now what a round is like pulls
now or loses it: a pull in round t is worth G(t, k) on its own in context k, and all that are to come

    W(t) = sum_k P(k) max(W(t + 1), G(t, k) + W(t + gap)),

so that a pull now costs W(t + 1) - W(t + gap). Arms are taken to be as they are now, when one may be pulled again.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.allocate.notes import CHARGE
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.memory import Scratch
from roguewk.part.desk import Desk, rounds_left
from roguewk.problem.calendar import MOST as MOST_OCCASIONS
from roguewk.problem.dynamics import shifted_reward
from roguewk.problem.occasions import chance_of
from roguewk.problem.problem import Problem
from roguewk.relax.lookahead import wear

LOOK = 6  # gaps, and cycles, that are looked ahead
MOST = 1000  # rounds


class Turns(NamedTuple):
    """Working memory; empty without gaps in rounds that differ."""

    worth: Scratch[Vector]  # (round,) of all turns from so many rounds later on
    gains: Scratch[Vector]  # (occasion,) what a pull of the best arm is worth on its own


def build_turns(problem: Problem) -> Turns:
    """Working memory for this problem."""
    gaps = [problem.gap_rounds(gap) for gap in problem.gaps]
    if not (gaps and problem.contexts):
        return Turns(np.zeros(0), np.zeros(0))
    return Turns(np.zeros(MOST + max(gaps) + 1), np.zeros(MOST_OCCASIONS))


@compiled_apart
def charge_turns(part: Any, desk: Desk) -> None:
    """Charge pulls with the turns that they keep others from, in place of the prices of turns."""
    gaps = desk.limits.gaps
    for g in range(gaps.size):
        if desk.limits.next_free[g] <= desk.clock[0].round:
            known = part.charges[part.budgets.size + g] * (1.0 - 1.0 / gaps[g])
            price = _turn_price(part, desk, g, known)
            for a in range(part.notes.per_pull.size):
                if desk.limits.kept_apart[g, a] and not part.few.without_turn[a]:
                    part.notes.per_pull[a] += price - known
                    part.notes.outlook[a, CHARGE] += price - known


@compiled
def _turn_price(part: Any, desk: Desk, g: int, known: float) -> float:
    gap, now, occasions, worth = desk.limits.gaps[g], desk.clock[0].round, desk.occasions, part.turns.worth
    draws, phases = occasions.chances.size, occasions.phases.size
    for k in range(occasions.shifts.shape[0]):
        part.turns.gains[k] = _gain(part, desk, g, k, known)
    ahead = min(LOOK * (gap + phases), MOST, rounds_left(desk))
    worth[ahead : ahead + gap + 1] = 0.0
    for t in range(ahead - 1, 0, -1):
        time = occasions.phases[(now + t) % phases]
        # Where what is looked at ends before the game, a last pull counts for the part of its gap that is within.
        counts = 1.0 if ahead == rounds_left(desk) else min((ahead - t) / gap, 1.0)
        wait, pull = worth[t + 1], worth[t + gap]
        worth[t] = wait
        for draw in range(draws):
            gain = counts * part.turns.gains[time * draws + draw]
            worth[t] += chance_of(occasions, draw) * max(gain + pull - wait, 0.0)
    return worth[1] - worth[gap]


@compiled
def _gain(part: Any, desk: Desk, g: int, occasion: int, known: float) -> float:
    """What a pull of the best of these arms is worth on its own."""
    best = -np.inf
    for a in range(part.notes.per_pull.size):
        if desk.limits.kept_apart[g, a] and not desk.occasions.barred[occasion, a]:
            x = part.notes.states[a]
            _, worn = wear(part.worth, part.dynamics, a, x, part.notes.tables[a], part.beam.spare)
            reward = shifted_reward(part.dynamics, a, x, desk.occasions.shifts[occasion, a])
            best = max(best, reward + worn + known - part.notes.per_pull[a])
    return best
