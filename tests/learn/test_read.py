"""Logs are read from everything that tables come in, and what is wrong with them is refused in a sentence."""

import io
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars
import pyarrow
import pytest

import roguewk as rw
from tests.learn.tables import CSV, TABLES, TIMES, assert_equal, read


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    return tmp_path / "log.csv"


def test_every_column_is_read(csv: Path) -> None:
    log = read(csv, CSV)
    assert (log.subjects, log.arms, log.resources) == (("anna", "ben"), ("call", "text"), ("minutes", "euros"))
    assert (log.regular, log.unit) == (True, "rounds")
    assert log.subject.tolist() == [0, 0, 0, 1, 1]
    assert log.time.tolist() == [0, 1, 2, 0, 3]
    assert log.arm.tolist() == [0, -1, 1, -1, 1]
    nan = np.nan
    np.testing.assert_array_equal(log.reward, [1.5, nan, -0.5, nan, nan])
    np.testing.assert_array_equal(log.costs, [[6, 0.5], [0, 0], [1, nan], [nan, nan], [1, 0.1]])
    np.testing.assert_array_equal(log.propensity, [0.25, 0.5, 0.25, nan, 1])
    assert log.available.tolist() == [True, True, True, False, True]
    assert list(log.covariates) == ["age"]
    np.testing.assert_array_equal(log.covariates["age"], [31, 31, 31, 47, nan])
    assert "Left out, as not only finite numbers are there: 'mood'." in log.found


@pytest.mark.parametrize("kind", TABLES)
def test_tables_of_all_kinds_are_read_alike(kind: str, csv: Path) -> None:
    log = read(csv, CSV)
    frame = pd.read_csv(csv)
    frame["available"] = frame["available"].map({"1": True, "true": True, "0": False})
    assert_equal(rw.read_log(TABLES[kind](frame, csv.parent)), log)


@pytest.mark.parametrize("kind", TABLES)
def test_the_order_of_rows_does_not_matter(kind: str, csv: Path) -> None:
    log = read(csv, CSV)
    frame = pd.read_csv(csv).drop(columns="available")
    shuffled = rw.read_log(TABLES[kind](frame.iloc[[4, 1, 0, 3, 2]], csv.parent))
    assert_equal(shuffled, rw.read_log(frame))
    assert any("rows were sorted" in sentence for sentence in shuffled.found)
    assert not any("sorted" in sentence for sentence in log.found)


@pytest.mark.parametrize("written", [False, True])
def test_what_log_runs_returns_is_a_log(written: bool, tmp_path: Path) -> None:
    world = rw.catalog.messages(horizon=40)
    logged = rw.log_runs(world, ("randomised", {"chances": 0.6}), replicates=12, seed=3)
    names = tuple(arm.name for arm in world.problem.arms)
    if written:
        logged.frame().to_csv(tmp_path / "log.csv", index=False)
    log = rw.read_log(tmp_path / "log.csv" if written else logged, arms=names)
    assert log.subjects == tuple(str(r) for r in range(12))
    assert log.arms == names
    assert log.resources == tuple(resource.name for resource in world.problem.resources)
    assert np.array_equal(log.subject, logged.replicates)
    assert np.array_equal(log.time, logged.rounds)
    assert np.array_equal(log.arm, np.where(logged.actions == len(names), -1, logged.actions))
    assert np.array_equal(log.reward, logged.rewards)
    assert np.array_equal(log.costs, logged.costs)
    assert np.array_equal(log.propensity, np.minimum(logged.propensities, 1))
    assert np.array_equal(log.available, logged.available)


def test_whole_numbers_are_labels_in_their_order(csv: Path) -> None:
    log = read(csv, "subject,round,arm,reward\n10,0,1.0,1\n9,0,,0\n9,1,10.0,0\n9,2,2.0,0\n")
    assert log.subjects == ("9", "10")
    assert log.arms == ("1", "2", "10")
    assert_equal(rw.read_log(pd.read_csv(csv)), log)


