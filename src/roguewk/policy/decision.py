"""A decision, with all that it takes to say why."""

from typing import Any, NamedTuple

from roguewk.allocate.planner import CHARGE, LEARNING, NOW, WEAR, Planner
from roguewk.kernel.arrays import Vector


class Outlook(NamedTuple):
    """What a planner sees in each arm, (arm,), in rewards: the sum is what pulling it gains over letting it rest.

    `wear` is how a pull changes what the arm is worth from the next round on, mostly for the worse; `charge` is the
    price of the resources that a pull takes, `learning` a credit for costs that are not known well. A pull also takes
    up its round: wear counts later pulls at `round_price`. The planner looks `ahead` so many rounds.
    """

    now: Vector
    wear: Vector
    charge: Vector
    learning: Vector
    round_price: float
    ahead: int

    @property
    def sums(self) -> Vector:
        """(arm,) what pulling each arm gains, one round ahead."""
        return self.now + self.wear - self.charge + self.learning


def outlook_of(planner: Planner) -> Outlook:
    """A copy of what a planner noted in its last decision."""
    columns, plan = planner.notes.outlook.T.copy(), planner.plan[0]
    seen = columns[NOW], columns[WEAR], columns[CHARGE], columns[LEARNING]
    return Outlook(*seen, float(plan["round_price"]), int(plan["ahead"]))


class Setting(NamedTuple):
    """What the decisions of a policy have in common."""

    arms: tuple[str, ...]
    resources: tuple[str, ...]
    may_idle: bool


class Decision(NamedTuple):
    """What to do in a round, and why.

    `arm` is an index, `name` its name, both None for an idle round; `probabilities` (arm,) are those it was drawn
    with; `reward_bounds` (arm,); `cost_bounds` (arm, resource) and `prices` (resource,), the reward that one more unit
    per round would bring, in your units; `round` counts from 0; `status` is a sentence; `policy` tells whose it is.
    `available` (arm,) is None when all arms were, `outlook` None where no planner looked ahead.

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
    policy: str
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
        from roguewk.policy.explain import explanation  # it needs this module

        return explanation(self)
