"""A problem: all that a policy may know, or believes to know."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import Arm
from roguewk.problem.baseline import Baseline, check_baseline
from roguewk.problem.calendar import calendar_of, check_shifts
from roguewk.problem.context import Context, check_contexts, forbidden_in
from roguewk.problem.duration import Duration, check_rounds_per_day, in_words, whole_rounds
from roguewk.problem.errors import InputError, known, number, shown, truth_value, unique, whole
from roguewk.problem.family.family import RewardFamily
from roguewk.problem.resource import Gap, Resource

T = TypeVar("T")
KnownCosts = tuple[tuple[float | None, ...], ...] | None
LargestCosts = tuple[tuple[float, ...], ...] | None
NAMED = 5  # arms, where a problem is shown as a line
LONGEST = 10**9  # rounds; a longer horizon is surely a slip of the pen


def _list_of(kind: type[T], things: Any, plural: str) -> list[T]:
    found = list(things) if isinstance(things, Iterable) else None
    if found is None or not all(isinstance(thing, kind) for thing in found):
        raise InputError(f"the {plural} are {shown(things)}: give a list of rw.{kind.__name__}")
    return found


@dataclass(frozen=True, repr=False)
class Problem:
    """Arms, resources with budgets, the number of rounds, and whether a round may be left unplayed.

    `known_costs` has a row for each arm with what a pull takes of each resource on average, in your units, and None
    where that has to be learned, as everything has by default; `largest_costs` has what it takes at the most. `gaps`
    keep pulls apart, with `rounds_per_day` all durations may be said in days, and `contexts` are known when deciding.
    A `baseline` is what a round brings in which nothing is done, if that is anything; rounds may then be left idle.

    >>> import roguewk as rw
    >>> arm = rw.Arm("call", A=0.2, B=-0.5, K=0.8, alpha=0.2, beta=0.8)
    >>> rw.Problem([arm], [rw.Resource("staff", 300.0)], horizon=1000).rates
    array([0.3])
    """

    arms: tuple[Arm, ...]
    resources: tuple[Resource, ...]
    horizon: int
    idle: bool = False
    known_costs: KnownCosts = None
    rounds_per_day: float | None = None
    gaps: tuple[Gap, ...] = ()
    largest_costs: LargestCosts = None
    contexts: tuple[Context, ...] = ()
    baseline: Baseline | None = None

    def __init__(
        self,
        arms: Sequence[Arm],
        resources: Sequence[Resource],
        horizon: Duration,
        idle: bool = False,
        known_costs: Sequence[Sequence[float | None]] | None = None,
        rounds_per_day: float | None = None,
        gaps: Sequence[Gap] = (),
        largest_costs: Sequence[Sequence[float]] | None = None,
        contexts: Sequence[Context] = (),
        baseline: Baseline | None = None,
    ) -> None:
        arms, resources = _list_of(Arm, arms, "arms"), _list_of(Resource, resources, "resources")
        if not arms:
            raise InputError("the problem has no arm: give at least one")
        unique((arm.name for arm in arms), "arms")
        unique((resource.name for resource in resources), "resources")
        _check_alike(arms)
        object.__setattr__(self, "arms", tuple(arms))
        # What counts pulls comes last: of the others, costs are told in their order.
        object.__setattr__(self, "resources", tuple(sorted(resources, key=lambda each: each.counts is not None)))
        if rounds_per_day is not None:
            rounds_per_day = check_rounds_per_day(rounds_per_day)
        object.__setattr__(self, "rounds_per_day", rounds_per_day)
        rounds = whole_rounds(horizon, rounds_per_day, "horizon")
        object.__setattr__(self, "horizon", whole(rounds, "horizon", 1, LONGEST))
        object.__setattr__(self, "baseline", check_baseline(baseline))
        object.__setattr__(self, "idle", truth_value(idle, "idle") or baseline is not None)
        object.__setattr__(self, "gaps", tuple(_list_of(Gap, gaps, "gaps")))
        object.__setattr__(self, "contexts", tuple(_list_of(Context, contexts, "contexts")))
        check_contexts(self.contexts, {f"arm {arm.name!r}": arm.when for arm in self.arms})
        check_shifts(self.arms, calendar_of(self.contexts, rounds_per_day))
        _check_named(self)
        object.__setattr__(self, "known_costs", _known_costs(self, known_costs))
        object.__setattr__(self, "largest_costs", _largest_costs(self, largest_costs))

    def __repr__(self) -> str:
        return f"<problem of {self.outline()}>"

    def outline(self) -> str:
        """What it is about, on one line.

        >>> import roguewk as rw
        >>> rw.catalog.one_resource().problem.outline()
        "2 arms ('dear', 'cheap'), 1000 rounds, all played, and budgets 'money' 300"
        """
        names, unknown = [repr(arm.name) for arm in self.arms], len(self.unknown)
        listed = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
        learned = f", dynamics of {'all' if unknown == len(names) else unknown} unknown" if unknown else ""
        pairs = zip(self.resources, self.periods.tolist(), strict=True)
        budgets = ", ".join(self._budget_in_words(*pair) for pair in pairs) or "none"
        apart = " and ".join(in_words(self.gap_rounds(gap), self.rounds_per_day) for gap in self.gaps)
        gaps = f", {apart} apart" if apart else ""
        arms, rounds = "arm" if len(names) == 1 else "arms", f"{self.horizon} rounds"
        played = "some may be idle" if self.idle else "all played"
        played = played if self.baseline is None else self.baseline.in_words()
        contexts = f", contexts {', '.join(repr(each.name) for each in self.contexts)}" if self.contexts else ""
        return f"{len(names)} {arms} ({listed}){learned}, {rounds}, {played}{contexts}{gaps}, and budgets {budgets}"

    def _budget_in_words(self, resource: Resource, period: int) -> str:
        renewed = "" if resource.every is None else f" every {in_words(period, self.rounds_per_day)}"
        return f"{resource.name!r} {resource.budget:g}" + renewed

    @property
    def told(self) -> tuple[Resource, ...]:
        """The resources of which pulls have costs to be told: all but those that count pulls."""
        return tuple(resource for resource in self.resources if resource.counts is None)

    @property
    def periods(self) -> Any:
        """(resource,) for how many rounds a budget is."""
        periods = [
            self.horizon
            if resource.every is None
            else whole_rounds(resource.every, self.rounds_per_day, f"every of resource {resource.name!r}")
            for resource in self.resources
        ]
        return np.array(periods, dtype=np.int64)

    @property
    def hard(self) -> Any:
        """(resource,) whether no pull is made that might take more than is left, instead of ending the game."""
        return np.array([resource.hard for resource in self.resources], dtype=np.bool_)

    @property
    def limited(self) -> bool:
        """Whether there may be rounds in which what renews, a cap or a gap leaves some arm out."""
        return bool(self.gaps) or any(resource.hard for resource in self.resources)

    def gap_rounds(self, gap: Gap) -> int:
        """How many rounds pass from one pull to the next at least."""
        return whole_rounds(gap.least, self.rounds_per_day, "gap")

    @property
    def budgets(self) -> Vector:
        """(resource,) of each period, in the user's units."""
        return np.array([resource.budget for resource in self.resources], dtype=np.float64)

    @property
    def totals(self) -> Vector:
        """(resource,) budgets of all periods together, in the user's units."""
        return np.asarray(self.budgets * np.ceil(self.horizon / self.periods))

    @property
    def scales(self) -> Vector:
        """(resource,) the cost that counts as 1 inside."""
        return np.array([resource.unit for resource in self.resources], dtype=np.float64)

    @property
    def rates(self) -> Vector:
        """(resource,) `b = B / T`, with costs scaled into [0, 1]; T is the period of a budget that renews."""
        return np.asarray(self.budgets / self.scales / self.periods)

    @property
    def scaled_most(self) -> Vector:
        """(arm, resource) what a pull may take at the most, with the largest cost as 1."""
        rows: Any = self.largest_costs or self._largest_known
        filled = _filled_rows(self, rows, "largest_costs", "a number")
        shape = len(self.arms), len(self.resources)
        return np.minimum(np.array(filled, dtype=np.float64).reshape(shape) / self.scales, 1.0)

    @property
    def _largest_known(self) -> list[list[float]]:
        """What pulls may take at the most where only means are said: nothing, if that is the mean, else anything."""
        rows, units = self.known_costs or [(None,) * len(self.resources)] * len(self.arms), self.scales.tolist()
        return [[0.0 if mean == 0 else unit for mean, unit in zip(row, units, strict=True)] for row in rows]

    @property
    def scaled_costs(self) -> Vector:
        """(arm, resource) mean costs that are known, with the largest cost as 1, NaN for others; no row if none is."""
        shape = len(self.arms), len(self.resources)
        known = np.full(shape, np.nan)
        if self.known_costs is not None:
            known = np.array(self.known_costs, dtype=np.float64).reshape(shape) / self.scales
        if self.largest_costs is not None:  # what takes nothing at the most takes nothing on average
            known[np.array(self.largest_costs).reshape(shape) == 0.0] = 0.0
        return known if np.isfinite(known).any() else known[:0]

    @property
    def unknown(self) -> tuple[str, ...]:
        """The names of the arms whose dynamics nobody knows."""
        return tuple(arm.name for arm in self.arms if arm.prior is not None)

    def arm_index(self, arm: int | str) -> int:
        """The index of an arm given by name or index."""
        if isinstance(arm, str):
            names = [each.name for each in self.arms]
            if arm not in names:
                raise InputError(f"there is no arm {arm!r}: the arms are {', '.join(map(repr, names))}")
            return names.index(arm)
        return whole(arm, "arm", 0, len(self.arms) - 1)

    def check_reward(self, arm: int | str, reward: Any) -> float:
        """A reward that this arm can give, as a float."""
        if type(arm) is not int or not 0 <= arm < len(self.arms):
            arm = self.arm_index(arm)
        return _reward(reward, self.arms[arm].reward_family, f"arm {self.arms[arm].name!r}")

    def check_idle_reward(self, reward: Any) -> float:
        """A reward that an idle round can give, as a float."""
        if self.baseline is None:
            raise InputError("idle rounds of this problem bring nothing: give it a baseline, or tell no reward of them")
        return _reward(reward, self.baseline.reward_family, "an idle round")

    def believe(self, arms: Sequence[Arm]) -> "Problem":
        """The same problem with arms that are believed to wear off and recover otherwise.

        Names, their order and families stay: who decides knows what can be done and what kind of reward it brings.

        >>> import roguewk as rw
        >>> problem = rw.catalog.one_resource().problem
        >>> slow = rw.everyday_arm("dear", rested=0.85, wear=0.7, half_life=6)
        >>> round(problem.believe([slow, problem.arms[1]]).arms[0].A, 3)
        0.891
        """
        believed = _list_of(Arm, arms, "arms")
        names, others = [arm.name for arm in self.arms], [arm.name for arm in believed]
        if names != others:
            raise InputError(f"the arms are {names} and believed to be {others}: give the same names in the same order")
        for arm, other in zip(self.arms, believed, strict=True):
            if arm.family != other.family:
                raise InputError(
                    f"arm {arm.name!r} is {arm.family} and believed to be {other.family}: give it the same family"
                )
            if forbidden_in(arm.when) != forbidden_in(other.when):
                raise InputError(
                    f"arm {arm.name!r} is forbidden in {list(forbidden_in(arm.when))} and believed to be in"
                    f" {list(forbidden_in(other.when))}: give it the same, as who decides knows what is forbidden"
                )
        return replace(self, arms=tuple(believed))

    def of_arms(self, arms: Sequence[Arm]) -> "Problem":
        """A problem of these arms alone, in the same rounds and contexts, in which nothing is limited."""
        contexts, per_day = self.contexts, self.rounds_per_day
        return Problem(arms, (), self.horizon, self.idle, rounds_per_day=per_day, contexts=contexts)

    def with_limits(self, *limits: Resource | Gap, rounds_per_day: float | None = None) -> "Problem":
        """The same problem with caps and gaps besides; a resource takes the place of the one that has its name.

        >>> import roguewk as rw
        >>> from roguewk.learn.example import invented_log
        >>> problem = rw.fit(invented_log()).problem(horizon=60, budgets={"minutes": 60.0})
        >>> weekly = rw.Resource("minutes", 7.0, every="7 days")
        >>> problem.with_limits(weekly, rw.at_most(2, "1 day"), rounds_per_day=1).resources[1].name
        'pulls per 1 day'
        """
        told, counts, gaps = list(self.told), list(self.resources[len(self.told) :]), list(self.gaps)
        for limit in limits:
            if isinstance(limit, Gap):
                gaps.append(limit)
            elif not isinstance(limit, Resource):
                raise InputError(f"a limit is {shown(limit)}: give an rw.Resource, rw.at_most(...) or an rw.Gap")
            elif limit.counts is not None:
                counts.append(limit)
            else:
                names = [resource.name for resource in told]
                known(limit.name, names, "resource with a limit:")
                j = names.index(limit.name)
                most = told[j].largest_cost if limit.largest_cost is None else limit.largest_cost
                told[j] = replace(limit, largest_cost=most)
        rows = {name: getattr(self, name) for name in ("known_costs", "largest_costs")}
        kept: dict[str, Any] = {name: row and [each[: len(told)] for each in row] for name, row in rows.items()}
        days = self.rounds_per_day if rounds_per_day is None else rounds_per_day
        return replace(self, resources=(*told, *counts), gaps=tuple(gaps), rounds_per_day=days, **kept)

    def with_budget(self, budget: float | Sequence[float]) -> "Problem":
        """The same problem with another budget, one for all resources or one each; caps on pulls stay."""
        told = self.told
        try:
            budgets = np.broadcast_to(np.asarray(budget, dtype=object), (len(told),))
        except ValueError:
            raise InputError(f"budget is {shown(budget)}: give a number, or one for each resource") from None
        resources = [replace(old, budget=new) for old, new in zip(told, budgets, strict=True)]
        return replace(self, resources=(*resources, *self.resources[len(told) :]))