def test_arms_are_those_given_and_in_their_order(csv: Path) -> None:
    log = read(csv, CSV, arms=["visit", "text", "call"])
    assert log.arms == ("visit", "text", "call")
    assert log.arm.tolist() == [2, -1, 1, -1, 1]


def test_words_for_nothing_are_empty_unless_in_quotes(csv: Path) -> None:
    log = read(csv, 'round,arm,reward\n0,NA,NA\n1,"NA",nan\n2, ,NULL\n3,a,\n')
    assert log.arms == ("NA", "a")
    assert log.arm.tolist() == [-1, 0, -1, 1]
    assert np.isnan(log.reward).all()


def test_lines_that_are_empty_are_passed_over_and_rows_keep_their_numbers(csv: Path) -> None:
    text = "\ufeffround,arm,reward\r\n0,a,1\r\n\r\n,,\r\n1,b,2\r\n"
    assert read(csv, text).time.tolist() == [0, 1]
    with pytest.raises(rw.InputError, match="reward is 'x' in row 6: "):
        read(csv, "\nround,arm,reward\n0,a,1\n\n,,\n1,b,x\n")


HEAD = "subject,round,arm,reward,cost_x,propensity,available\n"
REFUSED = {
    "no rows": (HEAD, "there are no rows: give one for each"),
    "no rows and no end of line": (HEAD.strip(), "there are no rows: give one for each"),
    "empty rows alone": (HEAD + "\n\n,,,,,,\n", "there are no rows: give one for each"),
    "an empty file": ("", "the file is empty: give a header"),
    "no reward": ("round,arm\n0,a\n", "there is no column 'reward', but round, arm: name them as subject, round"),
    "three columns missing": ("x,y\n0,a\n", "there is no column 'arm', 'reward' and 'round' or 'time', but x, y: "),
    "semicolons": ("round;arm;reward\n0;a;1\n", "no column .* but round;arm;reward: separate columns by commas"),
    "two clocks": ("round,time,arm,reward\n0,0,a,1\n", "there are columns 'round' and 'time': keep the one"),
    "a column twice": ("round,arm, arm,reward\n0,a,a,1\n", "'arm' is the name of two columns: give each its own"),
    "a resource without a name": ("round,arm,reward,cost_\n0,a,1,1\n", "column 'cost_' names no resource: call it"),
    "a reward that is a word": (HEAD + "a,0,b,good,1,1,1\n", "reward is 'good' in row 2: give a finite number"),
    "an infinite reward": (HEAD + "a,0,b,inf,1,1,1\n", "reward is 'inf' in row 2: give a finite number"),
    "a reward too large": (HEAD + "a,0,b,1e999,1,1,1\n", "reward is '1e999' in row 2: give a finite number, in a unit"),
    "a cost that is a word": (
        HEAD + "a,0,b,1,1,1,1\na,1,b,1,?,1,1\n",
        r"cost_x is '\?' in row 3: give a finite number",
    ),
    "a negative cost": (HEAD + "a,0,b,1,-1,1,1\n", "cost_x is '-1' in row 2: give a number that is not negative"),
    "an infinite cost": (HEAD + "a,0,b,1,-1e999,1,1\n", "cost_x is '-1e999' in row 2: give a finite number"),
    "no chance": (HEAD + "a,0,b,1,1,0,1\n", "propensity is '0' in row 2: give the probability of what was done"),
    "too much of a chance": (HEAD + "a,0,b,1,1,1.01,1\n", "propensity is '1.01' in row 2: give the probability"),
    "a chance that is a word": (HEAD + "a,0,b,1,1,half,1\n", "propensity is 'half' in row 2: give the probability"),
    "half available": (HEAD + "a,0,b,1,1,1,0.5\n", "available is '0.5' in row 2: give 1 or 0"),
    "perhaps available": (HEAD + "a,0,b,1,1,1,\n", "available is empty in row 2: give 1 or 0"),
    "nobody": (HEAD + "a,0,b,1,1,1,1\n,0,b,1,1,1,1\n", "subject is empty in row 3: say whose row it is"),
    "nothing given": (HEAD + "a,0,,1,1,1,1\n", "no row has an arm, so there is nothing to learn: give some"),
    "half a round": (HEAD + "a,0.5,b,1,1,1,1\n", "round is '0.5' in row 2: give a whole number from 0 on"),
    "a negative round": (HEAD + "a,-1,b,1,1,1,1\n", "round is '-1' in row 2: give a whole number from 0 on"),
    "a round too far": (HEAD + "a,1e16,b,1,1,1,1\n", "round is '1e16' in row 2: give a whole number"),
    "no round": (HEAD + "a,,b,1,1,1,1\n", "round is empty in row 2: give a whole number"),
    "a date as a round": (HEAD + "a,2024-01-01,b,1,1,1,1\n", "round is '2024-01-01' .* or call the column 'time'"),
    "a row too short": (HEAD + "a,0,b,1,1,1,1\na,1,b\n", "row 3 has 3 fields, but the header has 7: separate"),
    "rows too long": (HEAD + "a,0,b,1,1,1,1,2\n" * 3, "row 2 has 8 fields, .* 7, and 2 more rows are wrong: separate"),
    "equal rows": (HEAD + "a,0,b,1,1,1,1\n" * 4, "rows 2 and 3 are exactly equal, and 2 more are like that: keep one"),
    "a time twice": (
        HEAD + "a,0,b,1,1,1,1\nc,0,b,1,1,1,1\na,0,b,2,1,1,1\n",
        "rows 2 and 4 are of subject 'a' at one time: keep one of them, or correct the time",
    ),
    "a time twice in a log of one": (
        "round,arm,reward\n0,a,1\n0,b,1\n",
        "rows 2 and 3 are at one time: .*, or add a column 'subject' if they are of several",
    ),
    "many wrong rows": (
        HEAD + "".join(f"a,{t},b,{'x' if t % 2 else t},1,1,1\n" for t in range(1000)),
        "reward is 'x' in rows 3, 5, 7 and 497 more: give",
    ),
    "two wrong rows": (HEAD + "a,0,b,x,1,1,1\na,1,b,x,1,1,1\n", "reward is 'x' in rows 2 and 3: give"),
    "a month of words": (TIMES + "a,3 May 2024,b,1\n", "time is '3 May 2024' in row 2: write a number, or a date such"),
    "a 13th month": (TIMES + "a,2024-13-01,b,1\n", "time is '2024-13-01' in row 2: write"),
    "today": (TIMES + "a,today,b,1\n", "time is 'today' in row 2: write"),
    "no time": (TIMES + "a,,b,1\n", "time is empty in row 2: write"),
    "no end of time": (TIMES + "a,1e999,b,1\n", "time is '1e999' in row 2: give a finite number"),
    "numbers and dates": (
        TIMES + "a,1,b,1\na,2024-01-01,b,1\n",
        "time is a date in row 3, but a number in row 2: write all times in one way",
    ),
    "numbers and words": (TIMES + "a,1,b,1\na,noon,b,1\n", "time is 'noon' in row 3: write"),
    "some zones": (
        TIMES + "a,2024-01-01T00:00:00Z,b,1\na,2024-01-02T00:00:00,b,1\na,2024-01-03,b,1\n",
        "time has a zone in row 2, but none in rows 3 and 4: give all times a zone, or none",
    ),
    "one moment in two zones": (
        TIMES + "a,2024-01-01T00:00:00+00:00,b,1\na,2024-01-01T02:00:00+02:00,b,2\n",
        "rows 2 and 3 are of subject 'a' at one time",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_wrong_is_refused_in_a_sentence(what: str, csv: Path) -> None:
    text, message = REFUSED[what]
    with pytest.raises(rw.InputError, match=message) as told:
        read(csv, text)
    assert str(told.value).startswith(f"{csv}: ")
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"arms": ["text"]}, "arm is 'call' in row 2: give one of 'text', or leave the field empty for an idle round"),
        ({"arms": ["text", "text"]}, "'text' is the name of two arms"),
        ({"arms": "text"}, "arms is 'text': give a list of names"),
        ({"arms": []}, r"arms is \[\]: give a list of names"),
        ({"arms": [1]}, "name of an arm is 1: give a non-empty text"),
        ({"unit": "day"}, "unknown unit of time 'day': did you mean 'days'?"),
        ({"unit": np.ones(2)}, "unknown unit of time array"),
        ({"unit": "days"}, "unit is 'days', but the log has a column 'round': leave it out, or call that 'time'"),
    ],
)
def test_wrong_arguments_are_refused(given: dict[str, Any], message: str, csv: Path) -> None:
    with pytest.raises(rw.InputError, match=message):
        read(csv, CSV, **given)


