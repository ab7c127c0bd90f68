"""roguewk-plan: the states of ROGUEwK-UCB, mean costs, and a planner; clairvoyant: the same with the truth.

States are the likeliest ones: a radius would make them optimistic, and the planner wants them as they are.
"""

from roguewk.allocate.planner import PLAN
from roguewk.estimate.costs.doubted import DOUBTED
from roguewk.estimate.known import KNOWN_COSTS, KNOWN_STATES
from roguewk.estimate.states.build import ROGUE
from roguewk.policy.recipe import Recipe

RECIPES = (
    Recipe(
        name="roguewk-plan",
        summary="plans ahead at the prices of budgets and rounds, known dynamics, unknown states and costs",
        reference="roguewk",
        rewards=ROGUE,
        costs=DOUBTED,
        allocate=PLAN,
    ),
    Recipe(
        name="clairvoyant",
        summary="the planner with the truth, for comparison: true states and mean costs",
        reference="roguewk",
        rewards=KNOWN_STATES,
        costs=KNOWN_COSTS,
        allocate=PLAN,
        fixed={"optimism": 0.0},
    ),
)
