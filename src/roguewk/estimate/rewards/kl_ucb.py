"""KL-UCB reward bounds: the largest q with `n kl(mean, q) <= scale log t + loglog log log t`.

Garivier and Cappé 2011. kl is that of the arm's family: for coins, and for any rewards in [0, 1], of two coins; for
Gaussian rewards `q = mean + sigma sqrt(2 level / n)`. Theory asks for loglog 3, practice uses 0. Of a coin whose
rewards have not come, the mean is taken to be 1/2: with 1 its bound would be 1 for ever, and it would be pulled for
ever.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.estimate.rewards.tally import Tally, build_tally, mean_of, tallied
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant
from roguewk.part.parameter import not_negative
from roguewk.part.part import REWARDS, Part
from roguewk.part.verbs import reward_bounds
from roguewk.problem.dynamics import build_dynamics
from roguewk.problem.family.compiled import farthest_mean
from roguewk.problem.problem import Problem


@tallied
class KlRewards(NamedTuple):
    """Means of all rewards seen."""

    tally: Tally
    arms: Constant[Any]  # (arm,) records, see problem.dynamics
    unseen: Constant[Vector]  # (arm,) the mean while no reward has come
    scale: float
    loglog: float


def _build(problem: Problem, scale: float, loglog: float) -> KlRewards:
    unseen = np.array([0.5 if arm.reward_family.rewards.unit else 1.0 for arm in problem.arms])
    return KlRewards(build_tally(problem), build_dynamics(problem.arms).arms, unseen, scale, loglog)


@reward_bounds.body(KlRewards)
def _reward_bounds(part: KlRewards, now: Now, out: Vector) -> None:
    log = math.log(max(now.t, 1))
    level = part.scale * log + part.loglog * math.log(max(log, 1.0))
    for a in range(out.size):
        n = part.tally.pulls[a]
        mean = mean_of(part.tally, a) if part.tally.seen[a] > 0.0 else part.unseen[a]
        out[a] = farthest_mean(part.arms[a].family, mean, level / n, part.arms[a].sigma) if n > 0.0 else np.inf


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
