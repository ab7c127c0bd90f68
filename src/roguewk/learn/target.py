"""What another policy would have done in the rounds of a log, given what each subject had got until then."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roguewk.kernel.arrays import Vector
from roguewk.learn.replay import past_of, tell
from roguewk.learn.rounds import LoggedRounds
from roguewk.part.status import Status
from roguewk.policy.decision import Decision
from roguewk.policy.online import Policy
from roguewk.policy.registry import make_policy
from roguewk.problem.errors import InputError, known, number, shown

OVER = (Status.ENDED, Status.SPENT)
SLACK = 1e-6  # of probabilities that were added up


class History(NamedTuple):
    """What is known of a subject when a round begins.

    >>> from roguewk.learn.target import History
    >>> History("anna", 1, 2.0, ("call",), (1.0,), {"age": 31.0}).arms[-1]
    'call'
    """

    subject: str
    round: int  # which of the subject's rows it is, from 0 on
    time: float  # of the row
    arms: tuple[str | None, ...]  # what was given in the rows before, None where nothing was
    rewards: tuple[float, ...]  # what came of it, nan where that is not known
    covariates: Mapping[str, float]  # of the row
    contexts: Mapping[str, str] = {}  # of the row, "" where one is not known


Streams = Callable[[int], Iterator[Vector]]  # subject -> (action,) chances, row by row


def chances_of(stream: Streams, log: LoggedRounds, rows: NDArray[np.int64]) -> Vector:
    """(subject, round, action) how likely the policy does what; the last action is to rest.

    `rows` (subject, round) are those of the log. Where a subject was given what the policy would never have given,
    the later rounds are left at 0.
    """
    actions = len(log.arms) + 1
    idle = np.eye(actions)[-1]
    found = np.zeros((*rows.shape, actions))
    for s in range(rows.shape[0]):
        for t, chances in zip(range(rows.shape[1]), stream(s), strict=False):
            row = rows[s, t]
            found[s, t] = chances if log.available[row] else idle
            if found[s, t, log.arm[row]] == 0:  # the place of rest is -1, the last
                break
    return found


def streams(policy: Any, log: LoggedRounds, rows: NDArray[np.int64], round_length: float | None) -> Streams:
    """What a user has given as a policy, as chances for the rows (subject, round) of each subject."""
    if isinstance(policy, Policy):
        if policy.round > 0:
            raise InputError(f"the policy has decided {policy.round} rounds already: give a new one")
        return lambda s: _of_policy(policy, log, s, round_length)
    if callable(policy) and not isinstance(policy, type):
        return lambda s: _of_function(policy, log, rows[s])
    if isinstance(policy, str) or not isinstance(policy, Sequence | np.ndarray):
        what = "give a policy made with rw.make_policy, a function, a list of arms or a table of probabilities"
        raise InputError(f"the policy is {shown(policy)}: {what}")
    if isinstance(policy, np.ndarray) and policy.ndim == 2:
        table = _table(policy, log)
        return lambda s: iter(table[rows[s]])
    if len(policy) < rows.shape[1]:
        raise InputError(f"{len(policy)} arms are given for {rows.shape[1]} rounds: give one each, None for rest")
    plan = [_certain(arm, log) for arm in policy[: rows.shape[1]]]
    return lambda s: iter(plan)


def _certain(arm: Any, log: LoggedRounds) -> Vector:
    if arm is not None:
        known(arm, log.arms, "arm")
    return np.eye(len(log.arms) + 1)[-1 if arm is None else log.arms.index(arm)]


def _table(policy: Any, log: LoggedRounds) -> Vector:
    shape = log.arm.size, len(log.arms) + 1
    if policy.shape != shape or policy.dtype.kind not in "fiu":
        told = f"{shape[0]:,} rows with {shape[1]} probabilities, the last that of rest"
        raise InputError(f"the table of probabilities is {policy.shape} of {policy.dtype}: give {told}")
    table = policy.astype(np.float64)
    wrong = np.flatnonzero(~(table >= 0).all(axis=1) | ~(np.abs(table.sum(axis=1) - 1) <= SLACK))
    if wrong.size:
        raise InputError(
            f"probabilities in row {wrong[0]} (counted from 0) are {table[wrong[0]].tolist()}: they must add up to 1"
        )
    return table


def _of_function(function: Callable[[History], Any], log: LoggedRounds, rows: NDArray[np.int64]) -> Iterator[Vector]:
    names = [*log.arms, None]
    for t, row in enumerate(rows):
        before = rows[:t]
        yield _answer(
            function(
                History(
                    subject=log.subjects[log.subject[row]],
                    round=t,
                    time=float(log.time[row]),
                    arms=tuple(names[arm] for arm in log.arm[before]),
                    rewards=tuple(log.reward[before].tolist()),
                    covariates={name: float(column[row]) for name, column in log.covariates.items()},
                    contexts={name: str(column[row]) for name, column in log.contexts.items()},
                )
            ),
            log,
        )


def _answer(told: Any, log: LoggedRounds) -> Vector:
    """What a function answered, as chances."""
    if not isinstance(told, Mapping):
        return _certain(told, log)
    parts = [number(chance, "a probability") * _certain(arm, log) for arm, chance in told.items()]
    chances = np.sum(parts, axis=0) if parts else np.zeros(len(log.arms) + 1)
    if (chances < 0).any() or abs(chances.sum() - 1) > SLACK:
        raise InputError(f"the policy answers {shown(dict(told))}: probabilities must add up to 1")
    return np.asarray(chances)


def _of_policy(policy: Policy, log: LoggedRounds, subject: int, round_length: float | None) -> Iterator[Vector]:
    """A copy of the policy with luck of its own, which is told what the subject got."""
    past = past_of(policy.problem, log, subject, round_length)
    player = make_policy(policy.recipe.name, policy.problem, policy.seed + subject, **policy.parameters)
    for row, round_ in enumerate(past.rounds):
        if _is_over_before(player, int(round_), past.contexts[row]):
            break
        player.skip(int(round_) - player.round)
        decision = player.preview(context=past.contexts[row])
        yield _chances(decision, player, log)
        if decision.code in OVER:
            break
        tell(player, past, row)
    while True:
        yield np.eye(len(log.arms) + 1)[-1]


def _is_over_before(player: Policy, round_: int, context: dict[str, str] | None) -> bool:
    """Whether the game ends in the gap before this round."""
    gap = round_ - player.round
    ends = round_ > player.problem.horizon and not player.parameters["doubling"]
    return gap > 0 and (ends or player.preview(context=context).code in OVER)


def _chances(decision: Decision, player: Policy, log: LoggedRounds) -> Vector:
    """Those that the arm was drawn with, if they are all of its luck; else the arm is certain."""
    if not player.recipe.exact:
        return _certain(decision.name, log)
    chances = np.zeros(len(log.arms) + 1)
    for arm, chance in zip(decision.setting.arms, decision.probabilities, strict=True):
        if chance > 0:
            known(arm, log.arms, "arm in the log:")
            chances[log.arms.index(arm)] = chance
    chances[-1] = max(1 - chances.sum(), 0.0)
    return chances
