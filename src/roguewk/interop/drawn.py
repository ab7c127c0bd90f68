"""A policy of one's own that says the chances of its arms; which one is played is drawn for it, as in the simulator."""

import inspect
from typing import Any, NamedTuple

import numpy as np

from roguewk.engine.plain import PlainPolicy, plain_shares
from roguewk.kernel.arrays import Vector
from roguewk.part.desk import draw
from roguewk.part.status import Status
from roguewk.problem.errors import InputError
from roguewk.world.game import Game


class Draw(NamedTuple):
    """The part of an rw.Decision that a log keeps."""

    arm: int | None
    probabilities: Vector  # (arm,)
    code: Status


class Drawn:
    """Has `select` and `update` as an rw.Policy has; a policy that returns no probabilities is refused.

    >>> import roguewk as rw
    >>> class Even:
    ...     def select(self):
    ...         return [0.5, 0.25, 0.25]
    ...     def update(self, decision, reward, costs):
    ...         pass
    >>> Drawn(Even(), "even", Game(rw.catalog.paper(), seed=1)).select().probabilities
    array([0.5 , 0.25, 0.25])
    """

    def __init__(self, policy: PlainPolicy, label: str, game: Game) -> None:
        self._policy, self._label, self._game = policy, label, game
        self._problem = game.world.problem

    def select(self) -> Draw:
        """Draw the arm of this round with the number that the simulator draws it with."""
        taken = inspect.signature(self._policy.select).parameters
        told: dict[str, Any] = {}
        if self._game.comes_and_goes and "available" in taken:
            told["available"] = self._game.available()
        if self._game.world.contexts and "context" in taken:
            told["context"] = self._game.context
        said = self._policy.select(**told)
        if hasattr(said, "arm") or said is None or np.ndim(said) == 0:
            what = "an rw.Decision" if hasattr(said, "arm") else repr(said)
            raise InputError(
                f"policy {self._label!r} selected {what}, and a log needs to know how probable that was: let its select"
                " return the probability of each arm in every round"
            )
        shares = plain_shares(said, self._problem, self._label)
        if not self._problem.idle and shares.sum() < 1 - 1e-9:
            raise InputError(
                f"policy {self._label!r} selected probabilities that sum to {shares.sum():g}, and this problem has no"
                " idle rounds: let them sum to 1"
            )
        arm = draw(shares, self._game.number())
        return Draw(None if arm < 0 else arm, shares, Status.GIVEN)

    def update(self, decision: Any, reward: float, costs: Vector) -> None:
        """Pass on what the arm brought."""
        self._policy.update(decision.arm, reward, costs)
