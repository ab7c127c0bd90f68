"""BalancedExploration (Badanidiyuru, Kleinberg and Slivkins 2018), approximated by samples of the confidence box.

The original has no efficient implementation, see `policy/balanced.py`. Theory asks for C of the order of log(m d T),
None here; 1 is what practice uses.
"""

from roguewk.allocate.balanced import BALANCED
from roguewk.estimate.costs.rad import RAD_COSTS
from roguewk.estimate.rewards.rad import RAD_REWARDS
from roguewk.policy.recipe import BUDGETS, STATIONARY, Recipe

RECIPES = (
    Recipe(
        name="balanced-exploration",
        summary="an approximation of BalancedExploration: stationary arms, several budgets, arms take turns",
        reference="Badanidiyuru, Kleinberg and Slivkins 2018",
        rewards=RAD_REWARDS,
        costs=RAD_COSTS,
        allocate=BALANCED,
        setting=STATIONARY,
        budget=BUDGETS,
    ),
)
