"""A decision, with all that it takes to say why."""

from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.part.status import Status
from roguewk.policy.explain import explanation
from roguewk.policy.left_out import LeftOut
from roguewk.policy.open_pull import NO_MEMO, Memo
from roguewk.policy.outlook import Outlook, Setting

_NUMBERS = ("probabilities", "reward_bounds", "cost_bounds", "prices")
_TOLD = ("arm", "name", *_NUMBERS, "round", "status", "code", "identity", "available", "left_out", "outlook")


class Decision(NamedTuple):
    """What to do in a round, and why.

    `arm` is an index, `name` its name, both None for an idle round; `round` counts from 0; `status` is a sentence and
    `code` the same as a Status; `identity` tells whose it is. `available` (arm,) is None when all arms were; `left_out`
    says which of the others a context, a budget that renews, a cap or a gap keeps out, why and until when. `context`
    has the values of contexts by name, None where there are none. `outlook` is None where no planner looked ahead;
    `baseline` is what doing nothing was taken to bring, None if nothing. `figures` holds all numbers as the policy had
    them: read them as `probabilities`, `reward_bounds`, `cost_bounds` and `prices`.

    >>> import roguewk as rw
    >>> decision = rw.make_policy("ucb1", rw.catalog.paper().problem).select()
    >>> decision.round, decision.name, decision.probabilities
    (0, 'arm 0', array([1., 0., 0.]))
    """

    arm: int | None
    round: int
    status: str
    code: Status
    identity: str
    figures: Vector
    setting: Setting
    available: Any = None
    left_out: tuple[LeftOut, ...] = ()
    occasion: int = -1  # which combination of the values of contexts, -1 where there are none
    outlook: Outlook | None = None
    memo: Memo = NO_MEMO  # what learning from it needs, for `amend`

    # Taken apart when they are asked for: most decisions are only carried out.
    @property
    def name(self) -> str | None:
        """The arm's name, None for an idle round."""
        return None if self.arm is None else self.setting.arms[self.arm]

    @property
    def probabilities(self) -> Vector:
        """(arm,) the chances that the arm was drawn with."""
        return self.figures[self.setting.places.shares]

    @property
    def reward_bounds(self) -> Vector:
        """(arm,) what each arm was taken to bring."""
        return self.figures[self.setting.places.reward_bounds]

    @property
    def cost_bounds(self) -> Vector:
        """(arm, resource) what each arm was taken to cost, in your units."""
        setting = self.setting
        table = self.figures[setting.places.cost_bounds].reshape(len(setting.arms), len(setting.resources))
        return table * setting.units

    @property
    def prices(self) -> Vector:
        """(resource,) the reward that one more unit per round would bring."""
        return self.figures[self.setting.places.prices] / self.setting.units

    @property
    def context(self) -> dict[str, str] | None:
        """By name, the values of the contexts of the round; None where there are none.

        >>> import roguewk as rw
        >>> problem = rw.Problem([rw.Arm("walk", alpha=0.0)], [], 10, contexts=[rw.Context("place", ["home", "out"])])
        >>> rw.make_policy("roguewk-plan", problem).select(context="out").context
        {'place': 'out'}
        """
        surroundings = self.setting.surroundings
        return None if surroundings is None or self.occasion < 0 else surroundings.values(self.occasion)

    @property
    def baseline(self) -> float | None:
        """What the round was taken to bring if nothing was done in it; None if that is nothing."""
        found = self.figures[self.setting.places.idle]
        return float(found[0]) if found.size else None

    def __repr__(self) -> str:
        what = "an idle round" if self.arm is None else repr(self.name)
        return f"<decision of round {self.round}: {what}, {self.status}>"

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
        data = {name: getattr(self, name) for name in _TOLD}
        data["code"] = self.code.name
        data["left_out"] = [each._asdict() for each in self.left_out]
        data["outlook"] = None if self.outlook is None else self.outlook.to_data()
        data |= {} if self.context is None else {"context": self.context}
        data |= {} if self.baseline is None else {"baseline": self.baseline}
        return {name: _plain(value) for name, value in data.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value
