"""Whether logs simulated from a fit look like the real one.

Subjects, pulls and times stay as they were, and parameters are at their estimates. Subjects have levels drawn from what
the log says of each, so that the comparison is fair also where what was given depended on earlier outcomes; only how
much subjects differ is compared with subjects drawn anew from the population.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.checks.account import Account

LOGS = 200
ARMS = 8  # those with the most pulls
FEWEST = 20  # pulls, or subjects, that a mean or a spread is worth comparing of
OUTSIDE = 0.025

Measure = Callable[[Vector], float]


class Place(NamedTuple):
    """A number of the real log among those of simulated ones."""

    what: str
    real: float
    low: float  # of 95 % of the simulated logs
    middle: float
    high: float
    share: float  # of the simulated logs that are below; of those that are equal, half

    @property
    def strange(self) -> bool:
        """Whether it lies outside 95 % of them."""
        return not OUTSIDE <= self.share <= 1 - OUTSIDE

    @property
    def near(self) -> bool:
        """Whether it lies in the outermost parts of them, which hold one number in twenty by chance."""
        return not self.strange and not 2 * OUTSIDE <= self.share <= 1 - 2 * OUTSIDE


def _mean_at(rows: Any) -> Measure:
    return lambda rewards: float(rewards[rows].mean())


def _arm_measures(account: Account) -> Iterator[tuple[str, Measure]]:
    counts = np.bincount(account.arm, minlength=len(account.fit.arms))
    unit = account.fit.unit
    for a in np.argsort(-counts, kind="stable")[:ARMS].tolist():
        if counts[a] < FEWEST:
            continue
        name, mine = account.fit.arms[a].name, account.arm == a
        yield f"{name}: mean reward", _mean_at(np.flatnonzero(mine))
        gaps = account.gap[mine & ~np.isnan(account.gap)]
        usual = float(np.median(gaps)) if gaps.size else np.nan
        short, long = np.flatnonzero(mine & (account.gap <= usual)), np.flatnonzero(mine & (account.gap > usual))
        if min(short.size, long.size) >= FEWEST:
            yield f"{name}: mean reward within {usual:.3g} {unit} of a use", _mean_at(short)
            yield f"{name}: mean reward more than {usual:.3g} {unit} after a use", _mean_at(long)


def _general_measures(account: Account) -> Iterator[tuple[str, Measure]]:
    if account.reward.size < FEWEST:
        return
    if not account.family.rewards.coins:
        yield "variance of rewards", lambda rewards: float(rewards.var())
    if account.fit.family == "poisson":
        yield "share of zeros", lambda rewards: float((rewards == 0).mean())


def _between_subjects(account: Account) -> Measure:
    """The variance of subjects' mean rewards."""
    pulls = np.bincount(account.subject, minlength=len(account.log.subjects))
    there = pulls > 0

    def measure(rewards: Vector) -> float:
        totals = np.bincount(account.subject, rewards, pulls.size)
        return float((totals[there] / pulls[there]).var())

    return measure


def _drawn(account: Account, own: Vector, luck: np.random.Generator) -> Vector:
    """(pull,) rewards of subjects with these levels of their own."""
    means = account.family.means_of_levels(account.level + own[account.subject])
    if account.fit.family == "gaussian":
        return np.asarray(means + np.sqrt(account.dispersion) * luck.standard_normal(means.size))
    if account.fit.family == "poisson":
        return luck.poisson(np.minimum(means, 1e15)).astype(np.float64)
    if account.family.rewards.whole or account.dispersion >= 1:
        return np.asarray(luck.random(means.size) < means, dtype=np.float64)
    # Shares: the law with this mean and variance that simulations use.
    sharp = 1 / account.dispersion - 1
    inside = np.clip(means, 1e-9, 1 - 1e-9)
    return luck.beta(sharp * inside, sharp * (1 - inside))


def _place(what: str, real: float, simulated: Vector) -> Place:
    low, middle, high = np.quantile(simulated, [OUTSIDE, 0.5, 1 - OUTSIDE])
    share = float((simulated < real).mean() + 0.5 * (simulated == real).mean())
    return Place(what, real, float(low), float(middle), float(high), share)


def among_simulated(account: Account, logs: int = LOGS, seed: int = 0) -> list[Place]:
    """Where the real log lies among simulated ones, number by number."""
    luck = np.random.default_rng(seed)
    measures = [*_arm_measures(account), *_general_measures(account)]
    spread = np.nan_to_num(account.fit.subject_sd.value)
    apart = [("variance between subjects' mean rewards", _between_subjects(account))]
    apart = apart if np.unique(account.subject).size >= FEWEST and spread > 0 else []
    same, fresh = np.empty((logs, len(measures))), np.empty((logs, len(apart)))
    for k in range(logs):
        rewards = _drawn(account, account.own + account.own_sd * luck.standard_normal(account.own.size), luck)
        same[k] = [measure(rewards) for _, measure in measures]
        if apart:
            others = _drawn(account, spread * luck.standard_normal(account.own.size), luck)
            fresh[k] = [measure(others) for _, measure in apart]
    columns = zip([*measures, *apart], np.hstack([same, fresh]).T, strict=True)
    return [_place(what, measure(account.reward), column) for (what, measure), column in columns]
