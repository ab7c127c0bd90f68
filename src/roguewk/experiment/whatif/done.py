"""What was done in the first rounds of the subjects of a log: how much it spent, and what it is worth by a fit."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.levels import arm_levels
from roguewk.learn.result import Fit
from roguewk.learn.rounds import LoggedRounds, length_of_round
from roguewk.problem.errors import InputError, whole
from roguewk.problem.family.registry import family_named


@dataclass(frozen=True, eq=False)
class Done:
    """The first rounds of the subjects who were seen for as many."""

    log: LoggedRounds  # of these rounds and subjects alone
    of: int  # subjects in the whole log
    horizon: int
    spent: dict[str, float]  # by the average subject, of each resource of the log and of pulls
    resting: Vector  # (round,) share of the subjects who were given nothing
    round_length: float

    def worth(self, fit: Fit) -> float:
        """The mean reward per subject that a fit expects of it, for the average subject, with what idle rounds bring.

        Rounds without a row are idle, too, so that what they bring is expected and not taken from the rows.
        """
        pulled = np.flatnonzero(self.log.arm >= 0)
        # Covariates and times are at their averages, as they are for the planner.
        average = dataclasses.replace(fit, shared=tuple(effect for effect in fit.shared if effect.of_state))
        levels = arm_levels(average, self.log)[pulled, self.log.arm[pulled]]
        pulls = float(family_named(fit.family).means_of_levels(levels).sum()) / len(self.log.subjects)
        return pulls + float(self.resting @ self.idle_means(fit))

    def idle_means(self, fit: Fit) -> Vector:
        """(round,) what a fit expects of rounds in which nothing is done."""
        if fit.baseline is None:
            return np.zeros(self.horizon)
        return fit.baseline.over(self.horizon, self.round_length).means(self.horizon)


def done_in(log: LoggedRounds, fit: Fit, horizon: int | None, round_length: float | None) -> Done:
    """What was done in the first `horizon` rounds, by default as many as the middle subject was seen for."""
    length = length_of_round(log, round_length)
    begin = np.searchsorted(log.subject, np.arange(len(log.subjects) + 1))
    place = np.floor((log.time - log.time[begin[log.subject]]) / length + 0.5).astype(np.int64)
    seen = place[begin[1:] - 1] + 1  # (subject,) rounds
    most = int(seen.max())
    rounds = int(np.quantile(seen, 0.5, method="lower")) if horizon is None else whole(horizon, "horizon", 1)
    if rounds > most:
        asked, of = f"the horizon is {rounds:,}", "" if log.regular else f" of {length:g} {log.unit}"
        counted = "rounds are counted from a subject's first row to its last"
        raise InputError(f"{asked}, but {counted}, and none is seen for more than {most:,}{of}: shorten it")
    part = _some(log, seen >= rounds, place < rounds)
    kept = (seen >= rounds)[log.subject] & (place < rounds)
    return Done(
        log=part,
        of=len(log.subjects),
        horizon=rounds,
        spent=_spent(part, fit),
        resting=_resting(part, place[kept], rounds),
        round_length=length,
    )


def _resting(log: LoggedRounds, place: Any, rounds: int) -> Vector:
    """(round,) share of the subjects who were given nothing in it."""
    busy = np.zeros((len(log.subjects), rounds), dtype=np.bool_)
    pulled = log.arm >= 0
    busy[log.subject[pulled], place[pulled]] = True
    return np.asarray(1.0 - busy.mean(axis=0))


def _some(log: LoggedRounds, subjects: Any, early: Any) -> LoggedRounds:
    """The early rows of some subjects."""
    rows = subjects[log.subject] & early
    columns = ("time", "arm", "reward", "costs", "propensity", "available")
    return dataclasses.replace(
        log,
        subjects=tuple(name for name, kept in zip(log.subjects, subjects, strict=True) if kept),
        subject=(np.cumsum(subjects) - 1)[log.subject[rows]],
        covariates={name: column[rows] for name, column in log.covariates.items()},
        contexts={name: column[rows] for name, column in log.contexts.items()},
        **{name: getattr(log, name)[rows] for name in columns},
    )


def _spent(log: LoggedRounds, fit: Fit) -> dict[str, float]:
    """By the average subject; costs that are not known are those that the arm usually has."""
    pulled = log.arm >= 0
    ones = np.ones((int(pulled.sum()), len(fit.resources) - len(log.resources)))
    costs: Vector = np.hstack([log.costs[pulled], ones])
    costs = np.where(np.isnan(costs), fit.mean_costs[log.arm[pulled]], costs)
    totals = costs.sum(axis=0) / len(log.subjects)
    return dict(zip(fit.resources, totals.tolist(), strict=True))
