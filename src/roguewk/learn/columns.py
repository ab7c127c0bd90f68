"""Columns of labels and of numbers, with what is wrong in them told by row."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roguewk.kernel.arrays import Vector
from roguewk.learn.table import Table, as_texts, holds_text, is_empty
from roguewk.problem.errors import LARGEST

WHOLE = re.compile(r"(-?\d{1,18})(\.0)?")
NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
SLACK = 1e-9  # of probabilities that were added up


@dataclass(frozen=True)
class Labels:
    """Names in an order that does not depend on that of the rows, and the place of each row's among them."""

    names: tuple[str, ...]
    places: NDArray[np.int64]  # (row,) -1 where there is none


def labels(column: Any) -> Labels:
    """The labels of a column: whole numbers by size, others by the alphabet."""
    import pandas

    texts = as_texts(column).str.strip()
    codes, distinct = pandas.factorize(texts.mask(is_empty(column)))
    raw = [str(name) for name in distinct]
    whole = [WHOLE.fullmatch(name) for name in raw]
    if all(whole):  # whole numbers with gaps are read as fractions by many programs, 7 as 7.0
        raw = [match[1] for match in whole if match]
        names = sorted(set(raw), key=lambda name: (int(name), name))
    else:
        names = sorted(set(raw))
    place = {name: at for at, name in enumerate(names)}
    lookup = np.array([*(place[name] for name in raw), -1], dtype=np.int64)  # the code of what is missing is -1
    return Labels(tuple(names), lookup[codes])


def numbers(column: Any) -> tuple[Vector, NDArray[np.bool_]]:
    """(row,) a column as numbers, NaN where it is empty, and where it holds something else."""
    if not holds_text(column) and column.dtype.kind not in "mMc":
        return column.to_numpy(dtype=float, na_value=np.nan), np.zeros(len(column), dtype=bool)
    empty, texts = is_empty(column), as_texts(column).str.strip()
    values = _parsed(texts)
    wrong = np.isnan(values) & ~empty
    if wrong.any():  # what is true or false may be written as words
        words = texts[wrong].str.lower()
        values[wrong] = np.select([words == "true", words == "false"], [1.0, 0.0], np.nan)
        wrong = np.isnan(values) & ~empty
    return values, wrong


def _parsed(texts: Any) -> Vector:
    """(row,) texts as numbers, NaN where they are none."""
    import pyarrow
    import pyarrow.compute

    # By Arrow, which takes a tenth of the time that pandas does; it refuses columns that hold anything else.
    found = pyarrow.array(texts, type=pyarrow.string(), from_pandas=True)
    numeric = pyarrow.compute.match_substring_regex(found, NUMBER)
    plain = pyarrow.compute.if_else(numeric, found, pyarrow.scalar(None, pyarrow.string()))
    return np.array(plain.cast(pyarrow.float64()), dtype=float)


def amounts(table: Table, column: str, least: float = -np.inf) -> Vector:
    """(row,) a column of finite numbers, NaN where it is empty."""
    values, wrong = numbers(table.columns[column])
    table.refuse(column, wrong, "give a finite number, or leave the field empty where it is not known")
    table.refuse(column, np.abs(values) > LARGEST, f"give a finite number, in a unit in which it is below {LARGEST:g}")
    table.refuse(column, values < least, "give a number that is not negative")
    return values


def shares(table: Table, column: str) -> Vector:
    """(row,) a column of probabilities of what was done, which are above 0."""
    values, wrong = numbers(table.columns[column])
    wrong |= (values <= 0) | (values > 1 + SLACK)
    table.refuse(column, wrong, "give the probability of what was done, above 0 and up to 1, or leave the field empty")
    return np.minimum(values, 1.0)


def truths(table: Table, column: str) -> NDArray[np.bool_]:
    """(row,) a column of 1 and 0."""
    values, wrong = numbers(table.columns[column])
    table.refuse(column, wrong | ~np.isin(values, (0.0, 1.0)), "give 1 or 0, or true or false")
    return values == 1.0


def covariate(column: Any) -> Vector | None:
    """(row,) a further column, if it holds finite numbers and nothing else."""
    values, wrong = numbers(column)
    if wrong.any() or np.isinf(values).any() or np.isnan(values).all():
        return None
    return values


def values_of(column: Any) -> NDArray[np.object_]:
    """(row,) a column of names, empty texts where there is none."""
    texts = as_texts(column).str.strip()
    return np.asarray(texts.mask(is_empty(column), "").to_numpy(dtype=object, na_value=""))
