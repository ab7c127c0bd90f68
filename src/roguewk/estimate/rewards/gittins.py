"""Gittins indices of coins with a Beta(1, 1) prior (Gittins 1979): what a sure reward per round would have to be worth.

At discount beta and a sure reward l, the value of going on with n rewards seen, s of them 1 and p = (1 + s) / (2 + n),
is `v = max(l, (1 - beta) p + beta (p v(n+1, s+1) + (1 - p) v(n+1, s)))`; the index is the l at which going on and the
sure reward are worth the same. Backward induction for many l from a depth at which no more is learned gives the table.
Beyond it `p + sqrt(p (1 - p) c) b(1 / (c (n + 3)))` with `c = -log beta` and b of `relax/curiosity.py`; that is off by
less than 0.001 there.

A pull whose reward has not come counts as one of the mean reward so far: it makes the arm surer, not better.
"""

import functools
import math
from typing import NamedTuple

import numpy as np

from roguewk.estimate.rewards.tally import Tally, build_tally, tallied
from roguewk.kernel.arrays import Vector
from roguewk.kernel.compile import compiled, compiled_apart, compiling
from roguewk.kernel.luck import Now
from roguewk.kernel.memory import Constant
from roguewk.part.parameter import within
from roguewk.part.part import REWARDS, Part, coin_rewards
from roguewk.part.room import Room, check_within
from roguewk.part.verbs import check_state, reward_bounds
from roguewk.problem.problem import Problem
from roguewk.relax.curiosity import boundary

ROWS = 400  # of the table: rewards seen
DEPTH = 1200  # rewards seen after which no more is learned
TRIALS = 1200  # sure rewards tried


class GittinsTable(NamedTuple):
    """The indices."""

    indices: Constant[Vector]  # (rewards seen, of which 1)


@tallied
class GittinsRewards(NamedTuple):
    """What was seen of coins."""

    tally: Tally
    grid: GittinsTable
    discount: float


@compiled_apart
def _calibrate(discount: float, sure: Vector, index: Vector, ahead: Vector, values: Vector) -> None:
    """Fill `index` by the sure rewards, in ascending order; `ahead` keeps how much better it still was to go on."""
    depth = values.size - 1
    for k in range(sure.size):
        for s in range(depth + 1):
            values[s] = max(sure[k], (1.0 + s) / (2.0 + depth))
        for n in range(depth - 1, -1, -1):
            for s in range(n + 1):
                p = (1.0 + s) / (2.0 + n)
                going_on = (1.0 - discount) * p + discount * (p * values[s + 1] + (1.0 - p) * values[s])
                values[s] = max(sure[k], going_on)
                if n >= index.shape[0]:
                    continue
                if going_on > sure[k]:
                    ahead[n, s] = going_on - sure[k]
                elif ahead[n, s] > 0.0:
                    behind = sure[k] - going_on
                    index[n, s] = sure[k] - (sure[k] - sure[k - 1]) * behind / (ahead[n, s] + behind)
                    ahead[n, s] = 0.0


@functools.cache
def gittins_table(discount: float) -> Vector:
    """(rewards seen, of which 1) the indices at this discount."""
    # Denser at both ends, as the spread of a coin's mean is smaller there.
    sure = np.sin(np.linspace(0.0, np.pi / 2, TRIALS + 1)) ** 2
    index, ahead = np.zeros((2, ROWS + 1, ROWS + 1))
    with compiling("the Gittins indices"):
        _calibrate(discount, sure, index, ahead, np.zeros(DEPTH + 1))
    index.setflags(write=False)
    return index


def _build(problem: Problem, discount: float) -> GittinsRewards:
    return GittinsRewards(build_tally(problem), GittinsTable(gittins_table(discount)), discount)


@compiled
def _far_index(n: float, ones: float, discount: float) -> float:
    p = (1.0 + ones) / (2.0 + n)
    if discount == 0.0:
        return p
    c = -math.log(discount)
    return min(p + math.sqrt(p * (1.0 - p) * c) * boundary(1.0 / (c * (n + 3.0))), 1.0)


@check_state.body(GittinsRewards)
def _check_state(part: GittinsRewards, room: Room) -> None:
    check_within(part.tally.pulls - part.tally.seen, 0, room.round, "the number of rewards that have not come")
    check_within(part.tally.seen - part.tally.sums, 0, room.round, "the number of rewards that are 0")
    check_within(part.tally.sums, 0, room.round, "the number of rewards that are 1")


@reward_bounds.body(GittinsRewards)
def _reward_bounds(part: GittinsRewards, now: Now, out: Vector) -> None:
    for a in range(out.size):
        n, seen, ones = part.tally.pulls[a], part.tally.seen[a], part.tally.sums[a]
        if seen < n:
            ones += (n - seen) * (1.0 + ones) / (2.0 + seen)
        if n > ROWS:
            out[a] = _far_index(n, ones, part.discount)
            continue
        row, low = int(n), int(ones)
        out[a] = part.grid.indices[row, low]
        if low < ones:
            out[a] += (ones - low) * (part.grid.indices[row, low + 1] - part.grid.indices[row, low])


GITTINS = Part(
    role=REWARDS,
    name="gittins",
    summary="the Gittins index of a coin with a Beta(1, 1) prior",
    build=_build,
    parameters={"discount": within(0.99, 0.0, 0.999, "worth of a reward one round later")},
    check=coin_rewards("gittins", "'thompson-gauss'"),
)
PARTS = (GITTINS,)
