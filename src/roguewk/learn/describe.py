"""What a fitted model says of each arm, in the units of the log."""

import math

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.curvature import covariances
from roguewk.learn.evidence import weigh_evidence
from roguewk.learn.fitted import FittedArm
from roguewk.learn.job import Job
from roguewk.learn.model import SPREAD, build_model
from roguewk.learn.movement import MANY, Followers, Movement, Together, climb_by, followers
from roguewk.learn.posterior import arm_posterior
from roguewk.learn.profile import CHI_SQUARE, Interval, Profile, others_interval, own_interval, small_sample_limit
from roguewk.learn.pulls import outcomes_change
from roguewk.learn.setting import LOG_HALF_LIFE, PUSH, RESTED, START
from roguewk.learn.solve import Peak, Region
from roguewk.learn.terms import TREND
from roguewk.learn.verdict import Case, Verdict, judge

DOUBTFUL = 20.0  # likelihood ratio of wear beside a trend below which a trend in its place is worked out
BEYOND_DOUBT = 60.0  # squared standard deviations of wear at which no likelihood ratio against none is worked out
EVERYWHERE = Interval(math.nan, -math.inf, math.inf)


def doubtless(job: Job, top: Peak) -> list[bool]:
    """Of each arm, whether wear is so far from none, in standard deviations, that no likelihood ratio is needed."""
    pushes, free = [job.model.place(a, PUSH) for a in range(job.model.arms)], job.region.free
    variances = np.diag(covariances(top.slopes, free, pushes))
    return [bool(top.parameters[push] ** 2 / v > BEYOND_DOUBT) for push, v in zip(pushes, variances, strict=True)]


def _unworn(job: Job, top: Peak, arm: int, away: Followers | None) -> Peak:
    """The best without wear of this arm."""
    push, half_life = job.model.place(arm, PUSH), job.model.place(arm, LOG_HALF_LIFE)
    movement = Together(job.model) if away is None else away.arm(arm)
    return best_without(job, top, movement, push, *(() if job.model.setting.starts else (half_life,)))


def best_without(job: Job, top: Peak, movement: Movement, push: int, *held: int) -> Peak:
    """The peak without this push, some others held too."""
    if not job.region.free[push]:
        return top
    start = top.parameters.copy()
    start[push] = 0.0
    return climb_by(movement, start, job.region.without(push, *held))


def likelihood_ratio(top: Peak, other: Peak) -> float:
    """Twice that of the log-likelihoods."""
    return 2 * (top.value - other.value)


def _trend_does(job: Job, top: Peak, arm: int, away: Followers | None) -> bool:
    """Whether a trend in time of this arm, in place of its wear, is not refuted: wear has but one number more."""
    model, elapsed = job.model, job.pulls.elapsed * (job.pulls.arm == arm)
    setting, place = model.setting, model.spreads[0]
    columns = np.column_stack([setting.pulls.columns, elapsed / max(float(elapsed.max(initial=0.0)), 1e-300)])
    pulls = setting.pulls._replace(columns=np.ascontiguousarray(columns))
    varies = setting.varies + (setting.varies >= 0)
    longer = setting._replace(pulls=pulls, size=setting.size + 1, varies=varies)
    other = build_model(longer, model.arms, model.centre)
    free, low, high = (
        np.insert(side, place, end) for side, end in zip(job.region, (True, -np.inf, np.inf), strict=True)
    )
    start = np.insert(top.parameters, place, 0.0)
    start[model.place(arm, PUSH)] = 0.0
    held = [model.place(arm, PUSH)] if setting.starts else [model.place(arm, PUSH), model.place(arm, LOG_HALF_LIFE)]
    movement = Together(other) if away is None else away.arm(arm, other)
    return 2 * (top.value - climb_by(movement, start, Region(free, low, high).without(*held)).value) < CHI_SQUARE


def limited(interval: Interval, centre: float = 0.0) -> Interval:
    """An end beyond what the prior holds likely is the prior's, not the log's: it is infinite."""
    low = interval.low if interval.low > centre - SPREAD else -math.inf
    return Interval(interval.value, low, interval.high if interval.high < centre + SPREAD else math.inf)


