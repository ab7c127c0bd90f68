"""What another policy would have earned, from a log with the probabilities of what was done."""

import math
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from roguewk.kernel.arrays import Vector
from roguewk.learn.baseline import idle_outcomes
from roguewk.learn.levels import arm_levels
from roguewk.learn.model import quadrature
from roguewk.learn.profile import Interval
from roguewk.learn.read import read_log
from roguewk.learn.result import Fit
from roguewk.learn.rounds import LoggedRounds
from roguewk.learn.target import chances_of, streams
from roguewk.policy.online import Policy
from roguewk.problem.errors import InputError, shown, whole
from roguewk.problem.family.registry import family_named

if TYPE_CHECKING:
    import pandas as pd

NORMAL = 1.959963984540054  # standard deviations that hold 95 %
SURELY = 5.0  # standard errors: weights are skew
RAREST = 1e-9  # propensity
FEW, SMALL_SHARE = 30, 0.05  # effective subjects, and their share of all, below which there is a warning
NODES = 9  # of quadrature over subjects' own levels
UNSEEN = (
    "give what happened, not a guess; leaving out these subjects is right only if outcomes are missing by mere chance,"
    " else estimates are biased"
)


@dataclass(frozen=True, eq=False)
class OffPolicy:
    """What a policy would have earned per subject, estimated in several ways; made by `rw.off_policy`.

    `logged` is what was earned in truth. `effective` is the effective number of subjects, of `subjects`: as many, each
    counted in full, would tell as much as the weighted ones do. `warning` is empty if these are enough.

    >>> import roguewk as rw
    >>> from roguewk.learn.example import invented_log
    >>> found = rw.off_policy(invented_log(), ["call", "text"])
    >>> found.rounds, found.subjects, round(found.effective)
    (2, 150, 16)
    >>> found.warning
    'only 16 of 150 subjects count: intervals are too narrow; ask for fewer rounds, or log more subjects'
    """

    rounds: int
    subjects: int
    effective: float
    logged: Interval
    importance: Interval
    self_normalised: Interval
    doubly_robust: Interval | None  # if a fit was given
    warning: str

    def frame(self) -> "pd.DataFrame":
        """A row per estimate, with the ends of its 95 % interval.

        >>> import roguewk as rw
        >>> from roguewk.learn.example import invented_log
        >>> rw.off_policy(invented_log(), ["call", "text"]).frame()["estimate"].tolist()
        ['logged', 'importance', 'self_normalised']
        """
        import pandas as pd

        rows = [(name, *interval) for name, interval in self._estimates()]
        return pd.DataFrame(rows, columns=["estimate", "value", "low", "high"])

    def _estimates(self) -> list[tuple[str, Interval]]:
        found = [(name, getattr(self, name)) for name in ("logged", "importance", "self_normalised", "doubly_robust")]
        return [(name, interval) for name, interval in found if interval is not None]

    def __str__(self) -> str:
        """A readable table."""
        rounds = "1 round" if self.rounds == 1 else f"{self.rounds} rounds"
        lines = [f"reward per subject in {rounds}; in brackets 95 %", ""]
        for name, (value, low, high) in self._estimates():
            lines.append(f"{name.replace('_', ' '):<17}{value:.4g} ({low:.4g} to {high:.4g})")
        lines += ["", f"effective sample size {self.effective:.1f} of {self.subjects} subjects"]
        return "\n".join([*lines, *textwrap.wrap(self.warning, 80)])


