"""Tables whose rows have named fields, readable as attributes in Python and in compiled code."""

from collections.abc import Sequence
from typing import Any

import numpy as np


def record_type(reals: Sequence[str], wholes: Sequence[str]) -> Any:
    """A row with these real and whole-numbered fields."""
    fields = [(name, np.float64) for name in reals] + [(name, np.int64) for name in wholes]
    return np.dtype((np.record, np.dtype(fields, align=True)))
