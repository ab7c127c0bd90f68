"""The rounds of a log, as everything that learns from one reads them."""

from collections.abc import Mapping
from dataclasses import dataclass

from roguewk.kernel.arrays import Vector


@dataclass(frozen=True, eq=False)
class LoggedRounds:
    """Who got what, when, and what happened: a row per round, sorted by subject, then time.

    >>> import numpy as np
    >>> from roguewk.learn.rounds import LoggedRounds
    >>> one, none = np.ones(1), np.full(1, np.nan)
    >>> LoggedRounds(
    ...     subjects=("ann",), arms=("call",), resources=(), regular=True, unit="rounds",
    ...     subject=np.zeros(1, int), time=one, arm=np.zeros(1, int), reward=one, costs=np.zeros((1, 0)),
    ...     propensity=none, available=one > 0, covariates={}, found=(),
    ... ).arms
    ('call',)
    """

    subjects: tuple[str, ...]
    arms: tuple[str, ...]
    resources: tuple[str, ...]
    regular: bool  # time is counted in rounds
    unit: str  # "rounds", "hours", "days", ...
    subject: Vector  # (row,) int64, place in `subjects`; rows are sorted by subject, then time
    time: Vector  # (row,) float64
    arm: Vector  # (row,) int64, -1 idle
    reward: Vector  # (row,) NaN if not observed
    costs: Vector  # (row, resource), NaN if not known
    propensity: Vector  # (row,) NaN if not given
    available: Vector  # (row,) bool
    covariates: Mapping[str, Vector]
    found: tuple[str, ...]
