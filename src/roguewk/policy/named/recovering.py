"""Recovering bandits (Pike-Burke and Grunewalder 2019): d-step look-ahead with Gaussian processes, dRGP-UCB.

The reward of an arm depends on the rounds since its last pull, in a way to be learned. Theory asks for scale 1, with
alpha_t as commonly quoted; smaller scales earn more in practice. Kernel, noise and the number of rounds after which an
arm has recovered are to be known; the defaults here are for rewards of about one and recovery within 30 rounds.
"""

from roguewk.allocate.recovering import BEST_SEQUENCE
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.rewards.recovering import RECOVERING
from roguewk.policy.recipe import HABITUATION, NO_BUDGET, Recipe

RECIPES = (
    Recipe(
        name="recovering",
        summary="recovering bandits: Gaussian processes over the time since a pull, budgets ignored",
        reference="Pike-Burke and Grunewalder 2019",
        rewards=RECOVERING,
        costs=NONE,
        allocate=BEST_SEQUENCE,
        setting=HABITUATION,
        budget=NO_BUDGET,
    ),
)
