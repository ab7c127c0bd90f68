"""Thompson sampling with a Beta or a normal prior (Thompson 1933; Agrawal and Goyal 2013): no budgets.

Given the numbers drawn from the posteriors, a decision is certain, and so are its probabilities. Theory and practice
take Beta(1, 1); for the normal prior see `estimate/rewards/thompson.py`.
"""

from roguewk.allocate.argmax import ARGMAX
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.rewards.thompson import THOMPSON_BETA, THOMPSON_GAUSS
from roguewk.policy.recipe import NO_BUDGET, STATIONARY, Recipe

RECIPES = (
    Recipe(
        name="thompson-beta",
        summary="Thompson sampling for rewards of 0 or 1: certain given its draws, stationary, budgets ignored",
        reference="Thompson 1933",
        rewards=THOMPSON_BETA,
        costs=NONE,
        allocate=ARGMAX,
        setting=STATIONARY,
        budget=NO_BUDGET,
    ),
    Recipe(
        name="thompson-gauss",
        summary="Thompson sampling with normal beliefs: certain given its draws, stationary, budgets ignored",
        reference="Agrawal and Goyal 2013",
        rewards=THOMPSON_GAUSS,
        costs=NONE,
        allocate=ARGMAX,
        setting=STATIONARY,
        budget=NO_BUDGET,
    ),
)
