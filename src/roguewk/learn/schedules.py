"""Schedules of a trial: in which rounds a subject gets the arm."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roguewk.problem.errors import InputError, shown, text, whole

EVERY = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48)  # rounds from pull to pull
BURSTS, RESTS = (2, 3, 4, 6, 8), (4, 8, 16, 32)  # pulls in a row, and rounds of rest after them
PAIRS = ((4, 8), (8, 16), (16, 32))  # longest gap within a pair, and rounds of rest after it
ONE_OF = (2, 3, 5, 10)  # rounds, at random
VARIANTS = 8  # of a random schedule: enough for their average, and subjects take turns


@dataclass(frozen=True)
class Schedule:
    """When subjects get the arm, in words and in rounds, which begin with 1.

    There are several lists of rounds where the schedule is random: subjects take turns in them.

    >>> from roguewk.learn.schedules import Schedule
    >>> Schedule("every 4 rounds", ((1, 5, 9),)).pulls
    3.0
    """

    words: str
    variants: tuple[tuple[int, ...], ...]

    @property
    def pulls(self) -> float:
        """How many a subject gets, on average."""
        return float(np.mean([len(rounds) for rounds in self.variants]))


def _repeated(gaps: Sequence[int], rounds: int) -> tuple[int, ...]:
    """Pulls from round 1 on, with these gaps over and over."""
    lasting = int(np.sum(gaps))
    times = np.concatenate([[0], np.cumsum(np.tile(gaps, rounds // lasting + 1))]) + 1
    return tuple(times[times <= rounds].tolist())


def _pairs(longest: int, rest: int, rounds: int, luck: np.random.Generator) -> tuple[int, ...]:
    """Two pulls and a rest, over and over; how far apart the two are is as even in its logarithm as can be."""
    within = np.exp(luck.uniform(0.0, np.log(longest + 1.0), rounds)).astype(int)
    return _repeated(np.column_stack([within, np.full(rounds, rest + 1)]).ravel().tolist(), rounds)


def _candidates(rounds: int, seed: int) -> Iterator[Schedule]:
    luck = np.random.default_rng(seed)
    for gap in EVERY:
        yield Schedule("every round" if gap == 1 else f"every {gap} rounds", (_repeated([gap], rounds),))
    for pulls in BURSTS:
        for rest in RESTS:
            words = f"in bursts of {pulls} with {rest} rounds of rest"
            yield Schedule(words, (_repeated([*([1] * (pulls - 1)), rest + 1], rounds),))
    for longest, rest in PAIRS:
        words = f"in pairs 1 to {longest} rounds apart with {rest} of rest"
        yield Schedule(words, tuple(_pairs(longest, rest, rounds, luck) for _ in range(VARIANTS)))
    for count in ONE_OF:
        drawn = [tuple((np.flatnonzero(luck.random(rounds) < 1 / count) + 1).tolist()) for _ in range(VARIANTS)]
        yield Schedule(f"at random in 1 of {count} rounds", tuple(drawn))


def _cut(schedule: Schedule, pulls: int | None) -> Schedule:
    return Schedule(schedule.words, tuple(rounds[:pulls] for rounds in schedule.variants))


def usual_schedules(rounds: int, pulls: int | None, seed: int) -> list[Schedule]:
    """Even spacings, bursts, pairs and random pulls within so many rounds, with no more pulls than `pulls` each.

    >>> from roguewk.learn.schedules import usual_schedules
    >>> [schedule.words for schedule in usual_schedules(6, None, 0)][:3]
    ['every round', 'every 2 rounds', 'every 3 rounds']
    """
    found: dict[Any, Schedule] = {}
    for schedule in _candidates(rounds, seed):
        cut = _cut(schedule, pulls)
        if any(len(variant) > 1 for variant in cut.variants):
            found.setdefault(cut.variants, cut)  # of schedules that are the same within these rounds, the first
    return list(found.values())


def given_schedules(given: Any, rounds: int) -> list[Schedule]:
    """Schedules of the user's own: lists of rounds by what they are called."""
    if not isinstance(given, Mapping) or not given:
        raise InputError(
            f"schedules are {shown(given)}: give lists of rounds by name, such as {{'weekly': [1, 8, 15]}}"
        )
    return [
        Schedule(text(words, "the name of a schedule"), (_rounds(each, words, rounds),))
        for words, each in given.items()
    ]


def _rounds(given: Any, words: str, rounds: int) -> tuple[int, ...]:
    what = f"schedule {words!r}"
    if not isinstance(given, list | tuple | range | np.ndarray) or np.ndim(np.asarray(given, dtype=object)) != 1:
        raise InputError(f"{what} is {shown(given)}: give a list of rounds, which begin with 1")
    found = tuple(whole(each, f"a round of {what}", 1, rounds) for each in given)
    if not found or any(later <= earlier for earlier, later in itertools.pairwise(found)):
        raise InputError(f"{what} is {shown(given)}: give rounds in rising order, each once")
    return found
