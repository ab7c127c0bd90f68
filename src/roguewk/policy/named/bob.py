"""Bandit over bandit (Cheung, Simchi-Levi and Zhu 2019): drifting rewards, no budgets, and no window to be chosen.

The constants are as the algorithm is commonly quoted for K arms; see `estimate/rewards/bob.py`.
"""

from roguewk.allocate.argmax import ARGMAX
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.rewards.bob import BOB
from roguewk.policy.recipe import DRIFTING, NO_BUDGET, Recipe

RECIPES = (
    Recipe(
        name="bob",
        summary="bandit over bandit: drifting rewards of 0 or 1, learns its window, budgets ignored",
        reference="Cheung, Simchi-Levi and Zhu 2019",
        rewards=BOB,
        costs=NONE,
        allocate=ARGMAX,
        setting=DRIFTING,
        budget=NO_BUDGET,
    ),
)
