"""What every allocation can do, and how an arm is drawn from its shares."""

from typing import Any

from roguewk.kernel.compile import compiled
from roguewk.kernel.verbs import verb
from roguewk.problem.arms import Vector

OPTIMAL, STRETCHED, UNREWARDING, NOTHING, UNSOLVED, FIRST_PULL, LARGEST, IGNORED, PLANNED, WAITING = range(10)
SENTENCES = {
    OPTIMAL: "optimal",
    STRETCHED: "the budgets do not last for a pull in every round: the optimal shares are scaled up to one",
    UNREWARDING: "no arm promises a positive reward within the budgets: the best one is played",
    NOTHING: "no arm is available: an idle round",
    UNSOLVED: "the linear program was not solved to the end: its last shares are used",
    FIRST_PULL: "first pull of this arm",
    LARGEST: "the largest reward bound",
    IGNORED: "the budgets do not last for a pull in every round: the largest reward bound is played",
    PLANNED: "the best in the long run at the prices of today",
    WAITING: "waiting is worth more than any arm now: an idle round",
}


@verb
def allocate(part: Any, rewards: Any, costs: Any, rates: Any, available: Any, shares: Any, prices: Any) -> Any:
    """Write each arm's probability to `shares` and each resource's price to `prices`; return a key of SENTENCES."""


@compiled
def largest(rewards: Vector, available: Any) -> int:
    """The available arm with the largest value, the first of equals; -1 when there is none."""
    best = -1
    for a in range(rewards.size):
        if available[a] and (best < 0 or rewards[a] > rewards[best]):
            best = a
    return best


@compiled
def draw(shares: Vector, number: float) -> int:
    """The arm that a uniform number falls on, -1 for the idle remainder."""
    total = 0.0
    last = -1
    for a in range(shares.size):
        total += shares[a]
        if shares[a] > 0.0:
            last = a
        if number < total:
            return a
    # Shares that sum to one but for rounding leave no idle remainder.
    return last if total > 1.0 - 1e-9 else -1
