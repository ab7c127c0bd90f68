"""ROGUE-TS (Li, Carpenter, Buman and Mintz 2025): states drawn from their posterior, no budgets; also with clipping.

The posterior is over a fixed set of candidate initial states. Plain ROGUE-TS draws a state for each arm and plays the
best, so its probabilities are certain given the draws; with clipping the chance of every arm is worked out exactly and
kept within [p_min, p_max], as micro-randomised trials need it; `p_idle` is ours, the chance of doing nothing.
"""

from roguewk.allocate.argmax import ARGMAX
from roguewk.allocate.clipped import CLIPPED
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.states.particles import PARTICLES
from roguewk.policy.recipe import NO_BUDGET, Recipe

PAPER = "Li, Carpenter, Buman and Mintz 2025"

RECIPES = (
    Recipe(
        name="rogue-ts",
        summary="ROGUE-TS: states drawn from what is believed of them, budgets ignored",
        reference=PAPER,
        rewards=PARTICLES,
        costs=NONE,
        allocate=ARGMAX,
        budget=NO_BUDGET,
    ),
    Recipe(
        name="rogue-ts-clipped",
        summary="ROGUE-TS with clipping: every arm's chance within [p_min, p_max], exact probabilities",
        reference=PAPER,
        rewards=PARTICLES,
        costs=NONE,
        allocate=CLIPPED,
        budget=NO_BUDGET,
    ),
)
