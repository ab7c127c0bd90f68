"""Which model a log speaks for: the log-likelihood of subjects that were left out, fold by fold."""

import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.candidates import candidates, left_out, without_wear
from roguewk.learn.curvature import one_blas_thread
from roguewk.learn.job import make_ready
from roguewk.learn.pulls import outcomes_change
from roguewk.learn.read import as_log
from roguewk.learn.rounds import LoggedRounds
from roguewk.learn.terms import checked_terms
from roguewk.learn.usable import check_usable
from roguewk.problem.errors import InputError, known, shown, text, whole
from roguewk.problem.family.registry import family_named

if TYPE_CHECKING:
    import pandas as pd

FEWEST = 10  # subjects: with fewer the spread of their differences says little
WITHIN = 1.0  # standard errors of the highest: the simplest model so near it is taken
SURELY = 2.0  # standard errors
WIDE = 80


@dataclass(frozen=True, eq=False)
class ModelComparison:
    """How well models predict subjects that they were not fitted to; made by `rw.compare_models`.

    `best` is the simplest model that is within one standard error of the one that predicts best.

    >>> import roguewk as rw
    >>> from roguewk.learn.example import invented_log
    >>> rw.compare_models(invented_log(60, 30), folds=3).best
    'one state'
    """

    models: tuple[str, ...]  # the simplest first
    by_subject: Vector  # (model, subject) log-likelihoods, up to what all models share
    constant: float  # what they leave out, over all subjects
    pulls: int  # with an outcome

    @property
    def best(self) -> str:
        """The simplest model that is within one standard error of the one that predicts best."""
        highest = int(self.by_subject.sum(axis=1).argmax())
        return next(
            model
            for m, model in enumerate(self.models)
            if -self._against(highest)[m, 0] <= WITHIN * self._against(highest)[m, 1]
        )

    def _against(self, reference: int) -> Vector:
        """(model, 2) differences from a model and their standard errors over subjects."""
        apart = self.by_subject - self.by_subject[reference]
        return np.column_stack([apart.sum(axis=1), apart.std(axis=1, ddof=1) * np.sqrt(apart.shape[1])])

    def frame(self) -> "pd.DataFrame":
        """A row per model: its log-likelihood in all and per pull, and the difference from the best.

        `se` is the standard error of the difference over subjects, and `surely_worse` says whether the difference is
        more than two of them.

        >>> import roguewk as rw
        >>> from roguewk.learn.example import invented_log
        >>> list(rw.compare_models(invented_log(60, 30), folds=3).frame().columns)
        ['model', 'log_likelihood', 'per_pull', 'difference', 'se', 'surely_worse']
        """
        import pandas as pd

        totals = self.by_subject.sum(axis=1) + self.constant
        difference, error = self._against(self.models.index(self.best)).T
        return pd.DataFrame(
            {
                "model": self.models,
                "log_likelihood": totals,
                "per_pull": totals / self.pulls,
                "difference": difference,
                "se": error,
                "surely_worse": difference < -SURELY * error,
            }
        )

    @property
    def verdict(self) -> str:
        """Which model is best, and than which it is surely better, in a sentence."""
        rows = self.frame()
        rest = rows[rows["model"] != self.best]
        surely, perhaps = (rest["model"][rest["surely_worse"] == worse].tolist() for worse in (True, False))
        told = [f"surely better than {_listed(surely)}"] if surely else []
        told += [f"not surely better than {_listed(perhaps)}"] if perhaps else []
        return f"Best is {self.best}: {', '.join(told)}."

    def __str__(self) -> str:
        """A readable table, within 80 columns."""
        subjects = f"{self.by_subject.shape[1]:,} subjects that were left out of the fit, {self.pulls:,} pulls"
        lines = [
            subjects,
            "",
            f"{'model':<22}{'log-likelihood':>14}{'per pull':>11}   {'against the best':<20}".rstrip(),
        ]
        for row in self.frame().itertuples():
            against = f"{row.difference:+.1f} ± {row.se:.1f}" if row.model != self.best else "best"
            against += ", surely worse" if row.surely_worse else ""
            lines.append(f"{row.model:<22}{row.log_likelihood:>14,.1f}{row.per_pull:>11.4f}   {against}")
        return "\n".join([*lines, "", *textwrap.wrap(self.verdict, WIDE)])


def _listed(names: Sequence[str]) -> str:
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else str(last)


def _folds(log: LoggedRounds, folds: int, seed: int) -> list[Any]:
    """Places of the subjects that have an outcome, dealt out at random."""
    rows = (log.arm >= 0) & ~np.isnan(log.reward)
    seen = np.unique(log.subject[rows])
    if seen.size < max(FEWEST, folds):
        raise InputError(
            f"models are compared by subjects that are left out, and the log has {seen.size} with an outcome:"
            f" {max(FEWEST, folds)} are needed{', or fewer folds' if seen.size >= FEWEST else ''}"
        )
    first = log.time[np.searchsorted(log.subject, np.arange(len(log.subjects)))]
    if not np.ptp((log.time - first[log.subject])[rows]) > 0:
        raise InputError("no time passes between a subject's outcomes in the log: give one with later outcomes")
    dealt = np.random.default_rng(seed).permutation(seen)
    return [np.sort(part) for part in np.array_split(dealt, folds)]


def compare_models(
    log: Any,
    family: str = "bernoulli",
    *,
    start: Literal["rested", "unknown"] = "rested",
    covariates: Sequence[str] = (),
    folds: int = 5,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    arms: Iterable[str] | None = None,
    unit: str | None = None,
) -> ModelComparison:
    """Ask a log whether arms wear off and recover, or whether a simpler or a richer model predicts as well.

    Models are no habituation, a linear trend in time, one state per arm (as `rw.fit` has it), one state with a trend,
    one state with a common fatigue, and two states per arm. Subjects are dealt out into `folds`; each fold is predicted
    by models that were fitted to the others, and the levels of its subjects are integrated out.

    `progress` is called with the models that are done and their number; `log`, `arms` and `unit` are as in `rw.fit`.

    >>> import roguewk as rw
    >>> from roguewk.learn.example import invented_log
    >>> print(rw.compare_models(invented_log(60, 30), folds=3).verdict)
    Best is one state: surely better than no habituation and linear trend, ...
    """
    log = as_log(log, arms, unit)
    kind = family_named(family)
    known(text(start, "start"), ("rested", "unknown"), "start")
    asked = checked_terms(covariates, False, False, None)
    if progress is not None and not callable(progress):
        raise InputError(f"progress is {shown(progress)}: give a function of the models done and to do")
    check_usable(log, kind)
    parts = _folds(log, whole(folds, "folds", 2, 1000), whole(seed, "seed", 0))
    names, found = [], []
    choice = candidates(len(log.arms))
    for done, candidate in enumerate(choice):
        terms = candidate.terms._replace(covariates=asked.covariates)
        job = make_ready(log, kind, True, start == "unknown", terms)
        if not outcomes_change(job.pulls, job.pulls.arm >= 0):
            raise InputError("outcomes never change within a subject of the log: nothing tells one model from another")
        with one_blas_thread():
            found.append(np.concatenate(left_out(job if candidate.wears else without_wear(job), parts)))
        names.append(candidate.name)
        if progress is not None:
            progress(done + 1, len(choice))
    observed = int((~np.isnan(job.pulls.outcome)).sum())
    return ModelComparison(tuple(names), np.array(found), job.scale.constant, observed)
