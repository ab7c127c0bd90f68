"""What a log holds, once it has been read and checked."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roguewk.kernel.arrays import Vector

ROUNDS = "rounds"  # the unit of time where time is counted in rounds
PLAIN = "units of time"  # the unit of numbers of which nothing is said


@dataclass(frozen=True, eq=False)
class LoggedRounds:
    """Who got what, when, and what happened: one row per subject and round, sorted by subject, then time.

    `rw.read_log` makes it. Printed, it says what was found in the log, sentence by sentence.

    >>> import pandas, roguewk as rw
    >>> table = pandas.DataFrame({"subject": ["b", "b", "a"], "round": [0, 4, 0], "arm": ["call", None, "text"],
    ...                           "reward": [1.0, None, 0.0], "cost_minutes": [6, 0, 1]})
    >>> log = rw.read_log(table)
    >>> log.subjects, log.arms, log.resources, log.unit
    (('a', 'b'), ('call', 'text'), ('minutes',), 'rounds')
    >>> log.subject, log.time, log.arm
    (array([0, 1, 1]), array([0., 0., 4.]), array([ 1,  0, -1]))
    >>> log.reward, log.costs.shape
    (array([ 0.,  1., nan]), (3, 1))
    >>> print(log)
    3 rows of 2 subjects, from 1 to 2 rows each: 2 with one of 2 arms, 1 idle.
    Rounds go from 0 to 4, and the median gap between rows of a subject is 4 rounds.
    Between rows of 1 subject, 3 rounds are missing: they are taken as idle.
    Arms given fewer than 10 times: 'call' (1) and 'text' (1).
    A single row is all there is of 1 of 2 subjects (50.0 %).
    """

    subjects: tuple[str, ...]  # their labels
    arms: tuple[str, ...]
    resources: tuple[str, ...]
    regular: bool  # whether time is counted in rounds (column `round`), not on a clock (column `time`)
    unit: str  # "rounds", that of the clock, or "units of time" for numbers of which nothing is said
    subject: NDArray[np.int64]  # (row,) place in `subjects`
    time: Vector  # (row,) dates since the subject's first row, rounds and other numbers as they are
    arm: NDArray[np.int64]  # (row,) place in `arms`, -1 if idle
    reward: Vector  # (row,) NaN if not observed
    costs: Vector  # (row, resource) NaN if not known
    propensity: Vector  # (row,) the probability of what was done, NaN if not given
    available: NDArray[np.bool_]  # (row,) whether an arm could be given at all
    covariates: Mapping[str, Vector]  # (row,) each, NaN if not known: the further columns of numbers
    found: tuple[str, ...]  # what was found, sentence by sentence

    def __str__(self) -> str:
        return "\n".join(self.found)
