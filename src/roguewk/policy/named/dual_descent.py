"""Dual descent (Castiglioni, Celli and Kroer 2022): EXP3 at prices that follow the gradient of spending.

The constants are as commonly quoted, see `allocate/dual_descent.py`; the estimates are only shown.
"""

from roguewk.allocate.dual_descent import DUAL_DESCENT
from roguewk.estimate.costs.mean import MEAN_COSTS
from roguewk.estimate.rewards.shown import SHOWN
from roguewk.policy.recipe import BUDGETS, STATIONARY, Recipe

RECIPES = (
    Recipe(
        name="dual-descent",
        summary="dual descent: several budgets, EXP3 at prices that rise when spending is too fast",
        reference="Castiglioni, Celli and Kroer 2022",
        rewards=SHOWN,
        costs=MEAN_COSTS,
        allocate=DUAL_DESCENT,
        setting=STATIONARY,
        budget=BUDGETS,
    ),
)
