"""The compiled loop: replicate after replicate, round after round; nothing is allocated within a round."""

from typing import Any, NamedTuple

import numpy as np

from roguewk.engine.post import NOBODY, Post, deliver, write_letter
from roguewk.kernel.arena import Arena
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_for_threads
from roguewk.kernel.handle import Handle, held
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import copy_into
from roguewk.kernel.records import record_type
from roguewk.part.desk import note_available
from roguewk.policy.machine import DECIDE, LEARN, NO_PAST, PASS_ROUND, Machine, Past, act, idle_lesson
from roguewk.problem.ledger import WITHIN
from roguewk.problem.limits import has_limits
from roguewk.problem.occasions import enter, note_draw
from roguewk.world.round import Motion, begin_anew, play_round
from roguewk.world.truth import Truth, draw_available, draw_idle, drawn_of

TOTAL = record_type(("reward", "expected"), ("plays", "rounds", "stopped_by"))


class Curves(NamedTuple):
    """What happened in every round; rounds after the end hold arm -2 and idle outcomes. Empty when not recorded."""

    arms: Any  # (replicate, round), -1 for an idle round
    rewards: Vector  # (replicate, round)
    expected: Vector  # (replicate, round)
    costs: Vector  # (replicate, round, resource) in the user's units
    states: Vector  # (replicate, round, arm, coordinate) before the pull acts


class Sheet(NamedTuple):
    """Where results are written down, a row for each replicate."""

    totals: Any  # (replicate,) records of TOTAL; `stopped_by` is a resource, or WITHIN
    spent: Vector  # (replicate, resource) in the user's units
    curves: Curves

    def rows(self, first: int, last: int) -> "Sheet":
        """The rows from `first` to `last`, to be written into."""
        rows = slice(first, last)
        return Sheet(self.totals[rows], self.spent[rows], Curves(*(array[rows] for array in self.curves)))


def build_sheet(truth: Truth, replicates: int, kept: int) -> Sheet:
    """Space for so many replicates, of which every one of the first `kept` rounds is recorded."""
    shape = (replicates if kept else 0, kept)
    arms = np.full(shape, -2, dtype=np.int16)
    costs, states = np.zeros((*shape, truth.budgets.size)), np.zeros((*shape, *truth.x0.shape))
    totals = np.zeros(replicates, dtype=TOTAL)
    totals["stopped_by"] = WITHIN
    spent = np.zeros((replicates, truth.budgets.size))
    return Sheet(totals, spent, Curves(arms, np.zeros(shape), np.zeros(shape), costs, states))


class Stretch(NamedTuple):
    """Rounds to be played, and with whose luck: the replicates are `first`, `first + 1`, ..., one for each row."""

    begin: int
    end: int
    seed: Any  # Word
    first: int


@compiled_for_threads
def rollout(policy: Arena, world: Handle, mail: Handle, paper: Handle, stretch: Stretch) -> None:
    """Play in the Motion behind `world`, with the Post behind `mail`, and fill the Sheet behind `paper`.

    A single long replicate may be played in several stretches of rounds, one call after the other.
    """
    sheet: Sheet = held(paper)
    for row in range(sheet.totals.size):
        if stretch.begin == 0:
            motion: Motion = held(world)
            machine: Machine = held(policy)
            begin_anew(motion)
            copy_into(machine.learned, machine.start)
            post: Post = held(mail)
            post.boxes[:] = NOBODY
        _play(policy, world, mail, paper, stretch, row)


@compiled
def _offer(machine: Machine, motion: Motion, now: Now) -> None:
    """Tell the policy which arms are possible and what the contexts are, where that changes."""
    if motion.truth.chances.size > 0:
        draw_available(motion.truth, now, machine.desk.available)
        note_available(machine.desk)
    else:
        machine.desk.available[:] = True
    if motion.truth.shifts.shape[0] > 0:
        draw = drawn_of(motion.truth, now)
        enter(machine.desk.occasions, now.round, draw)
        note_draw(machine.desk.occasions, draw)


