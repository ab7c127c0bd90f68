"""KL-UCB reward bounds: the largest q with `n kl(mean, q) <= scale log t + loglog log log t`.

Garivier and Cappé 2011. For coins kl is that of two coins, and Newton's method finds q; for Gaussian rewards
`q = mean + sigma sqrt(2 level / n)`. Theory asks for loglog 3, practice uses 0. Of a coin whose rewards have not come,
the mean is taken to be 1/2: with 1 its bound would be 1 for ever, and it would be pulled for ever.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.estimate.rewards.tally import Tally, build_tally, mean_of, tallied
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled_apart
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant
from roguewk.part.parameter import not_negative
from roguewk.part.part import REWARDS, Part
from roguewk.part.verbs import reward_bounds
from roguewk.problem.problem import Problem


@tallied
class KlRewards(NamedTuple):
    """Means of all rewards seen."""

    tally: Tally
    sigmas: Constant[Vector]  # (arm,); 0 for coins
    scale: float
    loglog: float


def _build(problem: Problem, scale: float, loglog: float) -> KlRewards:
    sigmas = np.array([arm.sigma or 0.0 for arm in problem.arms])
    return KlRewards(build_tally(problem), sigmas, scale, loglog)


@compiled_apart
def kl_upper(mean: float, level: float) -> float:
    """The largest q whose coin is within `level` of a coin of this mean: `kl(mean, q) <= level`."""
    if mean >= 1.0:
        return 1.0
    if mean <= 0.0:
        return -math.expm1(-level)
    fixed = mean * math.log(mean) + (1.0 - mean) * math.log1p(-mean)
    # As a function of u = -log(1 - q) the divergence is convex: steps from above never pass the root.
    u = (level - fixed) / (1.0 - mean)
    near = mean + math.sqrt(0.5 * level)  # Pinsker
    if near < 1.0:
        u = min(u, -math.log1p(-near))
    for _ in range(50):
        q = -math.expm1(-u)
        excess = fixed - mean * math.log(q) + (1.0 - mean) * u - level
        if excess <= 1e-15 or q <= mean:
            break
        step = excess * q / (q - mean)
        u -= step
        if step < 1e-13 * u:
            break
    return max(-math.expm1(-u), mean)


@reward_bounds.body(KlRewards)
def _reward_bounds(part: KlRewards, now: Now, out: Vector) -> None:
    log = math.log(max(now.t, 1))
    level = part.scale * log + part.loglog * math.log(max(log, 1.0))
    for a in range(out.size):
        n = part.tally.pulls[a]
        if n == 0.0:
            out[a] = np.inf
        elif part.sigmas[a] > 0.0:
            out[a] = mean_of(part.tally, a) + part.sigmas[a] * math.sqrt(2.0 * level / n)
        else:
            out[a] = kl_upper(mean_of(part.tally, a) if part.tally.seen[a] > 0.0 else 0.5, level / n)


KL_UCB = Part(
    role=REWARDS,
    name="kl-ucb",
    summary="the largest q with n kl(mean, q) <= log t + c log log t",
    build=_build,
    parameters={
        "scale": not_negative(1.0, "multiplies log t"),
        "loglog": not_negative(0.0, "c, which multiplies log log t: theory asks for 3, practice uses 0"),
    },
    first_pulls=True,
)
PARTS = (KL_UCB,)
