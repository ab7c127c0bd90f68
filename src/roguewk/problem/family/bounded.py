"""Rewards in [0, 1], such as the share of a goal that was reached.

Of their law only the mean is modelled: they are judged by the likelihood of coins (a quasi-likelihood), whose ratio is
linear in the reward, so that all that is proved from the mean and sigma = 1/2 still holds. In simulations they are
Beta(PRECISION mean, PRECISION (1 - mean)).
"""

import dataclasses
import math
from typing import Any

from roguewk.problem.family.bernoulli import BERNOULLI
from roguewk.problem.family.family import SURE, Formula, Rewards

PRECISION = 10.0  # the variance is mean (1 - mean) / (PRECISION + 1)


def _surprise(level: float, reward: float, sigma: float) -> float:
    # b(level) - reward level, but exact also where the reward is all but certain.
    small = math.log1p(math.exp(-abs(level)))
    return (1.0 - reward) * (small + max(level, 0.0)) + reward * (small + max(-level, 0.0))


def _likelihood(mean: float, reward: float, sigma: float) -> float:
    return reward * math.log(max(mean, 1e-300)) + (1.0 - reward) * math.log(max(1.0 - mean, 1e-300))


def _drawing() -> Formula:
    from roguewk.kernel.draws import beta  # only here: making a world does not load Numba
    from roguewk.kernel.luck import Now

    def draw(mean: float, sigma: float, first: Any, second: Any) -> float:
        inside = min(max(mean, SURE), 1.0 - SURE)
        # The two words are a key of their own: a beta number needs many.
        return beta(PRECISION * inside, PRECISION * (1.0 - inside), Now(0, first, second, 0), 0)

    return draw


BOUNDED = dataclasses.replace(
    BERNOULLI,
    name="bounded",
    rewards=Rewards(0.0, 1.0, False, "from 0 to 1"),
    surprise=_surprise,
    likelihood=_likelihood,
    drawing=_drawing,
    on_tails="Rewards from 0 to 1 have sigma = 1/2; they are judged by the likelihood of coins, linear in the reward.",
)
