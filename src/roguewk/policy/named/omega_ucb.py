"""Omega-UCB and omega*-UCB (Heyden et al. 2024): the upper Wilson bound on reward per lower Wilson bound on cost.

rho = 1/4 for both is what practice uses; that theory asks for rho >= 1 is as commonly quoted. Omega* scales z^2 by the
variance seen, after 30 pulls: much narrower for costs that hardly vary.
"""

from roguewk.allocate.ratio import PER_COST
from roguewk.estimate.costs.wilson import OMEGA_STAR_COSTS, WILSON_COSTS
from roguewk.estimate.rewards.wilson import OMEGA_STAR_REWARDS, WILSON_REWARDS
from roguewk.policy.recipe import ONE_BUDGET, STATIONARY, Recipe

RECIPES = (
    Recipe(
        name="omega-ucb",
        summary="omega-UCB: stationary arms, reward per cost with asymmetric bounds",
        reference="Heyden, Arzamasov, Fouche and Boehm 2024",
        rewards=WILSON_REWARDS,
        costs=WILSON_COSTS,
        allocate=PER_COST,
        setting=STATIONARY,
        budget=ONE_BUDGET,
    ),
    Recipe(
        name="omega-star-ucb",
        summary="omega*-UCB: stationary arms, reward per cost with asymmetric bounds that know the variance",
        reference="Heyden, Arzamasov, Fouche and Boehm 2024",
        rewards=OMEGA_STAR_REWARDS,
        costs=OMEGA_STAR_COSTS,
        allocate=PER_COST,
        setting=STATIONARY,
        budget=ONE_BUDGET,
    ),
)
