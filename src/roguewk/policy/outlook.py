"""What a decision was made of: the setting, and what a planner saw."""

from typing import Any, NamedTuple, Protocol

from roguewk.allocate.notes import CHARGE, LEARNING, NOW, WEAR
from roguewk.allocate.planner import Planner
from roguewk.estimate.dynamics.summary import Belief, Glimpse, beliefs_of
from roguewk.kernel.arrays import Vector
from roguewk.part.status import Status
from roguewk.policy.left_out import LeftOut
from roguewk.policy.surroundings import Surroundings


class Outlook(NamedTuple):
    """What a planner sees in each arm, (arm,), in rewards: the sum is what pulling it gains over letting it rest.

    `wear` is how a pull changes what the arm is worth from the next round on, mostly for the worse; `charge` is the
    price of the resources that a pull takes, `learning` a credit for what is not known well of its state and costs,
    and `baseline` what an idle round brings.
    A pull also takes up its round: wear counts later pulls at `round_price`. The planner looks `ahead` so many rounds.
    Where dynamics are learned, `beliefs` are what is believed of them.
    """

    now: Vector
    wear: Vector
    charge: Vector
    learning: Vector
    round_price: float
    ahead: int
    glimpse: Glimpse | None = None
    baseline: float = 0.0

    @property
    def sums(self) -> Vector:
        """(arm,) what pulling each arm gains, one round ahead."""
        return self.now - self.baseline + self.wear - self.charge + self.learning

    @property
    def beliefs(self) -> list[Belief] | None:
        """(arm,) what is believed of the dynamics, if they are learned."""
        return None if self.glimpse is None else beliefs_of(self.glimpse)

    def to_data(self) -> dict[str, Any]:
        """As plain data."""
        data = self._asdict()
        del data["glimpse"], data["baseline"]  # which is the decision's too
        if self.glimpse is not None:
            data["beliefs"] = [
                {name: found._asdict() for name, found in belief._asdict().items()} for belief in self.beliefs or ()
            ]
        return data


def outlook_of(planner: Planner, glimpse: Glimpse | None) -> Outlook:
    """A copy of what a planner noted in its last decision."""
    columns, plan = planner.notes.outlook.T.copy(), planner.plan[0]
    seen = columns[NOW], columns[WEAR], columns[CHARGE], columns[LEARNING]
    return Outlook(*seen, float(plan["round_price"]), int(plan["ahead"]), glimpse, float(planner.notes.idle[NOW]))


class Places(NamedTuple):
    """Where the numbers of a decision are among all of them."""

    reward_bounds: slice
    cost_bounds: slice
    shares: slice
    prices: slice
    idle: slice


class Setting(NamedTuple):
    """What the decisions of a policy have in common."""

    arms: tuple[str, ...]
    resources: tuple[str, ...]
    may_idle: bool
    units: tuple[float, ...]  # (resource,) what counts as 1 inside
    levels: tuple[str, ...]  # (arm,) what levels are measured in
    places: Places
    surroundings: Surroundings | None


class Told(Protocol):
    """What an explanation needs of a decision; an rw.Decision says what each of these is."""

    @property
    def arm(self) -> int | None: ...
    @property
    def name(self) -> str | None: ...
    @property
    def probabilities(self) -> Vector: ...
    @property
    def reward_bounds(self) -> Vector: ...
    @property
    def cost_bounds(self) -> Vector: ...
    @property
    def prices(self) -> Vector: ...
    @property
    def status(self) -> str: ...
    @property
    def code(self) -> Status: ...
    @property
    def available(self) -> Any: ...
    @property
    def left_out(self) -> tuple[LeftOut, ...]: ...
    @property
    def baseline(self) -> float | None: ...
    @property
    def occasion(self) -> int: ...
    @property
    def outlook(self) -> Outlook | None: ...
    @property
    def setting(self) -> Setting: ...
