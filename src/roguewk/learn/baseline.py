"""What the idle rows of a log say of rounds in which nothing is done: how much they bring, and whether that drifts.

The level of an idle round is a + b times the time since the subject's first row, by maximum likelihood in the family of
the log. The mean is that over subjects. Rows of a subject are more alike than those of others: where that makes the
estimate less certain than the rows alone would have it, as residuals summed over subjects tell, intervals are wider.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.profile import Interval
from roguewk.learn.pulls import check_rewards
from roguewk.learn.rounds import LoggedRounds
from roguewk.problem.baseline import Baseline
from roguewk.problem.errors import InputError
from roguewk.problem.family.family import RewardFamily
from roguewk.problem.family.registry import family_named

NORMAL = 1.959963984540054
WIDE = 10.0  # standard deviation of the ridge prior on levels, as for arms: a baseline of ones alone stays finite
FOR_DRIFT = 30  # rows from which on a drift is looked for
FOR_SUBJECTS = 10  # from which on sums over subjects tell how alike their rows are
STEPS, ENOUGH = 100, 1e-10
EDGE = 1e-9  # means are kept so far inside their range, and noise so far from none


@dataclass(frozen=True, eq=False)
class FittedBaseline:
    """What idle rounds bring by a log; `level` is that of a subject's first round, `drift` what a unit of time adds.

    `reward` and `at_end` are the mean at first and `span` later, at the end of the log, each with a 95 % interval;
    without a drift that the log is sure of there is no `at_end`.

    >>> import pandas, roguewk as rw
    >>> arms, rewards = ["call", None, None, "call", None, None] * 20, [1, 0, 1, 0, 0, 1] * 20
    >>> table = pandas.DataFrame({"round": range(120), "arm": arms, "reward": rewards})
    >>> round(rw.fit(table).baseline.reward.value, 2)
    0.5
    """

    family: str
    sigma: float | None  # noise of rewards in families that have some
    level: float
    drift: float
    covariance: Vector  # (2, 2) of level and drift
    span: float  # longest time since a subject's first row
    rows: int
    unit: str

    @property
    def reward(self) -> Interval:
        """The mean of a first round."""
        return self._mean(0.0)

    @property
    def at_end(self) -> Interval | None:
        """The mean at the end of the log, where there is a drift."""
        return None if self.drift == 0 else self._mean(self.span)

    def over(self, horizon: int, round_length: float = 1.0, known: bool = True) -> Baseline:
        """The estimate for a problem of so many rounds; a drift goes no farther than the log has seen it.

        >>> import pandas, roguewk as rw
        >>> table = pandas.DataFrame({"round": range(40), "arm": ["call", None] * 20, "reward": [1, 1, 0, 0] * 10})
        >>> rw.fit(table).baseline.over(100).in_words()
        'idle rounds bring 0.5'
        """
        if self.drift == 0:
            return Baseline(self._at(0.0), self.family, self.sigma, known=known)
        end = min((horizon - 1) * round_length, self.span)
        return Baseline(self._at(0.0), self.family, self.sigma, self._at(end), known)

    def means_at(self, times: Vector) -> Vector:
        """What rounds so long after a subject's first row bring if nothing is done; times within the log."""
        return family_named(self.family).means_of_levels(self.level + self.drift * times)

    def drawn(self, luck: np.random.Generator) -> "FittedBaseline":
        """A draw from what it may be, which has no interval."""
        # Not by multivariate_normal, whose decomposition may differ from machine to machine.
        first, second = luck.standard_normal(2)
        root = math.sqrt(self.covariance[0, 0])
        slope = self.covariance[0, 1] / root if root else 0.0
        rest = math.sqrt(max(self.covariance[1, 1] - slope**2, 0.0))
        drift = self.drift + slope * first + rest * second if self.drift else 0.0
        return replace(self, level=self.level + root * first, drift=drift, covariance=np.zeros((2, 2)))

    def in_words(self) -> str:
        """What it is, in a line or two."""
        words = f"idle rounds bring {_words(self.reward)}"
        if self.at_end is None:
            return words
        return f"{words}, and {_words(self.at_end)} in the end, {self.span:g} {self.unit} later"

    def to_data(self) -> dict[str, Any]:
        """As plain data for JSON."""
        end = None if self.at_end is None else self.at_end._asdict()
        return {"reward": self.reward._asdict(), "at_end": end, "family": self.family, "rows": self.rows}

    def _mean(self, time: float) -> Interval:
        beside = np.array([1.0, time])
        reach = NORMAL * math.sqrt(max(float(beside @ self.covariance @ beside), 0.0))
        level = self.level + self.drift * time
        family = family_named(self.family)
        return Interval(self._at(time), *(family.mean_of_level(end) for end in (level - reach, level + reach)))

    def _at(self, time: float) -> float:
        family = family_named(self.family)
        low, high = family.means
        return float(min(max(family.mean_of_level(self.level + self.drift * time), low + EDGE), high - EDGE))


