"""Learn from a log how arms wear off and recover: maximum likelihood with intervals and verdicts."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.baseline import fit_baseline
from roguewk.learn.curvature import one_blas_thread
from roguewk.learn.describe import cases_of, describe, scaled_by
from roguewk.learn.effects import effects_of
from roguewk.learn.job import Job, make_ready
from roguewk.learn.movement import Together
from roguewk.learn.peak import find_peak
from roguewk.learn.profile import LIMIT, Interval, own_interval, trace
from roguewk.learn.read import as_log
from roguewk.learn.result import Fit
from roguewk.learn.rounds import LoggedRounds
from roguewk.learn.setting import LOG_HALF_LIFE
from roguewk.learn.solve import Peak
from roguewk.learn.terms import Terms, checked_terms
from roguewk.learn.tracing import trace_all
from roguewk.learn.usable import check_usable
from roguewk.problem.errors import InputError, known, shown, text, truth_value
from roguewk.problem.family.family import RewardFamily
from roguewk.problem.family.registry import family_named

NONE = Interval(0.0, 0.0, 0.0)
NOTHING = 1e-9  # spread, in log-odds and the like, below which it is what rounding leaves of none
UNKNOWN = Interval(math.nan, 0.0, math.inf)  # standard deviation


def _spread(job: Job, top: Peak, place: int) -> Interval:
    """How much subjects differ, by the parameter at this place."""
    if not job.noise_told:
        return UNKNOWN
    if not job.effects:
        return NONE
    found = own_interval(trace(Together(job.model), top, job.region, place, LIMIT, [place]))
    if found.value < NOTHING:
        found = found._replace(value=0.0)
    return scaled_by(found._replace(low=max(found.low, 0.0)), job.scale.unit)


def _wear_spread(job: Job, top: Peak) -> Interval:
    """How much subjects' wear differs, if anything tells of it."""
    place = job.model.setting.varies
    return _spread(job, top, place) if place >= 0 and job.region.free[place] else UNKNOWN


def _costs(log: LoggedRounds) -> tuple[Vector, Vector]:
    """(arm, resource) means and standard deviations of what pulls took; nan where no cost is known."""
    shape = len(log.arms), len(log.resources)
    means, deviations = np.full(shape, np.nan), np.full(shape, np.nan)
    for a in range(shape[0]):
        for j in range(shape[1]):
            costs = log.costs[log.arm == a, j]
            costs = costs[~np.isnan(costs)]
            if costs.size:
                unit = float(costs.max()) or 1.0  # squares of tiny costs would vanish
                means[a, j] = costs.mean()
                deviations[a, j] = (costs / unit).std(ddof=1) * unit if costs.size > 1 else np.nan
    return means, deviations


def _largest_costs(log: LoggedRounds) -> Vector:
    """(resource,) 0 where none is known."""
    pulled = log.costs[log.arm >= 0]
    return np.array([np.max(column[~np.isnan(column)], initial=-np.inf) for column in pulled.T]).clip(min=0.0)


