"""What the planner would earn beside what was done, by draws from what a fit leaves open."""

import math
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from roguewk.engine.runs import Runs
from roguewk.engine.simulate import simulate
from roguewk.experiment.whatif.done import Done, done_in
from roguewk.experiment.whatif.words import sentences
from roguewk.kernel.arrays import Vector
from roguewk.learn.fit import fit as fit_log
from roguewk.learn.profile import Interval
from roguewk.learn.pulls import check_rewards
from roguewk.learn.read import as_log
from roguewk.learn.result import Fit
from roguewk.learn.rounds import PULLS
from roguewk.problem.errors import InputError, known, positive, shown, whole
from roguewk.problem.family.registry import family_named
from roguewk.problem.ledger import WITHIN
from roguewk.problem.resource import Gap, Resource
from roguewk.world.world import World

if TYPE_CHECKING:
    import pandas as pd

PLANNER = "roguewk-plan"
REPLICATES = 10  # games in each drawn world: what they earn is summed as it is expected, so that few will do
FEWEST = 5  # draws
NORMAL = 1.959963984540054


@dataclass(frozen=True, eq=False)
class WhatIf:
    """What the planner would earn per subject, beside what was done; made by `rw.what_if`.

    `done`, `told` and `learned` are rewards of the average subject in `horizon` rounds: of what was done, of the
    planner that is told what the fit says, and of the one that begins with nothing known. `gain` and
    `gain_learned` are what they earn more than what was done, as shares of that. Intervals are those of the draws.
    Where idle rounds have outcomes, rewards are those of all rounds, `nothing` is what doing nothing would bring, and
    `effects` are what is earned beyond that, in the order of `rewards`; elsewhere both are None.

    >>> import roguewk as rw
    >>> from roguewk.learn.example import invented_log
    >>> found = rw.what_if(invented_log(), draws=5)
    >>> found.horizon, found.subjects
    (40, 150)
    >>> found.gain.value > 0
    True
    """

    horizon: int
    subjects: int
    all_subjects: int
    budgets: dict[str, float]
    spent: dict[str, float]  # by the average subject
    rewards: Vector  # (draw, 3) of what was done, of the planner that is told and of the one that learns
    pulls: Vector  # (3,) of the same, per subject
    idle: Vector | None = None  # (draw,) of doing nothing, where the log says that it brings something
    limits: tuple[Resource | Gap, ...] = ()  # that the planner keeps to besides

    @property
    def done(self) -> Interval:
        """What was done."""
        return over_draws(self.rewards[:, 0])

    @property
    def told(self) -> Interval:
        """The planner that begins with what the fit says."""
        return over_draws(self.rewards[:, 1])

    @property
    def learned(self) -> Interval:
        """The planner with nothing known."""
        return over_draws(self.rewards[:, 2])

    @property
    def nothing(self) -> Interval | None:
        """What doing nothing would bring."""
        return None if self.idle is None else over_draws(self.idle)

    @property
    def effects(self) -> tuple[Interval, ...] | None:
        """What was done, the planner that is told and the one that learns earn beyond doing nothing."""
        return None if self.idle is None else tuple(over_draws(column - self.idle) for column in self.rewards.T)

    @property
    def gain(self) -> Interval:
        """What the planner that is told the fit earns more, as a share; nan where rewards are not positive."""
        return self._share(1)

    @property
    def gain_learned(self) -> Interval:
        """What the planner with nothing known earns more, as a share; nan where rewards are not positive."""
        return self._share(2)

    def _share(self, column: int) -> Interval:
        done = self.rewards[:, 0]
        if (done <= 0).any():
            return Interval(math.nan, -math.inf, math.inf)
        return over_draws(self.rewards[:, column] / done - 1)

    def frame(self) -> "pd.DataFrame":
        """A row per draw, with a column `nothing` where idle rounds have outcomes.

        >>> import roguewk as rw
        >>> from roguewk.learn.example import invented_log
        >>> rw.what_if(invented_log(), draws=5).frame().columns.tolist()
        ['draw', 'done', 'told', 'learned']
        """
        import pandas as pd

        table = pd.DataFrame(self.rewards, columns=["done", "told", "learned"])
        table.insert(0, "draw", range(len(table)))
        if self.idle is not None:
            table["nothing"] = self.idle
        return table

    def __str__(self) -> str:
        return "\n".join(textwrap.fill(sentence, 80) for sentence in sentences(self))


