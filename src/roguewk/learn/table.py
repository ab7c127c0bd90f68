"""A log as columns, whatever it comes as: a CSV or Parquet file, a table of pandas, polars or Arrow, or an rw.Log."""

import csv
import io
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from roguewk.learn.rounds import Origin
from roguewk.problem.errors import InputError, shown

EMPTY = ("", "NA", "NaN", "nan", "null", "NULL", "N/A", "#N/A")  # in a text file, unless in quotes
BLOCK = 2**24  # bytes that are parsed at a time; no row may be longer
INDEX = "__index_level_"  # what pandas calls an index without a name in the tables of others
ENDINGS = (".csv", ".parquet")


@dataclass(frozen=True)
class Table:
    """The columns of a log, and where its rows stand."""

    where: str  # the file, or what else it comes from
    columns: Mapping[str, Any]  # (row,) pandas Series
    rows: NDArray[np.int64]  # (row,) in a text file the header is row 1, in other tables the first is row 0
    text: bool  # whether it is a text file

    def refuse(self, column: str, bad: Any, remedy: str) -> None:
        """Raise an error if what a column holds is bad in any row."""
        if bad.any():
            first = self.columns[column].iloc[[int(np.argmax(bad))]]
            told = "empty" if is_empty(first)[0] else shown(first.iloc[0], _typed)
            raise InputError(f"{self.where}: {column} is {told} in {self.named(np.flatnonzero(bad))}: {remedy}")

    def named(self, places: Any) -> str:
        """These rows as a reader of the table would look for them, the first ones by number."""
        return Origin(self.rows, self.text).named(places)


def is_empty(column: Any) -> NDArray[np.bool_]:
    """(row,) whether nothing is there."""
    missing = np.asarray(column.isna().to_numpy(dtype=bool))
    if not holds_text(column):
        return missing
    return missing | (as_texts(column).str.strip() == "").to_numpy(dtype=bool, na_value=True)


def holds_text(column: Any) -> bool:
    """Whether a column may hold texts, alone or among other things."""
    import pandas

    types = pandas.api.types
    return not (types.is_numeric_dtype(column) or types.is_bool_dtype(column) or column.dtype.kind in "mM")


def as_texts(column: Any) -> Any:
    """A column in which everything but what is missing is text."""
    missing = column.isna()
    try:
        return column.astype(str).where(~missing)
    except Exception:  # a number of more digits than Python prints, or whatever else was put into a table
        return column.map(_printable).astype(str).where(~missing)


def _printable(value: Any) -> str:
    return shown(value, str).encode("utf-8", "replace").decode()


def _typed(value: Any) -> str:
    """The value as it would be typed."""
    return repr(value.item() if isinstance(value, np.generic) else value)


def open_table(source: Any) -> Table:
    """The columns of what a user has given as a log."""
    import pandas
    import pyarrow

    if isinstance(source, str | os.PathLike):
        return _from_file(source)
    try:
        if callable(getattr(source, "frame", None)):  # an rw.Log: it stands above this package, which cannot import it
            source = source.frame()
        elif callable(getattr(source, "to_arrow", None)):  # a polars table
            source = source.to_arrow()
        if isinstance(source, pyarrow.Table | pyarrow.RecordBatch):
            source = _to_pandas(source)
    except Exception as error:  # it may be anything
        raise InputError(f"the log cannot be turned into a table ({shown(error, str)}): give a pandas table") from None
    if not isinstance(source, pandas.DataFrame):
        raise InputError(
            f"the log is {shown(source)}: give the name of a .csv or .parquet file, a pandas, polars or Arrow table, "
            "or what rw.log_runs returns"
        )
    return _without_empty_rows(source, [str(name) for name in source.columns], "the log")


def _from_file(path: str | os.PathLike[str]) -> Table:
    name = os.fsdecode(path)
    where, ending = shown(name, str), os.path.splitext(name)[1].lower()
    if ending not in ENDINGS:
        raise InputError(f"{where}: the ending of a log is .csv or .parquet: write it as one of them")
    with _opened(name, where) as file:
        return _from_csv(file, where) if ending == ".csv" else _from_parquet(file, where)


def _opened(name: str, where: str) -> IO[bytes]:
    try:
        return open(name, "rb")
    except FileNotFoundError:
        raise InputError(f"{where}: there is no such file: check the path") from None
    except IsADirectoryError:
        raise InputError(f"{where}: this is a directory: give a file in it") from None
    except (OSError, ValueError) as error:
        reason = shown(getattr(error, "strerror", None) or error, str)
        raise InputError(f"{where}: the file cannot be read ({reason}): check its name and permissions") from None


