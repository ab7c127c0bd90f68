"""A log, the tables that it comes in, and how to compare what is read of them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars
import pyarrow

import roguewk as rw

TIMES = "subject,time,arm,reward\n"  # the header of a log with a clock
CSV = """subject,round,arm,reward,cost_minutes,cost_euros,propensity,available,age,mood
anna,0,call,1.5,6,0.5,0.25,1,31,good
anna,1,,,0,0,0.5,1,31,bad
anna,2,text,-0.5,1,,0.25,true,31,
ben,0,,,,,,0,47,good
ben,3,text,,1,0.1,1,1,,good
"""


def read(path: Path, text: str, **given: Any) -> rw.LoggedRounds:
    path.write_bytes(text.encode())
    return rw.read_log(path, **given)


def assert_equal(one: rw.LoggedRounds, other: rw.LoggedRounds) -> None:
    for name, value in vars(one).items():
        if isinstance(value, np.ndarray):
            assert value.dtype == getattr(other, name).dtype, name
            np.testing.assert_array_equal(value, getattr(other, name), name)
        elif name == "covariates":
            assert list(value) == list(other.covariates)
            for key in value:
                np.testing.assert_array_equal(value[key], other.covariates[key], key)
        elif name not in ("found", "origin"):
            assert value == getattr(other, name), name


TABLES: dict[str, Callable[[pd.DataFrame, Path], Any]] = {
    "CSV": lambda frame, folder: (frame.to_csv(folder / "again.csv", index=False), folder / "again.csv")[1],
    "Parquet": lambda frame, folder: (frame.to_parquet(folder / "again.parquet"), str(folder / "again.parquet"))[1],
    "pandas": lambda frame, folder: frame,
    "pandas with another index": lambda frame, folder: frame.set_index(frame["round"] * 7),
    "pandas with Arrow's types": lambda frame, folder: frame.convert_dtypes(dtype_backend="pyarrow"),
    "pandas with nullable types": lambda frame, folder: frame.convert_dtypes(),
    "pandas with objects": lambda frame, folder: frame.astype(object),
    "pandas with categories": lambda frame, folder: frame.astype({"subject": "category", "arm": "category"}),
    "polars": lambda frame, folder: polars.from_pandas(frame),
    "Arrow": lambda frame, folder: pyarrow.Table.from_pandas(frame),
    "an Arrow batch": lambda frame, folder: pyarrow.RecordBatch.from_pandas(frame),
}