def _reward(reward: Any, family: RewardFamily, whose: str) -> float:
    value = float(reward) if isinstance(reward, bool | np.bool_) else number(reward, f"reward of {whose}")
    if not family.rewards.allow(value):
        what = f"reward {shown(reward)} of {whose} is not {family.rewards.words}"
        raise InputError(f"{what}: its family is {family.name}")
    return value


def _check_alike(arms: Sequence[Arm]) -> None:
    """An arm that is like another one has all from it."""
    by_name = {arm.name: arm for arm in arms}
    for arm in arms:
        if arm.like is None:
            continue
        what, model = f"arm {arm.name!r} is like {arm.like!r}", by_name.get(arm.like)
        if model is None or model.prior is None or model.like is not None:
            raise InputError(f"{what}: name an arm whose dynamics are to be learned, and which is not like another")
        if (model.family, model.sigma) != (arm.family, arm.sigma):
            raise InputError(f"{what} and has another family or sigma: give it the same")
        if arm.prior is not None and arm.prior.to_data():
            raise InputError(f"{what} and has guesses of its own: give them to {arm.like!r} alone")


def _check_named(problem: Problem) -> None:
    """Arms that caps and gaps name are there, and durations are whole rounds."""
    names = [arm.name for arm in problem.arms]
    named = [(f"limit {each.name!r}", each.counts) for each in problem.resources]
    for what, arms in (*named, *(("a gap", gap.arms) for gap in problem.gaps)):
        for name in arms or ():
            known(name, names, f"arm of {what}:")
    for gap in problem.gaps:
        if problem.gap_rounds(gap) > problem.horizon:
            what = f"gap is {problem.gap_rounds(gap)} rounds, and the horizon {problem.horizon}"
            raise InputError(f"{what}: give a gap within the horizon, or at_most = 1 in its place")
    for resource, period in zip(problem.resources, problem.periods.tolist(), strict=True):
        if period > problem.horizon:
            what = f"every of resource {resource.name!r} is {period} rounds, and the horizon {problem.horizon}"
            raise InputError(f"{what}: give a period within the horizon")