def test_rounds_are_no_unit_of_a_clock(csv: Path) -> None:
    assert read(csv, CSV, unit="rounds").unit == "rounds"
    with pytest.raises(rw.InputError, match="unit is 'rounds', but the log has a column 'time'"):
        read(csv, TIMES + "a,1,b,1\n", unit="rounds")


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "log.parquet").write_text(CSV)
    (tmp_path / "log.csv").write_bytes(b"round,arm,reward\n0,\xff\xfe,1\n")
    (tmp_path / "wide.csv").write_bytes(CSV.encode("utf-16"))
    for name, message in {
        "nothing.csv": "there is no such file: check the path",
        "nothing.parquet": "there is no such file: check the path",
        "folder.csv": "this is a directory: give a file in it",
        "log.xlsx": "the ending of a log is .csv or .parquet",
        "log": "the ending of a log is .csv or .parquet",
        "log.parquet": "this is not Parquet .*: write the file anew",
        "log.csv": "this is no CSV in UTF-8 .*: correct that, or save the file anew",
        "wide.csv": "this is no CSV in UTF-8 .*: correct that, or save the file anew",
        "lo\0g.csv": "the file cannot be read",
    }.items():
        with pytest.raises(rw.InputError, match=message):
            rw.read_log(tmp_path / name)


