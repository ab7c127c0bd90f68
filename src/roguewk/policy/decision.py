"""A decision, with all that it takes to say why."""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.part.status import Status
from roguewk.policy.explain import explanation
from roguewk.policy.outlook import Outlook, Setting


class Decision(NamedTuple):
    """What to do in a round, and why.

    `arm` is an index, `name` its name, both None for an idle round; `probabilities` (arm,) are those it was drawn
    with; `reward_bounds` (arm,); `cost_bounds` (arm, resource) and `prices` (resource,), the reward that one more unit
    per round would bring, in your units; `round` counts from 0; `status` is a sentence and `code` the same as a Status;
    `identity` tells whose it is. `available` (arm,) is None when all arms were, `outlook` None where no planner looked
    ahead.

    >>> import roguewk as rw
    >>> decision = rw.make_policy("ucb1", rw.catalog.paper().problem).select()
    >>> decision.round, decision.name, decision.probabilities
    (0, 'arm 0', array([1., 0., 0.]))
    """

    arm: int | None
    name: str | None
    probabilities: Vector
    reward_bounds: Vector
    cost_bounds: Vector
    prices: Vector
    round: int
    status: str
    code: Status
    identity: str
    available: Any
    outlook: Outlook | None
    setting: Setting

    def explain(self) -> str:
        """Why this arm now, in words and numbers, in lines of at most 80 characters.

        >>> import roguewk as rw
        >>> policy = rw.make_policy("ucb1", rw.catalog.paper().problem)
        >>> print(policy.select(available=["arm 2"]).explain())
        Arm 'arm 2' is played: each arm is played once before they are compared.
        """
        return explanation(self)

    def to_data(self) -> dict[str, Any]:
        """The decision as plain data for JSON; what is infinite is None there.

        >>> import roguewk as rw
        >>> data = rw.make_policy("ucb1", rw.catalog.paper().problem).select().to_data()
        >>> data["arm"], data["name"], data["code"], data["probabilities"]
        (0, 'arm 0', 'FIRST_PULL', [1.0, 0.0, 0.0])
        """
        data = self._asdict()
        del data["setting"]
        data["code"] = self.code.name
        data["outlook"] = None if self.outlook is None else self.outlook._asdict()
        return {name: _plain(value) for name, value in data.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value