def members(problem: Problem, arms: Sequence[str] | None) -> list[bool]:
    """(arm,) which of a problem's arms are named; all if none is."""
    return [not arms or arm.name in arms for arm in problem.arms]


def _row(row: Any) -> list[Any] | None:
    """What is in a list, a tuple or an array of one or two dimensions; None for everything else."""
    if isinstance(row, np.ndarray):
        return list(row) if row.ndim else None
    return list(row) if isinstance(row, list | tuple) else None


def _filled_rows(problem: Problem, rows: Any, what: str, example: str) -> list[list[Any]]:
    """A row for each arm with what is said of each resource; pulls that are counted take one each."""
    arms, told, resources = len(problem.arms), len(problem.told), len(problem.resources)
    listed = [_row(row) for row in _row(rows) or ()]
    if len(listed) != arms or any(row is None or len(row) not in (told, resources) for row in listed):
        raise InputError(f"{what} are {shown(rows)}: give a row for each arm, with {example} a resource")
    counted = [members(problem, resource.counts) for resource in problem.resources[told:]]
    return [[*(row or ())[:told], *(float(each[a]) for each in counted)] for a, row in enumerate(listed)]


def _known_costs(problem: Problem, rows: Any) -> KnownCosts:
    """What is known of mean costs, checked; None if nothing is."""
    if rows is None:
        rows = [[None] * len(problem.told)] * len(problem.arms)
    filled = _filled_rows(problem, rows, "known_costs", "a number or None")
    found = tuple(
        tuple(_known_cost(problem, a, j, value) for j, value in enumerate(row)) for a, row in enumerate(filled)
    )
    return found if any(value is not None for row in found for value in row) else None


