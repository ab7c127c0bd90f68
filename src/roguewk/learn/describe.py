"""What a fitted model says of each arm, in the units of the log."""

import math

import numpy as np

from roguewk.learn.evidence import weigh_evidence
from roguewk.learn.fitted import FittedArm
from roguewk.learn.job import Job
from roguewk.learn.likelihood import LOG_HALF_LIFE, PUSH, RESTED, START
from roguewk.learn.model import SPREAD
from roguewk.learn.profile import CHI_SQUARE, Interval, Profile, others_interval, own_interval
from roguewk.learn.pulls import Pulls
from roguewk.learn.solve import Peak, climb, inverse_curvature
from roguewk.learn.verdict import Case, Verdict, judge

BEYOND_DOUBT = 60.0  # squared standard deviations of wear at which no likelihood ratio against none is worked out
EVERYWHERE = Interval(math.nan, -math.inf, math.inf)


def doubtless(job: Job, top: Peak, arm: int) -> bool:
    """Whether wear is so many standard deviations from none that their likelihood ratio need not be worked out."""
    push, free = job.model.place(arm, PUSH), job.region.free
    if not free[push]:
        return False
    variance = np.diag(inverse_curvature(top.slopes, free))[int(free[:push].sum())]
    return bool(top.parameters[push] ** 2 / variance > BEYOND_DOUBT)


def _ratio(job: Job, top: Peak, arm: int) -> float:
    """Twice the log-likelihood ratio of the peak against the best without wear of this arm."""
    push, half_life = job.model.place(arm, PUSH), job.model.place(arm, LOG_HALF_LIFE)
    if not job.region.free[push]:
        return 0.0
    start = top.parameters.copy()
    start[push] = 0.0
    held = job.region.without(push) if job.model.setting.starts else job.region.without(push, half_life)
    return 2 * (top.value - climb(job.model, start, held).value)


def _repeats_and_changes(pulls: Pulls, arm: int) -> tuple[int, bool]:
    """How many observed pulls follow another, and whether outcomes ever change from one to the next of a subject."""
    rows = np.flatnonzero((pulls.arm == arm) & ~np.isnan(pulls.outcome))
    subject = np.searchsorted(pulls.begin, rows, side="right")
    same, outcome = subject[1:] == subject[:-1], pulls.outcome[rows]
    changes = bool((outcome[1:] != outcome[:-1])[same].any())
    return int((pulls.before[rows] >= 0).sum()), changes


def _limited(interval: Interval, centre: float = 0.0) -> Interval:
    """An end beyond what the prior holds likely is the prior's, not the log's: it is infinite."""
    low = interval.low if interval.low > centre - SPREAD else -math.inf
    return Interval(interval.value, low, interval.high if interval.high < centre + SPREAD else math.inf)


def scaled_by(interval: Interval, factor: float) -> Interval:
    """The interval in another unit."""
    low, high = sorted((interval.low * factor, interval.high * factor))
    return Interval(interval.value * factor, low, high)


def _half_life(profile: Profile) -> Interval:
    log = own_interval(profile)
    return Interval(math.exp(log.value), math.exp(log.low), math.exp(log.high))


def _rested(job: Job, level: Interval) -> Interval:
    """A mean reward from a level."""
    low, high = job.family.means
    scale = job.scale

    def mean(value: float, otherwise: float) -> float:
        if math.isinf(value):
            return otherwise
        return float(job.family.means_of_levels(np.array([value]))[0]) * scale.unit + scale.middle

    return Interval(mean(level.value, math.nan), mean(level.low, low), mean(level.high, high))


def describe(job: Job, name: str, arm: int, profile: Profile, case: Case) -> FittedArm:
    """An arm with its verdict; what the verdict says cannot be told has no value and no bounds."""
    verdict, starts, unit = judge(case), job.model.setting.starts, job.scale.unit
    # Where no wear is seen, the interval of wear is that of the same test, so that it holds none.
    limit = max(case.evidence.threshold, CHI_SQUARE) if verdict.told and not verdict.seen else CHI_SQUARE
    level, push, start = (others_interval(profile, job.model.place(arm, j), limit) for j in (RESTED, PUSH, START))
    wear, start, half_life = _limited(push), _limited(start) if starts else start, case.half_life
    if not verdict.told:
        wear, start = EVERYWHERE, EVERYWHERE if starts else start
    if not verdict.seen:
        half_life = Interval(math.nan, 0.0, math.inf)
    if verdict is Verdict.EVENLY:
        level = level._replace(low=-math.inf, high=math.inf)
    return FittedArm(
        name=name,
        pulls=int((job.pulls.arm == arm).sum()),
        rested=_rested(job, _limited(level, job.model.centre)),
        wear=scaled_by(wear, -unit),
        half_life=half_life,
        start=scaled_by(start, unit),
        verdict=verdict,
    )


def cases_of(job: Job, top: Peak, profiles: list[Profile]) -> list[Case]:
    """What the verdict on each arm is made of."""
    precision = math.exp(-2 * top.parameters[-1])
    weights = np.array([job.family.variance(mean) * precision for mean in job.means])
    whole = job.pulls.arm.size / job.sample.setting.pulls.arm.size
    evidence = weigh_evidence(job.sample, top.parameters, job.ends, weights, whole)
    cases = []
    for a, profile in enumerate(profiles):
        repeats, changes = _repeats_and_changes(job.pulls, a)
        ratio = math.inf if doubtless(job, top, a) else _ratio(job, top, a)
        wear = -float(top.parameters[job.model.place(a, PUSH)])
        cases.append(Case(repeats, changes, evidence[a], ratio, wear, _half_life(profile)))
    return cases
