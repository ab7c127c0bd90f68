"""The arms as compiled code sees them: how a state moves and what reward it promises."""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.errors import NumbaError
from numba.extending import intrinsic

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.memory import Constant, copy_into
from roguewk.kernel.records import record_type
from roguewk.problem.arm import Arm
from roguewk.problem.errors import InputError
from roguewk.problem.family import compiled as families
from roguewk.problem.family.registry import family_code

ARM = record_type(("A", "B", "K", "alpha", "beta", "sigma", "low", "high"), ("dimension", "family", "h", "g"))
FADED = 100_000  # rounds after which nothing is left of a pull


class Dynamics(NamedTuple):
    """The arms of a problem; scalar arms are read from `arms`, vector arms from `vectors`."""

    arms: Constant[Any]  # (arm,) records of ARM; h and g are addresses of compiled functions, 0 for the linear forms
    vectors: Constant[Vector]  # (arm, coordinate, column): the rows of A, then B, K, beta, low, high


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _call(typing_context: Any, address: Any, x: Any, pulled: Any) -> Any:
    """Call the function at `address`; a function passed as an argument would spoil the disk cache, a number not."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        real = ir.DoubleType()
        kind = ir.FunctionType(real, [real, real])
        return builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), arguments[1:])

    return types.float64(types.int64, types.float64, types.float64), generate


@functools.cache
def _native(function: Callable[..., float], takes_pull: bool) -> Any:
    """Machine code for a user's h(x, pulled) or g(x), kept alive by the cache."""
    inner = function if hasattr(function, "py_func") else numba.njit(function)

    def with_pull(x: float, pulled: float) -> float:
        return inner(x, pulled)

    def without_pull(x: float, pulled: float) -> float:
        return inner(x)

    return numba.cfunc(types.float64(types.float64, types.float64))(with_pull if takes_pull else without_pull)


def _address(arm: Arm, name: str, takes_pull: bool) -> int:
    """Where the machine code of the arm's own h or g is, 0 if it has none."""
    function = getattr(arm, name)
    if function is None:
        return 0
    try:
        return int(_native(function, takes_pull).address)
    except NumbaError as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{name} of arm {arm.name!r} cannot be compiled ({reason}): write what Numba takes") from None


def build_dynamics(arms: tuple[Arm, ...]) -> Dynamics:
    """The compiled form of these arms."""
    size = max(arm.dimension for arm in arms)
    records = np.zeros(len(arms), dtype=ARM)
    vectors = np.zeros((len(arms), size, size + 5))
    for record, table, arm in zip(records, vectors, arms, strict=True):
        k = arm.dimension
        table[:k, :k] = arm.matrix
        table[:k, size:] = np.column_stack([arm.push, arm.pull_back, arm.weights, arm.box])
        record["A"] = arm.matrix[0, 0]
        for name, column in zip(("B", "K", "beta", "low", "high"), range(size, size + 5), strict=True):
            record[name] = table[0, column]
        record["alpha"], record["sigma"] = arm.alpha, 1.0 if arm.sigma is None else arm.sigma
        record["dimension"], record["family"] = k, family_code(arm.family)
        record["h"], record["g"] = _address(arm, "h", True), _address(arm, "g", False)
    return Dynamics(records, vectors)


@compiled
def move_all(dynamics: Dynamics, states: Vector, pulled: int, spare: Vector) -> None:
    """Let a round pass with the arm `pulled` (-1: none); `states`, (arm, coordinate), move in place."""
    for a in range(states.shape[0]):
        push = 1.0 if a == pulled else 0.0
        if dynamics.arms[a].dimension == 1:
            states[a, 0] = move_scalar(dynamics.arms[a], states[a, 0], push)
        else:
            move_one(dynamics, a, states[a], push, spare)


@compiled
def move_one(dynamics: Dynamics, a: int, x: Vector, pulled: float, spare: Vector) -> None:
    """Move the state of one arm, in place."""
    arm = dynamics.arms[a]
    if arm.dimension == 1:
        x[0] = move_scalar(arm, x[0], pulled)
        return
    table = dynamics.vectors[a]
    size = table.shape[0]
    for i in range(arm.dimension):
        spare[i] = table[i, size] * pulled + table[i, size + 1]
        for k in range(arm.dimension):
            spare[i] += table[i, k] * x[k]
    copy_into(x[: arm.dimension], spare[: arm.dimension])


@compiled
def move_scalar(arm: Any, x: float, pulled: float) -> float:
    """The next state of a scalar arm."""
    if arm.h != 0:
        return _call(arm.h, x, pulled)
    return arm.A * x + arm.B * pulled + arm.K


@compiled
def without_push(dynamics: Dynamics, a: int, x: Vector, since: int, spare: Vector) -> None:
    """Take off a state, in place, what a pull `since` rounds ago has left in it.

    A pull that moves a state by a function of one's own leaves nothing that could be taken off: it stays.
    """
    arm = dynamics.arms[a]
    if arm.dimension == 1:
        if arm.h == 0:
            x[0] -= arm.B * arm.A ** float(since - 1)
        return
    table = dynamics.vectors[a]
    size = table.shape[0]
    left, moved = spare[0], spare[1]
    for i in range(arm.dimension):
        left[i] = table[i, size]
    for _ in range(min(since - 1, FADED)):
        for i in range(arm.dimension):
            moved[i] = 0.0
            for k in range(arm.dimension):
                moved[i] += table[i, k] * left[k]
        copy_into(left, moved)
    for i in range(arm.dimension):
        x[i] -= left[i]


@compiled
def mean_reward(dynamics: Dynamics, a: int, x: Vector) -> float:
    """The expected reward of arm `a` in state `x`."""
    return shifted_reward(dynamics, a, x, 0.0)


@compiled
def shifted_reward(dynamics: Dynamics, a: int, x: Vector, shift: float) -> float:
    """The same where contexts shift the level."""
    arm = dynamics.arms[a]
    if arm.g != 0:
        return families.kept(arm.family, _call(arm.g, x[0], 0.0))
    level = arm.alpha
    if arm.dimension == 1:
        level += arm.beta * x[0]
    else:
        table = dynamics.vectors[a]
        for i in range(arm.dimension):
            level += table[i, table.shape[0] + 2] * x[i]
    return mean_of_level(arm, level + shift)  # in one place: every call of it is inlined, with all families


@compiled
def mean_reward_scalar(arm: Any, x: float) -> float:
    """The expected reward of a scalar arm in state `x`."""
    if arm.g != 0:
        return families.kept(arm.family, _call(arm.g, x, 0.0))
    return mean_of_level(arm, arm.alpha + arm.beta * x)


@compiled
def mean_of_level(arm: Any, level: float) -> float:
    """The expected reward at `alpha + beta . x = level`."""
    return families.mean_of_level(arm.family, level)


@compiled
def dispersion(arm: Any) -> float:
    """What divergences and likelihoods are divided by."""
    return families.dispersion(arm.family, arm.sigma)
