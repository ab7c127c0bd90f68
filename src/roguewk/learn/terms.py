"""What the level of a pull may have beside its arm's own wear: covariates, a trend, further states."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.names import COST, KNOWN, PROBABILITY
from roguewk.learn.pulls import FIRST, Pulls, States
from roguewk.learn.rounds import LoggedRounds
from roguewk.learn.usable import are_alike, check_covariate, check_spread
from roguewk.problem.errors import InputError, known, shown, text, truth_value, unique

TREND = "trend"
COMMON, SLOW, PERMANENT = "common", "slow", "permanent"
OF_CLOCKS = ("hour", "minute", "weekday", "weekend", "day", "dayofweek", "day_of_week", "week", "month", "time_of_day")
SAME = 1e-8  # share of a column that neither arms nor the columns before it explain: with less it is one of them


class Terms(NamedTuple):
    """What is asked for."""

    covariates: tuple[str, ...] = ()
    trend: bool = False
    common: bool = False
    second: str | None = None  # SLOW or PERMANENT
    wear_varies: bool = False  # whether subjects differ in their wear


NO_TERMS = Terms()


class Column(NamedTuple):
    """A column of numbers, in units of its spread."""

    name: str
    spread: float
    per: str  # what one is of


class State(NamedTuple):
    """A state beside the arms' own."""

    name: str
    place: int  # of its log half-life; its pushes come after it
    pushes: int

    @property
    def lasts(self) -> bool:
        """Whether it never recovers: its half-life is none to be estimated."""
        return self.name == PERMANENT


class Layout(NamedTuple):
    """The places of the parameters that arms share."""

    columns: tuple[Column, ...]
    states: tuple[State, ...]
    first: int  # the place of the first column's coefficient
    size: int  # the number of all parameters


def checked_terms(covariates: Any, trend: Any, common: Any, second: Any, wear_varies: Any = False) -> Terms:
    """What was asked for, if it can be."""
    if isinstance(covariates, str) or not isinstance(covariates, Sequence):
        raise InputError(f"covariates are {shown(covariates)}: give a list of names of columns")
    names = tuple(text(name, "covariate") for name in covariates)
    unique(names, "covariates")
    if second is not None:
        known(text(second, "second"), (SLOW, PERMANENT), "second")
    return Terms(
        covariates=names,
        trend=truth_value(trend, "trend"),
        common=truth_value(common, "common"),
        second=second,
        wear_varies=truth_value(wear_varies, "wear_varies"),
    )


def _check_name(log: LoggedRounds, name: str) -> None:
    """Refuse a name that is not that of a further column of numbers."""
    if name in log.covariates:
        return
    passed_over = name.startswith(PROBABILITY) and not np.isnan(log.propensity).all()
    if name in KNOWN or passed_over or name.removeprefix(COST) in log.resources:
        what = "one of the columns that a log is made of" if name in KNOWN or passed_over else "a cost"
        raise InputError(f"covariate {name!r} is {what}: leave it out, or add such a column under another name")
    if name.lower() in OF_CLOCKS and not log.regular:
        raise InputError(f"covariate {name!r} is not worked out from time: add it to the log, as a column of numbers")
    if name in log.texts:
        raise InputError(
            f"covariate {name!r} does not hold finite numbers alone: mend it, or where it holds text, give a column of "
            "0 and 1 for each of its values but one"
        )
    if not log.covariates:
        none = "which has no further column of numbers, all of them finite"
        raise InputError(f"covariate {name!r} is not in the log, {none}: add or mend it")
    known(name, tuple(log.covariates), "covariate")


def _covariate(log: LoggedRounds, name: str) -> Vector:
    """(pull,) its numbers."""
    _check_name(log, name)
    values = np.asarray(log.covariates[name], dtype=np.float64)
    check_covariate(log, name, values)
    missing = np.isnan(values)
    needed = missing & (log.arm >= 0) & ~np.isnan(log.reward)
    if needed.any():
        raise InputError(
            f"covariate {name!r} is missing beside an outcome in {log.where(np.flatnonzero(needed))}:"
            " fill it in, or leave out these rows or the covariate"
        )
    return np.where(missing, 0.0, values)[log.arm >= 0]


def _columns(log: LoggedRounds, pulls: Pulls, terms: Terms) -> tuple[list[Column], Vector]:
    """Covariates and the trend, each centred at its mean over observed pulls and in units of its spread there."""
    seen, columns, filled = ~np.isnan(pulls.outcome), [], []
    given = [(name, _covariate(log, name), "unit") for name in terms.covariates]
    if terms.trend:
        given.append((TREND, pulls.elapsed, log.unit.replace("units", "unit").removesuffix("s")))
    for name, values, per in given:
        if are_alike(values[seen]):
            raise InputError(f"{_called(name)} is the same in all rows with an outcome: leave it out")
        check_spread(values[seen], f"numbers of {_called(name)} differ")
        spread = float(values[seen].std())
        columns.append(Column(name, spread, per))
        filled.append((values - values[seen].mean()) / spread)
    table = np.column_stack(filled) if filled else pulls.columns
    _refuse_repeated(columns, table[seen], pulls.arm[seen])
    return columns, np.ascontiguousarray(table)


def _called(name: str) -> str:
    return "the trend in time" if name == TREND else f"covariate {name!r}"


def _refuse_repeated(columns: list[Column], table: Vector, arm: Any) -> None:
    """Refuse a column that arms and the columns before it explain."""
    for c, column in enumerate(columns):
        others = np.column_stack([arm[:, np.newaxis] == np.arange(arm.max() + 1), table[:, :c]]).astype(np.float64)
        inside = np.linalg.pinv(others.T @ others) @ (others.T @ table[:, c])
        left = table[:, c] - others @ inside
        if left @ left <= SAME * arm.size:
            raise InputError(f"{_called(column.name)} follows from the arms and the covariates before it: leave it out")


def _common(pulls: Pulls) -> tuple[Any, Vector, Any]:
    """The state that every pull of a subject pushes."""
    before = np.arange(pulls.arm.size) - 1
    before[pulls.begin[:-1][np.diff(pulls.begin) > 0]] = FIRST
    gap = np.where(before >= 0, pulls.elapsed - pulls.elapsed[before], 0.0)
    return before, gap, np.zeros_like(before)


def with_terms(log: LoggedRounds, pulls: Pulls, terms: Terms, first: int) -> tuple[Pulls, Layout]:
    """The pulls with what was asked for, and where its parameters are, from the place `first` on."""
    columns, table = _columns(log, pulls, terms)
    chains, states, place = [], [], first + len(columns)
    if terms.common:
        if len(log.arms) < 2:
            raise InputError('common needs two arms or more: with one, all wear is its own; second="slow" adds to it')
        chains.append(_common(pulls))
        states.append(State(COMMON, place, 1))
        place += 2
    if terms.second is not None:
        chains.append((pulls.before, pulls.gap, pulls.arm))
        states.append(State(terms.second, place, len(log.arms)))
        place += 1 + len(log.arms)
    stacked = States(*(np.array(field) for field in zip(*chains, strict=True))) if chains else pulls.states
    layout = Layout(tuple(columns), tuple(states), first, place + 2)
    return pulls._replace(columns=table, states=stacked), layout