def off_policy(
    log: Any, policy: Any, rounds: int | None = None, *, fit: Fit | None = None, round_length: float | None = None
) -> OffPolicy:
    """What another policy would have earned in the first rounds of each subject of a log with propensities.

    `policy` is one of

    - a policy made with `rw.make_policy`: for each subject a copy is told what the subject got, round by round (see
      `rw.replay`, also for `round_length`); its chances are used where they are exact, else its choice is certain;
    - a function of the subject's history (`History`), which answers with the name of an arm, None for rest, or a dict
      of their probabilities;
    - a list of arms, one for each round;
    - an array (row, action) of probabilities, for all rows of the log; the last action is rest.

    A round is a row of the subject. With weights `w_t = product over u <= t of policy(a_u) / propensity_u`:

    - `importance` is the mean over subjects of `sum_t w_t r_t`, which is unbiased;
    - `self_normalised` is `sum_t (sum_s w_t r_t) / (sum_s w_t)`: a little biased, less noisy;
    - `doubly_robust`, if a `fit` is given, the mean of `sum_t w_t (r_t - m_t(a_t)) + w_(t-1) sum_a policy(a) m_t(a)`,
      where `m_t(a)` is the mean reward that the fit expects of the arm given the uses before. It is unbiased if the
      propensities are right, whatever the model, and with a single round also if the model is right, whatever they are.

    Rewards of idle rows count, and of rest the fit expects what they say. Where idle rows have none, it brings nothing.
    Intervals are normal, over subjects. Weights multiply, so that only short horizons can be told of.

    >>> import roguewk as rw
    >>> from roguewk.learn.example import invented_log
    >>> log = invented_log(subjects=2000)
    >>> again = rw.off_policy(log, lambda history: "call", rounds=3, fit=rw.fit(log))
    >>> switch = rw.off_policy(log, ["call", "text", "call"], fit=rw.fit(log))
    >>> again.doubly_robust.value < switch.doubly_robust.value  # calls wear off
    True
    """
    if isinstance(policy, LoggedRounds) or isinstance(log, Policy | list | tuple | np.ndarray) or callable(log):
        raise InputError(f"the log is {shown(log)}: give the log first, and the policy after it")
    log = log if isinstance(log, LoggedRounds) else read_log(log)
    if fit is not None and not isinstance(fit, Fit):
        raise InputError(f"fit is {shown(fit)}: give what rw.fit returns, or leave it out")
    rows = _rows(log, _rounds(policy, rounds))
    stream = streams(policy, log, rows, round_length)  # which refuses unknown arms
    _check(log, rows)
    chances = chances_of(stream, log, rows)
    done = log.arm[rows]
    taken = np.take_along_axis(chances, (done % chances.shape[2])[..., np.newaxis], axis=2)[..., 0]
    weights = np.cumprod(taken / log.propensity[rows], axis=1)
    rewards = np.where(np.isnan(log.reward[rows]), 0.0, log.reward[rows])
    effective = _effective(weights[:, -1])
    robust = None if fit is None else _robust(rewards, weights, chances, _expected(fit, log, rows), done)
    return OffPolicy(
        rounds=rows.shape[1],
        subjects=rows.shape[0],
        effective=effective,
        logged=_mean(rewards.sum(axis=1), math.inf),
        importance=_mean((weights * rewards).sum(axis=1), effective),
        self_normalised=_self_normalised(weights, rewards, effective),
        doubly_robust=None if robust is None else _mean(robust, effective),
        warning=_warning(weights, effective),
    )


def _rounds(policy: Any, rounds: int | None) -> int | None:
    if rounds is None and isinstance(policy, list | tuple) and policy:
        return len(policy)
    return None if rounds is None else whole(rounds, "rounds", 1)


def _rows(log: LoggedRounds, rounds: int | None) -> NDArray[np.int64]:
    """(subject, round) the first rows of every subject."""
    begin = np.searchsorted(log.subject, np.arange(len(log.subjects) + 1))
    fewest = int(np.diff(begin).min())
    if rounds is not None and rounds > fewest:
        who = shown(log.subjects[int(np.diff(begin).argmin())])
        raise InputError(
            f"subject {who} has {fewest} rows, but {rounds} rounds are asked for: ask for fewer, or leave it out"
        )
    rows = begin[:-1, np.newaxis] + np.arange(fewest if rounds is None else rounds)
    gaps = np.argwhere(np.diff(log.time[rows], axis=1) > 1)
    if log.regular and gaps.size:
        s, t = gaps[0]
        where = f"after round {log.time[rows[s, t]]:g} of subject {shown(log.subjects[s])}"
        raise InputError(f"rounds are missing {where}: add rows for idle rounds, with their propensity")
    return np.asarray(rows)


