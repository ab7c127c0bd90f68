"""roguewk-plan: the states of ROGUEwK-UCB, mean costs, and a planner; clairvoyant: the same with the truth.

States are the likeliest ones, and costs plain means unless bounds are asked for.
"""

from typing import Any

from roguewk.estimate.cost_means import build_mean_costs
from roguewk.estimate.costs import build_hoeffding_costs
from roguewk.estimate.known import KnownCosts, build_known_states
from roguewk.estimate.states import build_states
from roguewk.policy.parts import Parts, assemble
from roguewk.policy.planner import build_planner
from roguewk.policy.recipe import Parameter, Recipe, not_negative, optional_amount
from roguewk.policy.roguewk_ucb import lasting
from roguewk.problem.arms import vector
from roguewk.problem.errors import InputError
from roguewk.problem.model import Problem

OPTIMISM = 0.05


def _build(problem: Problem, optimism: float, cost_scale: float | None, doubling: int, restart: bool) -> Parts:
    rewards = build_states(lasting(problem, doubling), 0.0)
    costs = build_mean_costs(problem) if cost_scale is None else build_hoeffding_costs(problem, cost_scale)
    planner = build_planner(problem, optimism)
    return assemble(problem, rewards, costs, planner, first_pulls=True, doubling=doubling, restart=restart)


RECIPE = Recipe(
    name="roguewk-plan",
    summary="plans ahead at the prices of budgets and rounds, known dynamics, unknown states and costs",
    build=_build,
    parameters={
        "optimism": not_negative(OPTIMISM, "how far arms whose costs are little known are preferred; 0: not at all"),
        "cost_scale": optional_amount("lower bounds on costs with this multiple of the published radius; None: means"),
    },
)


def _build_clairvoyant(problem: Problem, x0: Any, costs: Any, doubling: int, restart: bool) -> Parts:
    if x0 is None or costs is None:
        raise InputError("policy 'clairvoyant' needs the truth: simulate gives it, make_policy takes x0 and costs")
    arms, resources = len(problem.arms), len(problem.resources)
    if len(x0) != arms:
        raise InputError(f"x0 has {len(x0)} states for {arms} arms: give one each")
    means = vector(costs, (arms, resources), "costs of policy 'clairvoyant'") / problem.scales
    states, planner = build_known_states(problem, x0), build_planner(problem, 0.0)
    return assemble(problem, states, KnownCosts(means), planner, first_pulls=False, doubling=doubling, restart=restart)


def _as_given(value: Any, what: str) -> Any:
    if value is not None and not isinstance(value, list | tuple):
        raise InputError(f"{what} is {value!r}: give a list, one for each arm")
    return value


CLAIRVOYANT = Recipe(
    name="clairvoyant",
    summary="the planner with the truth, for comparison: true states and mean costs",
    build=_build_clairvoyant,
    parameters={
        "x0": Parameter(None, "initial states, (arm, coordinate); simulate fills them in", _as_given),
        "costs": Parameter(None, "mean costs, (arm, resource); simulate fills them in", _as_given),
    },
    knows_truth=True,
)
