"""The pulls of a log beside what a fit of it expects of each."""

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.checks.foresight import foresee
from roguewk.learn.fitted import FittedArm
from roguewk.learn.job import Job, make_ready
from roguewk.learn.result import Fit
from roguewk.learn.rounds import LoggedRounds
from roguewk.learn.setting import LOG_HALF_LIFE, PUSH, RESTED, START
from roguewk.learn.solve import climb
from roguewk.problem.errors import InputError
from roguewk.problem.family.family import RewardFamily
from roguewk.problem.family.registry import family_named

MOST = 100_000  # pulls: checks of more are no sharper to the eye


@dataclass(frozen=True, eq=False)
class Account:
    """The observed pulls of a log, or of some of its subjects if they are many, in the units of its rewards.

    Expectations use the subject's earlier outcomes alone (`foresight.py`).
    """

    fit: Fit
    log: LoggedRounds  # whose pulls these are
    pulls: int  # in the whole log, observed or not
    subject: Any  # (pull,)
    arm: Any  # (pull,)
    gap: Vector  # (pull,) time since the subject's last use of the arm; nan if there was none
    uses: Any  # (pull,) how often the subject had used the arm within the time that `window` says
    window: Vector  # (arm,)
    elapsed: Vector  # (pull,) since the subject's first round
    reward: Vector  # (pull,)
    expected: Vector  # (pull,)
    variance: Vector  # (pull,) of the reward, as expected
    level: Vector  # (pull,) of the average subject; log-odds, log-rate or reward
    own: Vector  # (subject,) what the subject's own level adds to that
    own_sd: Vector  # (subject,)
    dispersion: float  # of rewards, beside what their family's variance is at their mean

    @property
    def family(self) -> RewardFamily:
        """Of the rewards."""
        return family_named(self.fit.family)

    @property
    def residual(self) -> Vector:
        """(pull,) what came less what was expected."""
        return np.asarray(self.reward - self.expected)


def _fewer_subjects(log: LoggedRounds, most: int) -> LoggedRounds:
    """The log of subjects at even distances, so many that their pulls are about `most`."""
    pulls = int((log.arm >= 0).sum())
    if pulls <= most:
        return log
    step = math.ceil(pulls / most)
    rows = log.subject % step == 0
    return dataclasses.replace(
        log,
        subjects=log.subjects[::step],
        subject=log.subject[rows] // step,
        covariates={name: column[rows] for name, column in log.covariates.items()},
        contexts={name: column[rows] for name, column in log.contexts.items()},
        **{name: getattr(log, name)[rows] for name in ("time", "arm", "reward", "costs", "propensity", "available")},
    )


def _of_arm(arm: FittedArm, job: Job) -> tuple[float, float, float, float]:
    """Rested level, push, log half-life and start as estimated, in the units of the model."""
    unit, posterior = job.scale.unit, arm.posterior
    level = job.family.level_of_mean(job.family.kept((arm.rested.value - job.scale.middle) / unit))
    half_life = arm.half_life.value
    if not arm.verdict.seen:
        assert posterior is not None  # of all of which the log tells something
        half_life = posterior.half_lives[int(posterior.weights.argmax())]
    return level, -arm.wear.value / unit, math.log(half_life), arm.start.value / unit


def _parameters(fit: Fit, job: Job) -> Vector:
    """Those of the fit; what it does not tell, because it cannot be told, is what suits the log best."""
    at, held = job.first_guess, [job.model.spread]
    for a, arm in enumerate(fit.arms):
        if arm.verdict.told:
            places = [job.model.place(a, which) for which in (RESTED, PUSH, LOG_HALF_LIFE, START)]
            at[places] = _of_arm(arm, job)
            # The start of an arm of which no wear is seen may fade by any half-life.
            held += places if arm.verdict.seen or fit.start == "rested" else places[:2]
    at[job.model.spread] = np.nan_to_num(fit.subject_sd.value) / job.scale.unit
    if fit.sigma is not None:
        at[-1] = math.log(fit.sigma / job.scale.unit)
        held.append(at.size - 1)
    low, high = job.region.low.copy(), job.region.high.copy()
    low[held], high[held] = -np.inf, np.inf
    return climb(job.model, at, job.region._replace(low=low, high=high).without(*held)).parameters


def _windows(fit: Fit, arm: Any, gap: Vector) -> Vector:
    """(arm,) two half-lives, or where there is none five times the usual gap."""
    usual = [np.median(own) if (own := gap[(arm == a) & (gap > 0)]).size else 1.0 for a in range(len(fit.arms))]
    seen = [each.verdict.seen for each in fit.arms]
    half_lives = [each.half_life.value for each in fit.arms]
    return np.asarray(np.where(seen, 2 * np.array(half_lives), 5 * np.array(usual)))


def _recent_uses(pair: Any, elapsed: Vector, window: Vector) -> Any:
    """(pull,) how many earlier pulls of the same pair of subject and arm there are within the window (pull,) before."""
    order = np.lexsort((elapsed, pair))
    places = np.unique(pair[order], return_inverse=True)[1]
    apart = float(elapsed.max(initial=0.0) + window.max(initial=0.0) + 1.0)
    along = places * apart + elapsed[order]  # one axis on which pairs are farther apart than any window
    first = np.searchsorted(along, along - window[order] * (1 + 1e-12))
    uses = np.empty(pair.size, dtype=np.int64)
    uses[order] = np.arange(pair.size) - first
    return uses


def check_pair(fit: Fit, log: LoggedRounds) -> None:
    """Refuse a log that the fit was not made of."""
    pulls = np.bincount(log.arm[log.arm >= 0], minlength=len(log.arms)).tolist()
    if [(arm.name, arm.pulls) for arm in fit.arms] != list(zip(log.arms, pulls, strict=True)):
        raise InputError("the fit has other arms or pulls than the log: give the log that it was made of")
    if (fit.subjects, fit.unit) != (len(log.subjects), log.unit):
        raise InputError("the fit has other subjects or times than the log: give the log that it was made of")


def take_account(fit: Fit, log: LoggedRounds, most: int = MOST) -> Account:
    """Lay a fit beside the log that it was made of."""
    check_pair(fit, log)
    some = _fewer_subjects(log, most)
    terms = fit.terms._replace(wear_varies=False)  # checks follow levels of subjects alone
    job = make_ready(some, family_named(fit.family), True, fit.start == "unknown", terms)
    parameters, pulls, scale = _parameters(fit, job), job.pulls, job.scale
    found = foresee(job.model, parameters)
    subject = np.repeat(np.arange(len(some.subjects)), np.diff(pulls.begin))
    gap = np.where(pulls.before >= 0, pulls.gap, np.nan)
    window = _windows(fit, pulls.arm, gap)
    uses = _recent_uses(subject * len(log.arms) + pulls.arm, pulls.elapsed, window[pulls.arm])
    seen = ~np.isnan(pulls.outcome)
    return Account(
        fit=fit,
        log=some,
        pulls=int((log.arm >= 0).sum()),
        subject=subject[seen],
        arm=pulls.arm[seen],
        gap=gap[seen],
        uses=uses[seen],
        window=window,
        elapsed=pulls.elapsed[seen],
        reward=pulls.outcome[seen] * scale.unit + scale.middle,
        expected=found.mean[seen] * scale.unit + scale.middle,
        variance=found.variance[seen] * scale.unit**2,
        level=found.level[seen] * scale.unit + scale.middle,
        own=found.own * scale.unit,
        own_sd=found.own_sd * scale.unit,
        dispersion=math.exp(2 * parameters[-1]) * scale.unit**2,
    )
