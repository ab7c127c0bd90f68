"""What a fitted model says of covariates, of a trend and of states beside the arms' own, in the units of the log."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from roguewk.learn.describe import (
    EVERYWHERE,
    best_without,
    half_life_of,
    likelihood_ratio,
    limited,
    scaled_by,
    weights_of,
)
from roguewk.learn.evidence import Evidence, weigh_state
from roguewk.learn.fitted import FittedEffect
from roguewk.learn.job import Job
from roguewk.learn.movement import Together
from roguewk.learn.profile import CHI_SQUARE, Interval, Profile, others_interval, own_interval
from roguewk.learn.pulls import outcomes_change
from roguewk.learn.solve import Peak
from roguewk.learn.terms import COMMON, SLOW, State
from roguewk.learn.verdict import FEWEST, Case, Verdict, judge

NONE_SEEN = Verdict.NONE_SEEN.sentence


def traced_places(job: Job) -> list[int]:
    """The places of the shared parameters along which profiles are asked for."""
    layout, free = job.layout, job.region.free
    places = [layout.first + c for c in range(len(layout.columns))]
    for state in layout.states:
        pushes = range(state.place + 1, state.place + 1 + state.pushes)
        places += [place for place in (pushes if state.lasts else [state.place]) if free[place]]
    return places


def _words(interval: Interval, lowers: str, raises: str) -> str:
    """What a coefficient does, if it is surely not nothing."""
    return lowers if interval.high < 0 else raises if interval.low > 0 else NONE_SEEN


def _name(state: State, push: int, arms: Sequence[str]) -> str:
    return f"{state.name} wear" if state.name == COMMON else f"{state.name} wear of {arms[push]}"


def _told(job: Job, s: int, push: int) -> tuple[int, bool]:
    """How many observed pulls feel a push, and whether outcomes of such pulls ever change within a subject."""
    mine = job.pulls.states.push[s] == push
    seen = ~np.isnan(job.pulls.outcome)
    return int((seen & mine & (job.pulls.states.before[s] >= 0)).sum()), outcomes_change(job.pulls, mine)


def _lasting(job: Job, s: int, profiles: Mapping[int, Profile], arms: Sequence[str]) -> list[FittedEffect]:
    state, found = job.layout.states[s], []
    for push in range(state.pushes):
        repeats, changes = _told(job, s, push)
        wear, words = EVERYWHERE, (Verdict.TOO_FEW if repeats < FEWEST else Verdict.ALIKE).sentence
        if repeats >= FEWEST and changes:
            wear = scaled_by(limited(own_interval(profiles[state.place + 1 + push])), -job.scale.unit)
            words = _words(wear, Verdict.GROWS.sentence, "wears off for good")
        found.append(FittedEffect(_name(state, push, arms), wear, job.family.unit, words, True))
    return found


def _verdict(job: Job, top: Peak, s: int, push: int, evidence: Evidence, half_life: Interval) -> Verdict:
    state, place = job.layout.states[s], job.layout.states[s].place + 1 + push
    repeats, changes = _told(job, s, push)
    without = best_without(job, top, Together(job.model), place, *((state.place,) if state.pushes == 1 else ()))
    ratio = likelihood_ratio(top, without)
    verdict = judge(Case(repeats, changes, evidence, ratio, -float(top.parameters[place]), half_life))
    return Verdict.ENTANGLED if verdict is Verdict.EVENLY else verdict


def _recovering(
    job: Job, top: Peak, s: int, profiles: Mapping[int, Profile], arms: Sequence[str], time: str
) -> list[FittedEffect]:
    state, region = job.layout.states[s], job.region
    ends = np.array([region.low[state.place], region.high[state.place]])
    evidence = weigh_state(job.sample, top.parameters, s, ends, *weights_of(job, top))
    profile = profiles.get(state.place)
    half_life = Interval(math.nan, 0.0, math.inf) if profile is None else half_life_of(profile)
    if state.name == SLOW:  # no shorter half-life was looked at
        half_life = half_life._replace(low=max(half_life.low, math.exp(ends[0])))
    found, seen = [], False
    for push in range(state.pushes):
        verdict, wear = Verdict.TOO_FEW, EVERYWHERE
        if profile is not None:
            verdict = _verdict(job, top, s, push, evidence[push], half_life)
            limit = CHI_SQUARE if verdict.seen else max(evidence[push].threshold, CHI_SQUARE)
            wear = scaled_by(limited(others_interval(profile, state.place + 1 + push, limit)), -job.scale.unit)
            # The interval is but about that of the test: wear is said to be seen where both say so.
            if verdict.seen and wear.low <= 0 <= wear.high:
                verdict = Verdict.NONE_SEEN
            elif not verdict.seen:
                wear = wear._replace(low=min(wear.low, 0.0), high=max(wear.high, 0.0))
        seen |= verdict.seen
        wear = wear if verdict.told else EVERYWHERE
        found.append(FittedEffect(_name(state, push, arms), wear, job.family.unit, verdict.sentence, True))
    half_life = half_life if seen else Interval(math.nan, 0.0, math.inf)
    return [*found, FittedEffect(f"{state.name} half-life", half_life, time, "", True)]


def effects_of(
    job: Job, top: Peak, profiles: Mapping[int, Profile], arms: Sequence[str], time: str
) -> tuple[FittedEffect, ...]:
    """What the profiles along shared parameters, by their places, say of each; `time` is the unit of the log's."""
    found = []
    for c, column in enumerate(job.layout.columns):
        effect = scaled_by(limited(own_interval(profiles[job.layout.first + c])), job.scale.unit / column.spread)
        words = _words(effect, "lowers rewards", "raises rewards")
        found.append(FittedEffect(column.name, effect, f"{job.family.unit} per {column.per}", words))
    for s, state in enumerate(job.layout.states):
        if state.lasts:
            found += _lasting(job, s, profiles, arms)
        else:
            found += _recovering(job, top, s, profiles, arms, time)
    return tuple(found)
