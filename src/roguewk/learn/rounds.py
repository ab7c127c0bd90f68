"""What a log holds, once it has been read and checked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from roguewk.kernel.arrays import Vector
from roguewk.problem.errors import InputError, positive, shown

ROUNDS = "rounds"  # the unit of time where time is counted in rounds
PLAIN = "units of time"  # the unit of numbers of which nothing is said
PULLS = "pulls"  # may be limited like a resource, of which every pull takes one
MOST_NAMED = 3  # rows, in a refusal


class Origin(NamedTuple):
    """Where rows stand in what a user has given: in a text file the header is row 1, in other tables the first is 0."""

    rows: NDArray[np.int64]  # (row,)
    text: bool  # whether it is a text file

    def named(self, places: Any) -> str:
        """These rows as a reader of the table would look for them, the first ones by number."""
        listed = [str(row) for row in np.sort(self.rows[places])[:MOST_NAMED]]
        more = len(places) - len(listed)
        last = f"{more:,} more" if more else listed.pop()
        told = f"{', '.join(listed)} and {last}" if listed else last
        return f"row{'s' * (len(places) > 1)} {told}" + ("" if self.text else " (counted from 0)")


@dataclass(frozen=True, eq=False, repr=False)
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
    A single row is all there is of 1 of 2 subjects (50.0 %).
    Arms given fewer than 10 times: 'call' (1) and 'text' (1).
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
    origin: Origin | None = None  # where rows stood before they were sorted, if they were read
    strange: tuple[str, ...] = ()  # those of `found` that may spoil what is learned
    texts: tuple[str, ...] = ()  # further columns that are not of finite numbers only
    contexts: Mapping[str, Any] = field(default_factory=dict)  # (row,) names of values each, "" if not known

    def where(self, places: Any) -> str:
        """These rows in words: where the user finds them, whose the first is and when."""
        origin = Origin(np.arange(self.arm.size), False) if self.origin is None else self.origin
        first = places[int(np.argmin(origin.rows[places]))]
        which, clock = "the first of " * (len(places) > 1), "round" if self.regular else "time"
        return (
            f"{origin.named(places)} of the log"
            f" ({which}subject {shown(self.subjects[int(self.subject[first])])}, {clock} {self.time[first]:g})"
        )

    def __str__(self) -> str:
        return "\n".join(self.found)

    def __repr__(self) -> str:
        size, subjects = self.arm.size, len(self.subjects)
        return f"LoggedRounds({size:,} rows, {subjects:,} subjects, {len(self.arms)} arms)"


class Timed(Protocol):
    """Counts time in rounds, or in a unit."""

    @property
    def regular(self) -> bool:
        """Whether time is counted in rounds."""

    @property
    def unit(self) -> str:
        """That of time."""


def length_of_round(timed: Timed, round_length: float | None) -> float:
    """How long a round of a problem is, in the unit of the time of a log or a fit."""
    if round_length is not None:
        return positive(round_length, "round_length")
    if not timed.regular:
        raise InputError(f"the log has clock times: say how long a round is with round_length, in {timed.unit}")
    return 1.0
