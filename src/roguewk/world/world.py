"""A world: a problem and the hidden truth about it. Policies must never import this module."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import Arm, vector
from roguewk.problem.baseline import Baseline, check_baseline
from roguewk.problem.context import Context
from roguewk.problem.errors import LARGEST, InputError, known, shown
from roguewk.problem.problem import Problem, members
from roguewk.world.cost import Cost
from roguewk.world.outcomes import PROMPT, Outcomes, check_outcomes
from roguewk.world.write import check_writable, to_text, truth_to_data, write_text

_NUMBERS = ("matrix", "push", "pull_back", "weights", "alpha", "sigma", "box")


@dataclass(frozen=True, eq=False, repr=False)
class World:
    """A problem with its truth: the initial state of each arm, what pulls cost (arm by resource), and the true arms.

    The costs of an arm are a list in the order of the resources, or by their names, as in `{"staff": 0.2}`.
    Policies are told the problem and nothing else. Its arms are the true ones unless others are given as `arms`, in the
    same order and of the same families: then policies are mistaken about how arms wear off and recover. `outcomes` says
    when policies are told what pulls brought, if not at once. `baseline` is what idle rounds bring, by default what the
    problem says; where that is not known, the problem of the world hides it; `contexts` are
    the problem's, with all of their chances.

    >>> import roguewk as rw
    >>> arm = rw.Arm("call", A=0.2, B=-0.5, K=0.8, alpha=0.2, beta=0.8)
    >>> problem = rw.Problem([arm], [rw.Resource("staff", 300.0)], horizon=1000)
    >>> rw.World(problem, x0=[0.5], costs=[[rw.Cost.uniform(0.1, 0.2)]]).mean_costs
    array([[0.15]])
    """

    problem: Problem
    x0: tuple[Vector, ...]
    costs: tuple[tuple[Cost, ...], ...]
    arms: tuple[Arm, ...]
    outcomes: Outcomes
    contexts: tuple[Context, ...]
    baseline: Baseline | None

    def __init__(
        self,
        problem: Problem,
        x0: Sequence[Any],
        costs: Sequence[Sequence[Cost | float] | Mapping[str, Cost | float]],
        arms: Sequence[Arm] | None = None,
        outcomes: Outcomes = PROMPT,
        contexts: Sequence[Context] | None = None,
        baseline: Baseline | None = None,
    ) -> None:
        if not isinstance(problem, Problem):
            raise InputError(f"the problem is {shown(problem)}: give an rw.Problem")
        if not isinstance(x0, Sequence | np.ndarray) or not isinstance(costs, Sequence):
            raise InputError("x0 or costs is no list: give an initial state and a row of costs for each arm")
        if len(x0) != len(problem.arms) or len(costs) != len(problem.arms):
            raise InputError(
                f"{len(problem.arms)} arms have {len(x0)} initial states and {len(costs)} rows of costs: give one each"
            )
        baseline = _true_baseline(problem, baseline)
        problem = problem if baseline is None else replace(problem, baseline=baseline.told)
        true = problem.arms if arms is None else problem.believe(arms).arms  # alike in what believing asks for
        taken = tuple(_costs_of(problem, a, row) for a, row in enumerate(costs))
        object.__setattr__(self, "problem", _bounded(_told(_measured(problem, taken), taken), taken))
        object.__setattr__(self, "x0", tuple(map(_initial, true, x0)))
        object.__setattr__(self, "costs", taken)
        object.__setattr__(self, "arms", true)
        object.__setattr__(self, "outcomes", check_outcomes(outcomes).in_rounds(problem.rounds_per_day))
        object.__setattr__(self, "contexts", _true_contexts(problem, contexts))
        object.__setattr__(self, "baseline", baseline)

    def __repr__(self) -> str:
        return f"<world of {self.problem.outline()}>"

    @property
    def mean_costs(self) -> Vector:
        """(arm, resource) in the user's units."""
        rows = [[cost.mean for cost in row] for row in self.costs]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.problem.resources))

    @property
    def idle_means(self) -> Vector:
        """(round,) what every round would bring on average if nothing were ever done."""
        horizon = self.problem.horizon
        return np.zeros(horizon) if self.baseline is None else self.baseline.means(horizon)

    @property
    def misjudged(self) -> tuple[str, ...]:
        """The names of the arms that are believed to be other than they are."""
        pairs = zip(self.arms, self.problem.arms, strict=True)
        return tuple(true.name for true, believed in pairs if not _same(true, believed))

    def believe(self, arms: Sequence[Arm]) -> "World":
        """The same truth, of which policies are told these arms; `world.believe(world.arms)` tells them the truth.

        >>> import dataclasses
        >>> import roguewk as rw
        >>> world = rw.catalog.one_resource()
        >>> slower = [dataclasses.replace(arm, A=arm.A**0.5, state=None) for arm in world.arms]  # half-lives doubled
        >>> world.believe(slower).misjudged
        ('dear', 'cheap')
        """
        return self._with(self.problem.believe(arms))

    def with_budget(self, budget: float | Sequence[float]) -> "World":
        """The same world with another budget, one for all resources or one each."""
        return self._with(self.problem.with_budget(budget))

    def with_outcomes(self, outcomes: Outcomes) -> "World":
        """The same world, in which outcomes become known otherwise.

        >>> import roguewk as rw
        >>> late = rw.catalog.paper().with_outcomes(rw.Outcomes(delay=50, missing=0.3))
        >>> late.outcomes.late
        True
        """
        truth = self.x0, self.costs, self.arms, outcomes
        return World(self.problem, *truth, baseline=self.baseline, contexts=self.contexts)

    def with_problem(self, **changes: Any) -> "World":
        """The same world with other `resources`, `gaps` or `rounds_per_day`, another `horizon`, `idle` or `baseline`.

        >>> import roguewk as rw
        >>> world = rw.catalog.messages().with_problem(baseline=rw.Baseline(0.3, known=False))
        >>> world.baseline.reward, world.problem.baseline.reward
        (0.3, None)
        """
        now, parts = self.problem, ("resources", "horizon", "idle", "gaps", "rounds_per_day", "baseline")
        for name in changes:
            if name == "arms":
                raise InputError("arms are true or believed: use world.believe(arms), or make another rw.World")
            known(name, parts, "part of a problem")
        baseline = changes.get("baseline", self.baseline)
        if baseline is not None and changes.get("idle", True) is False:
            raise InputError(
                "idle rounds of this world bring something: give baseline=None too, or leave out idle=False"
            )
        # What pulls take of caps follows from the problem, and the most that they may take from the costs.
        told = [row[: len(now.told)] for row in self.costs]
        known_costs = now.known_costs and [row[: len(now.told)] for row in now.known_costs]
        problem = replace(now, **{"known_costs": known_costs, "largest_costs": None, **changes})
        return World(problem, self.x0, told, self.arms, self.outcomes, baseline=baseline, contexts=self.contexts)

    def _with(self, problem: Problem) -> "World":
        truth = self.x0, self.costs, self.arms, self.outcomes
        return World(problem, *truth, baseline=self.baseline, contexts=self.contexts)

    def to_toml(self, path: str | os.PathLike[str] | None = None) -> str:
        """The text of a world file that `rw.load_world` reads as exactly this world; with a path, it is written there.

        Functions h and g of one's own cannot be written.

        >>> import roguewk as rw
        >>> rw.catalog.paper().to_toml().splitlines()[0]
        'horizon = 1000'
        """
        check_writable(self.problem, self.arms, self.costs)
        truth = self.arms, self.x0, self.costs, self.outcomes
        content = to_text(truth_to_data(self.problem, *truth, baseline=self.baseline, contexts=self.contexts))
        if path is not None:
            write_text(content, path)
        return content


