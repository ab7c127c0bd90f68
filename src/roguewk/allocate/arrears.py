"""Shares made certain: error diffusion instead of a draw."""

from typing import Any

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.part.desk import largest


@compiled
def settle_arrears(debts: Vector, shares: Vector, available: Any, may_idle: bool) -> None:
    """Replace shares by certainty for the arm that was played least compared with what it should, or for none.

    What was promised and what was played, which `debts`, (arm,), keep, never differ by more than a few rounds.
    """
    idle_debt = 1.0  # with this round's shares, the arms and the idle rounds together are owed one round
    for a in range(shares.size):
        debts[a] += shares[a]
        idle_debt -= debts[a]
    arm = largest(debts, available)
    shares[:] = 0.0
    if arm >= 0 and (not may_idle or debts[arm] >= idle_debt):
        shares[arm] = 1.0
        debts[arm] -= 1.0
