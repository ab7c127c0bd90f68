"""What a policy has learned of the arms' dynamics, as a table."""

from typing import TYPE_CHECKING

from roguewk.estimate.dynamics.summary import Belief, Glimpse, Range, beliefs_of
from roguewk.problem.arm import Arm, unlink
from roguewk.problem.errors import InputError
from roguewk.problem.problem import Problem

if TYPE_CHECKING:
    import pandas as pd


def _row(arm: Arm, belief: Belief) -> dict[str, str | float]:
    rested = Range(*(unlink(level, arm.family) for level in belief.rested))
    row: dict[str, str | float] = {"arm": arm.name}
    for name, found in belief._replace(rested=rested)._asdict().items():
        row |= {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}
    return row


def beliefs_frame(policy: str, problem: Problem, glimpse: Glimpse | None) -> "pd.DataFrame":
    """A row per arm; a policy that takes dynamics as known has none."""
    import pandas as pd

    if glimpse is None:
        raise InputError(f"policy {policy!r} does not learn dynamics here: give dynamics='learned'")
    return pd.DataFrame([_row(arm, belief) for arm, belief in zip(problem.arms, beliefs_of(glimpse), strict=True)])