def _true_baseline(problem: Problem, baseline: Baseline | None) -> Baseline | None:
    """What idle rounds bring in truth."""
    baseline = problem.baseline if baseline is None else check_baseline(baseline)
    if baseline is not None and baseline.reward is None:
        raise InputError(
            "nobody knows what idle rounds bring, and a world needs the truth: add `reward = ...` to [idle], with"
            " known = false if policies are to learn it, or give rw.World a baseline with a reward"
        )
    return baseline


def _same(one: Arm, other: Arm) -> bool:
    functions = one.h is other.h and one.g is other.g and one.available == other.available
    told = one.prior is other.prior and one.like == other.like and one.when == other.when
    return functions and told and all(np.array_equal(getattr(one, key), getattr(other, key)) for key in _NUMBERS)


def _true_contexts(problem: Problem, contexts: Sequence[Context] | None) -> tuple[Context, ...]:
    """The contexts of a world, of which all chances are said."""
    true = problem.contexts if contexts is None else tuple(contexts)
    if not all(isinstance(context, Context) for context in true) or len(true) != len(problem.contexts):
        raise InputError(f"the contexts of the world are {shown(contexts)}: give those of the problem, with chances")
    for context, told in zip(true, problem.contexts, strict=True):
        what = f"context {told.name!r}"
        if (context.name, context.values, context.cycle, context.each) != (
            told.name,
            told.values,
            told.cycle,
            told.each,
        ):
            raise InputError(f"{what} of the problem is another one in the world: give the same, with chances")
        if context.drawn and context.chances is None:
            raise InputError(f"{what} has no chances, and a world needs the truth: give them, in World(contexts=...)")
        if told.chances is not None and told.chances != context.chances:
            raise InputError(
                f"{what} has other chances in the world than in the problem: leave them out in the problem"
            )
    return true


