"""SW-UCB with knapsacks (Liu, Jiang and Li 2022): windowed bounds on rewards and costs, a linear program.

The constants are as the algorithm is commonly quoted; see `estimate/liu_window.py` for its windows.
"""

from roguewk.allocate.lp import LP
from roguewk.estimate.liu_window import LIU_COSTS, LIU_REWARDS
from roguewk.policy.recipe import BUDGETS, DRIFTING, Recipe

RECIPES = (
    Recipe(
        name="sw-ucb",
        summary="SW-UCB with knapsacks: drifting rewards and costs, several budgets",
        reference="Liu, Jiang and Li 2022",
        rewards=LIU_REWARDS,
        costs=LIU_COSTS,
        allocate=LP,
        setting=DRIFTING,
        budget=BUDGETS,
    ),
)
