"""What is striking in a log, in sentences: a reader should know it before believing what is learned from it."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roguewk.learn.rounds import LoggedRounds
from roguewk.problem.errors import shown

MOST_LISTED = 5
RARE = 10  # pulls: of an arm with fewer, next to nothing can be learned
LEAST_ZEROS = 10  # that can be suspicious
LEAST_SHARE = 0.01  # of zeros among the rewards
SPIKE = 5  # times as many zeros as of any other reward
TYPICAL = 3  # counts and scores of which half are this large are seldom 0
LONG_RUN = 10  # of zeros at the end
SURPRISE = 0.001  # chance of a run of zeros that is taken as luck no more
REMEDY = "if 0 stands for what was not observed, leave the field empty"
MANY_SUBJECTS = (3, 0.05)  # that end with zeros: a number and a share


def joined(names: Iterable[str]) -> str:
    """The names as a list in a sentence.

    >>> joined("ab"), joined("abcdefg")
    ('a and b', 'a, b, c, d, e and 2 more')
    """
    listed = list(names)
    more = len(listed) - MOST_LISTED
    *first, last = [*listed[:MOST_LISTED], f"{more:,} more"] if more > 0 else listed
    return f"{', '.join(first)} and {last}" if first else last


def findings(log: LoggedRounds) -> list[str]:
    """Everything that is worth saying of a log."""
    said = [_size(log), _span(log), _gaps(log), _missing(log), _costs(log), *zeros(log), _arms(log), *_odd(log)]
    return [sentence for sentence in said if sentence]


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'s' * (number != 1)}"


def _number(value: np.floating[Any], unit: str) -> str:
    told = f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    one = unit.replace("units", "unit").removesuffix("s")
    return f"{told} {one if told == '1' else unit}"


def _share(part: int, whole: int, things: str) -> str:
    return f"{part:,} of {whole:,} {things} ({100 * part / whole:.1f} %)"


def _size(log: LoggedRounds) -> str:
    rows = np.bincount(log.subject)
    each = f"{rows.min():,}" if rows.min() == rows.max() else f"from {rows.min():,} to {rows.max():,}"
    people = f" of {_count(rows.size, 'subject')}" + (f", {each} rows each" if rows.size > 1 else "")
    given = int((log.arm >= 0).sum())
    arms = f"{given:,} with one of {_count(len(log.arms), 'arm')}, {log.arm.size - given:,} idle"
    return f"{_count(log.arm.size, 'row')}{people}: {arms}."


def _span(log: LoggedRounds) -> str:
    gaps = np.diff(log.time)[np.diff(log.subject) == 0]
    if log.regular:
        told = f"Rounds go from {log.time.min():,.0f} to {log.time.max():,.0f}"
    else:
        starts = np.searchsorted(log.subject, np.arange(len(log.subjects)))
        ends = np.append(starts[1:], log.subject.size) - 1
        told = f"Subjects are seen for up to {_number((log.time[ends] - log.time[starts]).max(), log.unit)}"
    if not gaps.size:
        return f"{told}."
    longest = "" if log.regular else f", the longest {_number(gaps.max(), log.unit)}"
    return f"{told}, and the median gap between rows of a subject is {_number(np.median(gaps), log.unit)}{longest}."


def _gaps(log: LoggedRounds) -> str:
    if not log.regular:
        return ""
    left_out = np.where(np.diff(log.subject) == 0, np.diff(log.time) - 1, 0)
    with_gaps = np.unique(log.subject[1:][left_out > 0]).size
    if not with_gaps:
        return ""
    rounds = _count(int(left_out.sum()), "round")
    return f"Between rows of {_count(with_gaps, 'subject')}, {rounds} are missing: they are taken as idle."


def _missing(log: LoggedRounds) -> str:
    given = log.arm >= 0
    unknown = int((np.isnan(log.reward) & given).sum())
    return f"The outcome is missing in {_share(unknown, int(given.sum()), 'rows with an arm')}." if unknown else ""


def _costs(log: LoggedRounds) -> str:
    given = log.arm >= 0
    unknown = zip(log.resources, np.isnan(log.costs[given]).sum(axis=0), strict=True)
    told = [f"of {shown(name)} in {_share(int(n), int(given.sum()), 'rows with an arm')}" for name, n in unknown if n]
    return f"Costs are missing: {joined(told)}." if told else ""


def zeros(log: LoggedRounds) -> list[str]:
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
        share = _share(int((rewards == 0).sum()), rewards.size, "outcomes")
        said.append(f"Zeros stand out, {share}: {REMEDY}.")
    ending = _ending_with_zeros(rewards, subject, len(log.subjects))
    if ending >= max(MANY_SUBJECTS[0], MANY_SUBJECTS[1] * len(log.subjects)):
        share = _share(ending, len(log.subjects), "subjects")
        said.append(f"Outcomes are 0 alone from some row to the end, of {share}: {REMEDY}.")
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


def _arms(log: LoggedRounds) -> str:
    pulls = np.bincount(log.arm[log.arm >= 0], minlength=len(log.arms))
    never = [shown(name) for name, n in zip(log.arms, pulls, strict=True) if n == 0]
    rarely = [f"{shown(name)} ({n})" for name, n in zip(log.arms, pulls, strict=True) if 0 < n < RARE]
    told = []
    if never:
        told.append(f"never given: {joined(never)}")
    if rarely:
        told.append(f"given fewer than {RARE} times: {joined(rarely)}")
    return f"Arms {'; '.join(told)}." if told else ""


def _odd(log: LoggedRounds) -> list[str]:
    rows = np.bincount(log.subject)
    single = int((rows == 1).sum())
    idle = log.reward[(log.arm < 0) & ~np.isnan(log.reward)]
    unable = int((~log.available & (log.arm >= 0)).sum())
    said = []
    if single and rows.size > 1:
        said.append(f"A single row is all there is of {_share(single, rows.size, 'subjects')}.")
    if idle.size:
        said.append(f"There are rewards in {_count(idle.size, 'idle row')}{', all of them 0' * (not idle.any())}.")
    if unable:
        said.append(f"There is an arm though nothing was available in {_count(unable, 'row')}: check both columns.")
    return said
