"""ROGUE-UCB, Tuned ROGUE-UCB and epsilon-ROGUE (Mintz, Aswani, Kaminsky, Flowers and Fukuoka 2020), no budgets.

There theta and x0 are unknown; here the arms' parameters are known and x0 is not. ROGUE-UCB's radius, like that of
ROGUEwK-UCB, is so wide that it never binds in practice; the tuned one does. Epsilon-ROGUE plays the likeliest best arm
but any arm with chance `explore_decay / t`; its constant is free, 5 is ours.
"""

from roguewk.allocate.argmax import ARGMAX, EXPLORE
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.states.build import LIKELIEST, ROGUE
from roguewk.part.parameter import KNOWN
from roguewk.policy.recipe import NO_BUDGET, Recipe

PAPER = "Mintz, Aswani, Kaminsky, Flowers and Fukuoka 2020"

RECIPES = (
    Recipe(
        name="rogue-ucb",
        summary="ROGUE-UCB: known dynamics, unknown states, budgets ignored",
        reference=PAPER,
        rewards=ROGUE,
        costs=NONE,
        allocate=ARGMAX,
        fixed={"radius": "rogue", "state_confidence": 0.95},
        budget=NO_BUDGET,
    ),
    Recipe(
        name="rogue-ucb-tuned",
        summary="Tuned ROGUE-UCB: the same with a radius that fits the data",
        reference=PAPER,
        rewards=ROGUE,
        costs=NONE,
        allocate=ARGMAX,
        fixed={"radius": "tuned", "state_confidence": 0.95},
        budget=NO_BUDGET,
    ),
    Recipe(
        name="eps-rogue",
        summary="epsilon-ROGUE: the likeliest states, and now and then any arm",
        reference=PAPER,
        rewards=ROGUE,
        costs=NONE,
        allocate=EXPLORE,
        defaults={"explore_decay": 5.0},
        fixed={**LIKELIEST, "explore": 0.0, "dynamics": KNOWN},
        budget=NO_BUDGET,
    ),
)
