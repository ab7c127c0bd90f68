"""UCB-BV1 and UCB-BV2 (Ding et al. 2013): mean reward per mean cost with a bonus, one budget.

UCB-BV1 has to know `least_cost`, a lower bound on the mean cost of every arm, scaled into [0, 1]; UCB-BV2 takes the
smallest mean cost it has seen. With a small one, both play the arms in turn for long: until n > log(t) / least_cost^2.
"""

from roguewk.allocate.ucb_bv import UCB_BV
from roguewk.estimate.costs.mean import MEAN_COSTS
from roguewk.estimate.rewards.mean import MEAN_REWARDS
from roguewk.policy.recipe import ONE_BUDGET, STATIONARY, Recipe

RECIPES = (
    Recipe(
        name="ucb-bv1",
        summary="UCB-BV1: stationary arms, reward per cost, a lower bound on costs is known",
        reference="Ding, Qin, Zhang and Liu 2013",
        rewards=MEAN_REWARDS,
        costs=MEAN_COSTS,
        allocate=UCB_BV,
        fixed={"rule": "known"},
        setting=STATIONARY,
        budget=ONE_BUDGET,
    ),
    Recipe(
        name="ucb-bv2",
        summary="UCB-BV2: stationary arms, reward per cost, with the smallest mean cost seen",
        reference="Ding, Qin, Zhang and Liu 2013",
        rewards=MEAN_REWARDS,
        costs=MEAN_COSTS,
        allocate=UCB_BV,
        fixed={"rule": "estimated", "least_cost": 1.0},
        setting=STATIONARY,
        budget=ONE_BUDGET,
    ),
)
