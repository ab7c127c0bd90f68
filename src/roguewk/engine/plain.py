"""Policies written in plain Python, played like all others, only slower.

Such a policy is any object with `select()` and `update(decision, reward, costs)`. `select` returns an arm, None for an
idle round, a probability for each arm, or an object with an `arm`, such as an rw.Decision. `update` gets what `select`
returned (the arm, where that were probabilities), before the next `select`; where outcomes are late, once reward and
costs have both come, and where one of them never comes, not at all. Where idle rounds have an outcome, it gets that of
each at once, None in place of an arm, and costs of 0. Where arms come and go, are forbidden or limited, `select` gets
`available`, a list with a truth value for each arm; where there are contexts and it takes `context`, a dict with their
values by name (an rw.Policy those that are drawn, as it asks for).
"""

import inspect
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from roguewk.engine.rollout import Sheet
from roguewk.kernel.arrays import Vector
from roguewk.part.desk import draw
from roguewk.policy.online import Policy
from roguewk.problem.errors import InputError, shown, whole
from roguewk.problem.ledger import WITHIN
from roguewk.problem.problem import Problem
from roguewk.world.game import Game
from roguewk.world.mailbox import Mailbox
from roguewk.world.round import NONE


class PlainPolicy(Protocol):
    """What a policy of your own can do; rw.Policy can do it too.

    >>> import roguewk as rw
    >>> class InTurn:
    ...     def __init__(self, problem, seed):
    ...         self.arms, self.round = len(problem.arms), -1
    ...     def select(self):
    ...         self.round += 1
    ...         return self.round % self.arms
    ...     def update(self, decision, reward, costs):
    ...         pass
    >>> runs = rw.simulate(rw.catalog.paper(budget=20), ["ucb1", InTurn], replicates=3)
    >>> runs.policies
    ('ucb1', 'InTurn')
    """

    def select(self, *args: Any, **kwargs: Any) -> Any:
        """Decide this round; `available`, (arm,) truth values, is given where arms come and go, and `context`."""

    def update(self, decision: Any, reward: float, costs: Vector) -> None:
        """Learn what a decision brought; costs (resource,) are in the user's units."""


Maker = Callable[[Problem, int], PlainPolicy]


def _chosen(decision: Any, game: Game, problem: Problem, label: str) -> tuple[int | None, Any]:
    """The arm of a decision, and what the policy is told it was."""
    has_arm = hasattr(decision, "arm")
    single = decision.arm if has_arm else decision
    if single is None:
        return None, decision
    if has_arm or isinstance(decision, str) or not np.iterable(decision):
        arm = whole(single, f"arm selected by policy {label!r}", 0, len(problem.arms) - 1)
        return arm, decision if has_arm else arm
    arm = draw(plain_shares(decision, problem, label), game.number())
    return (None, None) if arm < 0 else (arm, arm)


def plain_shares(decision: Any, problem: Problem, label: str) -> Vector:
    """(arm,) the probabilities that a policy selected."""
    arms = len(problem.arms)
    try:
        shares = np.array(decision, dtype=np.float64)
    except Exception:  # it is the user's: anything may come
        shares = np.zeros(0)
    if shares.shape != (arms,) or not (shares >= 0).all() or shares.sum() > 1 + 1e-9:
        raise InputError(f"policy {label!r} selected {shown(decision)}: give an arm, None, or {arms} probabilities")
    return shares


def make_plain(label: str, make: Maker, game: Game, seed: int) -> PlainPolicy:
    """A policy for this game, made anew with the seed plus the number of the replicate."""
    problem = game.world.problem
    try:
        inspect.signature(make).bind(problem, seed)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"policy {label!r} cannot be made with a problem and a seed ({error}): let it take both"
        ) from None
    policy = make(problem, (seed + game.replicate) % 2**64)
    for name in ("select", "update"):
        if not callable(getattr(policy, name, None)):
            raise InputError(f"policy {label!r} has no method {name}: give it select() and update(decision, ...)")
    return policy


def play_plain(game: Game, policy: PlainPolicy, label: str, sheet: Sheet) -> None:
    """Play a whole game with the luck that every other policy has in it; `sheet` has one row."""
    problem, total, curves = game.world.problem, sheet.totals[0], sheet.curves
    taken = inspect.signature(policy.select).parameters
    if game.comes_and_goes and "available" not in taken:
        raise InputError(
            f"arms of this world come and go, which policy {label!r} is not told: let its select take `available`"
        )
    asks = "context" in taken and bool(game.world.contexts)
    mailbox = Mailbox(game)
    while game.round < problem.horizon and game.stopped_by == WITHIN:
        t = game.round
        for news in mailbox.open(t):
            if news.complete:
                policy.update(news.decision, news.reward, news.costs)
        available = game.available()
        told: dict[str, Any] = {} if available is None else {"available": available}
        if asks:
            told["context"] = game.drawn if isinstance(policy, Policy) else game.context
        decision = policy.select(**told)
        arm, selected = _chosen(decision, game, problem, label)
        if available is not None and arm is not None and not available[arm]:
            name = problem.arms[arm].name
            raise InputError(
                f"policy {label!r} selected {name!r} in round {t}, where it is not available: select another"
            )
        if arm is None and not problem.idle and (available is None or any(available)):
            raise InputError(f"policy {label!r} left round {t} idle, and this problem has none: select an arm")
        if curves.arms.size:
            curves.states[0, t] = game.states
        reward, costs = game.play(arm)
        if curves.arms.size:
            curves.arms[0, t] = NONE if arm is None else arm
            curves.rewards[0, t], curves.expected[0, t], curves.costs[0, t] = reward, game.mean, game.costs
        total["reward"] += reward
        total["expected"] += game.mean
        if arm is None and problem.baseline is not None:
            policy.update(selected, reward, costs)
        elif arm is not None and game.stopped_by == WITHIN:
            total["plays"] += 1
            mailbox.send(selected, reward, costs)
    _live_on(game, sheet)
    total["rounds"], total["stopped_by"] = game.round, game.stopped_by
    sheet.spent[0] = game.spent


def _live_on(game: Game, sheet: Sheet) -> None:
    """Count what the rounds bring that are left after the end of a game, in which nothing is done."""
    if game.world.baseline is None:
        return
    rewards, means = game.live_on()
    for reward, mean in zip(rewards.tolist(), means.tolist(), strict=True):  # in the engine's order
        sheet.totals[0]["reward"] += reward
        sheet.totals[0]["expected"] += mean
    if sheet.curves.arms.size:
        sheet.curves.rewards[0, game.round :], sheet.curves.expected[0, game.round :] = rewards, means
