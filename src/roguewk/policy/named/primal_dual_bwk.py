"""PrimalDualBwK (Badanidiyuru, Kleinberg and Slivkins 2018): reward per priced cost, prices that grow with use.

Theory asks for C of the order of log(m d T), None here; 1 is what practice uses. `eps` is theirs, `sqrt(log d / B)`.
"""

from roguewk.allocate.primal_dual import PRIMAL_DUAL
from roguewk.estimate.costs.rad import RAD_COSTS
from roguewk.estimate.rewards.rad import RAD_REWARDS
from roguewk.policy.recipe import BUDGETS, STATIONARY, Recipe

RECIPES = (
    Recipe(
        name="primal-dual-bwk",
        summary="PrimalDualBwK: stationary arms, several budgets, multiplicative prices",
        reference="Badanidiyuru, Kleinberg and Slivkins 2018",
        rewards=RAD_REWARDS,
        costs=RAD_COSTS,
        allocate=PRIMAL_DUAL,
        setting=STATIONARY,
        budget=BUDGETS,
    ),
)
