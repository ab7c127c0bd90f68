"""A policy whose arms go by the caller's names, and whose rewards are told by arm instead of by decision."""

from collections import deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from roguewk.policy.online import Policy
from roguewk.policy.registry import make_policy, recipe
from roguewk.problem.arm import Arm
from roguewk.problem.errors import InputError
from roguewk.problem.problem import Problem

FIRST_EPOCH = 1000  # rounds, when the horizon is unknown

Name = str | Mapping[str, str]  # of a policy, or of its parts by role


def _plain_arm(id_: Hashable, sigma: float | None) -> Arm:
    """An arm whose reward never changes."""
    name = id_ if isinstance(id_, str) else repr(id_)
    return Arm(name, alpha=0.0) if sigma is None else Arm(name, alpha=0.0, family="gaussian", sigma=sigma)


def check_policy(name: Name, parameters: Mapping[str, Any], dynamics: bool) -> None:
    """Whether there is such a policy with such parameters, and whether it fits arms without known `dynamics`."""
    how = recipe(name)
    how.complete(parameters)
    if not dynamics and how.dynamics != "unused":
        raise InputError(
            f"policy {how.name!r} needs to know how arms wear off and recover: give an rw.Problem instead of a list"
        )


class Adapter:
    """Decides and learns by arm.

    Every decision is a round, in which the arm counts as pulled. A reward goes to the oldest decision for its arm that
    still waits for one; if there is none, the arm was pulled without asking, and a round passes with it, whatever the
    policy would have done.

    >>> adapter = Adapter(["red", "blue"], "ucb1", {}, seed=1)
    >>> adapter.decide()
    'red'
    >>> adapter.learn("red", 1)
    >>> adapter.learn("blue", 0)  # pulled without asking
    >>> adapter.policy.round
    2
    """

    def __init__(
        self,
        arms: Sequence[Hashable] | Problem,
        policy: Name,
        parameters: Mapping[str, Any],
        seed: int,
        horizon: int | None = None,
        sigma: float | None = None,
    ) -> None:
        given = dict(parameters)
        check_policy(policy, given, isinstance(arms, Problem))
        self._needs_sigma = not isinstance(arms, Problem) and sigma is None
        self.arms: list[Any]
        if isinstance(arms, Problem):
            if horizon is not None or sigma is not None:
                raise InputError("horizon or sigma is given beside a problem, which has its own: leave them out")
            drawn = [context.name for context in arms.contexts if context.drawn]
            if drawn:
                raise InputError(
                    f"context {drawn[0]!r} of the problem is drawn anew in each round, which cannot be told here:"
                    " decide with rw.make_policy"
                )
            problem, self.arms = arms, [arm.name for arm in arms.arms]
        else:
            self.arms = list(arms)
            problem = Problem([_plain_arm(id_, sigma) for id_ in self.arms], [], horizon or FIRST_EPOCH)
            if horizon is None:
                given.setdefault("doubling", FIRST_EPOCH)
        self._places: dict[Hashable, int] = {id_: a for a, id_ in enumerate(self.arms)}
        self._waiting: list[deque[int]] = [deque() for _ in self.arms]  # rounds, by arm
        self.policy: Policy = make_policy(policy, problem, seed, **given)

    def decide(self, available: Iterable[Hashable] | None = None) -> Any:
        """The arm of this round, None to leave it idle or when the game is over."""
        listed = None if available is None else [self._place(id_) for id_ in available]
        if listed is not None and len(set(listed)) == len(self.arms):
            listed = None
        decision = self.policy.select(listed)
        if decision.arm is None:
            if decision.round in self.policy.open_pulls:
                self.policy.forget(decision)  # nobody tells what came of it
            return None
        self._waiting[decision.arm].append(decision.round)
        return self.arms[decision.arm]

    def learn(self, id_: Hashable, reward: Any, costs: Any = None) -> None:
        """What a pull of this arm brought; costs as for `rw.Policy.update`."""
        arm = self.check(id_, reward)
        if not self._waiting[arm]:
            self._waiting[arm].append(self.policy.follow(arm))
        self.policy.update(self._waiting[arm][0], reward, [] if costs is None else costs)
        self._waiting[arm].popleft()

    def check(self, id_: Hashable, reward: Any) -> int:
        """The place of an arm that can bring this reward."""
        arm = self._place(id_)
        if self._needs_sigma and reward not in (0, 1):
            raise InputError(
                f"reward {reward!r} of arm {id_!r} is not 0 or 1: give sigma, the spread of an arm's rewards"
            )
        self.policy.problem.check_reward(arm, reward)
        return arm

    def _place(self, id_: Hashable) -> int:
        try:
            return self._places[id_]
        except (KeyError, TypeError):
            named = ", ".join(map(repr, self.arms))
            raise InputError(f"there is no arm {id_!r}: the arms are {named}") from None