@pytest.mark.parametrize("source", [None, 3, [1, 2], {"arm": ["a"]}, np.ones((2, 2)), polars.LazyFrame({"arm": []})])
def test_what_is_no_table_is_refused(source: Any) -> None:
    with pytest.raises(rw.InputError, match=r"the log is .*: give the name of a \.csv or"):
        rw.read_log(source)


@pytest.mark.parametrize("table", [pd.DataFrame(), pyarrow.table({}), polars.DataFrame({"arm": []})])
def test_a_table_without_rows_is_refused(table: Any) -> None:
    with pytest.raises(rw.InputError, match="the log: there are no rows: give one"):
        rw.read_log(table)


def test_columns_of_rare_types_are_read() -> None:
    plain = {"round": [0, 1], "arm": ["a", "b"], "reward": [1.5, 2.5]}
    wanted = rw.read_log(pd.DataFrame(plain))
    decimals = polars.DataFrame(plain).with_columns(polars.col("reward").cast(polars.Decimal(5, 2)))
    coded = pyarrow.table({**plain, "arm": pyarrow.array(["a", "b"]).dictionary_encode()})
    sparse = pd.DataFrame({**plain, "reward": pd.arrays.SparseArray([1.5, 2.5])})
    for table in (decimals, coded, sparse, pd.DataFrame(plain).astype({"reward": np.float16})):
        assert_equal(rw.read_log(table), wanted)


def test_rows_of_tables_are_counted_from_0() -> None:
    table = pd.DataFrame({"round": [0, 1], "arm": ["a", "b"], "reward": [1.0, np.inf]})
    with pytest.raises(rw.InputError, match=r"the log: reward is inf in row 1 \(counted from 0\): give a finite"):
        rw.read_log(table)


@pytest.mark.parametrize(
    "values",
    [
        [10**400, 1],
        [10**5000, 1],
        [1j, 1],
        ["a\ud800", 1],
        [[1], 1],
        [datetime(2024, 1, 1), 1],
        [timedelta(1), 1],
        pd.to_datetime(["2024-01-01", "2024-01-02"]),
        pd.to_timedelta([1, 2], unit="D"),
        np.array([1j, 2]),
    ],
    ids=lambda values: type(values[0]).__name__,
)
@pytest.mark.parametrize("column", ["reward", "cost_x", "propensity", "available", "round"])
def test_rewards_and_costs_that_are_no_numbers_are_refused_in_tables_too(column: str, values: Any) -> None:
    good = {"round": [0, 1], "arm": ["a", "b"], "reward": [1, 0], "cost_x": [1, 2], "propensity": 1, "available": True}
    with pytest.raises(rw.InputError, match=f"the log: {column} is .* in rows? 0"):
        rw.read_log(pd.DataFrame(good).assign(**{column: values}))


