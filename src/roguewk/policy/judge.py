"""Judge what a state says was learned before any policy goes on with it.

It is written into a part that is kept for this, where every number that could become an index, a length or a count is
checked against the problem; only then is it a policy's own.
"""

import threading
from typing import Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.part.room import LATEST, Room, check_within, damaged
from roguewk.part.verbs import check_state
from roguewk.policy.machine import Parts
from roguewk.policy.saved import Pending, fill_learned
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
        _check_pending(parts, pending, room)
        out[:] = words


def _check_desk(made: Template, parts: Parts, room: Room) -> None:
    desk, doubling = parts.desk, made.parameters["doubling"]
    clock = desk.clock
    check_within(clock["round"], 0, LATEST if doubling else made.problem.horizon, "the round")
    check_within(clock["start"], 0, room.round, "the start of the epoch")
    check_within(clock["end"], max(room.round, 1) if doubling else 0, 4 * LATEST if doubling else 0, "the epoch's end")
    check_within(clock["last"], -1, room.arms - 1, "the last arm")
    check_within(desk.pulls, 0, room.round, "a number of pulls")
    check_within(desk.ledger.spent, 0, 2 * room.round, "what is spent")


def _check_pending(parts: Parts, pending: Pending, room: Room) -> None:
    pulls = len(pending)
    check_within(parts.desk.ledger.reserved, pulls, pulls, "what is reserved")
    if pending:
        check_within(np.array(list(pending), dtype=object), 0, room.round - 1, "the round of an open pull")
        arms = np.array([arm for arm, _ in pending.values()], dtype=object)
        check_within(arms, 0, room.arms - 1, "the arm of an open pull")
