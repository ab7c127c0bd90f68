"""Sliding-window bounds of Liu, Jiang and Li (2022): only the last `w` rounds count.

`sum r / (n + 1) + sqrt(2 log(12 m T^3) / (n + 1))` for rewards, and minus `sqrt(2 log(12 m d T^3) / (n + 1))`, kept
inside [0, 1], for costs. The `+ 1` makes an arm unseen in the window uncertain instead of undefined. As in UCB1,
means are over what has arrived and radii over pulls.

Their windows are `w1 = m^(1/3) V1^(-2/3) T^(2/3) log^(1/3) T` and `w2 = m^(1/3) (d V2)^(-2/3) T^(2/3) log^(1/3)(d T)`,
at most T, for variation budgets V1 of the mean rewards and V2 of the mean costs over the horizon. The constants are as
the algorithm is commonly quoted. By default V2 = 0, costs being stationary; V1 depends on how one plays, and by default
it is what taking the arms in turn makes the mean rewards move.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.estimate.rewards.tally import reward_ranges
from roguewk.estimate.window import Window, arrives, build_window, slide, slots_for, windowed
from roguewk.kernel.arrays import Vector
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant, Learned
from roguewk.part.parameter import not_negative, optional_amount, optional_whole
from roguewk.part.part import COSTS, REWARDS, Part
from roguewk.part.verbs import advance, cost_bounds, learn_costs, reward_bounds, set_horizon
from roguewk.problem.constants import change_in_turn
from roguewk.problem.problem import Problem


@windowed
class WindowRewards(NamedTuple):
    """Upper bounds on rewards."""

    window: Window
    radius: Learned[Vector]  # (1,) at n + 1 = 1
    scales: Constant[Vector]  # (arm,) of the radius
    length: int  # in rounds


class WindowCosts(NamedTuple):
    """Lower bounds on costs."""

    window: Window
    radius: Learned[Vector]  # (1,) at n + 1 = 1
    scale: float  # of the radius
    length: int  # in rounds


def windows(
    problem: Problem, w1: int | None, w2: int | None, variation: float | None, cost_variation: float
) -> tuple[int, int]:
    """The windows for rewards and costs, worked out where they are not given."""
    m, d, T = len(problem.arms), max(len(problem.resources), 1), problem.horizon
    if w1 is None:
        variation = T * change_in_turn(problem) if variation is None else variation
        w1 = _length((m * math.log(T)) ** (1 / 3), variation, T)
    return (
        w1,
        w2 or _length((m * math.log(d * T)) ** (1 / 3), d * cost_variation, T),
    )


def _length(factor: float, variation: float, T: int) -> int:
    length = factor * (T / variation) ** (2 / 3) if variation > 0 else np.inf
    return T if length >= T else max(math.ceil(length), 1)


def build_window_rewards(
    problem: Problem, w1: int | None, variation: float | None, radius_scale: float
) -> WindowRewards:
    """A fresh estimate over the last `w1` rounds."""
    length, _ = windows(problem, w1, 1, variation, 0.0)
    window = build_window(problem, slots_for(problem, length), 1)
    return WindowRewards(window, np.zeros(1), radius_scale * reward_ranges(problem), length)


def build_window_costs(problem: Problem, w2: int | None, cost_variation: float, cost_scale: float) -> WindowCosts:
    """A fresh estimate over the last `w2` rounds."""
    _, length = windows(problem, 1, w2, 0.0, cost_variation)
    window = build_window(problem, slots_for(problem, length), len(problem.resources))
    return WindowCosts(window, np.zeros(1), cost_scale, length)


@set_horizon.body(WindowRewards)
def _horizon_of_rewards(part: WindowRewards, horizon: float) -> None:
    part.radius[0] = math.sqrt(2.0 * math.log(12.0 * part.window.seen.size * horizon**3))


@set_horizon.body(WindowCosts)
def _horizon_of_costs(part: WindowCosts, horizon: float) -> None:
    arms, resources = part.window.sums.shape
    part.radius[0] = math.sqrt(2.0 * math.log(12.0 * arms * max(resources, 1) * horizon**3))


@reward_bounds.body(WindowRewards)
def _reward_bounds(part: WindowRewards, now: Now, out: Vector) -> None:
    window = part.window
    for a in range(window.seen.size):
        radius = part.scales[a] * part.radius[0] / math.sqrt(window.pulls[a] + 1.0)
        out[a] = window.sums[a, 0] / (window.seen[a] + 1.0) + radius


@cost_bounds.body(WindowCosts)
def _cost_bounds(part: WindowCosts, now: Now, out: Vector) -> None:
    window = part.window
    for a in range(window.seen.size):
        radius = part.scale * part.radius[0] / math.sqrt(window.pulls[a] + 1.0)
        for j in range(window.sums.shape[1]):
            out[a, j] = min(max(window.sums[a, j] / (window.seen[a] + 1.0) - radius, 0.0), 1.0)


@advance.body(WindowRewards)
def _advance_rewards(part: WindowRewards, now: Now, arm: int, memo: Vector) -> None:
    slide(part.window, now.round, arm, part.length)


@advance.body(WindowCosts)
def _advance_costs(part: WindowCosts, now: Now, arm: int, memo: Vector) -> None:
    slide(part.window, now.round, arm, part.length)


@learn_costs.body(WindowCosts)
def _learn_costs(part: WindowCosts, round_: int, arm: int, costs: Vector) -> None:
    slot = arrives(part.window, round_, arm)
    for j in range(part.window.sums.shape[1]):
        if slot > -2:
            part.window.sums[arm, j] += costs[j]
        if slot >= 0:
            part.window.values[slot, j] = costs[j]


LIU_REWARDS = Part(
    role=REWARDS,
    name="liu-window",
    summary="sum r / (n+1) + sqrt(2 log(12 m T^3) / (n+1)) over a window",
    build=build_window_rewards,
    parameters={
        "w1": optional_whole("window for rewards, in rounds; worked out from `variation` if not given"),
        "variation": optional_amount(
            "variation budget V1 of the mean rewards; by default that of taking the arms in turn"
        ),
        "radius_scale": not_negative(1.0, "multiplies the radius for the rewards"),
    },
)
LIU_COSTS = Part(
    role=COSTS,
    name="liu-window",
    summary="sum c / (n+1) - sqrt(2 log(12 m d T^3) / (n+1)) over a window, in [0, 1]",
    build=build_window_costs,
    parameters={
        "w2": optional_whole("window for costs, in rounds; worked out from `cost_variation` if not given"),
        "cost_variation": not_negative(0.0, "variation budget V2 of the mean costs; 0 is stationary"),
        "cost_scale": not_negative(1.0, "multiplies the radius for the costs"),
    },
    gives=frozenset({"costs"}),
)
PARTS = (LIU_REWARDS, LIU_COSTS)
