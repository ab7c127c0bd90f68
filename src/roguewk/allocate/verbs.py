"""What every allocation can do, the desk it works on, and how an arm is drawn from its shares."""

from typing import Any, NamedTuple

from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.kernel.records import record_type
from roguewk.kernel.verbs import optional_verb, verb
from roguewk.problem.arms import Vector

OPTIMAL, STRETCHED, UNREWARDING, NOTHING, UNSOLVED, FIRST_PULL, LARGEST, IGNORED, PLANNED, WAITING = range(10)
UNKNOWN, RATIO, MIXED, SCHEDULED, IN_ARREARS, GIVEN, UNCOVERED = range(10, 17)
SENTENCES = {
    OPTIMAL: "optimal",
    STRETCHED: "the budgets do not last for a pull in every round: the optimal shares are scaled up to one",
    UNREWARDING: "no arm promises a positive reward within the budgets: the best one is played",
    NOTHING: "no arm is available: an idle round",
    UNSOLVED: "the linear program was not solved to the end: its last shares are used",
    FIRST_PULL: "first pull of this arm",
    LARGEST: "the largest value",
    IGNORED: "the budgets do not last for a pull in every round: the largest reward bound is played",
    PLANNED: "the best in the long run at the prices of today",
    WAITING: "waiting is worth more than any arm now: an idle round",
    UNKNOWN: "too little is known of this arm: it is tried",
    RATIO: "the most reward for its cost",
    MIXED: "drawn at random, the better arms more often",
    SCHEDULED: "this arm's turn by the plan",
    IN_ARREARS: "the most in arrears of what the linear program asks for",
    GIVEN: "drawn with the chances that are given",
    UNCOVERED: "what is left of a budget might not cover a pull: an idle round",
}

CLOCK = record_type((), ("round", "start", "end", "horizon", "first_pulls", "status", "last"))


class Desk(NamedTuple):
    """Where a decision is worked out."""

    reward_bounds: Vector  # (arm,)
    cost_bounds: Vector  # (arm, resource)
    shares: Vector  # (arm,)
    prices: Vector  # (resource,)
    rates: Vector  # (resource,)
    spent: Vector  # (resource,), scaled
    pulls: Any  # (arm,) since the start of the epoch
    memo: Vector  # (number,) what learning from this round will need, or needs now
    taken: Vector  # (resource,) the costs to learn from, scaled into [0, 1]
    available: Any  # (arm,) which arms are possible this round
    clock: Any  # (1,) the round; start and end of the epoch, end 0 without doubling; last status and arm


@verb
def allocate(part: Any, desk: Desk, now: Now) -> Any:
    """Write each arm's probability to `desk.shares` and prices to `desk.prices`; return a key of SENTENCES.

    Only arms in `desk.available` may have a share.
    """


@optional_verb
def settle(part: Any, desk: Desk, arm: int) -> None:
    """Let the round pass with `arm` pulled (-1: idle); `desk.memo[OWN_NOTE]` comes back with its outcome."""


@optional_verb
def take_costs(part: Any, desk: Desk) -> None:
    """The costs of a past round have come, also of one that a restart has forgotten."""


@optional_verb
def learn_outcome(part: Any, desk: Desk, round_: int, arm: int, reward: float) -> None:
    """Take in what a past round brought; `desk.taken` has its costs, `desk.memo` its memo."""


@compiled
def rounds_left(desk: Desk) -> int:
    """Rounds to come, this one included."""
    clock = desk.clock[0]
    end = clock.end if clock.end > 0 else clock.horizon
    return max(end - clock.round, 1)


@compiled
def epoch_length(desk: Desk) -> float:
    """Rounds of the game, or of the epoch that the doubling trick is in."""
    clock = desk.clock[0]
    return float(clock.end - clock.start if clock.end > 0 else clock.horizon)


@compiled
def left_of(desk: Desk, j: int) -> float:
    """What is left of a budget, scaled; with doubling, of what it grants until the end of the epoch."""
    clock = desk.clock[0]
    return max(desk.rates[j] * (clock.end if clock.end > 0 else clock.horizon) - desk.spent[j], 0.0)


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
