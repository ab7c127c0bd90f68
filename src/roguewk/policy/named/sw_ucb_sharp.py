"""SW-UCB# (Wei and Srivastava 2018): drifting rewards, no budgets, and a window that grows.

The constants are as the algorithm is commonly quoted; see `estimate/rewards/sliding.py`.
"""

from roguewk.allocate.argmax import ARGMAX
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.rewards.sliding import SW_UCB_SHARP
from roguewk.policy.recipe import DRIFTING, NO_BUDGET, Recipe

RECIPES = (
    Recipe(
        name="sw-ucb-sharp",
        summary="SW-UCB#: drifting rewards, a window that grows with time, budgets ignored",
        reference="Wei and Srivastava 2018",
        rewards=SW_UCB_SHARP,
        costs=NONE,
        allocate=ARGMAX,
        setting=DRIFTING,
        budget=NO_BUDGET,
    ),
)
