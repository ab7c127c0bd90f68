"""States and mean costs that are known, for comparison with what has to be learned."""

from decimal import Decimal
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant, Learned, Scratch, copy_into
from roguewk.part.parameter import Parameter
from roguewk.part.part import CONTEXTS, COSTS, REWARDS, Part
from roguewk.part.verbs import (
    LEVEL,
    PUSH,
    RESTED,
    RETENTION,
    SPREAD,
    advance,
    believed_dynamics,
    believed_states,
    cost_bounds,
    cost_doubts,
    dearest,
    likely_states,
    most_of_open,
    retract,
    reward_bounds,
    start_afresh,
)
from roguewk.problem.arm import vector
from roguewk.problem.dynamics import Dynamics, build_dynamics, mean_reward, move_all, without_push
from roguewk.problem.errors import InputError, shown
from roguewk.problem.problem import Problem


class KnownStates(NamedTuple):
    """The true states."""

    dynamics: Dynamics
    states: Learned[Vector]  # (arm, coordinate)
    spare: Scratch[Vector]  # (row, coordinate)


class KnownCosts(NamedTuple):
    """The true mean costs."""

    means: Constant[Vector]  # (arm, resource), scaled into [0, 1]
    largest: Constant[Vector]  # (arm, resource) what a pull can cost, scaled as well


def build_known_states(problem: Problem, x0: Any) -> KnownStates:
    """States that begin at `x0`."""
    if x0 is None:
        raise InputError("a policy with known states needs the truth: simulate gives it, make_policy takes x0")
    if len(x0) != len(problem.arms):
        raise InputError(f"x0 has {len(x0)} states for {len(problem.arms)} arms: give one each")
    dynamics = build_dynamics(problem.arms)
    states = np.zeros(dynamics.vectors.shape[:2])
    for a, arm in enumerate(problem.arms):
        states[a, : arm.dimension] = vector(x0[a], (arm.dimension,), f"x0 of arm {arm.name!r}")
    return KnownStates(dynamics, states, np.zeros((2, dynamics.vectors.shape[1])))


def build_known_costs(problem: Problem, costs: Any, largest: Any) -> KnownCosts:
    """Costs as given, in the user's units."""
    if costs is None:
        raise InputError("a policy with known costs needs the truth: simulate gives it, make_policy takes costs")
    means = _scaled(problem, costs, "mean costs")
    return KnownCosts(means, problem.scaled_most if largest is None else _scaled(problem, largest, "largest costs"))


def _scaled(problem: Problem, costs: Any, what: str) -> Vector:
    scaled = vector(costs, (len(problem.arms), len(problem.resources)), what) / problem.scales
    if ((scaled < 0) | (scaled > 1 + 1e-9)).any():
        raise InputError(f"{what} are below 0 or above a largest_cost: mend them, or set largest_cost")
    return scaled


@reward_bounds.body(KnownStates)
def _reward_bounds(part: KnownStates, now: Now, out: Vector) -> None:
    for a in range(out.size):
        out[a] = mean_reward(part.dynamics, a, part.states[a])


@likely_states.body(KnownStates)
def _likely_states(part: KnownStates, out: Vector) -> None:
    copy_into(out, part.states)


@believed_states.body(KnownStates)
def _believed_states(part: KnownStates, now: Now, means: Vector, spreads: Vector) -> None:
    copy_into(means, part.states)
    spreads[:] = 0.0


@believed_dynamics.body(KnownStates)
def _believed_dynamics(part: KnownStates, now: Now, out: Vector) -> None:
    for a in range(out.shape[0]):
        arm = part.dynamics.arms[a]
        out[a, RETENTION], out[a, RESTED] = arm.A, arm.alpha + arm.beta * arm.K / (1.0 - arm.A)
        out[a, PUSH], out[a, LEVEL], out[a, SPREAD] = arm.beta * arm.B, arm.alpha + arm.beta * part.states[a, 0], 0.0


@advance.body(KnownStates)
def _advance(part: KnownStates, now: Now, arm: int, memo: Vector) -> None:
    move_all(part.dynamics, part.states, arm, part.spare[0])


@retract.body(KnownStates)
def _retract(part: KnownStates, arm: int, memo: Vector, since: int) -> None:
    without_push(part.dynamics, arm, part.states[arm], since, part.spare)


@start_afresh.body(KnownStates)
def _go_on(part: KnownStates, fresh: KnownStates) -> None:
    pass  # what is known is not forgotten


@cost_bounds.body(KnownCosts)
def _cost_bounds(part: KnownCosts, now: Now, out: Vector) -> None:
    copy_into(out, part.means)


@cost_doubts.body(KnownCosts)
def _cost_doubts(part: KnownCosts, out: Vector, noises: Vector) -> None:
    """No doubt about means; costs vary at most as much as those that are the largest or nothing."""
    out[:] = 0.0
    for a in range(out.shape[0]):
        for j in range(out.shape[1]):
            noises[a, j] = part.means[a, j] * max(part.largest[a, j] - part.means[a, j], 0.0)


@dearest.body(KnownCosts)
def _dearest(part: KnownCosts, out: Vector) -> None:
    copy_into(out, part.largest)


@most_of_open.body(KnownCosts)
def _most_of_open(part: KnownCosts, open_: Any, out: Vector) -> None:
    for j in range(out.size):
        out[j] = 0.0
        for a in range(open_.size):
            out[j] += open_[a] * part.largest[a, j]


def _as_given(value: Any, what: str) -> Any:
    """Lists, as a saved policy needs them; what is in them is checked against the problem."""
    if value is None:
        return None
    if not isinstance(value, list | tuple | np.ndarray):
        raise InputError(f"{what} is {shown(value)}: give a list, one for each arm")
    return [_plain(each) for each in value]


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(each) for each in value]
    return float(value) if isinstance(value, Real | Decimal | np.number) and not isinstance(value, bool) else value


KNOWN_STATES = Part(
    role=REWARDS,
    name="known",
    summary="the mean rewards of the true states",
    build=build_known_states,
    parameters={"x0": Parameter(None, "initial states, (arm, coordinate); simulate fills them in", _as_given)},
    gives=frozenset({"states", "beliefs", CONTEXTS}),
)
KNOWN_COSTS = Part(
    role=COSTS,
    name="known",
    summary="the true mean costs",
    build=build_known_costs,
    parameters={
        "costs": Parameter(None, "mean costs, (arm, resource); simulate fills them in", _as_given),
        "largest": Parameter(
            None,
            "the largest costs of each arm, as these; simulate fills them in, else those of the problem",
            _as_given,
        ),
    },
    gives=frozenset({"costs", "doubts"}),
)
PARTS = (KNOWN_STATES, KNOWN_COSTS)
