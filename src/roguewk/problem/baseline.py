"""What rounds bring in which nothing is done: the baseline, beyond which a pull has its effect."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import Arm, link
from roguewk.problem.errors import LARGEST, InputError, known, positive, shown, truth_value
from roguewk.problem.family.family import RewardFamily
from roguewk.problem.family.registry import FAMILIES, family_code, family_named

KEYS = ("reward", "family", "sigma", "at_end", "known")
_WHAT = "of idle rounds"


@dataclass(frozen=True)
class Baseline:
    """What a round brings on average in which nothing is done, so that a pull has the effect of what it brings beyond.

    Outcomes of idle rounds are of a `family`, as those of arms are. With `at_end` their mean drifts evenly, in the unit
    of the family's levels, from `reward` in the first round to this in the last. If it is not `known`, policies are
    told the family alone and learn the rest from idle rounds; where nobody knows it, there is no `reward` to give.

    >>> import roguewk as rw
    >>> rw.Baseline(0.3, at_end=0.2).means(3).round(3)
    array([0.3  , 0.247, 0.2  ])
    """

    reward: float | None = None
    family: str = "bernoulli"
    sigma: float | None = None
    at_end: float | None = None
    known: bool = True

    def __post_init__(self) -> None:
        wants_sigma = family_named(self.family, f" {_WHAT}").wants_sigma
        if (self.sigma is None) == wants_sigma:
            remedy = "give sigma" if wants_sigma else "leave it out, or use family = 'gaussian'"
            raise InputError(f"sigma {_WHAT} is {shown(self.sigma)} with family {self.family!r}: {remedy}")
        if self.sigma is not None:
            object.__setattr__(self, "sigma", positive(self.sigma, f"sigma {_WHAT}"))
            if not 1 / LARGEST < self.sigma < LARGEST:
                raise InputError(f"sigma {_WHAT} is {self.sigma:g}: give rewards in a more ordinary unit")
        object.__setattr__(self, "known", truth_value(self.known, f"known {_WHAT}"))
        if self.reward is None and (self.known or self.at_end is not None):
            raise InputError(
                f"reward {_WHAT} is not said: give what a round brings on average in which nothing is done, or"
                " known = false alone"
            )
        for name in ("reward", "at_end"):
            mean = getattr(self, name)
            if mean is not None:
                link(mean, self.family, f"{name} {_WHAT}")  # refuses what no mean is
                if abs(mean) > LARGEST:
                    raise InputError(f"{name} {_WHAT} is {mean:g}: choose a unit in which it stays below {LARGEST:g}")
                object.__setattr__(self, name, float(mean))

    @property
    def told(self) -> "Baseline":
        """What policies are told: all of it, or the family alone."""
        return self if self.known else Baseline(family=self.family, sigma=self.sigma, known=False)

    @property
    def reward_family(self) -> RewardFamily:
        """The formulas and bounds of its family.

        :meta private:
        """
        return FAMILIES[family_code(self.family)]

    def levels(self) -> tuple[float, float]:
        """The levels of the first round and of the last."""
        if self.reward is None:
            raise InputError(f"nobody knows the reward {_WHAT}: give rw.Baseline a reward")
        level = self.reward_family.level_of_mean
        return level(self.reward), level(self.reward if self.at_end is None else self.at_end)

    def means(self, horizon: int) -> Vector:
        """(round,) what idle rounds bring on average, in a game of so many rounds."""
        first, last = self.levels()
        if first == last:
            return np.full(horizon, self.reward, dtype=np.float64)
        steps = (last - first) / max(horizon - 1, 1) * np.arange(horizon)
        return self.reward_family.means_of_levels(np.asarray(first + steps, dtype=np.float64))

    def in_words(self) -> str:
        """What idle rounds bring, in half a sentence."""
        if self.reward is None:
            return "idle rounds bring what is to be learned"
        drift = "" if self.at_end is None else f" and {self.at_end:g} in the end"
        return f"idle rounds bring {self.reward:g}{drift}" + ("" if self.known else " (not told)")


def check_baseline(baseline: Any) -> Baseline | None:
    """`baseline` if it is one, or None."""
    if baseline is not None and not isinstance(baseline, Baseline):
        raise InputError(f"baseline is {shown(baseline)}: give an rw.Baseline, such as rw.Baseline(0.3)")
    return baseline


def baseline_from_data(table: dict[str, Any], arms: Sequence[Arm]) -> Baseline:
    """The baseline in the table [idle] of a file; its family is that of the arms if they have one in common."""
    for key in table:
        known(key, KEYS, "key of [idle]:")
    given = dict(table)
    if "family" not in given:
        families = {arm.family for arm in arms}
        if len(families) > 1:
            raise InputError(f"[idle] has no family and the arms have {' and '.join(sorted(families))}: say which")
        given["family"] = families.pop()
        sigmas = {arm.sigma for arm in arms}
        if len(sigmas) == 1 and "sigma" not in given:
            given["sigma"] = sigmas.pop()
    return Baseline(**given)


def baseline_to_data(baseline: Baseline) -> dict[str, Any]:
    """The table [idle] of a file."""
    data = {key: getattr(baseline, key) for key in KEYS[:-1] if getattr(baseline, key) is not None}
    return data if baseline.known else {**data, "known": False}
