"""Whittle's index rule (Whittle 1988): whittle at the likeliest states, whittle-known at the true ones.

Budgets are ignored: the index knows one price, that of a round. `roguewk-plan` is its relative with budgets, for which
pulls are charged what they cost at the prices of today. States have one or two coordinates. The index is that of the
long run; it knows nothing of the end of the game. There are no constants. Whittle takes dynamics as known; to learn
them is ours.
"""

from roguewk.allocate.whittle import WHITTLE
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.known import KNOWN_STATES
from roguewk.estimate.states.build import ROGUE
from roguewk.part.parameter import KNOWN
from roguewk.policy.recipe import HABITUATION, NO_BUDGET, Recipe

RECIPES = (
    Recipe(
        name="whittle",
        summary="Whittle's index rule at the likeliest states, budgets ignored",
        reference="Whittle 1988",
        rewards=ROGUE,
        costs=NONE,
        allocate=WHITTLE,
        setting=HABITUATION,
        budget=NO_BUDGET,
    ),
    Recipe(
        name="whittle-known",
        summary="Whittle's index rule at the true states, for comparison, budgets ignored",
        reference="Whittle 1988",
        rewards=KNOWN_STATES,
        costs=NONE,
        allocate=WHITTLE,
        fixed={"dynamics": KNOWN},
        setting=HABITUATION,
        budget=NO_BUDGET,
    ),
)
