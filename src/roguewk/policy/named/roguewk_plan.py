"""roguewk-plan: believed states, mean costs, and a planner; clairvoyant: the same with the truth.

Both estimates are means with doubts, not bounds: the planner itself decides what finding out is worth. To plan with
states and costs that are drawn from what is believed of them instead, combine `rogue-sample/unit-sample/plan`.
"""

from roguewk.allocate.plan import PLAN
from roguewk.estimate.costs.doubted import DOUBTED
from roguewk.estimate.known import KNOWN_COSTS, KNOWN_STATES
from roguewk.estimate.states.posterior import BELIEVED
from roguewk.policy.recipe import Recipe

RECIPES = (
    Recipe(
        name="roguewk-plan",
        summary="plans ahead at the prices of budgets and rounds, known dynamics, unknown states and costs",
        reference="roguewk",
        rewards=BELIEVED,
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
        fixed={"optimism": 0.0, "dynamics": "known"},
    ),
)