def _check(log: LoggedRounds, rows: NDArray[np.int64]) -> None:
    """Refuse rows whose propensity or reward cannot be used."""
    propensity, unseen = log.propensity[rows], np.isnan(log.reward[rows])
    if not idle_outcomes(log).any():
        unseen &= log.arm[rows] >= 0
    for wrong, what, remedy in (
        (np.isnan(propensity), "propensity is missing", "give the probability of what was done"),
        (~((propensity > 0) & (propensity <= 1)), "propensity is not above 0 and up to 1", "correct it"),
        (propensity < RAREST, f"propensity is below {RAREST:g}", "no weight of such a row can be trusted: correct it"),
        (unseen, "reward is missing", UNSEEN),
    ):
        bad = rows[wrong]
        if bad.size:
            raise InputError(f"the {what} in {log.where(bad)}: {remedy}")


def _expected(fit: Fit, log: LoggedRounds, rows: NDArray[np.int64]) -> Vector:
    """(subject, round, action) mean rewards over subjects whose levels differ; of rest, what idle rows bring."""
    if tuple(arm.name for arm in fit.arms) != log.arms:
        raise InputError(f"the fit has the arms {', '.join(arm.name for arm in fit.arms)}: give one of the same log")
    nodes, weights = quadrature(NODES)
    levels, means_of = arm_levels(fit, log)[rows], family_named(fit.family).means_of_levels
    spread = math.sqrt(2.0) * np.nan_to_num(fit.subject_sd.value)
    shares = np.exp(weights - nodes**2) / math.sqrt(math.pi)
    means = sum(share * means_of(levels + spread * node) for node, share in zip(nodes, shares, strict=True))
    rest = np.zeros((*rows.shape, 1))
    if fit.baseline is not None:
        rest[..., 0] = fit.baseline.means_at(log.time[rows] - log.time[rows[:, :1]])
    return np.concatenate([np.asarray(means), rest], axis=2)


def _robust(rewards: Vector, weights: Vector, chances: Vector, expected: Vector, done: NDArray[np.int64]) -> Vector:
    """(subject,) what each adds."""
    before = np.concatenate([np.ones((weights.shape[0], 1)), weights[:, :-1]], axis=1)
    own = np.take_along_axis(expected, (done % expected.shape[2])[..., np.newaxis], axis=2)[..., 0]
    return np.asarray((weights * (rewards - own) + before * (chances * expected).sum(axis=2)).sum(axis=1))


def _effective(weights: Vector) -> float:
    """How many subjects of equal weight would tell as much."""
    total = float(weights.sum())
    return total**2 / float(weights @ weights) if total > 0 else 0.0


def _mean(values: Vector, effective: float) -> Interval:
    """The mean over subjects; nothing is known of it where next to none of them count."""
    if effective < 2:
        return Interval(float(values.mean()) if effective else math.nan, -math.inf, math.inf)
    reach = NORMAL * float(values.std(ddof=1)) / math.sqrt(values.size) if values.size > 1 else math.inf
    return Interval(float(values.mean()), float(values.mean()) - reach, float(values.mean()) + reach)


def _self_normalised(weights: Vector, rewards: Vector, effective: float) -> Interval:
    """By the delta method: how much each subject moves the estimate."""
    if effective == 0:
        return Interval(math.nan, -math.inf, math.inf)
    share = weights / weights.mean(axis=0)
    means = (share * rewards).mean(axis=0)
    moves = (share * (rewards - means)).sum(axis=1)
    return _mean(moves + float(means.sum()), effective)


def _warning(weights: Vector, effective: float) -> str:
    """What to beware of; weights, (subject, round), are 1 on average if the propensities are right."""
    subjects, averages = weights.shape[0], weights.mean(axis=0)
    off = np.abs(averages - 1.0) > SURELY * weights.std(axis=0) / math.sqrt(subjects)
    if subjects >= FEW and effective > 0 and off.any():
        t = int(np.argmax(off))
        told = f"weights of round {t + 1} are {averages[t]:.3g} on average and should be 1"
        return f"{told}: the propensities are not those of what was done; correct them"
    if effective == 0:
        return "no subject got what this policy would have done: nothing can be told; ask for fewer rounds"
    if effective >= max(FEW, SMALL_SHARE * subjects):
        return ""
    remedy = "ask for fewer rounds, or log more subjects"
    return f"only {effective:.0f} of {subjects} subjects count: intervals are too narrow; {remedy}"
