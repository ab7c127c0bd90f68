"""How far from the likeliest initial state a confidence set reaches: the largest trajectory divergence D after n pulls.

- theorem: `n (c_f + L_p sigma sqrt(2 log(6 m T^2))) / sqrt(n)`, as ROGUEwK-UCB publishes it (He and Mintz).
- rogue: the same with `4 log t` in place of `log(6 m T^2)` (ROGUE-UCB, Mintz et al. 2020).
- tuned: `min(sqrt(n eta log(t) / 4), 2 log t)`, eta the largest divergence of one pull (Tuned ROGUE-UCB). The second
  term is their delta-method variance of the divergence, where that is quadratic.
- wilks: half a quantile of the chi-squared distribution with as many degrees as the state has coordinates.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from roguewk.kernel.compile import compiled
from roguewk.problem.arm import Arm
from roguewk.problem.constants import largest_divergence, radius_parts

THEOREM, ROGUE, TUNED, WILKS = range(4)
RULES = {"theorem": THEOREM, "rogue": ROGUE, "tuned": TUNED, "wilks": WILKS}
# Of an arm's record: c_f, L_p sigma, the radius at n = 1, the largest divergence that one pull can have, the quantile,
# and a key of RULES (a whole number, kept as a real one).
RADIUS_FIELDS = ("bias", "noise", "radius", "largest", "quantile", "rule")


class Radius(NamedTuple):
    """A rule, a multiple of it, and the chance that the set of Wilks's rule is to hold the truth with."""

    scale: float = 1.0
    rule: str = "theorem"
    confidence: float = 0.95


def note_radius_parts(tracks: Any, arms: Sequence[Arm], radius: Radius) -> None:
    """Write down what does not depend on the horizon."""
    for track, arm in zip(tracks, arms, strict=True):
        track["bias"], track["noise"] = radius_parts(arm)
        track["largest"] = largest_divergence(arm)
        track["quantile"] = chi_squared_quantile(arm.dimension, radius.confidence)
        track["rule"] = RULES[radius.rule]


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


@compiled
def set_radii(tracks: Any, arms_in_all: int, horizon: float) -> None:
    """Work out the theorem's radii for this horizon."""
    growth = math.sqrt(2.0 * math.log(6.0 * arms_in_all * horizon * horizon))
    for a in range(tracks.size):
        tracks[a].radius = tracks[a].bias + tracks[a].noise * growth


@compiled
def grows(track: Any, scale: float) -> bool:
    """Whether the set grows from round to round without a pull."""
    return scale > 0.0 and (track.rule == ROGUE or track.rule == TUNED)


@compiled
def divergence_limit(track: Any, scale: float, t: int) -> float:
    """The largest trajectory divergence allowed in round t."""
    if scale == 0.0:
        return 0.0
    if track.rule == THEOREM:
        return scale * track.radius * math.sqrt(track.count)
    if track.rule == WILKS:
        return scale * 0.5 * track.quantile
    growth = math.log(max(t, 1))
    if track.rule == TUNED:
        return scale * min(math.sqrt(0.25 * track.largest * track.count * growth), 2.0 * growth)
    return scale * (track.bias + track.noise * math.sqrt(8.0 * growth)) * math.sqrt(track.count)


@compiled
def holds_everything(track: Any, scale: float, t: int) -> bool:
    """Whether the confidence set is all of X, whatever was seen: with the theorem's radius it nearly always is."""
    return divergence_limit(track, scale, t) >= track.count * track.largest
