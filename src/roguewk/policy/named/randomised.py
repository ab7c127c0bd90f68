"""Constant randomisation, the standard design of micro-randomised trials (Klasnja et al. 2015): nothing is learned.

Every arm, and doing nothing, has the same chance in every round; the default is that all are alike.
"""

from roguewk.allocate.given import GIVEN_CHANCES, Given
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.rewards.shown import SHOWN
from roguewk.part.verbs import start_afresh
from roguewk.policy.recipe import BUDGETS, STATIONARY, Recipe


@start_afresh.body(Given)
def _go_on(part: Given, fresh: Given) -> None:
    pass  # nothing was learned, and costs that have not come yet will be spent all the same


RECIPES = (
    Recipe(
        name="randomised",
        summary="constant chances of the arms and of idle rounds, as in trials; budgets kept where rounds may be idle",
        reference="Klasnja et al. 2015",
        rewards=SHOWN,
        costs=NONE,
        allocate=GIVEN_CHANCES,
        setting=STATIONARY,
        budget=BUDGETS,
    ),
)
