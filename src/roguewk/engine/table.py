"""Columns as a table of the library that the user works with."""

from collections.abc import Mapping
from typing import Any

from roguewk.problem.errors import InputError, known

KINDS = ("pandas", "arrow", "polars")


def as_table(columns: Mapping[str, Any], kind: str) -> Any:
    """A "pandas", "arrow" or "polars" table."""
    known(kind, KINDS, "kind of frame")
    if kind == "arrow":
        import pyarrow

        return pyarrow.table(dict(columns))
    if kind == "polars":
        return _polars().DataFrame(columns)
    import pandas

    return pandas.DataFrame(columns)


def from_arrow(table: Any, kind: str) -> Any:
    """An Arrow table as a table of this kind."""
    known(kind, KINDS, "kind of frame")
    if kind == "arrow":
        return table
    return table.to_pandas() if kind == "pandas" else _polars().from_arrow(table)


def _polars() -> Any:
    try:
        import polars
    except ModuleNotFoundError:
        raise InputError("polars is not installed: run pip install 'roguewk[polars]'") from None
    return polars
