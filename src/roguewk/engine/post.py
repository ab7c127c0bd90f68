"""Outcomes on their way: what pulls brought, until the policy is told.

A letter is written for each pull and lies in the box of the round before which it is delivered, costs and reward at
once or one after the other. There are as many boxes, and as many letters at a time, as rounds that a letter may take.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now, Word
from roguewk.kernel.memory import copy_into
from roguewk.kernel.records import record_type
from roguewk.part.desk import MEMO
from roguewk.policy.machine import LEARN_BOTH, LEARN_COSTS, LEARN_REWARD, NEVER, Machine, Past, act
from roguewk.world.fate import NEVER_DUE, build_terms, fate_of
from roguewk.world.outcomes import Outcomes
from roguewk.world.round import Motion

NOBODY = -1  # in place of a letter
_LETTER = record_type(("reward",), ("round", "arm", "reward_due", "costs_due", "next"))


class Post(NamedTuple):
    """Letters under way; none where every outcome is told at once."""

    terms: Any  # (1,) record
    boxes: Any  # (box,) the first letter in it, or NOBODY
    letters: Any  # (letter,) records
    costs: Vector  # (letter, resource) as policies are told them
    memos: Vector  # (letter, number)


def build_post(outcomes: Outcomes, resources: int) -> Post:
    """Nothing under way."""
    size = outcomes.longest + 1 if outcomes.late else 0
    boxes, letters = np.full(size, NOBODY, dtype=np.int64), np.zeros(size, dtype=_LETTER)
    return Post(build_terms(outcomes), boxes, letters, np.zeros((size, resources)), np.zeros((size, MEMO)))


@compiled
def _put(post: Post, letter: int, due: int) -> None:
    box = due % post.boxes.size
    post.letters[letter].next = post.boxes[box]
    post.boxes[box] = letter


@compiled
def write_letter(post: Post, machine: Machine, motion: Motion, now: Now) -> None:
    """Write down what the pull of this round brought; its memo is on the desk."""
    place = now.round % post.letters.size
    letter, outcome, fate = post.letters[place], motion.outcome[0], fate_of(post.terms, now)
    letter.round, letter.arm = now.round, outcome.arm
    letter.reward = outcome.reward if fate.reward_known else NEVER
    letter.reward_due, letter.costs_due = fate.reward_due, fate.costs_due
    copy_into(post.memos[place], machine.desk.memo)
    for j in range(post.costs.shape[1]):
        post.costs[place, j] = motion.costs[j] / motion.truth.scales[j]
    first = fate.reward_due if fate.costs_due == NEVER_DUE else min(fate.reward_due, fate.costs_due)
    _put(post, place, first)


@compiled
def deliver(post: Post, machine: Machine, round_: int) -> None:
    """Let the policy learn what is due before this round's decision."""
    box = round_ % post.boxes.size
    place = post.boxes[box]
    post.boxes[box] = NOBODY
    while place != NOBODY:
        letter = post.letters[place]
        later = letter.next
        what = 0
        if letter.costs_due == round_:
            what += LEARN_COSTS
        if letter.reward_due == round_ and letter.reward == letter.reward:  # it is not NEVER
            what += LEARN_REWARD
        if letter.costs_due != NEVER_DUE and max(letter.costs_due, letter.reward_due) == round_:
            what += LEARN_BOTH
        if what > 0:
            copy_into(machine.desk.memo, post.memos[place])
            copy_into(machine.desk.taken, post.costs[place])
            act(machine, what, Past(letter.round, letter.arm, letter.reward), Word(0), 0)
        last = max(letter.costs_due, letter.reward_due)
        if last > round_:
            _put(post, place, last)
        place = later
