"""What came beside what was expected, in groups of pulls that are alike in something."""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.checks.account import Account

GROUPS = 12
FEWEST = 5  # pulls in a group, on average
NORMAL = 1.959963984540054  # standard deviations that hold 95 %


class Group(NamedTuple):
    """Pulls that are alike: how many, what they brought on average, and what was expected of them.

    `low` and `high` hold what was expected in 95 of 100 cases, if the model is right.
    """

    place: float  # their mean along what they are alike in
    first: float
    last: float
    pulls: int
    observed: float
    low: float
    high: float
    expected: float

    @property
    def strange(self) -> bool:
        """Whether what was expected lies outside of the interval."""
        return not self.low <= self.expected <= self.high


def groups_along(account: Account, along: Vector, rows: Any, most: int = GROUPS) -> list[Group]:
    """Groups of about equal size of the pulls at `rows`, by rising values of `along` (pull,); equal values together."""
    values = along[rows]
    if not values.size:
        return []
    count = min(most, max(1, values.size // FEWEST))
    edges = np.unique(np.quantile(values, np.linspace(0.0, 1.0, count + 1), method="closest_observation"))
    which = np.searchsorted(edges[1:-1], values, side="right")
    return [_group(account, along, rows[which == g]) for g in np.unique(which)]


def group_of(account: Account, rows: Any) -> Group:
    """All the pulls at `rows` as one group, at 0."""
    return _group(account, np.zeros(account.reward.size), rows)


def _group(account: Account, along: Vector, rows: Any) -> Group:
    lowest, highest = account.family.rewards.lowest, account.family.rewards.highest
    observed = float(account.reward[rows].mean())
    reach = NORMAL * math.sqrt(float(account.variance[rows].sum())) / rows.size
    return Group(
        place=float(along[rows].mean()),
        first=float(along[rows].min()),
        last=float(along[rows].max()),
        pulls=int(rows.size),
        observed=observed,
        low=max(observed - reach, lowest),
        high=min(observed + reach, highest),
        expected=float(account.expected[rows].mean()),
    )


def by_gap(account: Account, arm: int) -> list[Group]:
    """By the time since the subject's last use of the arm."""
    return groups_along(account, account.gap, np.flatnonzero((account.arm == arm) & ~np.isnan(account.gap)))


def first_uses(account: Account, arm: int) -> Group | None:
    """Those that no use of the arm was before."""
    rows = np.flatnonzero((account.arm == arm) & np.isnan(account.gap))
    return group_of(account, rows) if rows.size else None


def by_uses(account: Account, arm: int) -> list[Group]:
    """By how often the subject had used the arm of late."""
    return groups_along(account, account.uses.astype(np.float64), np.flatnonzero(account.arm == arm))


def by_expected(account: Account) -> list[Group]:
    """By what was expected, in tenths: how well the expectations are calibrated."""
    return groups_along(account, account.expected, np.arange(account.reward.size), 10)
