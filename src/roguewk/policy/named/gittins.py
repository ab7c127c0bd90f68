"""Gittins indices (Gittins 1979): the best for discounted rewards of coins with Beta(1, 1) priors, no budgets.

Over a finite horizon T a discount of about 1 - 1/T, at most 0.999 here, takes the place of the horizon.
"""

from roguewk.allocate.argmax import ARGMAX
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.rewards.gittins import GITTINS
from roguewk.policy.recipe import NO_BUDGET, STATIONARY, Recipe

RECIPES = (
    Recipe(
        name="gittins",
        summary="Gittins indices of stationary rewards of 0 or 1, discounted, budgets ignored",
        reference="Gittins 1979",
        rewards=GITTINS,
        costs=NONE,
        allocate=ARGMAX,
        setting=STATIONARY,
        budget=NO_BUDGET,
    ),
)
