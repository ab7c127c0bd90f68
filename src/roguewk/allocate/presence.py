"""How often arms are there, as far as planners know: by what is said, by what was seen, and by contexts that forbid."""

from typing import Any

from roguewk.kernel.compile import compiled
from roguewk.part.desk import Desk
from roguewk.problem.occasions import has_contexts, odds_of


@compiled
def sometimes(part: Any) -> bool:
    """Whether some arm is not always available."""
    least = 1.0
    for a in range(part.said.size):
        least = min(least, part.notes.chances[a], part.said[a] if part.said[a] > 0.0 else 1.0)
    return least < 1.0


@compiled
def expect_available(part: Any, desk: Desk) -> float:
    """How often each arm will be available by what was seen, if it was not said: the tables know what was said.

    The share of the rounds in which some arm is, if they come and go independently of each other.
    """
    arms = part.notes.chances.size
    none = 1.0
    for a in range(arms):
        chance = part.said[a]
        part.notes.chances[a] = 1.0
        if chance == 0.0:
            part.notes.chances[a] = chance = (desk.shown[a] + 1.0) / (desk.shown[arms] + 1.0)
        none *= max(1.0 - chance, 0.0)
    return 1.0 - none if not has_contexts(desk.occasions) else _some_there(part, desk)


@compiled
def _some_there(part: Any, desk: Desk) -> float:
    """The share of the rounds in which some arm is there and allowed."""
    some = 0.0
    for k in range(desk.occasions.barred.shape[0]):
        none = 1.0
        for a in range(part.said.size):
            if not desk.occasions.barred[k, a]:
                none *= max(1.0 - (part.said[a] if part.said[a] > 0.0 else part.notes.chances[a]), 0.0)
        some += odds_of(desk.occasions, k) * (1.0 - none)
    return min(some, 1.0)  # chances add up to one but for rounding
