"""Recharging bandits (Kleinberg and Immorlica 2018) with budgets: the best rates in the long run, as a timetable.

Known dynamics, costs to be learned. An open-loop baseline: neither states nor rewards seen matter, and only the mean
costs are learned. The rewards shown are those of the likeliest states. There are no constants. Where dynamics are
learned (ours), rewards seen matter by what they tell of them.
"""

from roguewk.allocate.timetable import TIMETABLE
from roguewk.estimate.costs.doubted import DOUBTED
from roguewk.estimate.states.build import LIKELIEST, ROGUE
from roguewk.policy.recipe import BUDGETS, HABITUATION, Recipe

RECIPES = (
    Recipe(
        name="recharging",
        summary="recharging bandits: a timetable of the best rates in the long run, several budgets",
        reference="Kleinberg and Immorlica 2018",
        rewards=ROGUE,
        costs=DOUBTED,
        allocate=TIMETABLE,
        fixed=LIKELIEST,
        setting=HABITUATION,
        budget=BUDGETS,
    ),
)
