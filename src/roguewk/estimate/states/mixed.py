"""Arms with functions of their own and arms with several coordinates in one problem: each kind by its own estimate."""

from typing import Any, NamedTuple

import numpy as np

from roguewk.estimate.states.history import HistoryStates, build_history_states
from roguewk.estimate.states.radius import Radius
from roguewk.estimate.states.vector import VectorStates, build_vector_states
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant, Scratch, copy_into
from roguewk.part.verbs import advance, amend_reward, learn_reward, likely_states, retract, reward_bounds, set_horizon
from roguewk.problem.problem import Problem

OWN, VECTOR = 0, 1


class MixedStates(NamedTuple):
    """Reward bounds of ROGUEwK-UCB for arms of both kinds."""

    own: HistoryStates
    vector: VectorStates
    places: Constant[Any]  # (arm, [OWN or VECTOR, place there])
    spare: Scratch[Vector]  # (OWN or VECTOR, place): bounds
    spare_states: Scratch[Vector]  # (OWN or VECTOR, place, coordinate)


def build_mixed_states(problem: Problem, radius: Radius, arms_in_all: int) -> MixedStates:
    """A fresh estimate for this problem."""
    kinds = [OWN if arm.custom else VECTOR for arm in problem.arms]
    places = np.array([[kind, kinds[:a].count(kind)] for a, kind in enumerate(kinds)])
    own = problem.of_arms([arm for arm in problem.arms if arm.custom])
    vector = problem.of_arms([arm for arm in problem.arms if not arm.custom])
    return MixedStates(
        build_history_states(own, radius, arms_in_all),
        build_vector_states(vector, radius, arms_in_all),
        places,
        np.zeros((2, len(kinds))),
        np.zeros((2, len(kinds), max(arm.dimension for arm in problem.arms))),
    )


@set_horizon.body(MixedStates)
def _set_horizon(part: MixedStates, horizon: float) -> None:
    set_horizon(part.own, horizon)
    set_horizon(part.vector, horizon)


@reward_bounds.body(MixedStates)
def _reward_bounds(part: MixedStates, now: Now, out: Vector) -> None:
    reward_bounds(part.own, now, part.spare[OWN])
    reward_bounds(part.vector, now, part.spare[VECTOR])
    for a in range(out.size):
        out[a] = part.spare[part.places[a, 0], part.places[a, 1]]


@likely_states.body(MixedStates)
def _likely_states(part: MixedStates, out: Vector) -> None:
    likely_states(part.own, part.spare_states[OWN])
    likely_states(part.vector, part.spare_states[VECTOR])
    for a in range(out.shape[0]):
        copy_into(out[a], part.spare_states[part.places[a, 0], part.places[a, 1]])


@advance.body(MixedStates)
def _advance(part: MixedStates, now: Now, arm: int, memo: Vector) -> None:
    kind = part.places[arm, 0] if arm >= 0 else -1
    place = part.places[arm, 1] if arm >= 0 else -1
    advance(part.own, now, place if kind == OWN else -1, memo)
    advance(part.vector, now, place if kind == VECTOR else -1, memo)


@retract.body(MixedStates)
def _retract(part: MixedStates, arm: int, memo: Vector, since: int) -> None:
    if part.places[arm, 0] == OWN:
        retract(part.own, part.places[arm, 1], memo, since)
    else:
        retract(part.vector, part.places[arm, 1], memo, since)


@amend_reward.body(MixedStates)
def _amend_reward(part: MixedStates, arm: int, memo: Vector, told: float, true: float) -> None:
    if part.places[arm, 0] == OWN:
        amend_reward(part.own, part.places[arm, 1], memo, told, true)
    else:
        amend_reward(part.vector, part.places[arm, 1], memo, told, true)


@learn_reward.body(MixedStates)
def _learn_reward(part: MixedStates, round_: int, arm: int, memo: Vector, reward: float) -> None:
    if part.places[arm, 0] == OWN:
        learn_reward(part.own, round_, part.places[arm, 1], memo, reward)
    else:
        learn_reward(part.vector, round_, part.places[arm, 1], memo, reward)