def scaled_by(interval: Interval, factor: float) -> Interval:
    """The interval in another unit."""
    low, high = sorted((interval.low * factor, interval.high * factor))
    return Interval(interval.value * factor + 0.0, low, high)  # never -0


def half_life_of(profile: Profile) -> Interval:
    """The interval of a half-life from the profile along its log."""
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


def _around(value: float, interval: Interval) -> Interval:
    """The interval of another estimate, which it holds."""
    return Interval(value, min(interval.low, value), max(interval.high, value))


def describe(job: Job, name: str, arm: int, profile: Profile, case: Case) -> FittedArm:
    """An arm with its verdict; what the verdict says cannot be told has no value and no bounds."""
    verdict, starts, unit = judge(case), job.model.setting.starts, job.scale.unit
    # Where no wear is seen, the interval of wear is that of the same test, so that it holds none.
    usual = small_sample_limit(job.model.observed, job.spare) if job.scale.noisy and job.noise_told else CHI_SQUARE
    limit = max(case.evidence.threshold, usual) if verdict.told and not verdict.seen else usual
    level, push, start = (others_interval(profile, job.model.place(arm, j), limit) for j in (RESTED, PUSH, START))
    wear, start, half_life = limited(push), limited(start) if starts else start, case.half_life
    if not verdict.told:
        wear, start = EVERYWHERE, EVERYWHERE if starts else start
    elif not verdict.seen:
        # Beside a half-life that nothing tells of, the likeliest wear may be any number: the estimate is that of none.
        level, wear = _around(case.unworn, level), _around(0.0, wear)
    if not verdict.seen:
        half_life = Interval(math.nan, 0.0, math.inf)
    if verdict is Verdict.EVENLY or not job.noise_told:
        level = level._replace(low=-math.inf, high=math.inf)
    return FittedArm(
        name=name,
        pulls=int((job.pulls.arm == arm).sum()),
        rested=_rested(job, limited(level, job.model.centre)),
        wear=scaled_by(wear, -unit),
        half_life=half_life,
        start=scaled_by(start, unit),
        verdict=verdict,
        posterior=arm_posterior(profile, job.ends[arm], unit, job.scale.middle) if verdict.told else None,
    )


def weights_of(job: Job, top: Peak) -> tuple[Vector, float]:
    """(arm,) the information that an outcome has about its level; how many times larger the log is than the sample."""
    precision = math.exp(-2 * top.parameters[-1])
    weights = np.array([job.family.variance(mean) * precision for mean in job.means])
    return weights, job.pulls.arm.size / job.sample.setting.pulls.arm.size


def cases_of(job: Job, top: Peak, profiles: list[Profile]) -> list[Case]:
    """What the verdict on each arm is made of."""
    weights, whole = weights_of(job, top)
    evidence = weigh_evidence(job.sample, top.parameters, job.ends, weights, whole)
    further = bool(job.layout.states) or any(column.name == TREND for column in job.layout.columns)
    away = followers(job.model, top, job.region) if job.model.arms >= MANY else None
    cases, sure = [], doubtless(job, top)
    for a, profile in enumerate(profiles):
        mine = job.pulls.arm == a
        repeats = int((mine & (job.pulls.before >= 0) & ~np.isnan(job.pulls.outcome)).sum())
        changes = outcomes_change(job.pulls, mine)
        unworn = None if sure[a] else _unworn(job, top, a, away)
        ratio = math.inf if unworn is None else likelihood_ratio(top, unworn)
        level = math.nan if unworn is None else float(unworn.parameters[job.model.place(a, RESTED)])
        wear = -float(top.parameters[job.model.place(a, PUSH)])
        half_life = half_life_of(profile)
        doubtful = math.isinf(half_life.high) or evidence[a].beside_trend < DOUBTFUL
        trend = doubtful and ratio >= evidence[a].threshold and not further and _trend_does(job, top, a, away)
        cases.append(Case(repeats, changes, evidence[a], ratio, wear, half_life, trend, level))
    return cases
