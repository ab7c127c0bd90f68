"""A world: a problem and the hidden truth about it. Policies must never import this module."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roguewk.kernel.arrays import Vector
from roguewk.problem.arm import vector
from roguewk.problem.errors import InputError, known, shown
from roguewk.problem.problem import Problem
from roguewk.world.cost import Cost


@dataclass(frozen=True, eq=False)
class World:
    """A problem with its truth: the initial state of each arm and what pulls cost (arm by resource).

    >>> import roguewk as rw
    >>> arm = rw.Arm("call", A=0.2, B=-0.5, K=0.8, alpha=0.2, beta=0.8)
    >>> problem = rw.Problem([arm], [rw.Resource("staff", 300.0)], horizon=1000)
    >>> rw.World(problem, x0=[0.5], costs=[[rw.Cost.uniform(0.1, 0.2)]]).mean_costs
    array([[0.15]])
    """

    problem: Problem
    x0: tuple[Vector, ...]
    costs: tuple[tuple[Cost, ...], ...]

    def __init__(self, problem: Problem, x0: Sequence[Any], costs: Sequence[Sequence[Cost | float]]) -> None:
        if not isinstance(problem, Problem):
            raise InputError(f"the problem is {shown(problem)}: give an rw.Problem")
        if not isinstance(x0, Sequence | np.ndarray) or not isinstance(costs, Sequence):
            raise InputError("x0 or costs is no list: give an initial state and a row of costs for each arm")
        if len(x0) != len(problem.arms) or len(costs) != len(problem.arms):
            raise InputError(
                f"{len(problem.arms)} arms have {len(x0)} initial states and {len(costs)} rows of costs: give one each"
            )
        object.__setattr__(self, "problem", problem)
        object.__setattr__(self, "x0", tuple(_initial(problem, a, x) for a, x in enumerate(x0)))
        object.__setattr__(self, "costs", tuple(_costs_of(problem, a, row) for a, row in enumerate(costs)))

    @property
    def mean_costs(self) -> Vector:
        """(arm, resource) in the user's units."""
        rows = [[cost.mean for cost in row] for row in self.costs]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.problem.resources))

    def with_budget(self, budget: float | Sequence[float]) -> "World":
        """The same world with another budget, one for all resources or one each."""
        return World(self.problem.with_budget(budget), self.x0, self.costs)

    def with_problem(self, **changes: Any) -> "World":
        """The same truth with another `arms`, `resources`, `horizon` or `idle`."""
        now = self.problem
        parts = {"arms": now.arms, "resources": now.resources, "horizon": now.horizon, "idle": now.idle}
        for name in changes:
            known(name, parts, "part of a problem")
        return World(Problem(**{**parts, **changes}), self.x0, self.costs)


def _initial(problem: Problem, a: int, x0: Any) -> Vector:
    arm = problem.arms[a]
    state = vector(x0, (arm.dimension,), f"x0 of arm {arm.name!r}")
    shown = state.tolist() if arm.dimension > 1 else float(state[0])
    if (state < arm.box[:, 0]).any() or (state > arm.box[:, 1]).any():
        raise InputError(f"x0 {shown} of arm {arm.name!r} is outside its state set {arm.state}: widen `state`")
    return state


def _costs_of(problem: Problem, a: int, row: Sequence[Any]) -> tuple[Cost, ...]:
    name = problem.arms[a].name
    if not isinstance(row, Sequence) or isinstance(row, str):
        raise InputError(f"costs of arm {name!r} are {shown(row)}: give a list of rw.Cost, one for each resource")
    if len(row) != len(problem.resources):
        raise InputError(
            f"arm {name!r} has {len(row)} costs for {len(problem.resources)} resources: give one each, in their order"
        )
    row = [Cost.fixed(cost) if type(cost) in (int, float) else cost for cost in row]
    for cost, resource in zip(row, problem.resources, strict=True):
        if not isinstance(cost, Cost):
            raise InputError(f"cost of arm {name!r} on {resource.name!r} is {shown(cost)}: give a number or an rw.Cost")
        if cost.largest > resource.largest_cost * (1 + 1e-12):
            raise InputError(
                f"cost {cost.largest:g} of arm {name!r} on {resource.name!r} is outside [0, {resource.largest_cost:g}]:"
                " raise that resource's largest_cost"
            )
    return tuple(row)


def check_world(world: Any) -> World:
    """`world` if it is one; a problem is a frequent slip."""
    if not isinstance(world, World):
        raise InputError(f"the world is a {type(world).__name__}: give an rw.World, as rw.load_world makes")
    return world