def over_draws(values: Vector) -> Interval:
    """The mean of draws and the interval that holds another one in 95 of 100 cases, if they are about normal."""
    count, middle = values.size, float(values.mean())
    # Student's quantile by its expansion: few draws tell little of their spread.
    z, free = NORMAL, count - 1
    wide = z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
    reach = wide * float(values.std(ddof=1)) * math.sqrt(1 + 1 / count)
    return Interval(middle, middle - reach, middle + reach)


def what_if(
    log: Any,
    budgets: Mapping[str, float] | None = None,
    horizon: int | None = None,
    *,
    family: str = "bernoulli",
    fit: Fit | None = None,
    draws: int = 20,
    seed: int = 0,
    round_length: float | None = None,
    progress: Callable[[int, int], None] | None = None,
    arms: Iterable[str] | None = None,
    unit: str | None = None,
    limits: Sequence[Resource | Gap] = (),
    rounds_per_day: float | None = None,
) -> WhatIf:
    """What `roguewk-plan` is expected to earn more than what was done in a log, with an interval.

    The log is fitted (or its `fit` given), and for each of some draws from what the fit leaves open (`fit.drawn`)

    - what was done, every subject's arms at their times, is valued: the mean rewards that the draw gives the average
      subject, given the uses before;
    - the planner plays the drawn world, told what the fit says, and once more with `dynamics="learned"`, told
      nothing. Every pull costs its mean.

    All of this per subject, over the first `horizon` rounds of those who were seen for as many; by default that is as
    long as the middle subject. `budgets` are per subject, by default what the average one spent in these rounds;
    `pulls` may be limited like a resource, and is by default where the log knows no costs. What was done is valued at
    the average subject too: if those who respond more got more, it is worth more than is said here.

    `limits` are caps, gaps and budgets that renew, as `Problem.with_limits` takes them, and `rounds_per_day` lets them
    be said in days; what was done is valued as it was done, whether it kept to them or not.

    Where the fit has covariates or a trend, all of it is valued at their averages. Where it has a baseline, idle rounds
    count with what the draw expects of them, whether they have rows or not; the planner that is told the fit takes them
    to bring the estimate, and the other one learns what they bring.

    `progress` is called with the draws done and to do; `round_length` is needed for clock times (see `rw.replay`);
    `log`, `arms` and `unit` are as in `rw.fit`.

    >>> import roguewk as rw
    >>> from roguewk.learn.example import invented_log
    >>> found = rw.what_if(invented_log(), budgets={"minutes": 40.0}, draws=5)
    >>> found.told.value > found.done.value
    True
    """
    if isinstance(log, Fit):
        raise InputError("the log is what rw.fit returned: give the log itself first, and this as fit=")
    log = as_log(log, arms, unit)
    if fit is not None and not isinstance(fit, Fit):
        raise InputError(f"fit is {shown(fit)}: give what rw.fit returns, or leave it out")
    if progress is not None and not callable(progress):
        raise InputError(f"progress is {shown(progress)}: give a function of the draws done and to do")
    count, first = whole(draws, "draws", FEWEST, 10_000), whole(seed, "seed", 0)
    fitted = (fit_log(log, family) if fit is None else fit).counting_pulls()
    if tuple(arm.name for arm in fitted.arms) != log.arms:
        raise InputError(f"the fit has the arms {', '.join(arm.name for arm in fitted.arms)}: give that of the log")
    check_rewards(log, family_named(fitted.family))
    done = done_in(log, fitted, horizon, round_length)
    spending = _spending(done, budgets)
    frame = Frame(done.horizon, spending, done.round_length, _listed(limits), rounds_per_day)
    rewards, pulls, idle = np.empty((count, 3)), np.empty((count, 3)), np.empty(count)
    for d in range(count):
        if progress is not None:
            progress(d, count)
        drawn = fitted.drawn(first + d)
        planned = _planned(fitted, drawn, done, frame, first)
        rewards[d], pulls[d] = (done.worth(drawn), *planned[0]), (done.spent[PULLS], *planned[1])
        idle[d] = done.idle_means(drawn).sum()
    if progress is not None:
        progress(count, count)
    return WhatIf(
        horizon=done.horizon,
        subjects=len(done.log.subjects),
        all_subjects=done.of,
        budgets=frame.for_good,
        limits=frame.limits,
        spent=done.spent,
        rewards=rewards,
        pulls=pulls.mean(axis=0),
        idle=None if fitted.baseline is None else idle,
    )


