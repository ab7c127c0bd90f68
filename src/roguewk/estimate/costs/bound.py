"""Lower bounds on mean costs of any kind, by the name of the bound: the options of ROGUEwK-UCB."""

from typing import Any

from roguewk.estimate.costs.bernstein import BERNSTEIN
from roguewk.estimate.costs.betting import BETTING
from roguewk.estimate.costs.hoeffding import HOEFFDING
from roguewk.estimate.costs.wilson import OMEGA_STAR_COSTS, WILSON_COSTS
from roguewk.part.parameter import Parameter, choice
from roguewk.part.part import COSTS, Part
from roguewk.problem.problem import Problem

BOUNDS = {part.name: part for part in (HOEFFDING, WILSON_COSTS, OMEGA_STAR_COSTS, BERNSTEIN, BETTING)}


def _build(problem: Problem, cost_bound: str, **parameters: Any) -> Any:
    part = BOUNDS[cost_bound]
    return part.build(problem, **{key: parameters[key] for key in part.parameters})


def _parameters() -> dict[str, Parameter]:
    """The parameters of all bounds; each says which of them it is for."""
    found: dict[str, Parameter] = {}
    for key in dict.fromkeys(key for part in BOUNDS.values() for key in part.parameters):
        users = [part for part in BOUNDS.values() if key in part.parameters]
        first = users[0].parameters[key]
        names = ", ".join(part.name for part in users)
        found[key] = Parameter(first.default, f"{first.meaning} ({names})", first.check)
    return found


BOUND = Part(
    role=COSTS,
    name="bound",
    summary="a lower bound of the kind that `cost_bound` names",
    build=_build,
    parameters={"cost_bound": choice("hoeffding", tuple(BOUNDS), "lower bound on mean costs"), **_parameters()},
    gives=frozenset({"costs", "doubts"}),
)
PARTS = (BOUND,)
