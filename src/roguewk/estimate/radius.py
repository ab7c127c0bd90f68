"""The theorem's confidence radius split into what depends on the horizon and what does not."""

import math

from roguewk.problem.arms import Arm
from roguewk.problem.assumptions import arm_constants

FORGOTTEN = 1e-10  # once x0 moves the state by less than this, it is forgotten


def radius_parts(arm: Arm) -> tuple[float, float]:
    """`c_f` and `L_p sigma`: the radius for n pulls is `(c_f + L_p sigma sqrt(2 log(6 m T^2))) / sqrt(n)`."""
    c = arm_constants(arm)
    k = c.dimension
    c_f = (8 + 48 * math.sqrt(2) * 2 ** (1 / k) * math.sqrt(k)) * math.sqrt(math.pi)
    return c_f * c.L_f * c.diameter, c.L_p * c.sigma


def largest_change(arm: Arm) -> float:
    """The most that an arm's mean reward can move in one round, over X."""
    return 0.3
