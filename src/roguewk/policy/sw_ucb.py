"""SW-UCB with knapsacks (Liu, Jiang and Li 2022): windowed bounds on rewards and costs, a linear program.

Their windows are `w1 = m^(1/3) V1^(-2/3) T^(2/3) log^(1/3) T` and `w2 = m^(1/3) (d V2)^(-2/3) T^(2/3) log^(1/3)(d T)`,
at most T, for variation budgets V1 of the mean rewards and V2 of the mean costs over the horizon. The constants are as
the algorithm is commonly quoted. By default V2 = 0, costs being stationary; V1 depends on how one plays, and by default
it is what taking the arms in turn makes the mean rewards move.
"""

import math

import numpy as np

from roguewk.allocate.lp import build_linear_program
from roguewk.estimate.window import build_window_costs, build_window_rewards
from roguewk.policy.parts import Parts, assemble
from roguewk.policy.recipe import INFEASIBLE, Recipe, not_negative, optional_amount, optional_whole
from roguewk.problem.constants import change_in_turn
from roguewk.problem.model import Problem


def windows(
    problem: Problem, w1: int | None, w2: int | None, variation: float | None, cost_variation: float
) -> tuple[int, int]:
    """The two windows, worked out where they are not given."""
    m, d, T = len(problem.arms), max(len(problem.resources), 1), problem.horizon
    if variation is None:
        variation = T * change_in_turn(problem)
    return (
        w1 or _window((m * math.log(T)) ** (1 / 3), variation, T),
        w2 or _window((m * math.log(d * T)) ** (1 / 3), d * cost_variation, T),
    )


def _window(factor: float, variation: float, T: int) -> int:
    length = factor * (T / variation) ** (2 / 3) if variation > 0 else np.inf
    return T if length >= T else max(math.ceil(length), 1)


def _build(
    problem: Problem,
    w1: int | None,
    w2: int | None,
    variation: float | None,
    cost_variation: float,
    radius_scale: float,
    cost_scale: float,
    infeasible: str,
    doubling: int,
    restart: bool,
) -> Parts:
    w1, w2 = windows(problem, w1, w2, variation, cost_variation)
    rewards, costs = build_window_rewards(problem, w1, radius_scale), build_window_costs(problem, w2, cost_scale)
    program = build_linear_program(len(problem.arms), len(problem.resources), problem.idle, infeasible)
    return assemble(problem, rewards, costs, program, first_pulls=False, doubling=doubling, restart=restart)


RECIPE = Recipe(
    name="sw-ucb",
    summary="SW-UCB with knapsacks: drifting rewards and costs, several budgets (Liu, Jiang and Li 2022)",
    build=_build,
    parameters={
        "w1": optional_whole("window for rewards, in rounds; worked out from `variation` if not given"),
        "w2": optional_whole("window for costs, in rounds; worked out from `cost_variation` if not given"),
        "variation": optional_amount(
            "variation budget V1 of the mean rewards; by default that of taking the arms in turn"
        ),
        "cost_variation": not_negative(0.0, "variation budget V2 of the mean costs; 0 is stationary"),
        "radius_scale": not_negative(1.0, "multiplies the radius for the rewards"),
        "cost_scale": not_negative(1.0, "multiplies the radius for the costs"),
        "infeasible": INFEASIBLE,
    },
)
