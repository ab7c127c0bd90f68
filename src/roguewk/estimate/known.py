"""States and mean costs that are known, for comparison with what has to be learned."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from roguewk.estimate.verbs import (
    advance,
    cost_bounds,
    cost_doubts,
    forget,
    learn_costs,
    learn_reward,
    likely_states,
    reward_bounds,
    set_horizon,
)
from roguewk.kernel.verbs import copy_into
from roguewk.problem.arms import Vector, vector
from roguewk.problem.dynamics import Dynamics, build_dynamics, mean_reward, move_all
from roguewk.problem.model import Problem


class KnownStates(NamedTuple):
    """The true states."""

    dynamics: Dynamics
    states: Vector  # (arm, coordinate)
    spare: Vector  # (coordinate,)


class KnownCosts(NamedTuple):
    """The true mean costs."""

    means: Vector  # (arm, resource), scaled into [0, 1]


def build_known_states(problem: Problem, x0: Sequence[Sequence[float]]) -> KnownStates:
    """States that begin at `x0`."""
    dynamics = build_dynamics(problem.arms)
    states = np.zeros(dynamics.vectors.shape[:2])
    for a, arm in enumerate(problem.arms):
        states[a, : arm.dimension] = vector(x0[a], (arm.dimension,), f"x0 of arm {arm.name!r}")
    return KnownStates(dynamics, states, np.zeros(dynamics.vectors.shape[1]))


@reward_bounds.body(KnownStates)
def _reward_bounds(part: KnownStates, round_: int, out: Vector) -> None:
    for a in range(out.size):
        out[a] = mean_reward(part.dynamics, a, part.states[a])


@likely_states.body(KnownStates)
def _likely_states(part: KnownStates, out: Vector) -> None:
    copy_into(out, part.states)


@advance.body(KnownStates)
def _advance(part: KnownStates, round_: int, arm: int, memo: Vector) -> None:
    move_all(part.dynamics, part.states, arm, part.spare)


@cost_bounds.body(KnownCosts)
def _cost_bounds(part: KnownCosts, round_: int, out: Vector) -> None:
    copy_into(out, part.means)


@cost_doubts.body(KnownCosts)
def _cost_doubts(part: KnownCosts, out: Vector) -> None:
    out[:] = 0.0


@forget.body(KnownStates)
@forget.body(KnownCosts)
def _forget(part: KnownStates | KnownCosts) -> None:
    pass


@set_horizon.body(KnownStates)
@set_horizon.body(KnownCosts)
def _set_horizon(part: KnownStates | KnownCosts, horizon: float) -> None:
    pass


@advance.body(KnownCosts)
def _stand_still(part: KnownCosts, round_: int, arm: int, memo: Vector) -> None:
    pass


@learn_reward.body(KnownStates)
def _learn_reward(part: KnownStates, round_: int, arm: int, memo: Vector, reward: float) -> None:
    pass


@learn_costs.body(KnownCosts)
def _learn_costs(part: KnownCosts, round_: int, arm: int, costs: Vector) -> None:
    pass
