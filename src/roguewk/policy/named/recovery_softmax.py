"""Recovering softmax (Yancey and Settles 2020): means less a penalty for recent use, drawn by a softmax.

Their recovery has a penalty of 0.017 and a half-life of 15 days, as commonly quoted, for shares of reminders that lead
to a lesson, with scores learned beforehand from millions of them. Here means are learned as one goes, every arm is
pulled once first, and arms wear off by more: the defaults are a penalty of 0.2, a half-life of 4 rounds and a
temperature of 0.1, in units of reward. They are ours; a log of past rounds is the place to get better ones from.
"""

from roguewk.allocate.softmax import SOFTMAX
from roguewk.estimate.costs.none import NONE
from roguewk.estimate.rewards.recency import RECENCY
from roguewk.policy.recipe import HABITUATION, NO_BUDGET, Recipe

RECIPES = (
    Recipe(
        name="recovery-softmax",
        summary="recovering softmax: mean rewards less a penalty for recent use, budgets ignored",
        reference="Yancey and Settles 2020",
        rewards=RECENCY,
        costs=NONE,
        allocate=SOFTMAX,
        defaults={"penalty": 0.2, "half_life": 4.0, "temperature": 0.1},
        setting=HABITUATION,
        budget=NO_BUDGET,
    ),
)
