"""The theorem's radius for every arm: `(c_f + L_p sigma sqrt(2 log(6 m T^2))) / sqrt(n)`."""

import math
from collections.abc import Sequence
from typing import Any

from roguewk.kernel.compile import compiled
from roguewk.problem.arms import Arm
from roguewk.problem.constants import largest_divergence, radius_parts

# Of an arm's record: c_f, L_p sigma, the radius at n = 1, and the largest divergence that one pull can have.
RADIUS_FIELDS = ("bias", "noise", "radius", "largest")


def note_radius_parts(tracks: Any, arms: Sequence[Arm]) -> None:
    """Write down what does not depend on the horizon."""
    for track, arm in zip(tracks, arms, strict=True):
        track["bias"], track["noise"] = radius_parts(arm)
        track["largest"] = largest_divergence(arm)


@compiled
def set_radii(tracks: Any, arms_in_all: int, horizon: float) -> None:
    """Work out the radii for this horizon."""
    growth = math.sqrt(2.0 * math.log(6.0 * arms_in_all * horizon * horizon))
    for a in range(tracks.size):
        tracks[a].radius = tracks[a].bias + tracks[a].noise * growth


@compiled
def divergence_limit(track: Any, scale: float) -> float:
    """The largest trajectory divergence allowed, `n` times the radius."""
    return scale * track.radius * math.sqrt(track.count) if scale > 0.0 else 0.0


@compiled
def holds_everything(track: Any, scale: float) -> bool:
    """Whether the confidence set is all of X, whatever was seen: with the theorem's radius it nearly always is."""
    return divergence_limit(track, scale) >= track.count * track.largest
