"""A few rounds planned at a time by trying every sequence of arms, then played in order.

A sequence is given up when its next arm is not available, or when another arm had to be played.
"""

from typing import Any, NamedTuple, TypeVar

import numpy as np

from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Learned, Scratch
from roguewk.part.desk import Desk
from roguewk.part.room import Room, check_within
from roguewk.part.status import Status
from roguewk.part.verbs import allocate, check_state, settle
from roguewk.problem.errors import InputError

MOST = 1_000_000  # sequences to try
PartClass = TypeVar("PartClass", bound=type)
BETTER = 1e-9  # of equal sequences the first one is taken, whatever the rounding


class Sequence(NamedTuple):
    """The arms of the next rounds."""

    plan: Learned[Any]  # (round,)
    at: Learned[Any]  # (2,) how many of them were played, and how many there are
    spare: Scratch[Any]  # (round,) arms of the sequence that is being tried


def sequenced(part_class: PartClass) -> PartClass:
    """Declare that these parts play their `sequence`; making it is left to `look`."""
    allocate.body(part_class)(_allocate)
    settle.body(part_class)(_settle)
    return part_class


def _allocate(part: Any, desk: Desk, now: Now) -> int:
    desk.shares[:] = 0.0
    desk.prices[:] = 0.0
    if not desk.available.any():
        return Status.NOTHING
    desk.shares[part.sequence.plan[part.sequence.at[0]]] = 1.0
    return Status.SCHEDULED


def _settle(part: Any, desk: Desk, arm: int) -> None:
    """Go on if the arm is that of the sequence (-1: idle), or give it up."""
    sequence = part.sequence
    played, planned = sequence.at
    if played < planned and sequence.plan[played] == arm:
        sequence.at[0] += 1
    else:
        sequence.at[1] = 0


def build_sequence(arms: int, rounds: int, name: str) -> Sequence:
    """Nothing planned yet; `name` is the parameter that gives the number of rounds."""
    if arms**rounds > MOST:
        raise InputError(f"{name} {rounds} makes {arms}^{rounds} sequences of {arms} arms: give a smaller {name}")
    chosen, tried = np.zeros((2, rounds), dtype=np.int64)
    return Sequence(chosen, np.zeros(2, dtype=np.int64), tried)


@check_state.body(Sequence)
def _check_state(part: Sequence, room: Room) -> None:
    check_within(part.plan, 0, room.arms - 1, "an arm of the sequence")
    check_within(part.at, 0, part.plan.size, "the place in the sequence")


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
