"""What was learned from a log: estimates with intervals and verdicts, and the way to decisions."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.learn.baseline import FittedBaseline
from roguewk.learn.fitted import FittedArm, FittedEffect
from roguewk.learn.prior import NextSubject, prior_of
from roguewk.learn.profile import Interval
from roguewk.learn.rounds import PULLS, length_of_round
from roguewk.learn.summary import Subjects, summary
from roguewk.learn.terms import NO_TERMS, Terms
from roguewk.learn.verdict import Verdict
from roguewk.problem.arm import RESTED, Arm
from roguewk.problem.errors import InputError, known, positive, shown, truth_value, whole
from roguewk.problem.everyday import everyday_arm
from roguewk.problem.family.registry import family_named
from roguewk.problem.prior import LONGEST, SHORTEST, Prior
from roguewk.problem.problem import Problem
from roguewk.problem.resource import Resource
from roguewk.world.world import World

if TYPE_CHECKING:
    import pandas as pd

    from roguewk.learn.design import TrialDesign

ESTIMATES = ("rested", "wear", "half_life", "start")
ALIKE = Interval(0.0, 0.0, 0.0)  # in what nobody differs
EDGE = 1e-9  # mean rewards are kept so far inside their range


@dataclass(frozen=True, eq=False, repr=False)
class Fit:
    """How the arms of a log wear off and recover, and how sure that is; made by `rw.fit`.

    `subject_sd` is how much the levels of subjects differ (standard deviation), `sigma` the noise of rewards in
    families that have some. Intervals hold the truth in 95 of 100 logs; an end that the log does not tell is infinite.

    >>> import roguewk as rw
    >>> from roguewk.learn.example import invented_log
    >>> fit = rw.fit(invented_log())
    >>> fit.arms[0].verdict.sentence
    'wears off and recovers'
    """

    arms: tuple[FittedArm, ...]
    resources: tuple[str, ...]
    family: str
    unit: str
    regular: bool
    start: str  # what was taken for granted of subjects: "rested" or "unknown"
    subjects: int
    subject_sd: Interval
    sigma: float | None
    log_likelihood: float
    mean_costs: Vector  # (arm, resource) nan where none was seen
    sd_costs: Vector  # (arm, resource)
    largest_costs: Vector  # (resource,) that any pull had; 0 where none was seen
    terms: Terms = NO_TERMS  # what was asked for beside arms and subjects
    shared: tuple[FittedEffect, ...] = ()  # what `effects` shows
    dispersion: float = 1.0  # of rewards: their variance, in units of what the family gives them
    wear_sd: Interval = ALIKE  # how much the wear of subjects differs, if `wear_varies` was asked for
    available: float = 1.0  # share of the rows in which an arm could be given
    baseline: FittedBaseline | None = None  # what idle rounds bring, if idle rows have outcomes
    strange: tuple[str, ...] = ()  # what was found in the log and may spoil the fit, where `rw.fit` read the log

    def frame(self) -> "pd.DataFrame":
        """A row per arm: estimates, each with the ends of its interval, and the verdict.

        `rested` is a mean reward; `wear` and `start` are in log-odds for coins and shares, in log-rate for counts and
        in reward for Gaussian rewards; `half_life` is in rounds or in the log's unit of time.

        >>> import roguewk as rw
        >>> from roguewk.learn.example import invented_log
        >>> list(rw.fit(invented_log()).frame().columns[:7])
        ['arm', 'rested', 'rested_low', 'rested_high', 'wear', 'wear_low', 'wear_high']
        """
        import pandas as pd

        rows = []
        for arm in self.arms:
            row: dict[str, str | float] = {"arm": arm.name}
            for name in ESTIMATES:
                interval: Interval = getattr(arm, name)
                row |= {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}
            rows.append(row | {"verdict": arm.verdict.sentence})
        return pd.DataFrame(rows)

    @property
    def effects(self) -> "pd.DataFrame":
        """A row for each thing that arms share: covariates, the trend, wear and half-lives of further states.

        `unit` says what a value is in, and `verdict` in words what the log says of it.

        >>> import roguewk as rw
        >>> from roguewk.learn.example import invented_log
        >>> effects = rw.fit(invented_log(), trend=True).effects
        >>> effects[["name", "unit", "verdict"]].values.tolist()
        [['trend', 'log-odds per round', 'none seen']]
        """
        import pandas as pd

        rows = [(effect.name, *effect.interval, effect.unit, effect.verdict) for effect in self.shared]
        return pd.DataFrame(rows, columns=["name", "value", "low", "high", "unit", "verdict"])

    @property
    def costs(self) -> "pd.DataFrame":
        """A row per arm and resource: the mean and the standard deviation of what a pull took.

        >>> import roguewk as rw
        >>> from roguewk.learn.example import invented_log
        >>> rw.fit(invented_log()).costs["resource"].unique().tolist()
        ['minutes']
        """
        import pandas as pd

        rows = [
            {"arm": arm.name, "resource": resource, "mean": self.mean_costs[a, j], "sd": self.sd_costs[a, j]}
            for a, arm in enumerate(self.arms)
            for j, resource in enumerate(self.resources)
        ]
        return pd.DataFrame(rows, columns=["arm", "resource", "mean", "sd"])

    def prior(self, round_length: float | None = None) -> dict[str, Prior]:
        """What the log says of each arm for a subject who is not in it: a prior by name, for `rw.unknown_arm`.

        It holds what is not known of the arm, and how much subjects differ; what idle rounds bring is no arm's, and
        `fit.baseline.over(horizon)` has it. `round_length` is how long a round of the
        problem is, in the unit of the log's time; it must be said where the log has clock times.

        >>> import roguewk as rw
        >>> from roguewk.learn.example import invented_log
        >>> prior = rw.fit(invented_log()).prior()
        >>> problem = rw.Problem([rw.unknown_arm("call", prior=prior["call"])], [], horizon=40)
        """
        self.check_plain_states("a problem")
        subject = NextSubject(
            family=family_named(self.family),
            sigma=self.sigma,
            regular=self.regular,
            round_length=self._length(round_length),
            level_sd=self.subject_sd.value,
            wear_sd=self.wear_sd.value,
        )
        return {arm.name: prior_of(arm, subject) for arm in self.arms}

    def problem(
        self,
        horizon: int,
        budgets: Mapping[str, float] | None = None,
        *,
        idle: bool = True,
        round_length: float | None = None,
        largest_costs: Mapping[str, float] | None = None,
        learn: bool = True,
    ) -> Problem:
        """The arms as a problem for the next subject, with mean costs known; at average covariates and times.

        Arms have what the log says of them as their prior, so that policies go on learning, of this subject; without
        `learn` estimates are taken to be true. `budgets` are those of resources of the log, or of `pulls`, of which
        each takes one. `round_length` is how long a round of the problem is, in the unit of the log's time; it must be
        said where the log has clock times. `largest_costs` are the most that a pull may take, by resource, if not the
        most that one of the log took. What idle rounds bring, where the log tells it, is known at its estimate:
        `replace(problem, baseline=rw.Baseline(family=..., known=False))` of dataclasses lets policies begin anew.
        Where the log says that arms could not be given in some rows, they are taken to
        be available as often, each for itself.

        >>> import roguewk as rw
        >>> from roguewk.learn.example import invented_log
        >>> problem = rw.fit(invented_log()).problem(horizon=100, budgets={"minutes": 60.0})
        >>> [arm.name for arm in problem.arms]
        ['call', 'text']
        """
        given = {} if budgets is None else budgets
        if not isinstance(given, Mapping):
            raise InputError(f"budgets are {shown(budgets)}: give a budget by the name of each resource that has one")
        if PULLS in given and PULLS not in self.resources:
            counted = self.counting_pulls()
            return counted.problem(
                horizon, given, idle=idle, round_length=round_length, largest_costs=largest_costs, learn=learn
            )
        for name in given:
            known(name, tuple(dict.fromkeys((*self.resources, PULLS))), "resource")
        columns = [j for j, name in enumerate(self.resources) if name in given]
        names = [self.resources[j] for j in columns]
        largest = self._largest_costs(names, {} if largest_costs is None else largest_costs)
        resources = [Resource(name, given[name], most) for name, most in zip(names, largest, strict=True)]
        self.check_plain_states("a problem")
        if self.sigma is not None and all(math.isinf(arm.rested.high) for arm in self.arms):
            raise InputError("outcomes of the log do not tell how noisy they are: log more, or outcomes that differ")
        prior = self.prior(round_length) if truth_value(learn, "learn") else {}
        length = self._length(round_length)
        arms = [self._arm(arm, length, prior.get(arm.name)) for arm in self.arms]
        means = [[_known(self.mean_costs[a, j]) for j in columns] for a in range(len(arms))]
        problem = Problem(arms, resources, horizon, idle=idle, known_costs=means if columns else None)
        if self.baseline is None or not problem.idle:
            return problem
        return replace(problem, baseline=self.baseline.over(problem.horizon, length))

    def world(
        self,
        horizon: int,
        budgets: Mapping[str, float] | None = None,
        *,
        idle: bool = True,
        round_length: float | None = None,
    ) -> World:
        """A world in which the estimates are true and every pull costs its mean, for simulations and bounds.

        >>> import roguewk as rw
        >>> from roguewk.learn.example import invented_log
        >>> world = rw.fit(invented_log()).world(horizon=100, budgets={"minutes": 60.0})
        >>> world.mean_costs.shape
        (2, 1)
        """
        problem = self.problem(horizon, budgets, idle=idle, round_length=round_length, learn=False)
        counted = self.counting_pulls()
        columns = [counted.resources.index(resource.name) for resource in problem.resources]
        rows = counted.mean_costs[:, columns].tolist()
        for arm, row in zip(self.arms, rows, strict=True):
            if any(math.isnan(cost) for cost in row):
                raise InputError(f"the log has no cost of arm {arm.name!r}: add one to it, or leave the budget out")
        starts = [arm.start.value if math.isfinite(arm.start.value) else 0.0 for arm in self.arms]
        widened = [arm.widened([start]) for arm, start in zip(problem.arms, starts, strict=True)]
        return World(problem.believe(widened), starts, rows)

    def counting_pulls(self) -> "Fit":
        """The fit, with pulls as one more resource, of which each takes one.

        >>> import roguewk as rw
        >>> from roguewk.learn.example import invented_log
        >>> rw.fit(invented_log()).counting_pulls().resources
        ('minutes', 'pulls')
        """
        if PULLS in self.resources:
            return self
        one = np.ones((len(self.arms), 1))
        return replace(
            self,
            resources=(*self.resources, PULLS),
            mean_costs=np.hstack([self.mean_costs, one]),
            sd_costs=np.hstack([self.sd_costs, 0 * one]),
            largest_costs=np.append(self.largest_costs, 1.0),
        )

    def drawn(self, seed: int = 0) -> "Fit":
        """A fit whose estimates are a draw from what they may be, for worlds and problems that carry the uncertainty.

        Half-lives are drawn from their profile likelihood, the rest is normal given them (`FittedArm.posterior`); arms
        are drawn one by one. The noise and how subjects differ stay at their estimates. A draw has no intervals.

        >>> import roguewk as rw
        >>> from roguewk.learn.example import invented_log
        >>> fit = rw.fit(invented_log())
        >>> worlds = [fit.drawn(seed).world(horizon=40, budgets={"minutes": 30.0}) for seed in range(3)]
        >>> len({world.arms[0].A for world in worlds})
        3
        """
        self.check_plain_states("a draw")
        luck = np.random.default_rng(whole(seed, "seed", least=0))
        arms = tuple(self._drawn_arm(arm, luck) for arm in self.arms)
        return replace(self, arms=arms, baseline=self.baseline and self.baseline.drawn(luck))

    def design(
        self,
        arm: str | None = None,
        *,
        subjects: int = 50,
        rounds: int = 60,
        pulls: int | None = None,
        schedules: Mapping[str, Sequence[int]] | None = None,
        round_length: float | None = None,
        draws: int = 32,
        seed: int = 0,
    ) -> "TrialDesign":
        """Which spacing of pulls would narrow the half-life of an arm most, if further subjects were given it.

        Even spacings, bursts, pairs and random pulls over so many `rounds` are tried, cut after `pulls` of them where
        each costs something; or `schedules` of your own, lists of rounds (from 1 on) by name. A round is as long as
        `round_length` of the log's unit. Subjects get nothing else, and differ as those of the log do.

        What they would tell is the expected information on rested level, push and half-life, with their own levels
        integrated out, added to the log's profile and averaged over `draws` from what the log leaves open. Where the
        log does not tell of wear, draws are those of the weak prior with which policies begin. Covariates and trends
        are taken to be known. Intervals do not count the doubt about how much subjects differ.

        >>> import roguewk as rw
        >>> from roguewk.learn.example import invented_log
        >>> design = rw.fit(invented_log()).design("call", subjects=50, rounds=40, pulls=12)
        >>> best, worst = design.schedules[0], design.schedules[-1]
        >>> best.narrowing > worst.narrowing
        True
        """
        from roguewk.learn.design import design_trial

        return design_trial(self, arm, subjects, rounds, pulls, schedules, round_length, draws, seed)

    def check_plain_states(self, what: str) -> None:
        """Refuse fits with further states, for what has room for those of the arms alone."""
        if any(effect.of_state for effect in self.shared):
            raise InputError(f"arms of {what} have one state each: fit without common and second to plan with it")

    def _length(self, round_length: float | None) -> float:
        """How long a round is, if half-lives can be told in such rounds."""
        length = length_of_round(self, round_length)
        for arm in self.arms:
            half_life = arm.half_life.value / length
            if arm.verdict.seen and not SHORTEST <= half_life <= LONGEST:
                what = f"round_length is {length:g}, and the half-life of arm {arm.name!r} {half_life:.3g} such rounds"
                raise InputError(f"{what}: give one of which it has {SHORTEST:g} to {LONGEST:g}")
        return length

    def _largest_costs(self, names: Sequence[str], given: Mapping[str, float]) -> list[float | None]:
        """The most that a pull may take of each of these resources, None where nothing says it."""
        if not isinstance(given, Mapping):
            raise InputError(f"largest_costs are {shown(given)}: give a number by the name of each resource")
        for name in given:
            known(name, names, "resource with a largest cost:")
        found: list[float | None] = []
        for name in names:
            seen = float(self.largest_costs[self.resources.index(name)])
            most = positive(given[name], f"largest cost of {name!r}") if name in given else seen
            if most < seen:
                raise InputError(f"largest cost of {name!r} is {most:g}, and a pull of the log took {seen:g}: raise it")
            found.append(most or None)
        return found

    def _drawn_arm(self, arm: FittedArm, luck: np.random.Generator) -> FittedArm:
        if arm.posterior is None:
            raise InputError(f"arm {arm.name!r} cannot be drawn ({arm.verdict.sentence}): leave its rows out")
        draw = arm.posterior.draw(1, luck)
        rested = family_named(self.family).means_of_levels(draw.levels)
        return FittedArm(
            name=arm.name,
            pulls=arm.pulls,
            rested=_certain(rested),
            wear=_certain(-draw.pushes),
            half_life=_certain(draw.half_lives),
            start=_certain(draw.starts),
            verdict=Verdict.RECOVERS if draw.pushes[0] <= 0 else Verdict.GROWS,
        )

    def _arm(self, arm: FittedArm, round_length: float, prior: Prior | None) -> Arm:
        """An arm that has, round by round, the estimated wear; one of which none is seen does not wear."""
        if arm.verdict is Verdict.TOO_FEW:
            raise InputError(f"arm {arm.name!r} has too few pulls in the log to plan with: leave its rows out")
        family = family_named(self.family)
        low, high = family.means
        mean = min(max(arm.rested.value, low + EDGE), high - EDGE)
        seen = arm.verdict.seen
        half_life = arm.half_life.value / round_length if seen else 1.0
        # Where time is counted in rounds wear is what is missing one round later; else what is missing at once.
        fading = 0.5 ** ((1.0 - 1.0 / round_length if self.regular else 1.0) / half_life)
        wear = arm.wear.value * fading if seen else 0.0
        level, deepest = family.level_of_mean(mean), abs(wear) / -math.expm1(-math.log(2.0) / half_life)
        while family.refusal(level - deepest, level + deepest):
            deepest /= 2  # worn farther, nothing is left in any case
        return everyday_arm(
            arm.name,
            rested=mean,
            wear=wear,
            half_life=half_life,
            family=self.family,
            sigma=self.sigma,
            known_start=RESTED if self.start == RESTED else None,
            available=self.available if self.available < 1 else None,
            state=None if wear == 0 else sorted((-math.copysign(deepest, wear), 0.0)),
            prior=prior,
        )

    def __str__(self) -> str:
        """A readable table, within 80 columns."""
        subjects = Subjects(self.subjects, self.subject_sd, self.wear_sd if self.terms.wear_varies else None)
        said = None if self.baseline is None else self.baseline.in_words()
        return summary(self.arms, subjects, self.family, self.unit, self.shared, self.strange, said)

    def __repr__(self) -> str:
        return str(self)  # notebooks show it, and all that a fit holds is tens of thousands of characters


def _certain(drawn: Vector) -> Interval:
    value = float(drawn[0])
    return Interval(value, value, value)


def _known(cost: float) -> float | None:
    return None if math.isnan(cost) else float(cost)
