"""Play each arm as often as it is believed to be the best, but never more rarely or more often than is allowed.

The chance that an arm is the best is worked out exactly from the posterior of its mean reward, and clipped: the shares
are `clip(lambda P, p_min, p_max)` with the lambda that makes them sum to `1 - p_idle`. Micro-randomised trials need
this: no chance is ever 0 or 1, and every decision has its true probabilities. Idling earns nothing and is never best,
so its chance is a constant, `p_idle`; trials of treatment against none need it above 0.
"""

from typing import Any, NamedTuple

import numpy as np

from roguewk.estimate.states.particles import posterior_rewards
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Scratch
from roguewk.part.desk import Desk
from roguewk.part.parameter import counted, optional, within
from roguewk.part.part import ALLOCATE, Part
from roguewk.part.status import Status
from roguewk.part.verbs import allocate, look
from roguewk.problem.errors import InputError
from roguewk.problem.problem import Problem

NEVER = 1e-9  # added to every chance, so that arms which cannot be best share evenly what others may not take


class Clipped(NamedTuple):
    """Exact probability matching within limits."""

    spare_values: Scratch[Vector]  # (arm, candidate)
    spare_weights: Scratch[Vector]  # (arm, candidate)
    order: Scratch[Any]  # (arm, candidate) places by value
    spare_seen: Scratch[Any]  # (arm,) how many of them were looked at
    spare_below: Scratch[Vector]  # (arm,) chance of less than the value looked at
    spare: Scratch[Vector]  # (arm,) chance of being the best
    least: float
    most: float
    total: float  # of all shares: the rest is the chance of an idle round


def _build(problem: Problem, p_min: float | None, p_max: float | None, p_idle: float, candidates: int) -> Clipped:
    arms = len(problem.arms)
    total = 1.0 - p_idle
    least = 0.1 * total / arms if p_min is None else p_min
    most = total - (arms - 1) * least if p_max is None else p_max
    if p_idle and not problem.idle:
        raise InputError(f"p_idle is {p_idle:g}, and this problem has no idle rounds: leave it out, or set idle")
    if not least * arms <= total + 1e-12 <= most * arms + 2e-12:
        whole = "one" if p_idle == 0 else f"{total:g}, what p_idle leaves,"
        raise InputError(
            f"chances from {least:g} to {most:g} cannot sum to {whole} over {arms} arms: give p_min of at most"
            f" {total / arms:.3g} and p_max of at least that"
        )
    tables = np.zeros((arms, candidates)), np.zeros((arms, candidates)), np.tile(np.arange(candidates), (arms, 1))
    return Clipped(*tables, np.zeros(arms, dtype=np.int64), np.zeros(arms), np.zeros(arms), least, most, total)


@look.body(Clipped)
def _look(part: Clipped, rewards: Any, costs: Any, desk: Desk, now: Now) -> None:
    posterior_rewards(rewards, part.spare_values, part.spare_weights)


@allocate.body(Clipped)
def _allocate(part: Clipped, desk: Desk, now: Now) -> int:
    desk.shares[:] = 0.0
    desk.prices[:] = 0.0
    if not desk.available.any():
        return Status.NOTHING
    _chances_of_being_best(part, desk.available)
    _clip(part, desk.available, desk.shares)
    return Status.MIXED


@compiled
def _sort(order: Any, values: Vector) -> None:
    """Places by value, and by number where values are equal; quick because hardly any change places in a round."""
    for i in range(1, order.size):
        place, j = order[i], i
        while j > 0 and (
            values[order[j - 1]] > values[place] or (values[order[j - 1]] == values[place] and order[j - 1] > place)
        ):
            order[j] = order[j - 1]
            j -= 1
        order[j] = place


@compiled
def _next_value(part: Clipped, available: Any) -> int:
    """The arm with the smallest value not yet looked at, or -1; of equals the last, so that earlier arms are better."""
    found, smallest = -1, np.inf
    for a in range(available.size):
        order, weights = part.order[a], part.spare_weights[a]
        while part.spare_seen[a] < order.size and weights[order[part.spare_seen[a]]] == 0.0:
            part.spare_seen[a] += 1
        if available[a] and part.spare_seen[a] < order.size:
            value = part.spare_values[a, order[part.spare_seen[a]]]
            if value <= smallest:
                found, smallest = a, value
    return found


@compiled_apart
def _chances_of_being_best(part: Clipped, available: Any) -> None:
    """Sweep over all values of all arms from the smallest: an arm is best if the others are below."""
    for a in range(available.size):
        _sort(part.order[a], part.spare_values[a])
        part.spare_seen[a] = 0
        part.spare[a] = 0.0
        part.spare_below[a] = 0.0 if available[a] else 1.0  # an arm that is away is no rival
    a = _next_value(part, available)
    while a >= 0:
        weight = part.spare_weights[a, part.order[a, part.spare_seen[a]]]
        others = 1.0
        for b in range(available.size):
            if b != a:
                others *= part.spare_below[b]
        part.spare[a] += weight * others
        part.spare_below[a] += weight
        part.spare_seen[a] += 1
        a = _next_value(part, available)


@compiled
def _clip(part: Clipped, available: Any, shares: Vector) -> None:
    """Shares `clip(lambda P, least, most)` that sum to the total; with few arms available the limits give way."""
    even = part.total / available.sum()
    least, most = min(part.least, even), max(part.most, even)
    low, high, factor = 0.0, np.inf, 1.0
    for _ in range(200):
        fixed = free = 0.0
        for a in range(shares.size):
            if available[a]:
                wanted = factor * (part.spare[a] + NEVER)
                shares[a] = min(max(wanted, least), most)
                if shares[a] == wanted:
                    free += part.spare[a] + NEVER
                else:
                    fixed += shares[a]
        total = fixed + factor * free
        if abs(total - part.total) < 1e-14:
            return
        low, high = (factor, high) if total < part.total else (low, factor)
        factor = (part.total - fixed) / free if free > 0.0 else -1.0  # Newton's step: the sum is piecewise linear
        if not low < factor < high:
            factor = 0.5 * (low + high) if high < np.inf else 8.0 * low


CLIPPED = Part(
    role=ALLOCATE,
    name="clipped",
    summary="each arm as often as it is believed to be the best, within [p_min, p_max]",
    build=_build,
    parameters={
        "p_min": optional(within(0.0, 0.0, 1.0, "least chance of an arm; by default a tenth of an even share")),
        "p_max": optional(within(1.0, 0.0, 1.0, "largest chance of an arm; by default what p_min leaves")),
        "p_idle": within(0.0, 0.0, 1.0, "chance of an idle round"),
        "candidates": counted(64, 2, 10_000, "initial states between which the posterior decides"),
    },
    needs=frozenset({"posterior"}),
)
PARTS = (CLIPPED,)