def _initial(arm: Arm, x0: Any) -> Vector:
    state = vector(x0, (arm.dimension,), f"x0 of arm {arm.name!r}")
    shown = state.tolist() if arm.dimension > 1 else float(state[0])
    if (state < arm.box[:, 0]).any() or (state > arm.box[:, 1]).any():
        raise InputError(f"x0 {shown} of arm {arm.name!r} is outside its state set {arm.state}: widen `state`")
    slack = 1e-9 * (arm.box[:, 1] - arm.box[:, 0])
    if (state < arm.starts[:, 0] - slack).any() or (state > arm.starts[:, 1] + slack).any():
        raise InputError(f"x0 {shown} of arm {arm.name!r} is not where its known_start says: mend one of them")
    return state


def in_order(costs: Mapping[Any, Any], resources: Sequence[str], what: str) -> list[Any]:
    """The costs of an arm, which are given by the names of resources, in the order of these."""
    for name in costs:
        known(name, resources, f"resource in the costs of {what}:")
    for name in resources:
        if name not in costs:
            raise InputError(f"the costs of {what} do not name resource {name!r}: add it, with 0 if a pull takes none")
    return [costs[name] for name in resources]


def _costs_of(problem: Problem, a: int, row: Sequence[Any] | Mapping[str, Any]) -> tuple[Cost, ...]:
    name = problem.arms[a].name
    if isinstance(row, Mapping):
        row = in_order(row, [resource.name for resource in problem.told], f"arm {name!r}")
    if not isinstance(row, Sequence) or isinstance(row, str):
        raise InputError(f"costs of arm {name!r} are {shown(row)}: give a list of rw.Cost, one for each resource")
    if len(row) == len(problem.resources):  # as another world has them
        row = row[: len(problem.told)]
    if len(row) != len(problem.told):
        raise InputError(
            f"arm {name!r} has {len(row)} costs for {len(problem.told)} resources: give one each, in their order"
        )
    row = [Cost.fixed(cost) if isinstance(cost, Real) and not isinstance(cost, bool) else cost for cost in row]
    for cost, resource in zip(row, problem.told, strict=True):
        if not isinstance(cost, Cost):
            raise InputError(f"cost of arm {name!r} on {resource.name!r} is {shown(cost)}: give a number or an rw.Cost")
        if resource.largest_cost is not None and cost.largest > resource.largest_cost * (1 + 1e-12):
            raise InputError(
                f"cost {cost.largest:g} of arm {name!r} on {resource.name!r} is outside [0, {resource.largest_cost:g}]:"
                " raise that resource's largest_cost"
            )
    counted = [members(problem, resource.counts)[a] for resource in problem.resources[len(problem.told) :]]
    return (*row, *(Cost.fixed(float(each)) for each in counted))


def _measured(problem: Problem, costs: Sequence[Sequence[Cost]]) -> Problem:
    """The problem with a largest cost of each resource: what it says, else what these costs can be."""
    if all(resource.largest_cost is not None for resource in problem.resources):
        return problem
    resources = []
    for j, resource in enumerate(problem.resources):
        largest = max(row[j].largest for row in costs)
        largest = largest if largest * LARGEST > 1 else resource.unit  # nothing is taken, or next to nothing
        resources.append(resource if resource.largest_cost is not None else replace(resource, largest_cost=largest))
    return replace(problem, resources=tuple(resources))


def _told(problem: Problem, costs: Sequence[Sequence[Cost]]) -> Problem:
    """The problem with the mean costs that policies are told."""
    if not any(cost.known for row in costs for cost in row):
        return problem
    known_costs = tuple(tuple(cost.mean if cost.known else None for cost in row) for row in costs)
    return replace(problem, known_costs=known_costs)


def _bounded(problem: Problem, costs: Sequence[Sequence[Cost]]) -> Problem:
    """The problem with the most that a pull of each arm may take: of all, where that decides which arms may be pulled.

    Else of those whose costs everybody knows; of others it is what the problem says, or more if the truth is.
    """
    said = (problem.scaled_most * problem.scales).tolist()
    most = [
        [cost.largest if cost.known else max(cost.largest, before) for cost, before in zip(*both, strict=True)]
        for both in zip(costs, said, strict=True)
    ]
    if problem.limited:
        most = [[cost.largest for cost in row] for row in costs]
    elif np.allclose(most, said, rtol=1e-12, atol=0.0):
        return problem
    return replace(problem, largest_costs=tuple(map(tuple, most)))


def check_world(world: Any) -> World:
    """`world` if it is one; a problem is a frequent slip."""
    if not isinstance(world, World):
        raise InputError(f"the world is a {type(world).__name__}: give an rw.World, as rw.load_world makes")
    return world
