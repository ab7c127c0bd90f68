"""Tables as bytes."""

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def csv_bytes(frame: "pd.DataFrame") -> bytes:
    """UTF-8, the same line ends everywhere."""
    return frame.to_csv(index=False, lineterminator="\n").encode()


def parquet_bytes(frame: "pd.DataFrame") -> bytes:
    """A Parquet file."""
    import pyarrow

    return arrow_bytes(pyarrow.Table.from_pandas(frame, preserve_index=False))


def arrow_bytes(table: Any, notes: Mapping[str, str] | None = None) -> bytes:
    """An Arrow table as a Parquet file; `notes` can be read without the table."""
    import pyarrow
    import pyarrow.parquet

    buffer = io.BytesIO()
    noted = table.replace_schema_metadata({**(table.schema.metadata or {}), **notes}) if notes else table
    # A dictionary suits texts; numbers are all different, and would only be tried in vain.
    texts = [field.name for field in table.schema if pyarrow.types.is_string(field.type)]
    pyarrow.parquet.write_table(noted, buffer, compression="zstd", use_dictionary=texts, write_statistics=False)
    return buffer.getvalue()
