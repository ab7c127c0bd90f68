"""Budgeted Thompson sampling (Xia et al. 2015): the largest sampled reward per sampled cost, priors Beta(1, 1).

A cost between 0 and 1 counts as a fraction of a 1 instead of deciding a coin toss.
"""

from roguewk.allocate.ratio import PER_COST
from roguewk.estimate.costs.beta_sample import BETA_SAMPLE
from roguewk.estimate.rewards.thompson import THOMPSON_BETA
from roguewk.policy.recipe import ONE_BUDGET, STATIONARY, Recipe

RECIPES = (
    Recipe(
        name="budgeted-ts",
        summary="budgeted Thompson sampling: stationary arms, sampled reward per sampled cost",
        reference="Xia, Li, Qin, Yu and Liu 2015",
        rewards=THOMPSON_BETA,
        costs=BETA_SAMPLE,
        allocate=PER_COST,
        setting=STATIONARY,
        budget=ONE_BUDGET,
    ),
)
