"""ROGUEwK-UCB, UCB1 and SW-UCB written out with NumPy and SciPy, line by line as the papers state them.

Plain before fast: it judges the compiled engine in the tests and is the slow side of the benchmark, so it shares
nothing with it but the description of a problem. `run(world, RogueUCB, seed=1)` plays one game.
"""

from benchmarks.reference.algorithms import UCB1, Algorithm, RogueUCB, SlidingWindowUCB
from benchmarks.reference.arms import Trajectory, kl, level, mean_reward, step
from benchmarks.reference.game import ReferenceRun, run
from benchmarks.reference.literal import LiteralRogueUCB
from benchmarks.reference.luck import draw_cost, philox_words, unit
from benchmarks.reference.steps import (
    IDLE,
    cost_bounds,
    draw_arm,
    most_likely,
    play_always,
    reward_bound,
    single_step_lp,
    trajectory_divergence,
)

__all__ = [
    "IDLE",
    "UCB1",
    "Algorithm",
    "LiteralRogueUCB",
    "ReferenceRun",
    "RogueUCB",
    "SlidingWindowUCB",
    "Trajectory",
    "cost_bounds",
    "draw_arm",
    "draw_cost",
    "kl",
    "level",
    "mean_reward",
    "most_likely",
    "philox_words",
    "play_always",
    "reward_bound",
    "run",
    "single_step_lp",
    "step",
    "trajectory_divergence",
    "unit",
]
