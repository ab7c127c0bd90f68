"""LagrangeBwK (Immorlica, Sankararaman, Schapire and Slivkins 2022), the stochastic version.

EXP3.P and Hedge have the constants that are commonly quoted, see `allocate/lagrange.py`; the estimates are only shown.
"""

from roguewk.allocate.lagrange import LAGRANGE
from roguewk.estimate.costs.mean import MEAN_COSTS
from roguewk.estimate.rewards.shown import SHOWN
from roguewk.policy.recipe import BUDGETS, STATIONARY, Recipe

RECIPES = (
    Recipe(
        name="lagrange-bwk",
        summary="LagrangeBwK: several budgets, an arm player against a resource player",
        reference="Immorlica, Sankararaman, Schapire and Slivkins 2022",
        rewards=SHOWN,
        costs=MEAN_COSTS,
        allocate=LAGRANGE,
        setting=STATIONARY,
        budget=BUDGETS,
    ),
)
