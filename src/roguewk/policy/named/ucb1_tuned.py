"""UCB1-Tuned (Auer, Cesa-Bianchi and Fischer 2002): no budgets. Practice uses scale 1; there is no theory."""

from roguewk.allocate.argmax import ARGMAX
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.rewards.ucb1_tuned import UCB1_TUNED
from roguewk.policy.recipe import NO_BUDGET, STATIONARY, Recipe

RECIPES = (
    Recipe(
        name="ucb1-tuned",
        summary="UCB1-Tuned: stationary rewards, radii from their variance, budgets ignored",
        reference="Auer, Cesa-Bianchi and Fischer 2002",
        rewards=UCB1_TUNED,
        costs=NONE,
        allocate=ARGMAX,
        setting=STATIONARY,
        budget=NO_BUDGET,
    ),
)
