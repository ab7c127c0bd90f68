"""The radius `rad(v, n) = sqrt(C v / n) + C / n` of bandits with knapsacks: narrow where the mean v is small.

Theory asks for a C of the order of log(m d T); 1 is what practice uses.
"""

import math
from typing import Any

from roguewk.kernel.compile import compiled
from roguewk.part.parameter import Parameter, not_negative, optional

WORKED_OUT = -1.0


@compiled
def rad(mean: float, n: float, confidence: float) -> float:
    """The radius around the mean of n > 0 numbers."""
    return math.sqrt(confidence * max(mean, 0.0) / n) + confidence / n


@compiled
def confidence_for(given: float, arms: int, resources: int, horizon: float) -> float:
    """C as it was given, or log(m d T)."""
    return given if given >= 0.0 else math.log(max(arms * max(resources, 1) * horizon, 1.0))


def confidence_parameter(what: str) -> Parameter:
    """C of the radius of `what`."""
    inner = not_negative(1.0, f"C of the radius sqrt(C v / n) + C / n of {what}; None: log(m d T), as theory has it")
    return Parameter(inner.default, inner.meaning, optional(inner).check)


def as_number(confidence: Any) -> float:
    """C for a part, in which a number cannot be None."""
    return WORKED_OUT if confidence is None else float(confidence)
