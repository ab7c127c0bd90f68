"""Discounted UCB (Garivier and Moulines 2011): drifting rewards, no budgets.

Theory asks for xi above 1/2 and a discount made of the number of changes; see `estimate/rewards/discounted.py`.
"""

from roguewk.allocate.argmax import ARGMAX
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.rewards.discounted import D_UCB
from roguewk.policy.recipe import DRIFTING, NO_BUDGET, Recipe

RECIPES = (
    Recipe(
        name="d-ucb",
        summary="discounted UCB: drifting rewards, older ones count less, budgets ignored",
        reference="Garivier and Moulines 2011",
        rewards=D_UCB,
        costs=NONE,
        allocate=ARGMAX,
        setting=DRIFTING,
        budget=NO_BUDGET,
    ),
)
