"""How long a policy for drifting rewards remembers before it starts afresh (Besbes, Gur and Zeevi 2014).

`Delta = (K log K)^(1/3) (T / V)^(2/3)` rounds for K arms and a variation budget V of the mean rewards over T rounds.
"""

import math
from collections.abc import Mapping

from roguewk.part.parameter import Parameter, counted, optional, optional_amount
from roguewk.problem.constants import change_in_turn
from roguewk.problem.problem import LONGEST, Problem

BATCHES: Mapping[str, Parameter] = {
    "batch": optional(
        counted(0, 0, LONGEST, "rounds until all is forgotten, 0 for never; worked out from `variation` if not given")
    ),
    "variation": optional_amount("variation budget V of the mean rewards; by default that of taking the arms in turn"),
}


def batch_length(problem: Problem, batch: int | None, variation: float | None) -> int:
    """The rounds of a batch, worked out where they are not given; 0 if nothing is ever forgotten."""
    if batch is not None:
        return batch
    K, T = len(problem.arms), problem.horizon
    V = T * change_in_turn(problem) if variation is None else variation
    length = (K * math.log(K)) ** (1 / 3) * (T / V) ** (2 / 3) if V > 0 else math.inf
    return 0 if length >= T else max(math.ceil(length), 1)
