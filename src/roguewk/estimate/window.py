"""Sliding-window bounds of Liu, Jiang and Li (2022): only the last `w` rounds count.

`sum r / (n + 1) + sqrt(2 log(12 m T^3) / (n + 1))` for rewards, and minus `sqrt(2 log(12 m d T^3) / (n + 1))`, kept
inside [0, 1], for costs. The `+ 1` makes an arm unseen in the window uncertain instead of undefined. As in UCB1,
means are over what has arrived and radii over pulls.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from roguewk.estimate.ucb1 import reward_ranges
from roguewk.estimate.verbs import advance, cost_bounds, forget, learn_costs, learn_reward, reward_bounds, set_horizon
from roguewk.kernel.compile import compiled
from roguewk.problem.arms import Vector
from roguewk.problem.model import Problem


class Window(NamedTuple):
    """What the last rounds held; with no slots at all, every round counts for ever."""

    sums: Vector  # (arm, column)
    seen: Vector  # (arm,)
    pulls: Vector  # (arm,)
    rounds: Any  # (slot, [round, arm, arrived])
    values: Vector  # (slot, column)
    radius: Vector  # (1,) at n + 1 = 1


class WindowRewards(NamedTuple):
    """Upper bounds on rewards."""

    window: Window
    scales: Vector  # (arm,) of the radius


class WindowCosts(NamedTuple):
    """Lower bounds on costs."""

    window: Window
    scale: float  # of the radius


def _build_window(problem: Problem, length: int, columns: int) -> Window:
    arms = len(problem.arms)
    slots = 0 if length >= problem.horizon else length
    sums, (seen, pulls) = np.zeros((arms, columns)), np.zeros((2, arms))
    return Window(sums, seen, pulls, np.full((slots, 3), -1), np.zeros((slots, columns)), np.zeros(1))


def build_window_rewards(problem: Problem, length: int, scale: float) -> WindowRewards:
    """A fresh estimate over the last `length` rounds."""
    return WindowRewards(_build_window(problem, length, 1), scale * reward_ranges(problem))


def build_window_costs(problem: Problem, length: int, scale: float) -> WindowCosts:
    """A fresh estimate over the last `length` rounds."""
    return WindowCosts(_build_window(problem, length, len(problem.resources)), scale)


@compiled
def _clear(window: Window) -> None:
    window.sums[:] = 0.0
    window.seen[:] = 0.0
    window.pulls[:] = 0.0
    window.rounds[:] = -1
    window.values[:] = 0.0


@compiled
def _slide(window: Window, round_: int, arm: int) -> None:
    if arm >= 0:
        window.pulls[arm] += 1.0
    if window.rounds.shape[0] == 0:
        return
    slot = round_ % window.rounds.shape[0]
    gone = window.rounds[slot, 1]
    if gone >= 0:
        window.pulls[gone] -= 1.0
        if window.rounds[slot, 2] == 1:
            window.seen[gone] -= 1.0
            for j in range(window.sums.shape[1]):
                window.sums[gone, j] -= window.values[slot, j]
    window.rounds[slot, 0], window.rounds[slot, 1], window.rounds[slot, 2] = round_, arm, 0


@compiled
def _arrives(window: Window, round_: int, arm: int) -> int:
    """Count an arrival; the slot to note it in, -1 if slots are not kept, -2 if it is out of the window."""
    slots = window.rounds.shape[0]
    slot = round_ % slots if slots > 0 else -1
    if slots > 0:
        if window.rounds[slot, 0] != round_:
            return -2
        window.rounds[slot, 2] = 1
    window.seen[arm] += 1.0
    return slot


@forget.body(WindowRewards)
def _forget_rewards(part: WindowRewards) -> None:
    _clear(part.window)


@forget.body(WindowCosts)
def _forget_costs(part: WindowCosts) -> None:
    _clear(part.window)


@set_horizon.body(WindowRewards)
def _horizon_of_rewards(part: WindowRewards, horizon: float) -> None:
    part.window.radius[0] = math.sqrt(2.0 * math.log(12.0 * part.window.seen.size * horizon**3))


@set_horizon.body(WindowCosts)
def _horizon_of_costs(part: WindowCosts, horizon: float) -> None:
    arms, resources = part.window.sums.shape
    part.window.radius[0] = math.sqrt(2.0 * math.log(12.0 * arms * max(resources, 1) * horizon**3))


@reward_bounds.body(WindowRewards)
def _reward_bounds(part: WindowRewards, round_: int, out: Vector) -> None:
    window = part.window
    for a in range(window.seen.size):
        radius = part.scales[a] * window.radius[0] / math.sqrt(window.pulls[a] + 1.0)
        out[a] = window.sums[a, 0] / (window.seen[a] + 1.0) + radius


@cost_bounds.body(WindowCosts)
def _cost_bounds(part: WindowCosts, round_: int, out: Vector) -> None:
    window = part.window
    for a in range(window.seen.size):
        radius = part.scale * window.radius[0] / math.sqrt(window.pulls[a] + 1.0)
        for j in range(window.sums.shape[1]):
            out[a, j] = min(max(window.sums[a, j] / (window.seen[a] + 1.0) - radius, 0.0), 1.0)


@advance.body(WindowRewards)
def _advance_rewards(part: WindowRewards, round_: int, arm: int, memo: Vector) -> None:
    _slide(part.window, round_, arm)


@advance.body(WindowCosts)
def _advance_costs(part: WindowCosts, round_: int, arm: int, memo: Vector) -> None:
    _slide(part.window, round_, arm)


@learn_reward.body(WindowRewards)
def _learn_reward(part: WindowRewards, round_: int, arm: int, memo: Vector, reward: float) -> None:
    slot = _arrives(part.window, round_, arm)
    if slot > -2:
        part.window.sums[arm, 0] += reward
    if slot >= 0:
        part.window.values[slot, 0] = reward


@learn_costs.body(WindowCosts)
def _learn_costs(part: WindowCosts, round_: int, arm: int, costs: Vector) -> None:
    slot = _arrives(part.window, round_, arm)
    for j in range(part.window.sums.shape[1]):
        if slot > -2:
            part.window.sums[arm, j] += costs[j]
        if slot >= 0:
            part.window.values[slot, j] = costs[j]
