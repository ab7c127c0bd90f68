"""Rebounding bandits (Leqi, Kilinc-Karzan, Lipton and Montgomery 2021): explore, estimate, plan.

Unknown dynamics: satiation that a pull adds to and that wears off. Theory asks for a trial of T^(2/3) / m pulls of each
arm; as budgets may not allow that, trials take at most a third of the pulls that they allow at the largest cost. The
paper's rewards have no noise but that of the satiation, and start from rest; those of a problem here need not, and 0 or
1 says little of satiation: see `estimate/rewards/rebounding.py` for what becomes of the least squares. Looking 3 rounds
ahead is our default; the more the better, at m^lookahead sequences.
"""

from roguewk.allocate.rebounding import LOOKAHEAD
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.rewards.rebounding import REBOUNDING
from roguewk.policy.recipe import HABITUATION, NO_BUDGET, Recipe

RECIPES = (
    Recipe(
        name="rebounding",
        summary="explore, estimate, plan: satiation with unknown dynamics, budgets ignored",
        reference="Leqi, Kilinc-Karzan, Lipton and Montgomery 2021",
        rewards=REBOUNDING,
        costs=NONE,
        allocate=LOOKAHEAD,
        setting=HABITUATION,
        budget=NO_BUDGET,
    ),
)
