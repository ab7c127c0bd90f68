"""When rows of a log happened: in rounds, by a clock that shows numbers, or by dates."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roguewk.kernel.arrays import Vector
from roguewk.learn.columns import numbers
from roguewk.learn.rounds import PLAIN, ROUNDS
from roguewk.learn.table import Table, as_texts, is_empty
from roguewk.problem.errors import LARGEST, InputError, known

UNITS = {"seconds": 1.0, "minutes": 60.0, "hours": 3600.0, "days": 86400.0, "weeks": 604800.0}  # in seconds
LATEST_ROUND = 2.0**53  # beyond it, not all whole numbers are floats
MOST_SECONDS = 3e11  # from 1970 to beyond the year 9999
DATE = r"^\d{4}-\d{2}-\d{2}([Tt ].*)?$"
ZONE = r"[Tt ].*(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$"
READABLE = "write a number, or a date such as 2024-05-31 or 2024-05-31T08:30:00+02:00"


@dataclass(frozen=True)
class Times:
    """Times as they stand in a log."""

    values: NDArray[Any]  # (row,) numbers, or microseconds as whole numbers if they are dates
    regular: bool
    dates: bool = False
    zoned: bool = False


class Elapsed(NamedTuple):
    """Times as they are used."""

    values: Vector  # (row,)
    unit: str


def times(table: Table) -> Times:
    """The times of the rows, from the column `round` or `time`."""
    if "round" in table.columns:
        return Times(_rounds(table), regular=True)
    column = table.columns["time"]
    table.refuse("time", is_empty(column), READABLE)
    if column.dtype.kind == "M":
        return _stamps(table, column)
    values, text = numbers(column)
    if not text.all():
        _refuse_mixture(table, text)
        table.refuse("time", np.abs(values) > LARGEST, f"give a finite number below {LARGEST:g}")
        return Times(values, regular=False)
    return _dates(table, as_texts(column).str.strip())


def _rounds(table: Table) -> NDArray[Any]:
    values, wrong = numbers(table.columns["round"])
    wrong |= ~((values >= 0) & (values < LATEST_ROUND) & (np.floor(values) == values))
    remedy = "give a whole number from 0 on, or call the column 'time' if it shows a clock"
    table.refuse("round", wrong, remedy)
    return values


def _refuse_mixture(table: Table, text: NDArray[np.bool_]) -> None:
    if not text.any():
        return
    dated = text & as_texts(table.columns["time"]).str.strip().str.match(DATE).to_numpy(dtype=bool, na_value=False)
    table.refuse("time", text & ~dated, READABLE)
    raise InputError(
        f"{table.where}: time is a date in {table.named(np.flatnonzero(dated))}, but a number in "
        f"{table.named(np.flatnonzero(~text))}: write all times in one way"
    )


def _dates(table: Table, texts: Any) -> Times:
    import pandas

    # Words such as "today" are times to pandas; to us they are not.
    dated = texts.str.match(DATE).to_numpy(dtype=bool, na_value=False)
    zoned = texts.str.contains(ZONE, regex=True).to_numpy(dtype=bool, na_value=False)
    stamps = pandas.to_datetime(texts.where(dated), format="ISO8601", utc=True, errors="coerce")
    table.refuse("time", stamps.isna().to_numpy(), READABLE)
    if zoned.any() and not zoned.all():
        raise InputError(
            f"{table.where}: time has a zone in {table.named(np.flatnonzero(zoned))}, but none in "
            f"{table.named(np.flatnonzero(~zoned))}: give all times a zone, or none"
        )
    return Times(_microseconds(stamps.dt.tz_localize(None)), regular=False, dates=True, zoned=bool(zoned.all()))


def _stamps(table: Table, column: Any) -> Times:
    zoned = column.dt.tz is not None
    plain = column.dt.tz_convert("UTC").dt.tz_localize(None) if zoned else column
    seconds = plain.to_numpy(dtype="datetime64[s]").astype(float)
    table.refuse("time", np.abs(seconds) > MOST_SECONDS, READABLE)  # counted in microseconds, they would overflow
    return Times(_microseconds(plain), regular=False, dates=True, zoned=zoned)


def _microseconds(plain: Any) -> NDArray[Any]:
    return np.asarray(plain.to_numpy(dtype="datetime64[us]").astype(np.int64))


def check_unit(asked: str | None) -> None:
    """Refuse what is no unit of time."""
    if asked is not None:
        known(asked, [*UNITS, ROUNDS], "unit of time")


def elapsed(clock: Times, order: NDArray[np.int64], subject: NDArray[np.int64], asked: str | None) -> Elapsed:
    """The times of the rows in this order, and their unit; dates are counted from the subject's first row."""
    values = clock.values[order]
    if asked is not None and clock.regular != (asked == ROUNDS):
        has, call = ("round", "time") if clock.regular else ("time", "round")
        raise InputError(f"unit is {asked!r}, but the log has a column {has!r}: leave it out, or call that {call!r}")
    if not clock.dates:
        return Elapsed(values, ROUNDS if clock.regular else asked or PLAIN)
    seconds = (values - values[np.searchsorted(subject, subject)]) / 1e6
    gaps = np.diff(seconds)[np.diff(subject) == 0]
    unit = asked or _fitting(float(np.median(gaps)) if gaps.size else UNITS["days"])
    return Elapsed(seconds / UNITS[unit], unit)


def _fitting(gap: float) -> str:
    """The unit in which a gap between rows is about one or more; half of one is enough, as clocks are not exact."""
    return next((unit for unit in ("days", "hours") if gap >= UNITS[unit] / 2), "seconds")