def _from_parquet(file: Any, where: str) -> Table:
    import pyarrow.parquet

    try:
        frame = _to_pandas(pyarrow.parquet.read_table(file))
    except Exception as error:  # damaged files raise errors of many kinds
        raise InputError(f"{where}: this is not Parquet ({shown(error, str)}): write the file anew") from None
    return _without_empty_rows(frame, [str(name) for name in frame.columns], where)


def _from_csv(file: Any, where: str) -> Table:
    names, lines = _header(file, where)
    file.seek(0)
    wrong: list[Any] = []
    try:
        frame = _to_pandas(_parse(file, len(names), lines, wrong))
    except Exception as error:  # pyarrow's kinds of errors change with its versions
        reason = shown(error, str)
        if "Could not skip" in reason:  # the header is all there is, and its line has no end
            raise InputError(f"{where}: there are no rows: give one for each subject and round") from None
        raise InputError(f"{where}: this is no CSV in UTF-8 ({reason}): correct that, or save the file anew") from None
    if wrong:
        number, fields = wrong[0]
        more = f", and {len(wrong) - 1:,} more rows are wrong" if len(wrong) > 1 else ""
        raise InputError(
            f"{where}: row {number} has {fields} fields, but the header has {len(names)}{more}: "
            "separate fields by commas, and put texts that hold commas in quotes"
        )
    return _without_empty_rows(frame, names, where, first=lines + 1)


def _header(file: Any, where: str) -> tuple[list[str], int]:
    """The names in the first line that is not empty, and the number of lines up to its end."""
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")  # some editors begin with a byte order mark
    try:
        reader = csv.reader(text)
        for names in reader:
            if any(name.strip() for name in names):
                return [name.strip() for name in names], reader.line_num
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"{where}: this is no CSV in UTF-8 ({shown(error, str)}): correct that, or save the file anew"
        ) from None
    finally:
        text.detach()  # or the file would be closed with it
    raise InputError(f"{where}: the file is empty: give a header and a row for each subject and round")


def _parse(file: Any, width: int, skipped: int, wrong: list[Any]) -> Any:
    """The rows as texts; types are found later, as only then a wrong field can be told with its row."""
    import pyarrow
    from pyarrow import csv as arrow_csv

    def note(row: Any) -> str:
        wrong.append((row.number, row.actual_columns))
        return "skip"

    names = [f"column {place}" for place in range(width)]  # those of the file may be there twice
    return arrow_csv.read_csv(
        file,
        # One thread: only then are rows numbered.
        read_options=arrow_csv.ReadOptions(
            use_threads=False, column_names=names, skip_rows=skipped, block_size=BLOCK, encoding="utf8"
        ),
        parse_options=arrow_csv.ParseOptions(
            newlines_in_values=True, ignore_empty_lines=False, invalid_row_handler=note
        ),
        convert_options=arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(names, pyarrow.string()),
            null_values=list(EMPTY),
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )


def _to_pandas(table: Any) -> Any:
    frame = table.to_pandas(ignore_metadata=True)  # which may hide a column as an index
    return frame.loc[:, [not str(name).startswith(INDEX) for name in frame.columns]]


def _ordinary(column: Any) -> Any:
    """A column of one of pandas' own types: those that it takes from Arrow know other methods."""
    import pandas
    import pyarrow

    return pyarrow.array(column.array).to_pandas() if isinstance(column.dtype, pandas.ArrowDtype) else column


def _without_empty_rows(frame: Any, names: list[str], where: str, first: int | None = None) -> Table:
    names = [name.strip() for name in names]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{where}: {shown(name)} is the name of two columns: give each its own")
    columns = [_ordinary(frame.iloc[:, place]) for place in range(len(names))]
    kept = ~np.logical_and.reduce([is_empty(column) for column in columns]) if columns else np.zeros(0, dtype=bool)
    rows = np.arange(kept.size, dtype=np.int64) + (first or 0)
    if not kept.any():
        raise InputError(f"{where}: there are no rows: give one for each subject and round")
    whole = {name: column[kept].reset_index(drop=True) for name, column in zip(names, columns, strict=True)}
    return Table(where, whole, rows[kept], first is not None)
