"""Refuses numbers of a log that nothing can be reckoned with: `rw.read_log` lets few of them through, tables none."""

from typing import Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.pulls import check_rewards
from roguewk.learn.rounds import LoggedRounds
from roguewk.problem.errors import LARGEST, InputError
from roguewk.problem.family.family import RewardFamily

SMALLEST = 1 / LARGEST  # spread: squares of smaller ones vanish
ROUNDING = 4 * float(np.finfo(np.float64).eps)  # of the largest number: what differs by less is the same


def are_alike(values: Vector) -> bool:
    """Whether numbers differ by no more than they are rounded by."""
    return bool(np.ptp(values) <= ROUNDING * np.abs(values).max()) if values.size else True


def check_spread(values: Vector, what: str) -> None:
    """Refuse numbers that differ, but by so little that their squares vanish."""
    most = float(np.ptp(values)) if values.size else 0.0
    if 0 < most < SMALLEST:
        raise InputError(f"{what} by {most:g} at the most: give them in a smaller unit")


def _refuse(log: LoggedRounds, what: str, values: Vector, bad: Any) -> None:
    rows = np.flatnonzero(bad)
    if rows.size:
        origin = rows if log.origin is None else rows[np.argsort(log.origin.rows[rows])]
        remedy = f"give a finite number, in a unit in which it is below {LARGEST:g}"
        raise InputError(f"{what} is {values[origin[0]]:g} in {log.where(rows)}: {remedy}")


def check_covariate(log: LoggedRounds, name: str, values: Vector) -> None:
    """Refuse a covariate, (row,), that is too large to be reckoned with; NaN stands for what is not known."""
    _refuse(log, f"covariate {name!r}", values, np.abs(values) > LARGEST)


def check_usable(log: LoggedRounds, family: RewardFamily) -> None:
    """Refuse rewards that pulls of this family cannot bring, and times, rewards and costs of absurd size."""
    seen = (log.arm >= 0) & ~np.isnan(log.reward)
    _refuse(log, "time", log.time, ~(np.abs(log.time) <= LARGEST))
    for resource, costs in zip(log.resources, log.costs.T, strict=True):
        _refuse(log, f"cost_{resource}", costs, np.abs(costs) > LARGEST)
    check_rewards(log, family)
    _refuse(log, "reward", log.reward, seen & (np.abs(log.reward) > LARGEST))
    if family.wants_sigma:
        check_spread(log.reward[seen], "rewards differ")
    most = family.means[1]
    if np.isfinite(most) and most > 1 and seen.any() and log.reward[seen].mean() > most:
        raise InputError(
            f"counts are {log.reward[seen].mean():g} on average, and {family.name} rewards up to {most:g}:"
            ' give the family "gaussian"'
        )
    first = np.searchsorted(log.subject, np.arange(len(log.subjects)))
    check_spread(log.time - log.time[first[log.subject]] if log.time.size else log.time, "times of subjects differ")
