"""The pulls of a log, subject after subject, with what the likelihood asks of each."""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.rounds import LoggedRounds
from roguewk.problem.errors import InputError
from roguewk.problem.family.family import RewardFamily

FIRST = -1  # in place of an earlier pull


class States(NamedTuple):
    """Further states, each fed by pulls and felt by pulls."""

    before: Any  # (state, pull) the pull after which the state was last pushed, FIRST if there is none
    gap: Vector  # (state, pull) time since then
    push: Any  # (state, pull) which of the state's pushes the pull feels


class Pulls(NamedTuple):
    """The pulls of all subjects, sorted by subject, then time; those without an outcome count as pulls all the same."""

    begin: Any  # (subject + 1,) where each subject's pulls begin
    arm: Any  # (pull,)
    before: Any  # (pull,) the subject's last pull of the same arm before this one, FIRST if there is none
    gap: Vector  # (pull,) time since then
    elapsed: Vector  # (pull,) time since the subject's first round
    outcome: Vector  # (pull,) in units in which their spread is about 1; NaN if not observed
    certain: Vector  # (pull,) the log-likelihood of the outcome at its own level, what deviances start from
    columns: Vector  # (pull, column) what adds to the levels of all arms alike
    states: States


def pulls_of(log: LoggedRounds, outcome: Vector, certain: Vector) -> Pulls:
    """The pulls of a log; `outcome` and `certain` are (row,) as in `Pulls`."""
    rows = np.flatnonzero(log.arm >= 0)
    subject, arm, time = log.subject[rows], log.arm[rows].astype(np.int64), log.time[rows].astype(np.float64)
    subjects = len(log.subjects)
    # A stable sort by subject and arm leaves the pulls of each such pair in the order of time, one after the other.
    order = np.argsort(subject * len(log.arms) + arm, kind="stable")
    pair = (subject * len(log.arms) + arm)[order]
    again = np.flatnonzero(pair[1:] == pair[:-1])
    before = np.full(rows.size, FIRST, dtype=np.int64)
    before[order[again + 1]] = order[again]
    gap = np.where(before >= 0, time - time[before], 0.0) if rows.size else np.zeros(0)
    first_row = np.searchsorted(log.subject, np.arange(subjects))
    start = log.time[np.minimum(first_row, log.time.size - 1)] if log.time.size else np.zeros(subjects)
    none: Any = np.zeros((0, rows.size), dtype=np.int64)
    return Pulls(
        begin=np.searchsorted(subject, np.arange(subjects + 1)).astype(np.int64),
        arm=arm,
        before=before,
        gap=np.ascontiguousarray(gap, dtype=np.float64),
        elapsed=np.ascontiguousarray(time - start[subject], dtype=np.float64),
        outcome=np.ascontiguousarray(outcome[rows], dtype=np.float64),
        certain=np.ascontiguousarray(certain[rows], dtype=np.float64),
        columns=np.zeros((rows.size, 0)),
        states=States(none, np.zeros((0, rows.size)), none),
    )


def some_subjects(pulls: Pulls, most: int) -> Pulls:
    """The pulls of subjects at even distances in the log, about `most` of them; all if there are no more."""
    size = pulls.arm.size
    if size <= most:
        return pulls
    return of_subjects(pulls, np.arange(0, pulls.begin.size - 1, math.ceil(size / most)))


def of_subjects(pulls: Pulls, chosen: Any) -> Pulls:
    """The pulls of some subjects, by their places in rising order."""
    counts = np.diff(pulls.begin)[chosen]
    begin = np.concatenate([[0], np.cumsum(counts)])
    shift = np.repeat(pulls.begin[chosen] - begin[:-1], counts)
    rows = np.arange(begin[-1]) + shift

    def moved(before: Any) -> Any:
        return np.where(before[..., rows] >= 0, before[..., rows] - shift, FIRST)

    states = pulls.states
    return Pulls(
        begin=begin,
        arm=pulls.arm[rows],
        before=moved(pulls.before),
        gap=pulls.gap[rows],
        elapsed=pulls.elapsed[rows],
        outcome=pulls.outcome[rows],
        certain=pulls.certain[rows],
        columns=pulls.columns[rows],
        states=States(
            before=moved(states.before),
            gap=np.ascontiguousarray(states.gap[:, rows]),
            push=np.ascontiguousarray(states.push[:, rows]),
        ),
    )


def outcomes_change(pulls: Pulls, chosen: Any) -> bool:
    """Whether outcomes ever change from one to the next of a subject; `chosen` (pull,) says which pulls are meant."""
    rows = np.flatnonzero(chosen & ~np.isnan(pulls.outcome))
    subject, outcome = np.searchsorted(pulls.begin, rows, side="right"), pulls.outcome[rows]
    return bool((outcome[1:] != outcome[:-1])[subject[1:] == subject[:-1]].any())


def _suited(rewards: Vector) -> str:
    """The family that such rewards are usually of, before one that takes any; nothing if there is none."""
    if not ((rewards >= 0) & np.isfinite(rewards)).all():
        return ""
    if (rewards <= 1).all():
        return "bounded for shares from 0 to 1 or "
    return "poisson for counts or " if (np.floor(rewards) == rewards).all() else ""


def check_rewards(log: LoggedRounds, family: RewardFamily) -> None:
    """Refuse rewards that pulls of this family cannot bring."""
    rewards, seen = family.rewards, (log.arm >= 0) & ~np.isnan(log.reward)
    wrong = ~np.isfinite(log.reward) | (log.reward < rewards.lowest) | (log.reward > rewards.highest)
    if rewards.whole:
        wrong |= np.floor(log.reward) != log.reward
    bad = np.flatnonzero(seen & wrong)
    if bad.size:
        first = bad if log.origin is None else bad[np.argsort(log.origin.rows[bad])]
        raise InputError(
            f"reward {log.reward[first[0]]:g} in {log.where(bad)} is not {rewards.words}:"
            " mend it, leave it empty if it was not observed, or choose another family, such as"
            f" {_suited(log.reward[seen])}gaussian for any number"
        )
