"""What a family of rewards is: all that the rest of the package asks of one.

Rewards have the density `exp((r level - b(level)) / dispersion)` times what does not depend on the level, which is
`alpha + beta . x`; their mean is `b'(level)` and their variance `b''(level)` times the dispersion.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from roguewk.kernel.arrays import Vector

SURE = 1e-12  # the mean rewards of a user's own g are kept this far inside their range, so that levels stay finite
TAIL = 4.0  # standard deviations: rewards without a largest are counted that far out in L_f
Formula = Callable[..., float]  # plain Python on numbers, with `math` alone: it is compiled as well


@dataclass(frozen=True)
class Rewards:
    """The rewards that a pull can bring, and how errors name them.

    >>> Rewards(0.0, 1.0, True, "0 or 1").allow(0.5)
    False
    """

    lowest: float
    highest: float
    whole: bool
    words: str

    def allow(self, value: float) -> bool:
        """Whether a finite number is such a reward."""
        return self.lowest <= value <= self.highest and (not self.whole or value == math.floor(value))

    @property
    def unit(self) -> bool:
        """Whether they lie in [0, 1]."""
        return self.lowest >= 0.0 and self.highest <= 1.0

    @property
    def coins(self) -> bool:
        """Whether they are 0 or 1."""
        return self.unit and self.whole


@dataclass(frozen=True, eq=False)
class RewardFamily:
    """A family of rewards. Nothing has a default, so that none is forgotten; `dataclasses.replace` makes a cousin.

    Formulas that take `sigma` are given 1 where the family does not want one.

    >>> from roguewk.problem.family.registry import family_named
    >>> coins = family_named("bernoulli")
    >>> coins.mean_of_level(0.0), coins.rewards.words, coins.unit
    (0.5, '0 or 1', 'log-odds')
    """

    name: str
    unit: str  # of levels, so of wear
    rewards: Rewards
    means: tuple[float, float]  # which mean rewards there are: strictly between these
    wants_sigma: bool

    # Formulas, which are compiled as well.
    mean_of_level: Formula
    level_of_mean: Formula
    log_partition: Callable[[float], tuple[float, float]]  # level -> b, b'
    variance: Formula  # mean -> b''
    dispersion: Formula  # sigma ->
    surprise: Formula  # level, reward, sigma -> minus the log-likelihood, up to a constant
    likelihood: Formula  # mean, reward, sigma -> the log-likelihood, up to a constant
    divergence: Formula  # p, q, sigma -> of the rewards at level p from those at level q
    farthest_mean: Formula  # mean, limit, sigma -> the largest mean within this divergence
    kept: Formula  # mean -> the nearest mean that the family can have
    drawing: Callable[[], Formula]  # makes: mean, sigma, first, second -> a reward from two random words

    # What else is asked, in Python alone.
    means_of_levels: Callable[[Vector], Vector]
    symbolic_mean: Callable[[Any, Any], Any]  # CasADi, level ->
    refusal: Callable[[float, float], str]  # lowest and highest level over X -> what is wrong with them and the remedy
    points: Callable[[float], int]  # half the width of X in levels -> Chebyshev points that make b exact to 1e-13

    # What the theory asks over levels from `low` to `high`.
    steepest: Callable[[float, float], float]  # largest slope of the mean
    turns: Callable[[float, float], tuple[float, float]]  # largest -b''' and b''', or 0
    spread: Callable[[float, float, float], float]  # and sigma -> the largest |reward - mean| that L_f counts
    own_slopes: Callable[[Vector, Vector, float], tuple[float, float]]  # means and gaps of a g on a grid -> L_f, L_p
    sub_gaussian: float | None  # parameter at every mean; None: sigma if wanted, else the rewards are not sub-Gaussian
    on_slopes: str  # why L_f is not finite, of the arms {names}; empty if it is
    on_tails: str  # what is to be said about sub-Gaussian rewards
