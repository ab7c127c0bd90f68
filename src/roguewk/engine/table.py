"""Columns as a table of the library that the user works with."""

from collections.abc import Mapping
from typing import Any

from roguewk.problem.errors import InputError, known


def as_table(columns: Mapping[str, Any], kind: str) -> Any:
    """A "pandas", "arrow" or "polars" table."""
    known(kind, ("pandas", "arrow", "polars"), "kind of frame")
    if kind == "arrow":
        import pyarrow

        return pyarrow.table(dict(columns))
    if kind == "polars":
        try:
            import polars
        except ModuleNotFoundError:
            raise InputError("polars is not installed: run pip install 'roguewk[polars]'") from None
        return polars.DataFrame(columns)
    import pandas

    return pandas.DataFrame(columns)
