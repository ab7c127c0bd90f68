"""Data frames as bytes."""

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def csv_bytes(frame: "pd.DataFrame") -> bytes:
    """UTF-8, the same line ends everywhere."""
    return frame.to_csv(index=False, lineterminator="\n").encode()


def parquet_bytes(frame: "pd.DataFrame") -> bytes:
    """A Parquet file."""
    import pyarrow
    import pyarrow.parquet

    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pandas(frame, preserve_index=False), buffer)
    return buffer.getvalue()
