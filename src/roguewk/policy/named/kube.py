"""KUBE and fractional KUBE (Tran-Thanh et al. 2012): UCB1 bounds on rewards, mean costs, and a knapsack.

KUBE fills a knapsack of what is left of the budget and draws from it; fractional KUBE plays the densest arm. Theory
asks for scale 1. Their costs are known after one pull; here they are means.
"""

from roguewk.allocate.kube import KUBE
from roguewk.allocate.ratio import PER_COST
from roguewk.estimate.costs.mean import MEAN_COSTS
from roguewk.estimate.rewards.ucb1 import UCB1
from roguewk.policy.recipe import ONE_BUDGET, STATIONARY, Recipe

RECIPES = (
    Recipe(
        name="kube",
        summary="KUBE: stationary arms, a pull drawn from the knapsack that the budget left can fill",
        reference="Tran-Thanh, Chapman, Rogers and Jennings 2012",
        rewards=UCB1,
        costs=MEAN_COSTS,
        allocate=KUBE,
        setting=STATIONARY,
        budget=ONE_BUDGET,
    ),
    Recipe(
        name="fractional-kube",
        summary="fractional KUBE: stationary arms, the largest UCB1 bound for its mean cost",
        reference="Tran-Thanh, Chapman, Rogers and Jennings 2012",
        rewards=UCB1,
        costs=MEAN_COSTS,
        allocate=PER_COST,
        setting=STATIONARY,
        budget=ONE_BUDGET,
    ),
)
