"""Correct what was told of a pull: what was learned from it is undone, and learned anew from what is true.

A policy keeps no history, so the caller says what it was told. Sums can be corrected exactly, and so can what is made
of them; what follows the rewards one by one, such as a window or a price, cannot, and is refused.
"""

import math
from typing import Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled_for_python, compiling
from roguewk.kernel.handle import Handle, held
from roguewk.part.verbs import amend_costs, amend_reward, learn_costs, learn_outcome, learn_reward
from roguewk.policy.decision import Decision
from roguewk.policy.machine import Parts
from roguewk.policy.open_pull import Memo, OpenPull
from roguewk.policy.outcome import take_costs
from roguewk.policy.templates import Template
from roguewk.problem.errors import InputError, shown
from roguewk.problem.limits import correct_held


@compiled_for_python
def _amend_reward(handle: Handle, arm: int, memo: Memo, told: float, true: float) -> None:
    parts: Parts = held(handle)
    for i in range(len(memo)):
        parts.desk.memo[i] = memo[i]
    amend_reward(parts.rewards, arm, parts.desk.memo, told, true)


@compiled_for_python
def _amend_costs(handle: Handle, arm: int, told: Vector, true: Vector) -> None:
    parts: Parts = held(handle)
    amend_costs(parts.costs, arm, told, true)


def check_correction(decision: Any, identity: str, reward: Any, costs: Any) -> int:
    """The arm of a decision that may be corrected, if what is said of it are pairs."""
    if not isinstance(decision, Decision) or decision.identity != identity:
        raise InputError(f"{shown(decision)} is no pull of this policy: give what its select() returned")
    for what, pair in (("reward", reward), ("costs", costs)):
        if pair is not None and (not isinstance(pair, list | tuple) or len(pair) != 2):
            raise InputError(f"{what} to amend is {shown(pair)}: give a pair, as it was told and as it is")
    if reward is None and costs is None:
        raise InputError(f"nothing is amended of round {decision.round}: give its reward, its costs or both, as pairs")
    if decision.arm is None:
        # What is learned of idle rounds forgets as it goes: how much an outcome still counts depends on those since.
        what = f"round {decision.round} was left idle, and outcomes of idle rounds cannot be amended"
        raise InputError(f"{what}: tell them once they are certain, each may be told late")
    return decision.arm


def corrections(made: Template, arm: int, reward: Any, costs: Any) -> tuple[list[float], Vector | None]:
    """The rewards as told and as they are, and the costs likewise, (2, resource), of those pairs that are given."""
    rewards = [made.problem.check_reward(arm, each) for each in reward or ()]
    both = np.zeros((2, len(made.problem.resources)))
    for row, told in zip(both, costs or (), strict=False):
        take_costs(made, arm, told, row)
    return rewards, None if costs is None else both


def as_corrected(pull: OpenPull, rewards: list[float], costs: Vector | None) -> OpenPull:
    """An open pull with what is true of what was told of it."""
    pull = pull._replace(reward=rewards[1]) if rewards else pull
    return pull if costs is None else pull._replace(costs=tuple(costs[1].tolist()))


def check_told(round_: int, pull: OpenPull, rewards: list[float], costs: Vector | None) -> None:
    """What is amended was told, as it is said to have been: of an open pull that is known. Costs are (2, resource)."""
    untold = [("reward", rewards, math.isfinite(pull.reward)), ("costs", costs is not None, pull.knows_costs)]
    for what, wanted, known in untold:
        if wanted and not known:
            raise InputError(f"{what} of round {round_} were not told so far: update the decision first")
    if (rewards and rewards[0] != pull.reward) or (costs is not None and not np.allclose(costs[0], pull.costs)):
        raise InputError(f"round {round_} was told otherwise: give first what was told, then what is true")


def check_amendable(parts: Parts, name: str, *, reward: bool, costs: bool) -> None:
    """Whether what these parts have learned can be corrected."""
    fixed = [(parts.rewards, learn_reward, amend_reward, reward), (parts.costs, learn_costs, amend_costs, costs)]
    stuck = any(wanted and learn.joined(part) and not amend.joined(part) for part, learn, amend, wanted in fixed)
    if stuck or learn_outcome.joined(parts.allocation):
        raise InputError(
            f"policy {name!r} cannot unlearn what it was told: amend is for policies that learn by sums, such as"
            " 'roguewk-plan' and 'roguewk-ucb'"
        )


def _forgotten(parts: Parts, decision: Decision) -> bool:
    """Whether a restart has forgotten what was learned from a decision."""
    return bool(decision.round < parts.desk.clock["start"][0])


def correct(parts: Parts, arm: int, decision: Decision, rewards: list[float], costs: Vector | None) -> None:
    """Have what was learned, and booked, of a pull be what is true of it."""
    if rewards:
        _correct_reward(parts, arm, decision, *rewards)
    if costs is not None:
        _correct_costs(parts, arm, decision, *costs)


def _correct_reward(parts: Parts, arm: int, decision: Decision, told: float, true: float) -> None:
    if not _forgotten(parts, decision):
        with compiling("what amends"):
            _amend_reward(Handle(parts), arm, decision.memo, told, true)


def _correct_costs(parts: Parts, arm: int, decision: Decision, told: Vector, true: Vector) -> None:
    spent, limits = parts.desk.ledger.spent, parts.desk.limits
    if limits.periods.size:
        with compiling("what amends"):
            correct_held(limits, decision.round, true - told)
    spent[:] = np.maximum(spent + (true - told), 0.0)
    if not _forgotten(parts, decision):
        with compiling("what amends"):
            _amend_costs(Handle(parts), arm, told, true)
