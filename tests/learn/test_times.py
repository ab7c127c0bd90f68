"""Times are rounds, numbers or dates, and dates may have zones."""

from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars
import pyarrow
import pytest

import roguewk as rw
from tests.learn.tables import TABLES, TIMES, assert_equal, read

HOURS = [0.0, 1.5, 30.0]
MOMENTS = [datetime(2024, 3, 30, 22, tzinfo=UTC) + timedelta(hours=hours) for hours in HOURS]
EAST = timezone(timedelta(hours=2))
ZONED: dict[str, Any] = {
    "UTC": [moment.isoformat() for moment in MOMENTS],
    "Z": [f"{moment:%Y-%m-%dT%H:%M:%SZ}" for moment in MOMENTS],
    "east": [moment.astimezone(EAST).isoformat(" ") for moment in MOMENTS],
    "east without a colon": [f"{moment.astimezone(EAST):%Y-%m-%dT%H:%M:%S.%f%z}" for moment in MOMENTS],
    "two zones": [moment.astimezone(zone).isoformat() for moment, zone in zip(MOMENTS, (UTC, EAST, UTC), strict=True)],
    "Python's": MOMENTS,
    "pandas'": pd.to_datetime(MOMENTS),
    "when clocks are put on": pd.to_datetime(MOMENTS).tz_convert("Europe/Berlin"),
}
UNZONED: dict[str, Any] = {
    "minutes": [f"{moment:%Y-%m-%d %H:%M}" for moment in MOMENTS],
    "Python's": [moment.replace(tzinfo=None) for moment in MOMENTS],
    "pandas'": pd.to_datetime(MOMENTS).tz_localize(None),
}


@pytest.mark.parametrize("kind", ["CSV", "Parquet", "pandas", "pandas with objects", "polars", "Arrow"])
@pytest.mark.parametrize("zoned", [True, False])
def test_dates_are_counted_from_the_first_row_whatever_their_zone(kind: str, zoned: bool, tmp_path: Path) -> None:
    for written in (ZONED if zoned else UNZONED).values():
        frame = pd.DataFrame({"time": written, "arm": ["a", "b", "a"], "reward": [1, 0, 1]})
        log = rw.read_log(TABLES[kind](frame, tmp_path))
        assert (log.regular, log.unit) == (False, "days")
        assert log.time * 24 == pytest.approx(HOURS)
        assert ("Times have zones: they were turned into those of UTC." in log.found) == zoned


def test_days_without_a_clock_are_dates(tmp_path: Path) -> None:
    log = read(tmp_path / "log.csv", TIMES + "a,2024-02-28,x,1\na,2024-03-01,x,1\nb,2025-01-01,x,1\n")
    assert log.time.tolist() == [0, 2, 0]
    days = [date(2024, 2, 28), date(2024, 3, 1), date(2025, 1, 1)]
    table = pd.DataFrame({"subject": ["a", "a", "b"], "time": days, "arm": "x", "reward": 1})
    arrow = table.astype({"time": pd.ArrowDtype(pyarrow.date32())})
    for again in (table, arrow, polars.from_pandas(table), pyarrow.Table.from_pandas(table)):
        assert_equal(rw.read_log(again), log)


def test_dates_that_no_calendar_has_are_refused() -> None:
    far = np.array([2**60], dtype="datetime64[s]")
    with pytest.raises(rw.InputError, match=r"time is .* in row 0 \(counted from 0\): write a number, or a date"):
        rw.read_log(pd.DataFrame({"time": far, "arm": "x", "reward": 1}))


def test_python_dates_with_and_without_zones_are_refused() -> None:
    table = pd.DataFrame({"time": pd.Series([MOMENTS[0], datetime(2024, 4, 1)], dtype=object), "arm": "x", "reward": 1})
    with pytest.raises(rw.InputError, match=r"time has a zone in row 0 .* but none in row 1"):
        rw.read_log(table)


@pytest.mark.parametrize(("gap", "unit"), [(86400 * 7, "days"), (86000, "days"), (3600, "hours"), (60, "seconds")])
def test_the_unit_of_dates_follows_from_the_median_gap(gap: int, unit: str, tmp_path: Path) -> None:
    rows = [f"a,{datetime(2024, 1, 1) + timedelta(seconds=gap * t)},x,1\n" for t in range(4)]
    log = read(tmp_path / "log.csv", TIMES + "".join(rows))
    seconds = {"days": 86400, "hours": 3600, "seconds": 1}[unit]
    assert log.unit == unit
    assert log.time * seconds == pytest.approx([0, gap, 2 * gap, 3 * gap])
    weeks = read(tmp_path / "log.csv", TIMES + "".join(rows), unit="weeks").time
    assert weeks * 604800 == pytest.approx(log.time * seconds)


def test_numbers_of_a_clock_stay_as_they_are(tmp_path: Path) -> None:
    text = TIMES + "a,-1.5,x,1\na,20240101,x,1\nb,7e2,x,1\n"
    assert read(tmp_path / "log.csv", text).time.tolist() == [-1.5, 20240101, 700]
    assert read(tmp_path / "log.csv", text).unit == "units of time"
    assert read(tmp_path / "log.csv", text, unit="minutes").unit == "minutes"
