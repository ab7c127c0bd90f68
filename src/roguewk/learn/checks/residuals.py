"""What is left of the outcomes when what was expected is taken off: over the trial, and subject by subject.

Estimates were made from the same outcomes, so that scores are standard normal at the most, and rather quieter.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.checks.account import Account
from roguewk.learn.checks.bins import NORMAL, Group, groups_along

STRANGEST = 5  # subjects to be named


class Trend(NamedTuple):
    """Whether outcomes drift away from what is expected as the trial goes on."""

    groups: list[Group]  # by time since the subject's first round
    score: float  # of a line through what is left, in its standard deviations; nan if all pulls are at one time

    @property
    def strange(self) -> bool:
        """Whether chance alone makes such a line in fewer than one log of twenty."""
        return abs(self.score) > NORMAL


class Echo(NamedTuple):
    """Whether what is left of an outcome says something of what is left of the subject's next."""

    pairs: int
    score: float  # of the sum of their products, in its standard deviations; nan if there are no pairs

    @property
    def strange(self) -> bool:
        """Whether chance alone makes such a sum in fewer than one log of twenty."""
        return abs(self.score) > NORMAL


class Sums(NamedTuple):
    """Of each subject, all that is left of the outcomes."""

    subject: Vector  # (subject with outcomes,) places in the log's subjects
    score: Vector  # (subject with outcomes,) the sum, in its standard deviations
    mean: Vector  # (subject with outcomes,) per pull

    @property
    def strangest(self) -> list[int]:
        """Places, farthest first."""
        return np.argsort(-np.abs(self.score), kind="stable")[:STRANGEST].tolist()


def trend(account: Account) -> Trend:
    """Over the time since the subject's first round."""
    time, variance = account.elapsed, account.variance
    total = float(variance.sum())
    centred = time - float(time @ variance) / total if total > 0 else time - time.mean()
    spread = float(variance @ centred**2)
    score = float(account.residual @ centred) / math.sqrt(spread) if spread > 0 else math.nan
    return Trend(groups_along(account, time, np.arange(time.size), 10), score)


def echo(account: Account) -> Echo:
    """Between pulls of a subject that follow each other, whatever their arms."""
    first = np.flatnonzero(account.subject[1:] == account.subject[:-1])
    left, variance = account.residual, account.variance
    spread = float(variance[first] @ variance[first + 1])
    score = float(left[first] @ left[first + 1]) / math.sqrt(spread) if spread > 0 else math.nan
    return Echo(int(first.size), score)


def by_subject(account: Account) -> Sums:
    """Subject by subject; expectations follow the subject, so the sums are about standard normal."""
    count = len(account.log.subjects)
    pulls = np.bincount(account.subject, minlength=count)
    left = np.bincount(account.subject, account.residual, count)
    variance = np.bincount(account.subject, account.variance, count)
    there = np.flatnonzero((pulls > 0) & (variance > 0))
    return Sums(there.astype(np.float64), left[there] / np.sqrt(variance[there]), left[there] / pulls[there])
