"""The models that a log may be explained by, the simplest first, and how each is fitted to some of its subjects."""

import dataclasses
from typing import Any, NamedTuple

from roguewk.kernel.arrays import Vector
from roguewk.learn.job import Job
from roguewk.learn.model import Model, build_model
from roguewk.learn.peak import find_peak
from roguewk.learn.pulls import of_subjects
from roguewk.learn.setting import LOG_HALF_LIFE, PUSH, START
from roguewk.learn.solve import climb
from roguewk.learn.terms import SLOW, Terms

ONE_STATE = "one state"  # what `rw.fit` has unless more is asked for


class Candidate(NamedTuple):
    """A model of the comparison."""

    name: str
    terms: Terms
    wears: bool = True  # whether arms wear off by their own use


CANDIDATES = (
    Candidate("no habituation", Terms(), wears=False),
    Candidate("linear trend", Terms(trend=True), wears=False),
    Candidate(ONE_STATE, Terms()),
    Candidate("one state with trend", Terms(trend=True)),
    Candidate("common fatigue", Terms(common=True)),
    Candidate("two states", Terms(second=SLOW)),
)


def candidates(arms: int) -> tuple[Candidate, ...]:
    """Those that arms so many can be told to follow: with one arm, common fatigue is its own."""
    return tuple(candidate for candidate in CANDIDATES if arms > 1 or not candidate.terms.common)


def without_wear(job: Job) -> Job:
    """The job in which no arm wears off by its own use."""
    held = [job.model.place(a, which) for a in range(job.model.arms) for which in (PUSH, LOG_HALF_LIFE, START)]
    return dataclasses.replace(job, region=job.region.without(*held))


def _of(model: Model, subjects: Any) -> Model:
    pulls = of_subjects(model.setting.pulls, subjects)
    return build_model(model.setting._replace(pulls=pulls), model.arms, model.centre)


def left_out(job: Job, folds: list[Any]) -> list[Vector]:
    """Of each fold, (subject of it,) the log-likelihood when the model is fitted to the other folds."""
    # The peak of all subjects is where climbs start from, no more: it spares the others a search.
    job, top = find_peak(job)
    found = []
    for f, fold in enumerate(folds):
        others = sorted(s for g, other in enumerate(folds) if g != f for s in other)
        peak = climb(_of(job.model, others), top.parameters, job.region)
        found.append(_of(job.model, fold).by_subject(peak.parameters).copy())
    return found
