"""Rewards of a linear dynamical system (Gornet, Hosseinzadeh and Sinopoli 2022, as we understand it): no budgets.

The system is one that all arms share and none moves, so it is no model of habituation; `estimate/rewards/lds.py` says
what is ours.
"""

from roguewk.allocate.argmax import ARGMAX
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.rewards.lds import LDS_UCB
from roguewk.policy.recipe import DRIFTING, NO_BUDGET, Recipe

RECIPES = (
    Recipe(
        name="lds-ucb",
        summary="rewards foretold from the last rounds by regression, budgets ignored",
        reference="Gornet, Hosseinzadeh and Sinopoli 2022",
        rewards=LDS_UCB,
        costs=NONE,
        allocate=ARGMAX,
        setting=DRIFTING,
        budget=NO_BUDGET,
    ),
)
