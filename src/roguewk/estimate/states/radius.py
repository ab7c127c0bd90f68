"""How far from the likeliest initial state a confidence set reaches: the largest trajectory divergence D after n pulls.

- theorem: `n (c_f + L_p sigma sqrt(2 log(6 m T^2))) / sqrt(n)`, as ROGUEwK-UCB publishes it (He and Mintz).
- rogue: the same with `4 log t` in place of `log(6 m T^2)` (ROGUE-UCB, Mintz et al. 2020).
- tuned: `min(sqrt(n eta log(t) / 4), 2 log t)`, eta the largest divergence of one pull (Tuned ROGUE-UCB). The second
  term is their delta-method variance of the divergence, where that is quadratic.
- wilks: half a quantile of the chi-squared distribution with as many degrees as the state has coordinates.
"""

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.memory import Constant, Learned
from roguewk.kernel.records import record_type
from roguewk.part.verbs import set_horizon
from roguewk.problem.arm import Arm
from roguewk.problem.constants import largest_divergence, radius_parts

THEOREM, ROGUE, TUNED, WILKS = range(4)
RULES = {"theorem": THEOREM, "rogue": ROGUE, "tuned": TUNED, "wilks": WILKS}
# c_f, L_p sigma, the largest divergence that one pull can have, the quantile, and a key of RULES.
_REACH = record_type(("bias", "noise", "largest", "quantile"), ("rule",))


class Radius(NamedTuple):
    """A rule, a multiple of it, and the chance that the set of Wilks's rule is to hold the truth with."""

    scale: float = 1.0
    rule: str = "theorem"
    confidence: float = 0.95


class Reach(NamedTuple):
    """How far the confidence sets of all arms reach."""

    arms: Constant[Any]  # (arm,) records of _REACH
    growth: Learned[Vector]  # (1,) sqrt(2 log(6 m T^2))
    scale: float  # a multiple of the rule
    arms_in_all: int  # of the whole problem


def build_reach(arms: Sequence[Arm], radius: Radius, arms_in_all: int) -> Reach:
    """The rule applied to these arms, of which there may be others."""
    records = np.zeros(len(arms), dtype=_REACH)
    for record, arm in zip(records, arms, strict=True):
        record["bias"], record["noise"] = radius_parts(arm)
        record["largest"] = largest_divergence(arm)
        record["quantile"] = chi_squared_quantile(arm.dimension, radius.confidence)
        record["rule"] = RULES[radius.rule]
    return Reach(records, np.zeros(1), radius.scale, arms_in_all)


@functools.cache
def chi_squared_quantile(degrees: int, chance: float) -> float:
    """Where the chi-squared distribution function reaches `chance`.

    >>> round(chi_squared_quantile(1, 0.95), 3), round(chi_squared_quantile(3, 0.5), 3)
    (3.841, 2.366)
    """
    low, high = 0.0, 1.0
    while _chi_squared(degrees, high) < chance and high < 1e4:
        high *= 2
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _chi_squared(degrees, middle) < chance else (low, middle)
    return high


def _chi_squared(degrees: int, x: float) -> float:
    """The distribution function, from that of one or two degrees less by two more."""
    half = 0.5 * x
    if degrees == 1:
        return math.erf(math.sqrt(half))
    if degrees == 2:
        return -math.expm1(-half)
    lower = 0.5 * degrees - 1
    return _chi_squared(degrees - 2, x) - math.exp(lower * math.log(half) - half - math.lgamma(lower + 1)) * (x > 0)


@set_horizon.body(Reach)
def _set_horizon(part: Reach, horizon: float) -> None:
    part.growth[0] = math.sqrt(2.0 * math.log(6.0 * part.arms_in_all * horizon * horizon))


@compiled
def grows(reach: Reach, a: int) -> bool:
    """Whether the set of an arm grows from round to round without a pull."""
    return reach.scale > 0.0 and reach.arms[a].rule in (ROGUE, TUNED)


@compiled
def divergence_limit(reach: Reach, a: int, count: int, t: int) -> float:
    """The largest trajectory divergence allowed in round t after so many pulls."""
    arm, scale = reach.arms[a], reach.scale
    if scale == 0.0:
        return 0.0
    if arm.rule == THEOREM:
        return scale * (arm.bias + arm.noise * reach.growth[0]) * math.sqrt(count)
    if arm.rule == WILKS:
        return scale * 0.5 * arm.quantile
    growth = math.log(max(t, 1))
    if arm.rule == TUNED:
        return scale * min(math.sqrt(0.25 * arm.largest * count * growth), 2.0 * growth)
    return scale * (arm.bias + arm.noise * math.sqrt(8.0 * growth)) * math.sqrt(count)


@compiled
def holds_everything(reach: Reach, a: int, count: int, t: int) -> bool:
    """Whether the confidence set is all of X, whatever was seen: with the theorem's radius it nearly always is."""
    return divergence_limit(reach, a, count, t) >= count * reach.arms[a].largest
