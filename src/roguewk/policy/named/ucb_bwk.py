"""UCB-BwK (Agrawal and Devanur 2014): bounds with the radius rad, a linear program, a part of the budgets kept back.

Theory asks for C of the order of log(m d T) and for a reserve of `sqrt(C m / B) + log(T) C m / B`, which is above 1, no
budget at all, unless B is huge. The defaults are C = 1 and `sqrt(m / B)`, at most 0.2.
"""

from roguewk.allocate.lp import LP
from roguewk.estimate.costs.rad import RAD_COSTS
from roguewk.estimate.rewards.rad import RAD_REWARDS
from roguewk.policy.recipe import BUDGETS, STATIONARY, Recipe

RECIPES = (
    Recipe(
        name="ucb-bwk",
        summary="UCB-BwK: stationary arms, several budgets, a linear program with a reserve",
        reference="Agrawal and Devanur 2014",
        rewards=RAD_REWARDS,
        costs=RAD_COSTS,
        allocate=LP,
        defaults={"reserve": None},
        fixed={"resolve": False, "rounding": "draw"},
        setting=STATIONARY,
        budget=BUDGETS,
    ),
)
