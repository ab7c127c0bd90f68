"""Thompson sampling with a linear program (Ferreira, Simchi-Levi and Wang 2018), priors Beta(1, 1).

Sampled mean rewards and costs, and budgets per round that are fixed, B / T, or what is left of both.
"""

from roguewk.allocate.lp import LP
from roguewk.estimate.costs.beta_sample import BETA_SAMPLE
from roguewk.estimate.rewards.thompson import THOMPSON_BETA
from roguewk.policy.recipe import BUDGETS, STATIONARY, Recipe

RECIPES = (
    Recipe(
        name="ts-lp",
        summary="Thompson sampling: stationary arms, several budgets, a linear program of samples",
        reference="Ferreira, Simchi-Levi and Wang 2018",
        rewards=THOMPSON_BETA,
        costs=BETA_SAMPLE,
        allocate=LP,
        fixed={"resolve": False, "reserve": 0.0, "rounding": "draw"},
        setting=STATIONARY,
        budget=BUDGETS,
    ),
    Recipe(
        name="ts-lp-resolved",
        summary="the same with budgets per round from what is left: stationary arms, several budgets",
        reference="Ferreira, Simchi-Levi and Wang 2018",
        rewards=THOMPSON_BETA,
        costs=BETA_SAMPLE,
        allocate=LP,
        fixed={"resolve": True, "reserve": 0.0, "rounding": "draw"},
        setting=STATIONARY,
        budget=BUDGETS,
    ),
)
