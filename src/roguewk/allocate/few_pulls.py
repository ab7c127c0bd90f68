"""What the last few pulls of a period are worth in the rounds until a cap renews.

The price program spreads what is left over rounds that are all alike and arms that are as rested as they are on
average. The last pull of a day or a week goes to one round, which may be the next good hour. What n of them are worth t
rounds from now follows from what a pull of the best arm is worth in context k, G(t, k), beyond what could be done
instead,

    V(t, n) = sum_k P(k) max(V(t + 1, n), G(t, k) + V(t + gap, n - 1)),

if that arm is there, else V(t + 1, n), and nothing when the cap renews: a pull now costs V(1, n) - V(gap, n - 1).
Arms rest until then: what one of these pulls takes from the next is not seen, nor are the chances of contexts by the
program, so that of several pulls both are too hopeful, and the lower price is taken. `gap` is that of a limit that
keeps no other arms apart: the price is also that of the turn, then.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.allocate.notes import CHARGE
from roguewk.allocate.supply import free_anyway, turn_charge
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.memory import Scratch, copy_into
from roguewk.part.desk import Desk, counts_pulls, rounds_in_period
from roguewk.problem.dynamics import move_one, shifted_reward
from roguewk.problem.limits import left_in_period
from roguewk.problem.occasions import chance_of, has_contexts
from roguewk.problem.problem import Problem
from roguewk.relax.lookahead import wear

FEW = 4  # pulls
MOST = 128  # rounds that are looked ahead
ROUNDING = 1e-6  # of a pull


class FewPulls(NamedTuple):
    """Working memory; empty where no cap renews."""

    left: Scratch[Any]  # (resource,) pulls until it renews, where it is a cap and these are few, else 0
    gaps: Scratch[Any]  # (resource,) rounds from a pull to the next
    surcharges: Scratch[Vector]  # (resource,) what a pull costs beyond its price in the program
    worth: Scratch[Vector]  # (resource, round, pulls)
    states: Scratch[Vector]  # (round, arm, coordinate) after so many rounds of rest
    scores: Scratch[Vector]  # (arm,) what a pull is worth at all prices
    without_turn: Scratch[Any]  # (arm,) whether the price of a pull is also that of its turn


def build_few_pulls(problem: Problem, coordinates: int) -> FewPulls:
    """Working memory for this problem."""
    caps = any(each.counts is not None and each.every is not None for each in problem.resources)
    resources, arms = (len(problem.resources), len(problem.arms)) if caps else (0, 0)
    rounds = min(MOST, problem.horizon) + 1 if caps else 0
    return FewPulls(
        left=np.zeros(resources, dtype=np.int64),
        gaps=np.ones(resources, dtype=np.int64),
        surcharges=np.zeros(resources),
        worth=np.zeros((resources, rounds, FEW + 1)),
        states=np.zeros((rounds, arms, coordinates)),
        scores=np.zeros(arms),
        without_turn=np.zeros(len(problem.arms), dtype=np.bool_),
    )


@compiled_apart
def charge_few_pulls(part: Any, desk: Desk) -> None:
    """Charge pulls of which a cap allows a few more with what these are worth in the rounds to come."""
    few = part.few
    ahead = _find_few(part, desk)
    if ahead == 0:
        return
    _look_back(part, desk, ahead)
    for j in range(few.left.size):
        n = few.left[j]
        if n > 0:
            price = few.worth[j, 1, n] - few.worth[j, min(few.gaps[j], ahead), n - 1]
            more = price - part.charges[j] - _turn_charge(part, desk, j)
            few.surcharges[j] = more if n == 1 else min(more, 0.0)
    for a in range(few.scores.size):
        for j in range(few.left.size):
            if desk.limits.most[a, j] > 0.0:
                part.notes.per_pull[a] += few.surcharges[j]
                part.notes.outlook[a, CHARGE] += few.surcharges[j]


@compiled
def _turn_charge(part: Any, desk: Desk, j: int) -> float:
    """What pulls within a cap are charged for their turn, where its price is that of the turn too."""
    for a in range(part.few.scores.size if part.few.gaps[j] > 1 else 0):
        if desk.limits.most[a, j] > 0.0:
            return turn_charge(part, desk, a)
    return 0.0


@compiled
def _find_few(part: Any, desk: Desk) -> int:
    """Note of which caps a few pulls are left, and with which gaps; rounds until the last of them renews."""
    few, limits, ahead = part.few, desk.limits, 0
    few.without_turn[:] = False
    for j in range(few.left.size):
        rounds = rounds_in_period(desk, j) if limits.renews[j] else few.states.shape[0]
        left = int(left_in_period(limits, j) + ROUNDING)
        some = left <= FEW and rounds < few.states.shape[0] and not limits.carries[j] and counts_pulls(desk, j)
        few.left[j], few.surcharges[j] = left if some else 0, 0.0
        few.worth[j] = 0.0
        if few.left[j] > 0:
            ahead = max(ahead, rounds)
            few.gaps[j] = _gap_within(desk, j, rounds)
            for a in range(few.scores.size):
                if limits.most[a, j] > 0.0 and few.gaps[j] > 1:
                    few.without_turn[a] = True
    return ahead


@compiled
def _gap_within(desk: Desk, j: int, rounds: int) -> int:
    """The rounds from one pull of a cap to the next, if a gap keeps apart just these arms and ends before so many."""
    limits, gap = desk.limits, 1
    for g in range(limits.gaps.size):
        same = limits.gaps[g] <= rounds
        for a in range(limits.kept_apart.shape[1]):
            same = same and limits.kept_apart[g, a] == (limits.most[a, j] > 0.0)
        if same:
            gap = max(gap, limits.gaps[g])
    return gap


@compiled
def _look_back(part: Any, desk: Desk, ahead: int) -> None:
    """Write what pulls to come are worth."""
    few, occasions, now = part.few, desk.occasions, desk.clock[0].round
    copy_into(few.states[0], part.notes.states)
    for t in range(1, ahead):
        copy_into(few.states[t], few.states[t - 1])
        for a in range(few.scores.size):
            move_one(part.dynamics, a, few.states[t, a], 0.0, part.beam.spare[1])
    some = has_contexts(occasions)
    draws, phases = occasions.chances.size if some else 1, occasions.phases.size
    for t in range(ahead - 1, 0, -1):
        for j in range(few.left.size):
            copy_into(few.worth[j, t], few.worth[j, t + 1])
        for draw in range(draws):
            k = occasions.phases[(now + t) % phases] * draws + draw if some else -1
            chance = chance_of(occasions, draw) if some else 1.0
            _score(part, desk, t, k)
            for j in range(few.left.size):
                if few.left[j] > 0 and t < rounds_in_period(desk, j):
                    (gain, there), then = _gain(part, desk, j, k, t), min(t + few.gaps[j], ahead)
                    for n in range(1, few.left[j] + 1):
                        more = gain + few.worth[j, then, n - 1] - few.worth[j, t + 1, n]
                        few.worth[j, t, n] += chance * there * max(more, 0.0)


@compiled
def _score(part: Any, desk: Desk, t: int, k: int) -> None:
    """What a pull of each arm is worth after t rounds of rest, at all prices; of arms that are forbidden nothing."""
    for a in range(part.few.scores.size):
        part.few.scores[a] = -np.inf
        if k < 0 or not desk.occasions.barred[k, a]:
            x = part.few.states[t, a]
            _, worn = wear(part.worth, part.dynamics, a, x, part.notes.tables[a], part.beam.spare)
            shift = desk.occasions.shifts[k, a] if k >= 0 else 0.0
            part.few.scores[a] = shifted_reward(part.dynamics, a, x, shift) + worn - part.notes.per_pull[a]


@compiled
def _gain(part: Any, desk: Desk, j: int, k: int, t: int) -> tuple[float, float]:
    """What a pull of the best arm within a cap is worth in t rounds beyond what else can be done; its chance.

    Where all rounds are alike and the price is not that of the turn too, rounds that pass until then are turns that are
    lost. In contexts, turns are charged for what they may be used for (`turns.py`).
    """
    lost = t if part.few.gaps[j] == 1 and k < 0 else 0
    best, there, instead = -np.inf, 1.0, -np.inf
    for a in range(part.few.scores.size):
        score = part.few.scores[a]
        if desk.limits.most[a, j] > 0.0:
            score -= lost * free_anyway(part, desk, a)
            if score > best:
                best, there = score, part.said[a] if part.said[a] > 0.0 else part.notes.chances[a]
        else:
            instead = max(instead, score)
    if part.may_idle or instead == -np.inf:
        instead = max(instead, 0.0)
    return best + part.charges[j] + _turn_charge(part, desk, j) - instead, there