def _words(interval: Interval) -> str:
    return f"{interval.value:.3g} ({interval.low:.3g} to {interval.high:.3g})"


def idle_outcomes(log: LoggedRounds) -> Any:
    """(row,) the idle rows that say what nothing brings; none if all are 0, as they are where that is not counted."""
    seen = (log.arm < 0) & ~np.isnan(log.reward)
    return seen & bool(log.reward[seen].any())


class _Estimate(NamedTuple):
    parameters: Vector  # level, and drift over the span if there is one
    covariance: Vector
    sigma: float


def fit_baseline(log: LoggedRounds, family: RewardFamily, sigma: float | None) -> FittedBaseline | None:
    """What the idle rows of a log say; None if they say nothing. `sigma` is the noise of arms, where it is not told."""
    rows = np.flatnonzero(idle_outcomes(log))
    if not rows.size:
        return None
    _check(log, family)
    elapsed = log.time - log.time[np.searchsorted(log.subject, np.arange(len(log.subjects)))][log.subject]
    span, times = float(elapsed.max()), elapsed[rows]
    found = None
    if rows.size >= FOR_DRIFT and np.ptp(times) > 0:
        drifting = _estimate(log, rows, np.column_stack([np.ones(rows.size), times / span]), family, sigma)
        # As the Bayesian information criterion has it, so that large logs do not find drifts too small to matter.
        if drifting.parameters[1] ** 2 > max(NORMAL**2, math.log(rows.size)) * drifting.covariance[1, 1]:
            found = drifting
    if found is None:
        found = _estimate(log, rows, np.ones((rows.size, 1)), family, sigma)
    size = found.parameters.size
    units, covariance = np.array([1.0, 1.0 / span if size > 1 else 0.0]), np.zeros((2, 2))
    covariance[:size, :size] = found.covariance
    return FittedBaseline(
        family=family.name,
        sigma=found.sigma if family.wants_sigma else None,
        level=float(found.parameters[0]),
        drift=float(found.parameters[1]) / span if size > 1 else 0.0,
        covariance=covariance * np.outer(units, units),
        span=span,
        rows=int(rows.size),
        unit=log.unit,
    )


def _check(log: LoggedRounds, family: RewardFamily) -> None:
    """Refuse outcomes that are none of the family of the arms."""
    idle = replace(log, arm=np.where(log.arm < 0, 0, -1))  # as if they were those of an arm
    try:
        check_rewards(idle, family)
    except InputError as error:
        raise InputError(
            f"idle rows have outcomes, and {error}; baseline=None (--no-baseline) leaves them out"
        ) from None


def _estimate(log: LoggedRounds, rows: Any, design: Vector, family: RewardFamily, sigma: float | None) -> _Estimate:
    rewards, ridge = log.reward[rows], 0.0 if family.wants_sigma else WIDE**-2
    at = np.zeros(design.shape[1])
    at[0] = family.level_of_mean(family.kept(float(rewards.mean())))
    for _ in range(STEPS):
        means, weights = _means(at, design, family)
        information = design.T @ (weights[:, np.newaxis] * design) + ridge * np.eye(at.size)
        step = np.linalg.solve(information, design.T @ (rewards - means) - ridge * at)
        # A step of more could pass the top by far, but where levels are rewards it leads there.
        at = at + (step if family.wants_sigma else step / max(1.0, float(np.abs(step).max())))
        if float(np.abs(step).max()) < ENOUGH * (1 + float(np.abs(at).max())):
            break
    means, weights = _means(at, design, family)
    left, spare = rewards - means, rows.size - at.size
    noise = float((left**2 / weights).sum()) / spare if spare > 0 else (1.0 if sigma is None else sigma**2)
    if family.name == "bernoulli":
        noise = 1.0
    elif family.name == "poisson":
        noise = max(noise, 1.0)
    noise = max(noise, EDGE**2)
    inverse = np.linalg.inv(information)
    covariance = noise * inverse
    who = np.unique(log.subject[rows], return_inverse=True)[1]
    subjects = int(who.max()) + 1
    if subjects >= FOR_SUBJECTS:
        scores = np.column_stack([np.bincount(who, column) for column in (left[:, np.newaxis] * design).T])
        robust = inverse @ (scores.T @ scores) @ inverse * subjects / (subjects - 1)
        covariance = covariance * max(1.0, *(np.diag(robust) / np.diag(covariance)).tolist())
    return _Estimate(at, np.asarray(covariance), math.sqrt(noise))


def _means(at: Vector, design: Vector, family: RewardFamily) -> tuple[Vector, Vector]:
    """(row,) means and their variances, in units of the noise."""
    means = family.means_of_levels(design @ at)
    variances = np.array([family.variance(mean) for mean in means.tolist()])
    return means, np.maximum(variances, EDGE)
