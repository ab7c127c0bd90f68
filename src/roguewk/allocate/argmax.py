"""Play the arm with the largest reward bound, whatever it costs."""

from typing import Any, NamedTuple

from roguewk.allocate.verbs import LARGEST, NOTHING, allocate, largest
from roguewk.problem.arms import Vector


class Argmax(NamedTuple):
    """The allocation of UCB1."""

    everything: bool  # a NamedTuple needs a field


@allocate.body(Argmax)
def _allocate(
    part: Argmax, rewards: Vector, costs: Vector, rates: Vector, available: Any, shares: Vector, prices: Vector
) -> int:
    shares[:] = 0.0
    prices[:] = 0.0
    best = largest(rewards, available)
    if best < 0:
        return NOTHING
    shares[best] = 1.0
    return LARGEST
