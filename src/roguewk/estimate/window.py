"""What the last rounds held: counts and sums over a window that slides, shrinks or grows.

As in tallies, means are over what has arrived and radii over pulls. What arrives after its round has left the window
is left out.
"""

from typing import Any, NamedTuple, TypeVar

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.memory import Learned
from roguewk.part.room import LATEST, Room, check_within
from roguewk.part.verbs import check_state, learn_reward
from roguewk.problem.errors import InputError
from roguewk.problem.problem import Problem

MOST_SLOTS = 10**7  # rounds
PartClass = TypeVar("PartClass", bound=type)


class Window(NamedTuple):
    """Counts and sums of each arm; with no slots at all, every round counts for ever."""

    sums: Learned[Vector]  # (arm, column)
    seen: Learned[Vector]  # (arm,)
    pulls: Learned[Vector]  # (arm,)
    rounds: Learned[Any]  # (slot, [round, arm, arrived])
    values: Learned[Vector]  # (slot, column)
    oldest: Learned[Any]  # (1,) the first round that counts


def build_window(problem: Problem, slots: int, columns: int) -> Window:
    """An empty window for at most so many rounds; see `slots_for`."""
    if slots > MOST_SLOTS:
        raise InputError(f"a window of {slots} rounds is too long to be kept: give one of at most {MOST_SLOTS}")
    arms = len(problem.arms)
    sums, (seen, pulls) = np.zeros((arms, columns)), np.zeros((2, arms))
    return Window(sums, seen, pulls, np.full((slots, 3), -1), np.zeros((slots, columns)), np.zeros(1, dtype=np.int64))


def slots_for(problem: Problem, length: int) -> int:
    """The slots of a window of this length; none are needed when it is the horizon."""
    return 0 if length >= problem.horizon else length


def windowed(part_class: PartClass) -> PartClass:
    """Declare that these parts learn by keeping a `window` of rewards."""
    learn_reward.body(part_class)(_add)
    return part_class


def _add(part: Any, round_: int, arm: int, memo: Vector, reward: float) -> None:
    take_in(part.window, round_, arm, reward)


@check_state.body(Window)
def _check_state(part: Window, room: Room) -> None:
    check_within(part.rounds[:, 0], -1, room.round, "a round in the window")
    check_within(part.rounds[:, 1], -1, room.arms - 1, "an arm in the window")
    check_within(part.oldest, -LATEST, room.round, "the oldest round in the window")


@compiled
def slide(window: Window, round_: int, arm: int, length: int) -> None:
    """Let a round pass with `arm` pulled (-1: idle); only the last `length` rounds, at most the slots, go on to count.

    The first round that counts never moves back.
    """
    if arm >= 0:
        window.pulls[arm] += 1.0
    slots = window.rounds.shape[0]
    if slots == 0:
        return
    first = round_ + 1 - length
    # After a restart the slots are empty, and what lies further back than they reach need not be looked for.
    for gone in range(max(window.oldest[0], first - slots), first):
        _forget(window, gone)
    window.oldest[0] = max(window.oldest[0], first)
    slot = round_ % slots
    window.rounds[slot, 0], window.rounds[slot, 1], window.rounds[slot, 2] = round_, arm, 0


@compiled
def _forget(window: Window, round_: int) -> None:
    slot = round_ % window.rounds.shape[0]
    arm = window.rounds[slot, 1]
    if window.rounds[slot, 0] != round_ or arm < 0:
        return
    window.pulls[arm] -= 1.0
    if window.rounds[slot, 2] == 1:
        window.seen[arm] -= 1.0
        for j in range(window.sums.shape[1]):
            window.sums[arm, j] -= window.values[slot, j]


@compiled
def empty(window: Window, round_: int) -> None:
    """Forget every round before this one."""
    window.sums[:] = 0.0
    window.seen[:] = 0.0
    window.pulls[:] = 0.0
    window.oldest[0] = round_


@compiled
def arrives(window: Window, round_: int, arm: int) -> int:
    """Count an arrival; the slot to note it in, -1 if slots are not kept, -2 if it is out of the window."""
    slots = window.rounds.shape[0]
    slot = round_ % slots if slots > 0 else -1
    if slots > 0:
        if round_ < window.oldest[0] or window.rounds[slot, 0] != round_:
            return -2
        window.rounds[slot, 2] = 1
    window.seen[arm] += 1.0
    return slot


@compiled
def take_in(window: Window, round_: int, arm: int, reward: float) -> None:
    """Add the reward of a round that is still in the window."""
    slot = arrives(window, round_, arm)
    if slot > -2:
        window.sums[arm, 0] += reward
    if slot >= 0:
        window.values[slot, 0] = reward


@compiled
def window_mean(window: Window, a: int) -> float:
    """The mean of what arrived in the window; 1 when nothing did."""
    return window.sums[a, 0] / window.seen[a] if window.seen[a] > 0.0 else 1.0
