"""A few rounds planned at a time by trying every sequence of arms, then played in order.

A sequence is given up when its next arm is not available, or when another arm had to be played.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.allocate.verbs import Desk
from roguewk.kernel.compile import compiled
from roguewk.problem.errors import InputError

MOST = 1_000_000  # sequences to try
BETTER = 1e-9  # of equal sequences the first one is taken, whatever the rounding


class Sequence(NamedTuple):
    """The arms of the next rounds."""

    plan: Any  # (round,)
    at: Any  # (2,) how many of them were played, and how many there are
    spare: Any  # (round,) arms of the sequence that is being tried


def build_sequence(arms: int, rounds: int, name: str) -> Sequence:
    """Nothing planned yet; `name` is the parameter that gives the number of rounds."""
    if arms**rounds > MOST:
        raise InputError(f"{name} {rounds} makes {arms}^{rounds} sequences of {arms} arms: give a smaller {name}")
    chosen, tried = np.zeros((2, rounds), dtype=np.int64)
    return Sequence(chosen, np.zeros(2, dtype=np.int64), tried)


@compiled
def must_plan(sequence: Sequence, desk: Desk) -> bool:
    """Whether there is no sequence to go on with."""
    played, planned = sequence.at
    return played >= planned or not desk.available[sequence.plan[played]]


@compiled
def first_changed(sequence: Sequence, rounds: int, arms: int) -> int:
    """Go on to the next sequence in the order of a dictionary; the first round that differs, -1 after the last."""
    for h in range(rounds - 1, -1, -1):
        if sequence.spare[h] < arms - 1:
            sequence.spare[h] += 1
            return h
        sequence.spare[h] = 0
    return -1


@compiled
def take(sequence: Sequence, rounds: int) -> None:
    """Keep the sequence that was tried last."""
    for h in range(rounds):
        sequence.plan[h] = sequence.spare[h]
    sequence.at[0], sequence.at[1] = 0, rounds


@compiled
def go_on(sequence: Sequence, arm: int) -> None:
    """Let a round pass with this arm pulled (-1: idle)."""
    played, planned = sequence.at
    if played < planned and sequence.plan[played] == arm:
        sequence.at[0] += 1
    else:
        sequence.at[1] = 0


@compiled
def play(sequence: Sequence, desk: Desk) -> None:
    """Give the next arm of the sequence to the desk."""
    desk.shares[:] = 0.0
    desk.prices[:] = 0.0
    desk.shares[sequence.plan[sequence.at[0]]] = 1.0