@compiled
def _decide(machine: Machine, motion: Motion, t: int, luck: Stretch, replicate: int) -> int:
    """End the last round, whose outcome is known at once, and decide this one."""
    last = motion.outcome[0]
    what, past = 0, Past(t - 1, last.arm, last.reward)
    if t > 0:
        what = PASS_ROUND + (LEARN if last.arm >= 0 else idle_lesson(machine.desk))
        for j in range(machine.desk.taken.size):
            machine.desk.taken[j] = motion.costs[j] / motion.truth.scales[j]
    # Two calls are a twentieth of the time: they are made only where the desk changes in between.
    if motion.truth.chances.size + motion.truth.shifts.shape[0] > 0:
        act(machine, what, past, luck.seed, replicate)
        _offer(machine, motion, Now(t, luck.seed, replicate, t))
        what = 0
    elif has_limits(motion.limits):
        machine.desk.available[:] = True
    return act(machine, what + DECIDE, past, luck.seed, replicate)


@compiled
def _decide_late(machine: Machine, motion: Motion, post: Post, t: int, luck: Stretch, replicate: int) -> int:
    """End the last round, whose outcome is sent, take in the outcomes that have come, and decide this round."""
    last = motion.outcome[0]
    if t > 0:
        idle = idle_lesson(machine.desk) if last.arm < 0 else 0  # which is told at once
        act(machine, PASS_ROUND + idle, Past(t - 1, last.arm, last.reward), luck.seed, replicate)
        if last.arm >= 0:
            write_letter(post, machine, motion, Now(t - 1, luck.seed, replicate, t - 1))
    deliver(post, machine, t)
    _offer(machine, motion, Now(t, luck.seed, replicate, t))
    return act(machine, DECIDE, NO_PAST, luck.seed, replicate)


@compiled
def _play(policy: Arena, world: Handle, mail: Handle, paper: Handle, stretch: Stretch, row: int) -> None:
    machine: Machine = held(policy)
    motion: Motion = held(world)
    post: Post = held(mail)
    sheet: Sheet = held(paper)
    total, last = sheet.totals[row], motion.outcome[0]
    replicate, recording = stretch.first + row, sheet.curves.arms.size > 0
    for t in range(stretch.begin, stretch.end):
        if post.boxes.size == 0:
            arm = _decide(machine, motion, t, stretch, replicate)
        else:
            arm = _decide_late(machine, motion, post, t, stretch, replicate)
        if recording:
            copy_into(sheet.curves.states[row, t], motion.states)
        play_round(motion, arm, Now(t, stretch.seed, replicate, t))
        total.rounds += 1
        if recording:
            _record(sheet.curves, row, t, motion)
        total.reward += last.reward
        total.expected += last.mean
        if last.over != WITHIN:
            _live_on(motion.truth, sheet, row, Now(t, stretch.seed, replicate, t))
            break  # the pull that breaks a budget does not count
        if arm >= 0:
            total.plays += 1
    total.stopped_by = last.over
    copy_into(sheet.spent[row], motion.spent)


@compiled
def _live_on(truth: Truth, sheet: Sheet, row: int, end: Now) -> None:
    """Count what the rounds bring that are left after the end of a game, in which nothing is done."""
    if truth.idle.size == 0:
        return
    total, recording = sheet.totals[row], sheet.curves.arms.size > 0
    for t in range(end.round + 1, truth.idle[0].last + 1):
        reward, mean = draw_idle(truth, Now(t, end.seed, end.replicate, t))
        total.reward += reward
        total.expected += mean
        if recording:
            sheet.curves.rewards[row, t], sheet.curves.expected[row, t] = reward, mean


@compiled
def _record(curves: Curves, row: int, t: int, motion: Motion) -> None:
    last = motion.outcome[0]
    curves.arms[row, t] = last.arm
    curves.rewards[row, t] = last.reward
    curves.expected[row, t] = last.mean
    copy_into(curves.costs[row, t], motion.costs)
