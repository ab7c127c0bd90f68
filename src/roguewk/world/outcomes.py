"""When outcomes become known, if ever: the [outcomes] table of a world file."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from roguewk.problem.duration import check_duration, whole_rounds
from roguewk.problem.errors import InputError, number, shown, whole
from roguewk.problem.plain import Data, read_table

LONGEST_DELAY = 10**6  # rounds
DELAY = "delay of outcomes"
KEYS = ("delay", "missing", "costs")


@dataclass(frozen=True)
class Outcomes:
    """How many rounds late outcomes are, and what share of them never becomes known.

    A `delay` of two numbers is any from the one to the other; worlds that have `rounds_per_day` understand "2 days" as
    well. `costs` says how costs come, if not with the rewards.

    >>> import roguewk as rw
    >>> rw.Outcomes(delay=50, missing=0.3, costs=rw.Outcomes()).late
    True
    """

    delay: Any = 0  # rounds, or the fewest and the most
    missing: float = 0.0
    costs: "Outcomes | None" = None

    def __post_init__(self) -> None:
        ends = self.delay if isinstance(self.delay, list | tuple) else (self.delay, self.delay)
        if len(ends) != 2:
            raise InputError(f"delay of outcomes is {shown(self.delay)}: give rounds, or the fewest and the most")
        object.__setattr__(self, "delay", self._checked(ends))
        share = number(self.missing, "missing of outcomes")
        if not 0 <= share <= 1:
            raise InputError(f"missing of outcomes is {shown(self.missing)}: give a share from 0 to 1")
        object.__setattr__(self, "missing", share)
        if self.costs is not None and (not isinstance(self.costs, Outcomes) or self.costs.costs is not None):
            raise InputError(f"costs of outcomes are {shown(self.costs)}: give an rw.Outcomes with delay and missing")

    def _checked(self, ends: Any) -> Any:
        if any(isinstance(end, str) for end in ends):  # how many rounds that is, only a world can tell
            for end in ends:
                _ = check_duration(end, DELAY) if isinstance(end, str) else whole(end, DELAY, 0, LONGEST_DELAY)
            return ends[0] if ends[0] == ends[1] else tuple(ends)
        least, most = (whole(end, DELAY, 0, LONGEST_DELAY) for end in ends)
        if least > most:
            raise InputError(f"{DELAY} is {shown(self.delay)}: give the fewest rounds before the most")
        return least if least == most else (least, most)

    def in_rounds(self, rounds_per_day: float | None) -> "Outcomes":
        """The same with delays in rounds.

        >>> import roguewk as rw
        >>> rw.Outcomes(delay=["12 hours", "2 days"]).in_rounds(2).delay
        (1, 4)
        """
        costs = None if self.costs is None else self.costs.in_rounds(rounds_per_day)
        ends = [whole_rounds(end, rounds_per_day, DELAY, 0) for end in self._ends]
        return replace(self, delay=ends, costs=costs)

    @property
    def _ends(self) -> tuple[Any, Any]:
        return self.delay if isinstance(self.delay, tuple) else (self.delay, self.delay)

    @property
    def rounds(self) -> tuple[int, int]:
        """The fewest and the most rounds; texts are so many only in a world, which has them in rounds."""
        least, most = (whole_rounds(end, None, DELAY, 0) for end in self._ends)
        return least, most

    @property
    def late(self) -> bool:
        """Whether anything is late or missing."""
        own = self.rounds[1] > 0 or self.missing > 0
        return own or (self.costs is not None and self.costs.late)

    @property
    def longest(self) -> int:
        """The most rounds that anything is late."""
        return max(self.rounds[1], 0 if self.costs is None else self.costs.longest)


PROMPT = Outcomes()


def outcomes_from_data(value: Any, where: str = "outcomes") -> Outcomes:
    """Outcomes from their table."""
    keys = KEYS if where == "outcomes" else KEYS[:2]
    table = read_table(value, keys, (), where, "{ delay = 7, missing = 0.3 }")
    costs = outcomes_from_data(table["costs"], "costs of outcomes") if "costs" in table else None
    return Outcomes(**{**table, "costs": costs})


def outcomes_to_data(outcomes: Outcomes) -> Data:
    """Outcomes as their table."""
    delay = list(outcomes.delay) if isinstance(outcomes.delay, tuple) else outcomes.delay
    data: Data = {"delay": delay, "missing": outcomes.missing}
    return data if outcomes.costs is None else {**data, "costs": outcomes_to_data(outcomes.costs)}


def check_outcomes(outcomes: Any) -> Outcomes:
    """`outcomes` if they are some."""
    if isinstance(outcomes, Mapping):
        return outcomes_from_data(dict(outcomes))
    if not isinstance(outcomes, Outcomes):
        raise InputError(f"outcomes are {shown(outcomes)}: give an rw.Outcomes")
    return outcomes
