"""GLM-UCB (Filippi, Cappé, Garivier and Szepesvári 2010) without context: stationary rewards, no budgets.

Theory asks for tuning 1, with constants as commonly quoted; practice for a fraction of it, which is the default. See
`estimate/rewards/glm_ucb.py`.
"""

from roguewk.allocate.argmax import ARGMAX
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.rewards.glm_ucb import GLM_UCB
from roguewk.policy.recipe import NO_BUDGET, STATIONARY, Recipe

RECIPES = (
    Recipe(
        name="glm-ucb",
        summary="GLM-UCB without context: stationary rewards with a logistic link, budgets ignored",
        reference="Filippi, Cappé, Garivier and Szepesvári 2010",
        rewards=GLM_UCB,
        costs=NONE,
        allocate=ARGMAX,
        setting=STATIONARY,
        budget=NO_BUDGET,
    ),
)
