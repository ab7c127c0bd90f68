"""Why arms are not possible in a round, though they are there: what leaves them out, and until when."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arena import Arena
from roguewk.policy.steps import limits_online
from roguewk.policy.surroundings import Surroundings
from roguewk.policy.wording import amount
from roguewk.problem.duration import in_words
from roguewk.problem.errors import InputError
from roguewk.problem.ledger import limit_of
from roguewk.problem.problem import Problem


class LeftOut(NamedTuple):
    """An arm that a limit or a context leaves out of a round, why, and the first one in which it may not, None if none.

    Where several do, it is the one that does so longest.

    >>> import roguewk as rw
    >>> arms = [rw.Arm("call", alpha=0.0), rw.Arm("visit", alpha=0.0)]
    >>> problem = rw.Problem(arms, [rw.at_most(1, every=7, arms="call")], horizon=30)
    >>> policy = rw.make_policy("ucb1", problem)
    >>> _ = policy.select(), policy.select()
    >>> policy.select().left_out
    (LeftOut(arm='call', why="the cap 'call per 7 rounds' is used up", until=7),)
    """

    arm: str
    why: str
    until: int | None

    def in_words(self) -> str:
        """For a sentence.

        >>> LeftOut("call", "the gap of 2 days lasts", 7).in_words()
        "'call' until round 7 (the gap of 2 days lasts)"
        """
        end = "for the rest of the game" if self.until is None else f"until round {self.until}"
        return f"{self.arm!r} {end} ({self.why})"


def left_out(
    problem: Problem, policy: Arena, told: int, surroundings: Surroundings | None, occasion: int
) -> tuple[LeftOut, ...]:
    """What keeps arms out of the round that this policy is to decide; an arm that it is told, if any, must be allowed.

    What is hard binds policies alone: whoever else pulled may have taken more.
    """
    if not problem.limited and surroundings is None:
        return ()
    found = _by_limits(problem, policy) if problem.limited else {}
    if surroundings is not None:
        _add_forbidden(found, surroundings, occasion, int(policy.part.desk.clock["round"][0]), problem.horizon)
    if told >= 0 and surroundings is not None and surroundings.causes(told, occasion):
        remedy = "say in which context it was pulled, or give a problem that allows it there"
        raise InputError(f"there can be no pull of {found[told].in_words()}: {remedy}")
    return tuple(found[a] for a in sorted(found))


def _add_forbidden(found: dict[int, LeftOut], given: Surroundings, occasion: int, round_: int, horizon: int) -> None:
    """Add what contexts leave out of a round, where that lasts longer than what limits do."""
    for a, name in enumerate(given.arms):
        causes = given.causes(a, occasion)
        if causes:
            until = given.first_allowed(a, round_ + 1)
            until = until if until is not None and until < horizon else None
            if a not in found or until is None or until > (found[a].until or horizon):
                found[a] = LeftOut(name, f"forbidden: {', '.join(causes)}", until)


def _by_limits(problem: Problem, policy: Arena) -> dict[int, LeftOut]:
    """By arm, what limits leave out of the round that this policy is to decide."""
    desk = policy.part.desk
    until = np.zeros((len(problem.arms), len(problem.resources) + len(problem.gaps)), dtype=np.int64)
    left = np.zeros(desk.limits.held.size)
    limits_online(policy, until, left)
    round_, found = int(desk.clock["round"][0]), {}
    for a, row in enumerate(until):
        last = int(row.max())
        if last > round_:
            why = _why(problem, a, int(row.argmax()), left.tolist())
            found[a] = LeftOut(problem.arms[a].name, why, last if last < problem.horizon else None)
    return found


def without(kept_out: Sequence[LeftOut], listed: Any, problem: Problem) -> Any:
    """(arm,) which arms are possible, of those that are listed; None if all are."""
    if not kept_out:
        return listed
    names = {each.arm for each in kept_out}
    free = np.array([arm.name not in names for arm in problem.arms])
    return free if listed is None else listed & free


def _why(problem: Problem, a: int, row: int, left: Sequence[float]) -> str:
    if row >= len(problem.resources):
        gap = problem.gaps[row - len(problem.resources)]
        return f"the gap of {in_words(problem.gap_rounds(gap), problem.rounds_per_day)} lasts"
    resource = problem.resources[row]
    if resource.counts is not None:
        return f"the cap {resource.name!r} is used up"
    most, there = float(problem.scaled_most[a, row]) * resource.unit, max(left[row], 0.0) * resource.unit
    if most > limit_of(resource.budget) and not resource.carry_over:
        return f"a pull may take {amount(most)} of {resource.name!r}, more than all of a period"
    return f"a pull may take {amount(most)} of {resource.name!r} and {amount(there)} is left"
