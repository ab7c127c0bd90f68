"""What was learned from a log: estimates with intervals and verdicts, and the way to decisions."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from roguewk.kernel.arrays import Vector
from roguewk.learn.fitted import FittedArm
from roguewk.learn.profile import Interval
from roguewk.learn.summary import Subjects, summary
from roguewk.learn.verdict import Verdict
from roguewk.problem.arm import RESTED, Arm, everyday_arm
from roguewk.problem.errors import InputError, known, positive, shown
from roguewk.problem.family.registry import family_named
from roguewk.problem.problem import Problem
from roguewk.problem.resource import Resource
from roguewk.world.world import World

if TYPE_CHECKING:
    import pandas as pd

ESTIMATES = ("rested", "wear", "half_life", "start")
EDGE = 1e-9  # mean rewards are kept so far inside their range


@dataclass(frozen=True, eq=False)
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

    def problem(
        self, horizon: int, budgets: Mapping[str, float] | None = None, *, idle: bool = True, round_length: float = 1.0
    ) -> Problem:
        """The arms at their estimates as a problem, with mean costs known.

        `round_length` is how long a round of the problem is, in the unit of the log's time.

        >>> import roguewk as rw
        >>> from roguewk.learn.example import invented_log
        >>> problem = rw.fit(invented_log()).problem(horizon=100, budgets={"minutes": 60.0})
        >>> [arm.name for arm in problem.arms]
        ['call', 'text']
        """
        given = {} if budgets is None else budgets
        if not isinstance(given, Mapping):
            raise InputError(f"budgets are {shown(budgets)}: give a budget by the name of each resource that has one")
        for name in given:
            known(name, self.resources, "resource")
        columns = [j for j, name in enumerate(self.resources) if name in given]
        largest = [float(self.largest_costs[j]) if self.largest_costs[j] > 0 else None for j in columns]
        names = [self.resources[j] for j in columns]
        resources = [Resource(name, given[name], most) for name, most in zip(names, largest, strict=True)]
        arms = [self._arm(arm, positive(round_length, "round_length")) for arm in self.arms]
        means = [[_known(self.mean_costs[a, j]) for j in columns] for a in range(len(arms))]
        return Problem(arms, resources, horizon, idle=idle, known_costs=means if columns else None)

    def world(
        self, horizon: int, budgets: Mapping[str, float] | None = None, *, idle: bool = True, round_length: float = 1.0
    ) -> World:
        """A world in which the estimates are true and every pull costs its mean, for simulations and bounds.

        >>> import roguewk as rw
        >>> from roguewk.learn.example import invented_log
        >>> world = rw.fit(invented_log()).world(horizon=100, budgets={"minutes": 60.0})
        >>> world.mean_costs.shape
        (2, 1)
        """
        problem = self.problem(horizon, budgets, idle=idle, round_length=round_length)
        columns = [self.resources.index(resource.name) for resource in problem.resources]
        rows = self.mean_costs[:, columns].tolist()
        for arm, row in zip(self.arms, rows, strict=True):
            if any(math.isnan(cost) for cost in row):
                raise InputError(f"the log has no cost of arm {arm.name!r}: add one to it, or leave the budget out")
        starts = [arm.start.value if math.isfinite(arm.start.value) else 0.0 for arm in self.arms]
        widened = [arm.widened([start]) for arm, start in zip(problem.arms, starts, strict=True)]
        return World(problem.believe(widened), starts, rows)

    def _arm(self, arm: FittedArm, round_length: float) -> Arm:
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
            state=None if wear == 0 else sorted((-math.copysign(deepest, wear), 0.0)),
        )

    def __str__(self) -> str:
        """A readable table, within 80 columns."""
        subjects = Subjects(self.subjects, self.subject_sd)
        return summary(self.arms, subjects, self.family, self.unit)


def _known(cost: float) -> float | None:
    return None if math.isnan(cost) else float(cost)
