"""What can be said of an arm in a sentence, and when."""

import math
from enum import Enum
from typing import NamedTuple

from roguewk.learn.evidence import Evidence
from roguewk.learn.profile import Interval

FEWEST = 10  # observed pulls that follow another of the same arm and subject
LEAST = 4.0  # information: with less, wear that lowers the usual level by 1 could go unseen (two standard deviations)
EVEN = 0.02  # share of the wear below which it is the spacing that says so little, not the number of pulls
RESTS_ON_START = 0.05  # share of the information


class Verdict(Enum):
    """What the log says about an arm, in a sentence.

    `told` is whether it says anything about wear, `seen` whether there is some.

    >>> from roguewk.learn.verdict import Verdict
    >>> Verdict.NONE_SEEN.sentence, Verdict.NONE_SEEN.told, Verdict.NONE_SEEN.seen
    ('none seen', True, False)
    """

    RECOVERS = "wears off and recovers", True, True
    IF_RESTED = "wears off and recovers, if subjects start rested: pulls are evenly spaced", True, True
    IF_RESTED_SOMEHOW = (
        "wears off, if subjects start rested; recovery cannot be told: pulls are evenly spaced",
        True,
        True,
    )
    SLOWLY = "wears off; recovery too slow to tell from a lasting decline in this log", True, True
    QUICKLY = "wears off; recovers faster than pulls follow each other in this log", True, True
    SOMEHOW = "wears off; how fast it recovers cannot be told from this log", True, True
    TREND = "changes; a steady trend in time explains it as well as wear does", True, True
    GROWS = "works better when repeated", True, True
    NONE_SEEN = "none seen", True, False
    NONE_IF_RESTED = "none seen, but only if subjects start rested: pulls are evenly spaced", True, False
    ENTANGLED = "cannot be told from the arms' own wear", False, False
    EVENLY = "cannot be told from rested effect: pulls are evenly spaced", False, False
    ALIKE = "cannot be told: outcomes never change within a subject", False, False
    TOO_FEW = "too few pulls", False, False

    def __init__(self, sentence: str, told: bool, seen: bool) -> None:
        self.sentence = sentence
        self.told = told
        self.seen = seen

    def __str__(self) -> str:
        return self.sentence


class Case(NamedTuple):
    """What a verdict on an arm is made of."""

    repeats: int  # observed pulls that follow another of the same arm and subject
    changes: bool  # whether outcomes ever change within a subject
    evidence: Evidence
    ratio: float  # twice the log-likelihood ratio against no wear
    wear: float
    half_life: Interval
    trend: bool = False  # whether a trend in time, instead of wear, does as well
    unworn: float = math.nan  # rested level, if there is no wear


def judge(case: Case) -> Verdict:
    """The verdict on an arm."""
    if case.repeats < FEWEST:
        return Verdict.TOO_FEW
    if not case.changes:
        return Verdict.ALIKE
    if case.evidence.information < LEAST:
        return Verdict.EVENLY if case.evidence.share < EVEN else Verdict.TOO_FEW
    if case.ratio < case.evidence.threshold:
        return Verdict.NONE_IF_RESTED if case.evidence.start_share < RESTS_ON_START else Verdict.NONE_SEEN
    if case.trend:
        return Verdict.TREND
    if case.wear < 0:
        return Verdict.GROWS
    return _recovery(case)


def _recovery(case: Case) -> Verdict:
    quick, slow = case.half_life.low <= 0, math.isinf(case.half_life.high)
    if case.evidence.start_share < RESTS_ON_START:
        return Verdict.IF_RESTED_SOMEHOW if quick or slow else Verdict.IF_RESTED
    if quick or slow:
        return Verdict.SOMEHOW if quick and slow else Verdict.SLOWLY if slow else Verdict.QUICKLY
    return Verdict.RECOVERS