WORDS = [
    "",
    "NA",
    '"',
    '"x,y"',
    "-1",
    "0.5",
    "1e999",
    "nan",
    "inf",
    "2024-01-01",
    "2024-01-01T00:00Z",
    "x",
    ",",
    "\0",
    "\n",
    ";",
]


def damaged(rng: np.random.Generator) -> bytes:
    """A log with some of its fields and bytes replaced."""
    clock = ["2024-01-{:02d}", "2024-01-{:02d}T10:00:00+01:00", "{}"][rng.integers(3)]
    names = [
        "subject",
        "time" if "-" in clock else ["round", "time"][rng.integers(2)],
        "arm",
        "reward",
        "cost_x",
        "propensity",
    ]
    rows = [[f"s{i % 3}", clock.format(i // 3 + 1), "ab"[i % 2], f"{i / 7}", f"{i}", "0.5"] for i in range(12)]
    for _ in range(rng.integers(4)):
        rows[rng.integers(12)][rng.integers(6)] = WORDS[rng.integers(len(WORDS))]
    if rng.random() < 0.2:
        names[rng.integers(6)] = WORDS[rng.integers(len(WORDS))]
    text = bytearray("\n".join(",".join(row) for row in [names, *rows]).encode())
    for _ in range(rng.integers(3) if rng.random() < 0.3 else 0):
        text[rng.integers(len(text))] = rng.integers(256)
    return bytes(text[: rng.integers(len(text))] if rng.random() < 0.2 else text)


def read_or_told(source: Any) -> rw.LoggedRounds | str:
    try:
        return rw.read_log(source)
    except rw.InputError as error:
        return str(error)


def test_damaged_files_are_read_or_refused_in_a_sentence(tmp_path: Path) -> None:
    rng = np.random.default_rng(20240501)
    refused = 0
    for _ in range(500):
        path = tmp_path / "log.csv"
        path.write_bytes(damaged(rng))
        log = read_or_told(path)
        if isinstance(log, str):
            refused += 1
            assert "\n" not in log
            assert log.count(": ") >= 2
        else:
            assert np.isfinite(log.time).all()
            assert (np.diff(log.subject) >= 0).all()
    assert 100 < refused < 400


def test_damaged_parquet_is_read_or_refused_in_a_sentence(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    buffer = io.BytesIO()
    pd.read_csv(io.StringIO(CSV)).to_parquet(buffer)
    path = tmp_path / "log.parquet"
    for _ in range(100):
        content = bytearray(buffer.getvalue())
        for place in rng.integers(len(content), size=3):
            content[place] = rng.integers(256)
        path.write_bytes(content)
        told = read_or_told(path)
        assert isinstance(told, rw.LoggedRounds) or "\n" not in told


def test_tables_of_whatever_people_put_into_them_are_read_or_refused() -> None:
    rng = np.random.default_rng(3)
    names = ["subject", "time", "arm", "reward"]
    dates = [date(2024, 1, 1), datetime(2024, 5, 1, tzinfo=UTC), pd.NaT]
    things = [*dates, None, 1, "a", 2.5, np.nan, True, 10**400, b"x", (1, 2), {}, pd.NA]
    for _ in range(300):
        columns: dict[str, list[Any]] = dict(
            zip(names, map(list, ("aabb", [0, 1, 0, 1], "xyxy", [0, 1, 1, 0])), strict=True)
        )
        for _ in range(rng.integers(1, 3)):
            columns[names[rng.integers(4)]][rng.integers(4)] = things[rng.integers(len(things))]
        told = read_or_told(pd.DataFrame(columns))
        assert isinstance(told, rw.LoggedRounds) or "\n" not in told