def fit(
    log: Any,
    family: str = "bernoulli",
    *,
    subject_effects: bool = True,
    start: Literal["rested", "unknown"] = "rested",
    covariates: Sequence[str] = (),
    trend: bool = False,
    common: bool = False,
    second: Literal["slow", "permanent"] | None = None,
    wear_varies: bool = False,
    baseline: Literal["log"] | None = "log",
    arms: Iterable[str] | None = None,
    unit: str | None = None,
) -> Fit:
    """Learn from a log how fast arms wear off and recover, with intervals and verdicts.

    `log` is whatever `rw.read_log` takes, with its `arms` and `unit`, or what it made of that. What is strange in a log
    that is read here is shown below the fit.

    The level of a pull (log-odds, log-rate or reward) is the arm's rested level, plus the subject's own (normal, shared
    by the arms; none if `subject_effects` is false), less wear: every use adds `wear`, which fades by half in each
    half-life. Pulls whose outcome was not observed wear the arm too. With `start="unknown"` subjects may begin worn.

    More can be asked for, and is then in `fit.effects`: `covariates`, which are further columns of the log, and with
    `trend` the time since the subject's first row add to the levels of all arms, each with a coefficient; rested
    effects are then those at average covariates and times. With `common` every pull wears all arms, by a state that
    they share. With `second` an arm's uses leave a second wear, which recovers with a longer half-life that all arms
    share ("slow") or never ("permanent"). With `wear_varies` subjects differ in their wear too: what a use takes off is
    the arm's wear plus the subject's own, normal and the same for all arms; `fit.wear_sd` is its standard deviation.

    Where idle rows have rewards, and not only 0, `fit.baseline` is what a round brings in which nothing is done, and
    whether that drifts with the time since the subject's first row; problems and worlds of the fit then have it too.
    `baseline=None` leaves these rewards out.

    Subjects' levels are integrated out and the rest is maximum likelihood with a very weak ridge prior, of standard
    deviation 10 on levels and wear. Half-life intervals are those of the profile likelihood; those of the others are
    taken along it. "none seen" is a likelihood ratio against no wear that chance exceeds in more than one log of
    twenty, the threshold being worked out for the spacing of pulls in this log.

    >>> import roguewk as rw
    >>> from roguewk.learn.example import invented_log
    >>> fit = rw.fit(invented_log())
    >>> call = fit.frame().set_index("arm").loc["call"]
    >>> bool(call["half_life_low"] < 4.0 < call["half_life_high"])  # it was made with 4 rounds
    True
    """
    read = as_log(log, arms, unit)
    kind = family_named(family)
    effects = truth_value(subject_effects, "subject_effects")
    known(text(start, "start"), ("rested", "unknown"), "start")
    check_usable(read, kind)
    terms = checked_terms(covariates, trend, common, second, wear_varies)
    if baseline is not None and baseline != "log":
        raise InputError(f'baseline is {shown(baseline)}: give "log" to learn it from idle rows, or None for none')
    if terms.wear_varies and not effects:
        raise InputError("wear_varies lets subjects differ, and subject_effects is False: leave out one of them")
    with one_blas_thread():
        found = _fitted(read, kind, effects, start, terms)
        if baseline is not None:
            found = replace(found, baseline=fit_baseline(read, kind, found.sigma))
    return found if read is log else replace(found, strange=read.strange)


def _fitted(log: LoggedRounds, kind: RewardFamily, effects: bool, start: str, terms: Terms) -> Fit:
    job, top = find_peak(make_ready(log, kind, effects, start == "unknown", terms))
    top, profiles = trace_all(job, top)
    own = [profiles[job.model.place(a, LOG_HALF_LIFE)] for a in range(job.model.arms)]
    arms = zip(log.arms, own, cases_of(job, top, own), strict=True)
    means, deviations = _costs(log)
    return Fit(
        arms=tuple(describe(job, name, a, profile, case) for a, (name, profile, case) in enumerate(arms)),
        resources=log.resources,
        family=kind.name,
        unit=log.unit,
        regular=log.regular,
        start=start,
        subjects=len(log.subjects),
        subject_sd=_spread(job, top, job.model.spread) if job.effects == effects else UNKNOWN,
        wear_sd=_wear_spread(job, top) if terms.wear_varies else NONE,
        sigma=math.exp(top.parameters[-1]) * job.scale.unit if kind.wants_sigma else None,
        log_likelihood=top.slopes.value - job.model.prior(top.parameters).value + job.scale.constant,
        mean_costs=means,
        sd_costs=deviations,
        largest_costs=_largest_costs(log),
        terms=terms,
        available=float(log.available.mean()),
        shared=effects_of(job, top, profiles, log.arms, log.unit),
        dispersion=(math.exp(top.parameters[-1]) * job.scale.unit) ** 2 if job.scale.noisy else 1.0,
    )
