"""UCB over the last rounds: `mean + B sqrt(xi log min(t, tau) / n)`, and with a window that grows with t.

`sw-ucb-gm` (Garivier and Moulines 2011): a window of tau rounds. They ask for xi above 1/2 and simulate 0.6; their
window is `tau = 2 B sqrt(T log T / changes)` for the number of times that the mean rewards change, here with B = 1, and
`4 sqrt(T log T)` in simulations.

`sw-ucb-sharp` (Wei and Srivastava 2018, SW-UCB#): `tau(t) = min(ceil(lambda t^alpha), t)` and
`mean + B sqrt((1 + alpha) log t / n)`. As commonly quoted, alpha is (1 - nu) / 2 if T^nu changes come abruptly, and
min(1, 3 kappa / 4) if means drift by T^-kappa a round.

B is 1 for rewards of 0 or 1 and twice the sigma of Gaussian ones; t counts the rounds done. An arm that was not pulled
in the window is tried, of several such arms the one pulled least.
"""

import math
from typing import NamedTuple

import numpy as np

from roguewk.estimate.rewards.tally import reward_ranges
from roguewk.estimate.window import Window, build_window, slide, slots_for, window_mean, windowed
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant
from roguewk.part.parameter import above_zero, not_negative, optional_whole, within
from roguewk.part.part import REWARDS, Part
from roguewk.part.verbs import advance, reward_bounds
from roguewk.problem.problem import Problem


@windowed
class SlidingRewards(NamedTuple):
    """A window of fixed length."""

    window: Window
    ranges: Constant[Vector]  # (arm,)
    xi: float
    length: int


@windowed
class GrowingRewards(NamedTuple):
    """A window that grows."""

    window: Window
    ranges: Constant[Vector]  # (arm,)
    growth: float  # alpha
    start: float  # lambda


def _build_sliding(problem: Problem, window: int | None, xi: float, changes: float) -> SlidingRewards:
    T = problem.horizon
    length = window or max(math.ceil(2.0 * math.sqrt(T * math.log(T) / changes)), 1)
    return SlidingRewards(build_window(problem, slots_for(problem, length), 1), reward_ranges(problem), xi, length)


def _build_growing(problem: Problem, growth: float, start: float) -> GrowingRewards:
    slots = min(start * problem.horizon**growth, problem.horizon)
    return GrowingRewards(build_window(problem, math.ceil(slots), 1), reward_ranges(problem), growth, start)


@compiled
def window_bounds(window: Window, ranges: Vector, explore: float, out: Vector) -> None:
    """Write `mean + range sqrt(explore / n)` of each arm; infinite for one that was not pulled in the window."""
    for a in range(out.size):
        n = window.pulls[a]
        out[a] = window_mean(window, a) + ranges[a] * math.sqrt(explore / n) if n > 0.0 else np.inf


@reward_bounds.body(SlidingRewards)
def _sliding_bounds(part: SlidingRewards, now: Now, out: Vector) -> None:
    explore = part.xi * math.log(max(min(now.t, part.length), 1))
    window_bounds(part.window, part.ranges, explore, out)


@reward_bounds.body(GrowingRewards)
def _growing_bounds(part: GrowingRewards, now: Now, out: Vector) -> None:
    window_bounds(part.window, part.ranges, (1.0 + part.growth) * math.log(max(now.t, 1)), out)


@advance.body(SlidingRewards)
def _advance_sliding(part: SlidingRewards, now: Now, arm: int, memo: Vector) -> None:
    slide(part.window, now.round, arm, part.length)


@advance.body(GrowingRewards)
def _advance_growing(part: GrowingRewards, now: Now, arm: int, memo: Vector) -> None:
    t = now.t + 1
    # Past the horizon, which doubling may take it to, it stays as long as it was there.
    length = min(part.start * float(t) ** part.growth, float(part.window.rounds.shape[0]))
    slide(part.window, now.round, arm, math.ceil(length))


XI = not_negative(0.6, "width of the radius: theory asks for more than 1/2")
SW_UCB_GM = Part(
    role=REWARDS,
    name="sw-ucb-gm",
    summary="mean + sqrt(xi log min(t, tau) / n) over the last tau rounds",
    build=_build_sliding,
    parameters={
        "window": optional_whole("tau, in rounds; worked out from `changes` if not given"),
        "xi": XI,
        "changes": above_zero(1.0, "how often the mean rewards change, for the window"),
    },
)
SW_UCB_SHARP = Part(
    role=REWARDS,
    name="sw-ucb-sharp",
    summary="mean + sqrt((1 + alpha) log t / n) over the last lambda t^alpha rounds",
    build=_build_growing,
    parameters={
        "growth": within(0.5, 0.0, 1.0, "alpha, the power of t in the window"),
        "start": above_zero(1.0, "lambda, the factor of the window"),
    },
)
PARTS = (SW_UCB_GM, SW_UCB_SHARP)
