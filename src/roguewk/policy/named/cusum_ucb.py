"""CUSUM-UCB (Liu, Lee and Shroff 2018): rewards that change abruptly, no budgets.

The constants are as the algorithm is commonly quoted, but for a shorter baseline; see `estimate/rewards/cusum.py`.
Theory asks for `explore` of about sqrt(changes / T log(T / changes)), 0.08 at T = 1000; practice does well with less.
"""

from roguewk.allocate.argmax import EXPLORE
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.rewards.cusum import CUSUM_UCB
from roguewk.policy.recipe import DRIFTING, NO_BUDGET, Recipe

RECIPES = (
    Recipe(
        name="cusum-ucb",
        summary="CUSUM-UCB: rewards that change abruptly, forgotten on an alarm, budgets ignored",
        reference="Liu, Lee and Shroff 2018",
        rewards=CUSUM_UCB,
        costs=NONE,
        allocate=EXPLORE,
        defaults={"explore": 0.05},
        fixed={"explore_decay": 0.0},
        setting=DRIFTING,
        budget=NO_BUDGET,
    ),
)
