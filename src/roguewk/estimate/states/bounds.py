"""What a record of pulls and rewards says about one arm's initial state."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roguewk.estimate.states.ball import farthest, most_likely
from roguewk.estimate.states.build import build_states
from roguewk.estimate.states.history import (
    ESTIMATE,
    LOWER,
    UPPER,
    HistoryStates,
    best_reward_of_history,
    confine_history,
)
from roguewk.estimate.states.radius import Radius
from roguewk.estimate.states.scalar import ScalarStates, best_reward, confine
from roguewk.estimate.states.vector import VectorStates, best_reward_of_vector, pulls_of
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiling
from roguewk.part.desk import MEMO
from roguewk.part.verbs import advance, learn_reward
from roguewk.problem.dynamics import dispersion
from roguewk.problem.errors import InputError, number, shown
from roguewk.problem.problem import Problem, check_problem


@dataclass(frozen=True, eq=False)
class StateBounds:
    """Bounds on an arm's initial state x0: numbers for a scalar arm, arrays with a number per coordinate otherwise.

    `mle`, the likeliest x0 in X; `lower` and `upper`, the ends of the confidence set in each coordinate; `reward_ucb`,
    the largest mean reward that an x0 in the set can promise in the next round.

    >>> import roguewk as rw
    >>> found = rw.state_bounds(rw.catalog.paper().problem, "arm 0", [1, 1], [1, 1], radius=0.01)
    >>> found.mle, found.upper
    (3.0, 3.0)
    """

    mle: float | Vector
    lower: float | Vector
    upper: float | Vector
    reward_ucb: float


def state_bounds(
    problem: Problem, arm: int | str, pulls: Sequence[int] | Vector, rewards: Sequence[float] | Vector, radius: float
) -> StateBounds:
    """Bounds on the initial state of one arm, and on its next reward.

    `pulls` holds 0 or 1 for every round so far, `rewards` the rewards of the rounds with a 1, in order. The confidence
    set is `{x0 in X: D(x0 || mle) / n <= radius}` with D the trajectory divergence and n the number of pulls.

    >>> import roguewk as rw
    >>> problem = rw.catalog.paper().problem
    >>> found = rw.state_bounds(problem, "arm 1", [1, 0, 1, 1], [1, 0, 1], radius=0.05)
    >>> round(found.mle, 3), round(found.lower, 3), round(found.upper, 3), round(found.reward_ucb, 3)
    (2.679, -0.608, 3.0, 0.571)
    """
    a = check_problem(problem).arm_index(arm)
    pulled, received = _history(problem, a, pulls, rewards)
    allowed = number(radius, "radius")
    if allowed < 0:
        raise InputError(f"radius is {shown(radius)}: give a number of at least 0")
    alone = Problem([problem.arms[a]], problem.resources, max(len(pulled), 1))
    with compiling("the state bounds"):
        return _bounds(build_states(alone, Radius()), pulled, received, allowed * len(received))


def _history(problem: Problem, a: int, pulls: Any, rewards: Any) -> tuple[Vector, Vector]:
    name = problem.arms[a].name
    if isinstance(pulls, str) or isinstance(rewards, str):
        raise InputError(f"pulls or rewards of arm {name!r} are a text: give lists of numbers")
    try:
        pulled = np.array([float(pull) for pull in pulls])
        received = np.array([problem.check_reward(a, reward) for reward in rewards])
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"pulls or rewards of arm {name!r} are not lists of numbers: give one entry a round") from None
    if not np.isin(pulled, (0.0, 1.0)).all():
        raise InputError(f"pulls of arm {name!r} hold other numbers than 0 and 1: give a 0 or 1 for each round")
    if pulled.sum() != received.size:
        raise InputError(
            f"arm {name!r} has {int(pulled.sum())} pulls and {received.size} rewards: give a reward for each pull"
        )
    return pulled, received


def _bounds(part: Any, pulled: Vector, rewards: Vector, limit: float) -> StateBounds:
    _replay(part, pulled, rewards, np.zeros(MEMO))
    seen = rewards.size > 0
    if isinstance(part, ScalarStates):
        if seen:
            confine(part, 0, limit * dispersion(part.arms[0]))
        track = part.tracks[0]
        return StateBounds(float(track.estimate), float(track.lower), float(track.upper), float(best_reward(part, 0)))
    if isinstance(part, HistoryStates):
        if seen:
            confine_history(part, 0, limit)
        table = part.candidates[0]
        ends = (float(table[ESTIMATE, 0]), float(table[LOWER, 0]), float(table[UPPER, 0]))
        return StateBounds(*ends, float(best_reward_of_history(part, 0)))
    return _vector_bounds(part, limit * dispersion(part.arms[0]) if seen else np.inf)


def _vector_bounds(part: VectorStates, limit: float) -> StateBounds:
    k = part.estimates.shape[1]
    _estimate(part)
    ends = np.zeros((2, k))
    for i in range(k):
        for end, sign in enumerate((-1.0, 1.0)):
            best, direction = np.zeros(k), np.zeros(k)
            direction[i] = sign
            _farthest(part, direction, limit, best)
            ends[end, i] = best[i]
    return StateBounds(part.estimates[0].copy(), ends[0], ends[1], float(best_reward_of_vector(part, 0, limit)))


@compiled
def _estimate(part: VectorStates) -> None:
    most_likely(pulls_of(part, 0), part.estimates[0])


@compiled
def _farthest(part: VectorStates, direction: Vector, limit: float, best: Vector) -> None:
    farthest(pulls_of(part, 0), part.estimates[0], direction, limit, best)


@compiled
def _replay(part: Any, pulled: Vector, rewards: Vector, memo: Vector) -> None:
    seen = 0
    for t in range(pulled.size):
        advance(part, t, 0 if pulled[t] > 0.0 else -1, memo)
        if pulled[t] > 0.0:
            learn_reward(part, t, 0, memo, rewards[seen])
            seen += 1
