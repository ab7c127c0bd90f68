"""The kind of array that most functions take."""

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
