"""What is believed of an arm whose dynamics nobody knows: guesses with ranges, or a table that a fit has made."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.problem.duration import rounds_alone
from roguewk.problem.errors import LARGEST, InputError, known, number, shown

POINTS = 24  # half-lives that are told apart
PAIRS = 6  # of a covariance: 00, 01, 02, 11, 12, 22
SHORTEST, LONGEST = 1e-3, 1e6  # rounds that a half-life may be said to last
DEVIATIONS = 2 * 1.959963984540054  # in a range that holds 95 %
_GUESS = ("about", "between")
_SAID = ("half_life", "wear", "rested")
_TABLE = ("half_lives", "chances", "means", "covariances")


class Guess(NamedTuple):
    """A number that is not known: what it likely is about, and the ends between which it is with 95 %.

    >>> import roguewk as rw
    >>> rw.Prior(half_life={"about": 5, "between": [1, 30]}).half_life
    Guess(about=5.0, low=1.0, high=30.0)
    """

    about: float
    low: float
    high: float

    def to_data(self) -> dict[str, Any]:
        """As it is written in a file."""
        return {"about": self.about, "between": [self.low, self.high]}


class PriorTable(NamedTuple):
    """Half-lives with their chances, and given each a Gaussian over the rested level, the start and a pull's push."""

    half_lives: Vector  # (point,) in rounds
    chances: Vector  # (point,)
    means: Vector  # (point, 3)
    covariances: Vector  # (point, pair)

    def __repr__(self) -> str:
        """Short, as it stands in the text of every problem that has one."""
        low, high = self.half_lives.min(), self.half_lives.max()
        return f"PriorTable({self.half_lives.size} half-lives from {low:.3g} to {high:.3g} rounds)"

    def to_data(self) -> dict[str, Any]:
        """As plain data."""
        return {name: column.tolist() for name, column in self._asdict().items()}


def _guess(value: Any, what: str) -> Guess | None:
    """What is said of a number, None if nothing is; a lone number is known."""
    if value is None or isinstance(value, Guess):
        return value
    as_number = rounds_alone if what == _SAID[0] else number
    if not isinstance(value, Mapping):
        alone = as_number(value, what)
        return Guess(alone, alone, alone)
    for key in value:
        known(key, _GUESS, f"key of {what}:")
    if "between" not in value or "about" not in value:
        raise InputError(f"{what} is {shown(dict(value))}: write {{ about = 5, between = [1, 30] }}")
    ends = value["between"]
    if not isinstance(ends, list | tuple) or len(ends) != 2:
        raise InputError(f"between of {what} is {shown(ends)}: give a lower and an upper end")
    about, low, high = (as_number(each, what) for each in (value["about"], *ends))
    if not low <= about <= high:
        raise InputError(f"{what} is about {about:g} and between {low:g} and {high:g}: give ends around it")
    return Guess(about, low, high)


def _table(value: Any) -> PriorTable | None:
    if value is None or isinstance(value, PriorTable):
        return value
    if not isinstance(value, Mapping) or set(value) != set(_TABLE):
        raise InputError(f"the table of a prior is {shown(value)}: give one that fit.prior has made")
    shapes = (POINTS,), (POINTS,), (POINTS, 3), (POINTS, PAIRS)
    columns = []
    for name, shape in zip(_TABLE, shapes, strict=True):
        try:
            column = np.array(value[name], dtype=np.float64)
        except (TypeError, ValueError):
            column = np.zeros(0)
        if column.shape != shape or not np.isfinite(column).all() or np.abs(column).max() > LARGEST:
            raise InputError(f"{name} of the table of a prior are no {shape} numbers: give one that fit.prior has made")
        column.setflags(write=False)
        columns.append(column)
    table = PriorTable(*columns)
    within = (table.half_lives >= SHORTEST).all() and (table.half_lives <= LONGEST).all()
    if not within or (table.chances < 0).any() or abs(float(table.chances.sum()) - 1.0) > 1e-6:
        raise InputError("half-lives or chances of the table of a prior cannot be: give one that fit.prior has made")
    return table


@dataclass(frozen=True, eq=False)
class Prior:
    """What is believed of dynamics that nobody knows, of which nothing has to be said.

    `half_life` is in rounds, `wear` is what a use takes away (log-odds, log-rate or reward, as for `rw.everyday_arm`)
    and `rested` a mean reward. Each is a number if it is known, or `{"about": 5, "between": [1, 30]}`: most likely 5,
    and between 1 and 30 with 95 %. What is left out is learned from next to nothing. Fits make priors with a `table`.

    >>> import roguewk as rw
    >>> rw.Prior(wear={"about": 0.5, "between": [0, 2]}).wear.high
    2.0
    """

    half_life: Any = None
    wear: Any = None
    rested: Any = None
    table: Any = None

    def __post_init__(self) -> None:
        for name in _SAID:
            object.__setattr__(self, name, _guess(getattr(self, name), name))
        object.__setattr__(self, "table", _table(self.table))
        if self.table is not None and self.said:
            raise InputError(f"a prior has both a table and {next(iter(self.said))}: give one of them")
        if self.half_life is not None and not SHORTEST <= self.half_life.low <= self.half_life.high <= LONGEST:
            ends = f"{self.half_life.low:g} and {self.half_life.high:g}"
            raise InputError(f"half_life is between {ends}: give ends from {SHORTEST:g} to {LONGEST:g} rounds")
        if any(max(map(abs, guess)) > LARGEST for guess in self.said.values()):
            raise InputError(f"a guess of a prior is beyond {LARGEST:g}: choose a unit in which it is smaller")

    @property
    def said(self) -> dict[str, Guess]:
        """The guesses that were given."""
        return {name: getattr(self, name) for name in _SAID if getattr(self, name) is not None}

    def to_data(self) -> dict[str, Any]:
        """As plain data, from which `Prior(**data)` makes it again.

        >>> import roguewk as rw
        >>> rw.Prior(half_life=4).to_data()
        {'half_life': {'about': 4.0, 'between': [4.0, 4.0]}}
        """
        if self.table is not None:
            return {"table": self.table.to_data()}
        return {name: guess.to_data() for name, guess in self.said.items()}


def prior_from_data(value: Any, what: str) -> Prior:
    """The prior that `to_data` has written down."""
    if not isinstance(value, Mapping):
        raise InputError(f"{what} is {shown(value)}: write {{ half_life = {{ about = 5, between = [1, 30] }} }}")
    for key in value:
        known(key, (*_SAID, "table"), f"key of {what}:")
    return Prior(**value)


def log_deviation(guess: Guess) -> tuple[float, float]:
    """Standard deviations of a logarithm below and above what it likely is."""
    half = DEVIATIONS / 2
    return math.log(guess.about / guess.low) / half, math.log(guess.high / guess.about) / half
