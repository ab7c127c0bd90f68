"""Sliding-window UCB (Garivier and Moulines 2011): drifting rewards, no budgets.

Theory asks for xi above 1/2 and a window made of the number of changes; see `estimate/rewards/sliding.py`.
"""

from roguewk.allocate.argmax import ARGMAX
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.rewards.sliding import SW_UCB_GM
from roguewk.policy.recipe import DRIFTING, NO_BUDGET, Recipe

RECIPES = (
    Recipe(
        name="sw-ucb-gm",
        summary="sliding-window UCB: drifting rewards, only the last ones count, budgets ignored",
        reference="Garivier and Moulines 2011",
        rewards=SW_UCB_GM,
        costs=NONE,
        allocate=ARGMAX,
        setting=DRIFTING,
        budget=NO_BUDGET,
    ),
)
