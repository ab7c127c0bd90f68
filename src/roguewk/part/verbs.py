"""What reward estimates, cost estimates and allocations can do; `docs/write-your-own.md` says how they are called.

Only `reward_bounds` of rewards and `cost_bounds` of costs have to be there; for the others, doing nothing will do.
"""

from typing import Any

from roguewk.kernel.luck import Now
from roguewk.kernel.memory import copy_into
from roguewk.kernel.verbs import optional_verb, verb
from roguewk.part.desk import Desk

RETENTION, RESTED, PUSH, LEVEL, SPREAD = range(5)  # columns of what is believed of the dynamics
FORGOTTEN = 1e-10  # once x0 moves the state by less than this, it is forgotten


@optional_verb
def set_horizon(part: Any, horizon: float) -> None:
    """Set the constants of the confidence bounds that depend on the number of rounds to come."""


@optional_verb
def start_afresh(part: Any, fresh: Any) -> None:
    """Return to the state before the first round, which `fresh` is in."""
    copy_into(part, fresh)


@verb
def reward_bounds(part: Any, now: Now, out: Any) -> None:
    """Write a value for each arm this round to `out`, (arm,): an upper bound on its mean reward, a sample, an index.

    An infinite value has its arm played at once.
    """


@verb
def cost_bounds(part: Any, now: Now, out: Any) -> None:
    """Write the lower bounds on mean costs, scaled into [0, 1], to `out`, (arm, resource)."""


@verb
def likely_states(part: Any, out: Any) -> None:
    """Write the likeliest state of each arm now to `out`, (arm, coordinate); the radius must be scaled to 0."""


@verb
def believed_states(part: Any, now: Now, means: Any, spreads: Any) -> None:
    """Write what each arm's state is believed to be now, and its standard deviation, both (arm, coordinate)."""


@verb
def believed_dynamics(part: Any, now: Now, out: Any) -> None:
    """Write how each arm is believed to move, and where it is, to `out`, (arm, column).

    The columns are RETENTION, the RESTED level, the PUSH of a pull, the LEVEL now and its SPREAD, a standard deviation.
    """


@optional_verb
def cost_doubts(part: Any, out: Any, noises: Any) -> None:
    """Write how far each cost bound may well lie above the truth, and the variance of one cost: (arm, resource).

    By default there is no doubt: lower bounds are below it, and samples have it in them.
    """
    out[:] = 0.0
    noises[:] = 0.0


@optional_verb
def dearest(part: Any, out: Any) -> None:
    """Write to `out`, (arm, resource), what a pull may well cost at the most; by default the largest cost."""
    out[:] = 1.0


@verb
def reward_floors(part: Any, now: Now, out: Any) -> None:
    """Write to `out`, (arm,), the lower ends of the intervals whose upper ends are the reward bounds."""


@verb
def cost_ceilings(part: Any, now: Now, out: Any) -> None:
    """Write to `out`, (arm, resource), the upper ends of the intervals whose lower ends are the cost bounds."""


@optional_verb
def advance(part: Any, now: Now, arm: int, memo: Any) -> None:
    """Let this round pass with `arm` pulled (-1: idle); note in `memo` what learning from its reward will need."""


@optional_verb
def retract(part: Any, arm: int, memo: Any, since: int) -> None:
    """Undo what `advance` did for a pull that did not take place after all, `since` rounds after that round."""


@optional_verb
def learn_reward(part: Any, round_: int, arm: int, memo: Any, reward: float) -> None:
    """Take in the reward of a past round, with the memo of that round."""


@optional_verb
def amend_reward(part: Any, arm: int, memo: Any, told: float, true: float) -> None:
    """Correct a reward that was taken in, with the memo of its round."""


@optional_verb
def amend_costs(part: Any, arm: int, told: Any, true: Any) -> None:
    """Correct costs that were taken in, scaled into [0, 1]."""


@optional_verb
def learn_costs(part: Any, round_: int, arm: int, costs: Any) -> None:
    """Take in the costs of a past round, scaled into [0, 1]."""


@optional_verb
def most_of_open(part: Any, open_: Any, out: Any) -> None:
    """Write to `out`, (resource,), what open pulls, (arm,), may cost at the most: the largest cost of each, or less."""
    for j in range(out.size):
        out[j] = open_.sum()


@optional_verb
def look(allocation: Any, rewards: Any, costs: Any, desk: Desk, now: Now) -> None:
    """Let an allocation that plans ahead see more than bounds: the estimates themselves."""


@verb
def allocate(part: Any, desk: Desk, now: Now) -> Any:
    """Write each arm's probability to `desk.shares` and prices to `desk.prices`; return a Status.

    Only arms in `desk.available` may have a share.
    """


@optional_verb
def settle(part: Any, desk: Desk, arm: int) -> None:
    """Let the round pass with `arm` pulled (-1: idle); `desk.memo[OWN_NOTE]` comes back with its outcome."""


@optional_verb
def learn_outcome(part: Any, desk: Desk, round_: int, arm: int, reward: float) -> None:
    """Take in what a past round brought; `desk.taken` has its costs, `desk.memo` its memo.

    A reward that will never be known is NaN.
    """


@optional_verb
def prune(part: Any) -> None:
    """Set what was learned but will never matter again to 0, so that states are small; called in Python only."""


@optional_verb
def check_state(part: Any, room: Any) -> None:
    """Raise an InputError if what was learned cannot be, such as an arm that there is none; called in Python only.

    `room` is a Room. Whatever passes must be safe to go on with: no number may lead out of an array.
    """
