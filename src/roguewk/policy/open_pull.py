"""A pull of which something has not come yet, or an idle round: what is known of it so far."""

import math
from enum import Enum
from typing import NamedTuple

from roguewk.policy.machine import IDLE, LEARN_BOTH, LEARN_COSTS, LEARN_IDLE, LEARN_REWARD

Memo = tuple[float, float, float, float, float]
NO_MEMO: Memo = (0.0, 0.0, 0.0, 0.0, 0.0)
WAITING = math.inf  # in place of a number that has not come; NEVER is in place of one that never will


class Later(Enum):
    """In place of what `update` is not told yet."""

    LATER = "later"

    def __repr__(self) -> str:
        return self.value


LATER = Later.LATER


class OpenPull(NamedTuple):
    """The arm or IDLE, what learning from it will need, and what has come: numbers, WAITING or NEVER."""

    arm: int
    memo: Memo
    reward: float
    costs: tuple[float, ...]  # (resource,) scaled so that the largest cost is 1

    @property
    def waits_for_reward(self) -> bool:
        """Whether its reward may still come."""
        return self.reward == WAITING

    @property
    def waits_for_costs(self) -> bool:
        """Whether its costs may still come; where there is no resource there are none."""
        return WAITING in self.costs

    @property
    def knows_costs(self) -> bool:
        """Whether its costs have come."""
        return all(map(math.isfinite, self.costs))


Pending = dict[int, OpenPull]


def idle_round(resources: int) -> OpenPull:
    """A round in which nothing was done, of which the reward has not come."""
    return OpenPull(IDLE, NO_MEMO, WAITING, (0.0,) * resources)


def lessons(before: OpenPull, now: OpenPull) -> int:
    """What is to be learned when this much more has come of a pull: see the machine."""
    if now.arm == IDLE:
        return LEARN_IDLE if math.isfinite(now.reward) else 0
    costs_came = before.waits_for_costs and now.knows_costs
    reward_came = before.waits_for_reward and not now.waits_for_reward
    what = LEARN_COSTS if costs_came or (reward_came and not now.costs) else 0
    if reward_came and not math.isnan(now.reward):
        what += LEARN_REWARD
    # Without costs an allocation has nothing to learn from: it weighs rewards against them.
    if (costs_came or reward_came) and now.knows_costs and not now.waits_for_reward:
        what += LEARN_BOTH
    return what
