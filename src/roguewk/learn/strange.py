"""What is strange in a log, in sentences: it may spoil what is learned from it."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roguewk.learn.findings import count, joined, share
from roguewk.learn.rounds import LoggedRounds
from roguewk.learn.usable import are_alike
from roguewk.problem.errors import shown

RARE = 10  # pulls: of an arm with fewer, next to nothing can be learned
MANY_ALIKE = 20  # outcomes of an arm: if so many are all alike, that is said
LEAST_ZEROS = 10  # that can be suspicious
LEAST_SHARE = 0.01  # of zeros among the rewards
SPIKE = 5  # times as many zeros as of any other reward
TYPICAL = 3  # counts and scores of which half are this large are seldom 0
LONG_RUN = 10  # of zeros at the end
SURPRISE = 0.001  # chance of a run of zeros that is taken as luck no more
REMEDY = "if 0 stands for what was not observed, leave the field empty"
MANY_SUBJECTS = (3, 0.05)  # that end with zeros: a number and a share
# Not "control", which is often an arm like others, nor 0, which is often the first arm's number.
IDLE = re.compile(
    "-+|n/?a|nan|nil|no|none|not (sent|given|treated)|nothing|null|empty|blank|idle|rest|skip|skipped|"
    "no (action|arm|call|contact|email|intervention|message|notification|prompt|pull|push|send|sms|text|treatment)"
)
BETWEEN = re.compile(r"(?<=\w)[ _-]+(?=[^\W_])")  # words


def strange(log: LoggedRounds) -> list[str]:
    """What a reader should look into before believing what is learned from a log."""
    said = [*_zeros(log), _idle_names(log), _arms(log), _never_differ(log), _unable(log)]
    return [sentence for sentence in said if sentence]


def _zeros(log: LoggedRounds) -> list[str]:
    """Whether rewards look as if 0 had been written where none was observed.

    Zeros are a spike if there are at least 10 of them, 1 % of the rewards of arms, which are not just 0 and 1, and
    - five times as many as of any other reward, where not all are whole numbers (measured ones are hardly ever alike);
    - where all are, twice as many as of the smallest other one, though half of the others are 3 or more.
    Zeros up to the end are suspicious if they are those of at least 3 subjects and 5 % of them: for each at least 10 in
    a row after a reward other than 0, a run whose chance is below 0.001 by the share of zeros before it, the subject's
    own or everybody's.
    """
    seen = (log.arm >= 0) & ~np.isnan(log.reward)
    rewards, subject = log.reward[seen], log.subject[seen]
    said = []
    if _is_spike(rewards):
        told = share(int((rewards == 0).sum()), rewards.size, "outcomes")
        said.append(f"Zeros stand out, {told}: {REMEDY}.")
    ending = _ending_with_zeros(rewards, subject, len(log.subjects))
    if ending >= max(MANY_SUBJECTS[0], MANY_SUBJECTS[1] * len(log.subjects)):
        told = share(ending, len(log.subjects), "subjects")
        said.append(f"Outcomes are 0 alone from some row to the end, of {told}: {REMEDY}.")
    return said


def _is_spike(rewards: NDArray[Any]) -> bool:
    none, others = int((rewards == 0).sum()), rewards[rewards != 0]
    if none < max(LEAST_ZEROS, LEAST_SHARE * rewards.size) or not others.size or (others == 1).all():
        return False
    values, counts = np.unique(np.abs(others), return_counts=True)
    if (values == np.floor(values)).all():
        return bool(np.median(np.abs(others)) >= TYPICAL and none >= 2 * counts[0])
    return bool(none >= SPIKE * counts.max())


def _ending_with_zeros(rewards: NDArray[Any], subject: NDArray[np.int64], subjects: int) -> int:
    """How many subjects have a run of zeros at the end that is no luck."""
    rows = np.bincount(subject, minlength=subjects)
    starts = np.cumsum(rows) - rows
    other = np.flatnonzero(rewards != 0)
    earned = np.bincount(subject[other], minlength=subjects)
    last = starts - 1  # the row of the last reward other than 0; of several rows of a subject the last one stays
    last[subject[other]] = other
    before = last + 1 - starts
    run = rows - before
    own = (before - earned + 1) / (before + 2)
    usual = 1 - other.size / max(int(before.sum()), 1)  # a subject's few rewards alone may mislead
    chance = np.maximum(own, usual) ** run
    return int(((earned > 0) & (run >= LONG_RUN) & (chance < SURPRISE)).sum())


def _pulls(log: LoggedRounds) -> NDArray[np.int64]:
    """(arm,) how often each was given."""
    return np.bincount(log.arm[log.arm >= 0], minlength=len(log.arms))


def _idle_names(log: LoggedRounds) -> str:
    """Arms whose names are words for nothing."""
    given = zip(log.arms, _pulls(log), strict=True)
    names = [shown(name) for name, n in given if n and IDLE.fullmatch(BETWEEN.sub(" ", name.lower()))]
    if not names:
        return ""
    if len(names) == 1:
        return f"The arm {names[0]} looks like idle rows: leave its cells empty if it is."
    return f"The arms {joined(names)} look like idle rows: leave their cells empty if they are."


def _arms(log: LoggedRounds) -> str:
    pulls = _pulls(log)
    never = [shown(name) for name, n in zip(log.arms, pulls, strict=True) if n == 0]
    rarely = [f"{shown(name)} ({n})" for name, n in zip(log.arms, pulls, strict=True) if 0 < n < RARE]
    told = []
    if never:
        told.append(f"never given: {joined(never)}")
    if rarely:
        told.append(f"given fewer than {RARE} times: {joined(rarely)}")
    return f"Arms {'; '.join(told)}." if told else ""


def _never_differ(log: LoggedRounds) -> str:
    """Arms with many outcomes that are all the same."""
    told = []
    for a, name in enumerate(log.arms):
        seen = log.reward[(log.arm == a) & ~np.isnan(log.reward)]
        if seen.size >= MANY_ALIKE and are_alike(seen):
            told.append(f"{shown(name)} (all {seen.size:,} are {seen[0]:g})")
    return f"Outcomes of an arm never differ, so check them: {joined(told)}." if told else ""


def _unable(log: LoggedRounds) -> str:
    rows = int((~log.available & (log.arm >= 0)).sum())
    return f"There is an arm though nothing was available in {count(rows, 'row')}: check both columns." * (rows > 0)
