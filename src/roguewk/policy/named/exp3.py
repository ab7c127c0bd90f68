"""EXP3 (Auer, Cesa-Bianchi, Freund and Schapire 2002) and Rexp3 (Besbes, Gur and Zeevi 2014): no budgets.

EXP3 expects anything of rewards and never forgets; Rexp3 begins anew after every batch. Theory's
gamma and batch are the defaults.
"""

from roguewk.allocate.exp3 import EXP3
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.rewards.importance import IMPORTANCE
from roguewk.policy.recipe import DRIFTING, NO_BUDGET, Recipe

RECIPES = (
    Recipe(
        name="exp3",
        summary="EXP3: rewards of 0 or 1 that an adversary may choose, budgets ignored",
        reference="Auer, Cesa-Bianchi, Freund and Schapire 2002",
        rewards=IMPORTANCE,
        costs=NONE,
        allocate=EXP3,
        fixed={"batch": 0, "variation": None},
        setting=DRIFTING,
        budget=NO_BUDGET,
    ),
    Recipe(
        name="rexp3",
        summary="Rexp3: drifting rewards of 0 or 1, EXP3 anew in every batch, budgets ignored",
        reference="Besbes, Gur and Zeevi 2014",
        rewards=IMPORTANCE,
        costs=NONE,
        allocate=EXP3,
        setting=DRIFTING,
        budget=NO_BUDGET,
    ),
)
