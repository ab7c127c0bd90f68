"""Arms that are there and may not be pulled: what contexts forbid, and what is hard leaves out."""

from roguewk.kernel.compile import compiled
from roguewk.part.desk import Desk
from roguewk.problem.limits import FREE, has_limits, keeps_out, renew
from roguewk.problem.occasions import has_contexts, is_barred


@compiled
def keep_to_limits(desk: Desk) -> bool:
    """Make arms unavailable that what is hard leaves out now; whether that left none."""
    if not has_limits(desk.limits):
        return False
    round_ = desk.clock[0].round
    renew(desk.limits, round_)
    kept_out = left = 0
    for a in range(desk.available.size):
        if desk.available[a]:
            if keeps_out(desk.limits, a, round_) == FREE:
                left += 1
            else:
                desk.available[a] = False
                kept_out += 1
    return kept_out > 0 and left == 0


@compiled
def keep_to_contexts(desk: Desk) -> bool:
    """Make arms unavailable that are forbidden in the contexts of this round; whether that left none."""
    if not has_contexts(desk.occasions):
        return False
    kept_out = left = 0
    for a in range(desk.available.size):
        if desk.available[a]:
            if is_barred(desk.occasions, a):
                desk.available[a] = False
                kept_out += 1
            else:
                left += 1
    return kept_out > 0 and left == 0