def _largest_costs(problem: Problem, rows: Any) -> LargestCosts:
    """The most that pulls may take, checked; None if nothing else is said than of the resources."""
    if rows is None:
        return None
    filled = _filled_rows(problem, rows, "largest_costs", "a number")
    for a, row in enumerate(filled):
        for j, value in enumerate(row):
            resource, what = problem.resources[j], f"largest cost of arm {problem.arms[a].name!r}"
            row[j] = number(value, f"{what} on {resource.name!r}")
            if not 0 <= row[j] <= resource.unit * (1 + 1e-12):
                where = f"outside [0, {resource.unit:g}]"
                raise InputError(f"{what} on {resource.name!r} is {row[j]:g}, {where}: raise largest_cost")
    return tuple(map(tuple, filled))


def _known_cost(problem: Problem, a: int, j: int, value: Any) -> float | None:
    if value is None:
        return None
    resource, what = problem.resources[j], f"known cost of arm {problem.arms[a].name!r}"
    cost = number(value, f"{what} on {resource.name!r}")
    if cost < 0 or cost > resource.unit * (1 + 1e-12):
        raise InputError(f"{what} on {resource.name!r} is {cost:g}, outside [0, {resource.unit:g}]: raise largest_cost")
    return cost


def check_problem(problem: Any) -> Problem:
    """`problem` if it is one; a world is a frequent slip."""
    if not isinstance(problem, Problem):
        raise InputError(f"the problem is a {type(problem).__name__}: give an rw.Problem, such as world.problem")
    return problem
