"""KL-UCB (Garivier and Cappé 2011): stationary rewards, no budgets. Theory asks for loglog 3, practice uses 0."""

from roguewk.allocate.argmax import ARGMAX
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.rewards.kl_ucb import KL_UCB
from roguewk.policy.recipe import NO_BUDGET, STATIONARY, Recipe

RECIPES = (
    Recipe(
        name="kl-ucb",
        summary="KL-UCB: stationary rewards, the tightest of bounds, budgets ignored",
        reference="Garivier and Cappé 2011",
        rewards=KL_UCB,
        costs=NONE,
        allocate=ARGMAX,
        setting=STATIONARY,
        budget=NO_BUDGET,
    ),
)
