"""UCB1 (Auer, Cesa-Bianchi and Fischer 2002): stationary rewards, no budgets. Theory asks for scale 1."""

from roguewk.allocate.argmax import ARGMAX
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.rewards.ucb1 import UCB1
from roguewk.policy.recipe import NO_BUDGET, STATIONARY, Recipe

RECIPES = (
    Recipe(
        name="ucb1",
        summary="UCB1: stationary rewards, budgets ignored",
        reference="Auer, Cesa-Bianchi and Fischer 2002",
        rewards=UCB1,
        costs=NONE,
        allocate=ARGMAX,
        setting=STATIONARY,
        budget=NO_BUDGET,
    ),
)