def _spending(done: Done, budgets: Mapping[str, float] | None) -> dict[str, float]:
    """Those that are given, and for the other resources what was spent; what took nothing has no limit."""
    if budgets is not None and not isinstance(budgets, Mapping):
        raise InputError(f"budgets are {shown(budgets)}: give a budget by the name of each resource that has one")
    given = {} if budgets is None else dict(budgets)
    for name, budget in given.items():
        known(name, done.spent, "resource")
        positive(budget, f"budget of {name!r}")
    spent = {name: amount for name, amount in done.spent.items() if name in done.log.resources and amount > 0}
    if not spent and not given:
        spent = {PULLS: done.spent[PULLS]}
    return {name: float(amount) for name, amount in (spent | given).items()}


def _listed(limits: Any) -> tuple[Resource | Gap, ...]:
    if isinstance(limits, str | Mapping) or not isinstance(limits, Iterable):
        raise InputError(f"limits are {shown(limits)}: give a list of rw.Resource, rw.at_most(...) and rw.Gap")
    return tuple(limits)


@dataclass(frozen=True)
class Frame:
    """What the planner may do: for how long, with which budgets for the whole time, and within which limits."""

    horizon: int
    budgets: dict[str, float]
    round_length: float
    limits: tuple[Resource | Gap, ...]
    rounds_per_day: float | None

    @property
    def for_good(self) -> dict[str, float]:
        """The budgets that no limit takes the place of."""
        renewed = {limit.name for limit in self.limits if isinstance(limit, Resource)}
        return {name: budget for name, budget in self.budgets.items() if name not in renewed}

    def world(self, fit: Fit) -> World:
        """The world in which a fit is true."""
        world = fit.world(self.horizon, self.budgets, round_length=self.round_length)
        if not self.limits:
            return world
        limited = world.problem.with_limits(*self.limits, rounds_per_day=self.rounds_per_day)
        parts = {name: getattr(limited, name) for name in ("resources", "gaps", "rounds_per_day")}
        return world.with_problem(**parts)


def _planned(fit: Fit, drawn: Fit, done: Done, frame: Frame, seed: int) -> tuple[list[float], list[float]]:
    """What the planner earns in a drawn world, told what the fit says and told nothing, and its pulls."""
    believed = fit.problem(frame.horizon, frame.budgets, round_length=frame.round_length).arms
    # Who is told a baseline learns nothing of it, and worlds tell the truth: so decisions are those of a world in which
    # the estimate is true, and what the draw expects more of idle rounds is added to what they bring.
    as_told = frame.world(replace(drawn, baseline=fit.baseline))
    told = simulate(as_told.believe(believed), PLANNER, REPLICATES, seed, curves=fit.baseline is not None)
    more = 0.0
    if fit.baseline is not None:
        more = float(_resting(told) @ (done.idle_means(drawn) - done.idle_means(fit)))
    world = frame.world(drawn)
    if world.baseline is not None:
        world = world.with_problem(baseline=replace(world.baseline, known=False))
    learned = simulate(world, (PLANNER, {"dynamics": "learned"}), REPLICATES, seed)
    tables = [runs.frame() for runs in (told, learned)]
    first, second = (float(each["expected_reward"].mean()) for each in tables)
    return [first + more, second], [float(each["plays"].mean()) for each in tables]


def _resting(runs: Runs) -> Vector:
    """(round,) share of the games in which what a round brings is that of an idle one."""
    (name,) = runs.policies
    idle, totals = runs.curves[name].arms < 0, runs.totals[name]
    broken = np.flatnonzero(totals["stopped_by"] != WITHIN)
    idle[broken, totals["rounds"][broken] - 1] = True  # the pull that breaks a budget does not count
    return np.asarray(idle.mean(axis=0))
