"""How states fade: by half in every half-life, from pull to pull.

From one pull to the next `h' = 2^(-gap / half_life) h + 2^(-(gap - lag) / half_life)`; where time is counted in rounds,
the lag is one, which is the `h' = A h + pulled` of the rest of roguewk.
"""

import math

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.learn.pulls import Pulls
from roguewk.learn.setting import LOG_2, LOG_HALF_LIFE, WIDTH, Setting


@compiled
def faded(time: float, half_life: float) -> tuple[float, float, float]:
    """What is left after a time, and its first and second derivative in log half-life."""
    z = LOG_2 * time / half_life
    left = math.exp(-z)
    return left, z * left, (z * z - z) * left


@compiled
def wear_on(worn: Vector, i: int, before: int, gap: float, lag: float, half_life: float) -> None:
    """Fill `worn` of a pull from that of the pull before it, if there is one."""
    if before < 0:
        worn[i, 0] = worn[i, 1] = worn[i, 2] = 0.0
        return
    left, slope, bend = faded(gap, half_life)
    new, new_slope, new_bend = faded(max(gap - lag, 0.0), half_life)
    h = worn[before, 0]
    worn[i, 0] = new + left * h
    worn[i, 1] = new_slope + slope * h + left * worn[before, 1]
    worn[i, 2] = new_bend + bend * h + 2.0 * slope * worn[before, 1] + left * worn[before, 2]


@compiled
def wear_out(pulls: Pulls, lag: float, at: Vector, first: int, last: int, worn: Vector) -> None:
    """Fill `worn` for the pulls from `first` to before `last`: each arm's own state."""
    for i in range(first, last):
        half_life = math.exp(at[pulls.arm[i] * WIDTH + LOG_HALF_LIFE])
        wear_on(worn, i, pulls.before[i], pulls.gap[i], lag, half_life)


@compiled
def wear_further(setting: Setting, at: Vector, first: int, last: int, further: Vector) -> None:
    """Fill `further` (state, pull, 3) for the same pulls: the states that arms have beside their own."""
    states = setting.pulls.states
    for s in range(setting.states.size):
        half_life = math.exp(at[setting.states[s]])
        for i in range(first, last):
            wear_on(further[s], i, states.before[s, i], states.gap[s, i], setting.lag, half_life)
