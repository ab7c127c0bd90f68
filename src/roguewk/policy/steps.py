"""What the online object does with a policy's machine, in one call each."""

from typing import Any

from roguewk.kernel.arena import Arena
from roguewk.kernel.compile import compiled, compiled_for_python
from roguewk.kernel.handle import held
from roguewk.kernel.luck import Word
from roguewk.part.desk import Desk, note_available
from roguewk.part.status import Status
from roguewk.policy.machine import DECIDE, IDLE, NO_PAST, PASS_ROUND, WEIGH, Machine, Past, act
from roguewk.policy.open_pull import Memo
from roguewk.problem.ledger import WITHIN, first_over, first_uncovered
from roguewk.problem.limits import kept_until, left_in_period, renew
from roguewk.problem.occasions import enter, has_contexts, note_draw

OWN_CHOICE, PREVIEW = -1, -2  # in place of an arm that is told
CLOSED = -2  # in place of an arm: the game is over


@compiled
def _closed(desk: Desk) -> tuple[int, int]:
    """Whether the game is over, as a Status, and which resource is to blame; else -1."""
    if desk.clock[0].end == 0 and desk.clock[0].round >= desk.terms[0].horizon:
        return Status.ENDED.value, -1
    over = first_over(desk.ledger.spent, desk.ledger.budgets)
    if over != WITHIN:
        return Status.SPENT.value, over
    return -1, -1


@compiled_for_python
def decide_online(
    handle: Arena, seed: Word, replicate: int, told: int, every: bool, draw: int
) -> tuple[int, int, int, Memo]:
    """The arm, the status, the resource that is to blame for it, and the memo of the next round.

    The round passes, with an arm that is told for certain if one is, except in a preview. Unless `every` arm is
    available, the desk says which are. `draw` is what was drawn of the contexts, below 0 if that is not known.
    """
    machine: Machine = held(handle)
    desk = machine.desk
    if has_contexts(desk.occasions):
        enter(desk.occasions, desk.clock[0].round, max(draw, 0))
    closed, resource = _closed(desk)
    if closed >= 0:
        return CLOSED, closed, resource, (0.0, 0.0, 0.0, 0.0, 0.0)
    if every:
        desk.available[:] = True
    if told < 0:
        note_available(desk)
    if has_contexts(desk.occasions) and draw >= 0:
        note_draw(desk.occasions, draw)
    arm = act(machine, DECIDE, NO_PAST, seed, replicate)  # also begins epochs, plans and the like
    status = desk.status[0]
    if status == Status.RESERVED:
        resource = max(first_uncovered(desk.ledger), 0)
    if told >= 0:
        arm = told
        for a in range(desk.shares.size):
            desk.shares[a] = 1.0 if a == told else 0.0
    if told != PREVIEW:
        act(machine, PASS_ROUND, Past(0, arm, 0.0), seed, replicate)
    memo = desk.memo
    return arm, status, resource, (memo[0], memo[1], memo[2], memo[3], memo[4])


@compiled_for_python
def limits_online(handle: Arena, until: Any, left: Any) -> None:
    """Until which round resources and gaps, (arm, row), keep arms out, and what is left of what is hard, scaled."""
    machine: Machine = held(handle)
    limits = machine.desk.limits
    renew(limits, machine.desk.clock[0].round)
    for a in range(until.shape[0]):
        for row in range(until.shape[1]):
            until[a, row] = kept_until(limits, a, row)
    for j in range(left.size):
        left[j] = left_in_period(limits, j)


@compiled_for_python
def weigh_online(handle: Arena, seed: Word, replicate: int) -> None:
    """Work out what each arm is worth, and let none have a share."""
    machine: Machine = held(handle)
    machine.desk.shares[:] = 0.0
    machine.desk.prices[:] = 0.0
    act(machine, WEIGH, NO_PAST, seed, replicate)


@compiled_for_python
def skip_online(handle: Arena, seed: Word, replicate: int, rounds: int) -> tuple[int, int]:
    """Let so many rounds pass in which nothing is done, or fewer if the game is over: why it is, or -1, as above."""
    machine: Machine = held(handle)
    desk = machine.desk
    for _ in range(rounds):
        closed, resource = _closed(desk)
        if closed >= 0:
            return closed, resource
        act(machine, WEIGH, NO_PAST, seed, replicate)  # also begins epochs
        desk.shares[:] = 0.0
        desk.status[0] = Status.NOTHING  # it was no choice of the policy's, and no payoff of one
        act(machine, PASS_ROUND, Past(0, IDLE, 0.0), seed, replicate)
    return -1, -1


@compiled_for_python
def learn_online(handle: Arena, what: int, past: Past, memo: Memo) -> None:
    """Learn what has come of a past round, whose costs are on the desk, or take back its pull."""
    machine: Machine = held(handle)
    for i in range(len(memo)):
        machine.desk.memo[i] = memo[i]
    act(machine, what, past, Word(0), 0)
