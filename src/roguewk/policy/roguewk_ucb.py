"""ROGUEwK-UCB (He and Mintz): trajectory-KL upper bounds on rewards, Hoeffding lower bounds on costs, a linear program.

Theory asks for both scales to be 1. The reward radius is then so wide that it never binds in practice, and the cost
radius switches the budgets off for the first hundred pulls; smaller scales earn more.
"""

from roguewk.allocate.lp import build_linear_program
from roguewk.estimate.costs import build_hoeffding_costs
from roguewk.estimate.states import build_states
from roguewk.policy.parts import Parts, assemble
from roguewk.policy.recipe import INFEASIBLE, Recipe, not_negative
from roguewk.problem.model import Problem

UNKNOWN = 10**6  # rounds to remember at the most when the horizon is unknown


def lasting(problem: Problem, doubling: int) -> Problem:
    """With an unknown horizon the problem's own does not say how many rounds are worth remembering."""
    return Problem(problem.arms, (), max(problem.horizon, UNKNOWN)) if doubling else problem


def _build(
    problem: Problem, radius_scale: float, cost_scale: float, infeasible: str, doubling: int, restart: bool
) -> Parts:
    program = build_linear_program(len(problem.arms), len(problem.resources), problem.idle, infeasible)
    rewards = build_states(lasting(problem, doubling), radius_scale)
    costs = build_hoeffding_costs(problem, cost_scale)
    return assemble(problem, rewards, costs, program, first_pulls=True, doubling=doubling, restart=restart)


RECIPE = Recipe(
    name="roguewk-ucb",
    summary="ROGUEwK-UCB: known dynamics, unknown states and costs, several budgets (He and Mintz)",
    build=_build,
    parameters={
        "radius_scale": not_negative(1.0, "multiplies the theorem's radius for the states"),
        "cost_scale": not_negative(1.0, "multiplies the published radius for the costs"),
        "infeasible": INFEASIBLE,
    },
)
