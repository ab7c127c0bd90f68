"""What every reward estimate and every cost estimate can do. See `docs/policies.md` for how they are called."""

from typing import Any

from roguewk.kernel.verbs import verb

FORGOTTEN = 1e-10  # once x0 moves the state by less than this, it is forgotten


@verb
def set_horizon(part: Any, horizon: float) -> None:
    """Set the constants of the confidence bounds that depend on the number of rounds to come."""


@verb
def forget(part: Any) -> None:
    """Return to the state before the first round."""


@verb
def reward_bounds(part: Any, round_: int, out: Any) -> None:
    """Write the upper bounds on this round's mean rewards to `out`, (arm,)."""


@verb
def cost_bounds(part: Any, round_: int, out: Any) -> None:
    """Write the lower bounds on mean costs, scaled into [0, 1], to `out`, (arm, resource)."""


@verb
def likely_states(part: Any, out: Any) -> None:
    """Write the likeliest state of each arm now to `out`, (arm, coordinate); the radius must be scaled to 0."""


@verb
def cost_doubts(part: Any, out: Any) -> None:
    """Write to `out`, (arm, resource), how far each cost bound may well lie above the truth."""


@verb
def advance(part: Any, round_: int, arm: int, memo: Any) -> None:
    """Let this round pass with `arm` pulled (-1: idle); note in `memo` what learning from its reward will need."""


@verb
def learn_reward(part: Any, round_: int, arm: int, memo: Any, reward: float) -> None:
    """Take in the reward of a past round, with the memo of that round."""


@verb
def learn_costs(part: Any, round_: int, arm: int, costs: Any) -> None:
    """Take in the costs of a past round, scaled into [0, 1]."""
