"""Logs of which the truth is known: what was sent by chance, by what was seen, at even distances, and without wear."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.rounds import LoggedRounds

ARMS, LEVELS, WEAR, HALF_LIFE = 3, (-0.5, 1.0), (0.5, 1.2), (2.0, 12.0)  # from, to; levels and wear in log-odds
APART = 0.7  # standard deviation of subjects' own levels
SENT = 0.6  # of the rounds, where it is left to chance
SPACING = 4  # rounds between the pulls of an arm, where they are even

Luck = np.random.Generator


class Truth(NamedTuple):
    """(arm,) each."""

    level: Vector  # of the average subject when rested
    wear: Vector  # by a use
    half_life: Vector


class Seen(NamedTuple):
    """What a sender knows of the subjects so far, (subject, arm) each."""

    pulls: Vector
    earned: Vector


Sender = Callable[[int, Seen, Luck], Any]  # round, seen: (subject,) the arm that is sent, -1 for none


def _by_chance(t: int, seen: Seen, luck: Luck) -> Any:
    subjects = seen.pulls.shape[0]
    return np.where(luck.random(subjects) < SENT, luck.integers(0, ARMS, subjects), -1)


def _adaptive(t: int, seen: Seen, luck: Luck) -> Any:
    """Mostly what worked best for the subject so far, and the more often the better it works."""
    average = (seen.earned + 1.0) / (seen.pulls + 2.0)
    best = np.argmax(average + 1e-6 * luck.random(average.shape), axis=1)
    wanted = np.where(luck.random(best.size) < 0.3, luck.integers(0, ARMS, best.size), best)
    return np.where(luck.random(best.size) < average.max(axis=1), wanted, -1)


def _evenly(t: int, seen: Seen, luck: Luck) -> Any:
    return np.full(seen.pulls.shape[0], t % SPACING if t % SPACING < ARMS else -1)


class Kind(NamedTuple):
    """How logs are made."""

    sender: Sender
    wears: bool = True


KINDS = {
    "sent by chance": Kind(_by_chance),
    "sent by what was seen": Kind(_adaptive),
    "sent at even distances": Kind(_evenly),
    "no wear": Kind(_by_chance, wears=False),
}


class MadeLog(NamedTuple):
    """A log with what it was made with."""

    log: LoggedRounds
    truth: Truth


def made_log(kind: str, number: int, subjects: int = 200, rounds: int = 60) -> MadeLog:
    """The log of this kind and number: 0 or 1 is earned; each arm, and each subject, has a level of its own.

    >>> made = made_log("sent by chance", 0, subjects=20, rounds=10)
    >>> made.log.arm.size, made.truth.half_life.round(1).tolist()
    (200, [5.9, 7.4, 5.3])
    """
    luck = np.random.default_rng([list(KINDS).index(kind), number])
    sender, wears = KINDS[kind]
    truth = Truth(
        level=luck.uniform(*LEVELS, ARMS),
        wear=luck.uniform(*WEAR, ARMS) if wears else np.zeros(ARMS),
        half_life=np.exp(luck.uniform(math.log(HALF_LIFE[0]), math.log(HALF_LIFE[1]), ARMS)),
    )
    own, everyone = APART * luck.standard_normal(subjects), np.arange(subjects)
    worn, seen = np.zeros((subjects, ARMS)), Seen(*np.zeros((2, subjects, ARMS)))
    arm, reward = np.empty((subjects, rounds), np.int64), np.full((subjects, rounds), np.nan)
    for t in range(rounds):
        sent = sender(t, seen, luck)
        pulled, at = sent >= 0, np.maximum(sent, 0)
        level = own + truth.level[at] - truth.wear[at] * worn[everyone, at]
        earned = (luck.random(subjects) < 1.0 / (1.0 + np.exp(-level))) * 1.0
        arm[:, t], reward[:, t] = sent, np.where(pulled, earned, np.nan)
        seen.pulls[everyone, at] += pulled
        seen.earned[everyone, at] += pulled * earned
        worn *= 0.5 ** (1.0 / truth.half_life)
        worn[everyone, at] += pulled
    return MadeLog(_log(arm, reward), truth)


def _log(arm: Any, reward: Any) -> LoggedRounds:
    """A log of these columns, (subject, round)."""
    subjects, rounds = arm.shape
    return LoggedRounds(
        subjects=tuple(f"subject {s}" for s in range(subjects)),
        arms=tuple(f"arm {a}" for a in range(ARMS)),
        resources=(),
        regular=True,
        unit="rounds",
        subject=np.repeat(np.arange(subjects), rounds),
        time=np.tile(np.arange(float(rounds)), subjects),
        arm=arm.ravel(),
        reward=reward.ravel(),
        costs=np.zeros((arm.size, 0)),
        propensity=np.full(arm.size, np.nan),
        available=np.ones(arm.size, dtype=bool),
        covariates={},
        found=(),
    )
