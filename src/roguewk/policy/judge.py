"""Judge what a state says was learned before any policy goes on with it.

It is written into a part that is kept for this, where every number that could become an index, a length or a count is
checked against the problem; only then is it a policy's own.
"""

import math
import threading
from typing import Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.part.baseline import check_belief
from roguewk.part.room import LATEST, Room, check_within, damaged
from roguewk.part.verbs import check_state
from roguewk.policy.machine import IDLE, Parts
from roguewk.policy.open_pull import OpenPull, Pending
from roguewk.policy.saved import fill_learned
from roguewk.policy.templates import Template

_LOCK = threading.Lock()


def check_learned(made: Template, learned: Any, pending: Pending, out: Vector) -> None:
    """Write what a state says was learned to `out`, (word,), if a policy can have learned that."""
    bench = made.bench
    with _LOCK:
        words = bench.arena.learned
        fill_learned(bench.arena.part, learned, words)
        if not np.isfinite(words[bench.finite]).all() or np.isnan(words[bench.reals]).any():
            raise damaged("it holds what is not a number")
        parts: Parts = bench.arena.part
        clock, arms = parts.desk.clock, len(made.problem.arms)
        room = Room(arms, int(clock["round"][0]), int(clock["round"][0]) - int(clock["start"][0]))
        _check_desk(made, parts, room)
        for part in bench.checked:
            check_state(part, room)
        _check_pending(made, parts, pending, room)
        out[:] = words


def _check_desk(made: Template, parts: Parts, room: Room) -> None:
    desk, doubling = parts.desk, made.parameters["doubling"]
    clock = desk.clock
    check_within(clock["round"], 0, LATEST if doubling else made.problem.horizon, "the round")
    check_within(clock["start"], 0, room.round, "the start of the epoch")
    check_within(clock["end"], max(room.round, 1) if doubling else 0, 4 * LATEST if doubling else 0, "the epoch's end")
    check_within(clock["last"], -1, room.arms - 1, "the last arm")
    check_within(desk.pulls, 0, room.round, "a number of pulls")
    check_within(desk.shown, 0, room.round, "a number of rounds")
    check_within(desk.occasions.seen, 0, room.round, "a number of rounds")
    check_within(desk.ledger.spent, 0, 2 * room.round, "what is spent")
    check_within(desk.limits.held, -1, 2 * room.round + 1, "what is held")
    check_within(desk.limits.period, 0, room.round, "the number of a period")
    gaps = desk.limits
    check_within(gaps.next_free - gaps.gaps, -LATEST, room.round - 1, "the start of a gap")
    check_within(gaps.next_free - gaps.before, 0, LATEST, "how much later a gap ends than the one before")
    check_within(gaps.before, 0, LATEST, "the end of a gap")
    check_belief(desk.baseline, made.problem, room)


def _check_pending(made: Template, parts: Parts, pending: Pending, room: Room) -> None:
    if pending:
        check_within(np.array(list(pending), dtype=object), 0, room.round - 1, "the round of an open pull")
        arms = np.array([pull.arm for pull in pending.values()], dtype=object)
        check_within(arms, IDLE if made.learns_idle else 0, room.arms - 1, "the arm of an open pull")
    waiting = np.zeros(room.arms, dtype=np.int64)
    for pull in pending.values():
        _check_pull(made, pull)
        if pull.arm != IDLE:
            waiting[pull.arm] += pull.waits_for_costs
    open_ = parts.desk.ledger.open
    check_within(open_, 0, room.round, "a number of open pulls")
    check_within(open_.sum(keepdims=True), 0, room.round, "the number of open pulls")
    check_within(open_ - waiting, 0, room.round, "a number of pulls whose costs never came")


def _check_pull(made: Template, pull: OpenPull) -> None:
    """What has come of it can have come, and something is still to come."""
    costs = np.array(pull.costs)
    if len(costs) != len(made.problem.resources) or not (pull.waits_for_reward or pull.waits_for_costs):
        raise damaged("it has an open pull that is none")
    if len(set(map(float.__repr__, pull.costs))) > 1 and not np.isfinite(costs).all():
        raise damaged("some costs of an open pull have come and others have not")
    if pull.knows_costs:
        check_within(costs, 0, 1 + 1e-6, "a cost of an open pull")
    if pull.reward == -math.inf:
        raise damaged("a reward of an open pull is no number")
    if pull.arm == IDLE and (costs.any() or not pull.waits_for_reward):
        raise damaged("it has an idle round that nothing is awaited of")
    if math.isfinite(pull.reward):
        made.problem.check_reward(pull.arm, pull.reward)
